"""Which days words of time mean: one row a rule of the language, as of Monday 2016-11-07, 10:30."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from shared.language import times_in
from shared.language.times.find import MAX_CHARACTERS, time_expressions

NOW = datetime(2016, 11, 7, 10, 30, tzinfo=UTC)

ONE_DAY = {
    "I'll go back Oct-2": "2017-10-02",
    "We met Wed, 22 of Jan": "2016-01-22",
    "on September the twenty-first nineteen seventy eight": "1978-09-21",
    "on Sunday January twenty first two thousand and eighteen": "2018-01-21",
    "2 years 1 month 21 days ago": "2014-09-16",
    "a year and a half ago": "2015-05-07",
    "half a year ago": "2016-05-07",
    "third Tuesday of next month": "2016-12-20",
    "the last Friday in this month": "2016-11-25",
    "next week on Friday": "2016-11-18",
    "Friday of next week": "2016-11-18",
    "the Friday after next": "2016-11-25",
    "Friday week": "2016-11-18",
    "a week from Friday": "2016-11-18",
    "two Sundays from now": "2016-11-20",
    "the day after next Friday": "2016-11-19",
    "next month on the 5th": "2016-12-05",
    "the last day of next month": "2016-12-31",
    "March 3 last year": "2015-03-03",
    "last year on March 3": "2015-03-03",
    "this day last month": "2016-10-07",
    "in four business days": "2016-11-11",
    "the end of the year": "2016-12-31",
    "3.5.2015": "2015-03-05",
    "去年本月十日": "2015-11-10",
    "上个月的今天": "2016-10-07",
    "去年的今天": "2015-11-07",
    "下个月第三个周二": "2016-12-20",
    "本月最后一个周五": "2016-11-25",
    "十二日": "2016-11-12",
    "12号": "2016-11-12",
    "上上個禮拜三": "2016-10-26",
    "下下周五": "2016-11-25",
    "两周后的周五": "2016-11-25",
    "两年零三个月前": "2014-08-07",
    "一年半前": "2015-05-07",
    "半年前": "2016-05-07",
    "再过三天": "2016-11-10",
    "下周五的前一天": "2016-11-17",
    "去年年底": "2015-12-31",
    "二〇〇八年八月八日": "2008-08-08",
    "２０２６年３月５日": "2026-03-05",
    "民国三十八年十月一日": "1949-10-01",
    "后天下午": "2016-11-09",
}
STRETCHES = {
    "March 3-5": ("2016-03-03", "2016-03-05"),
    "from the 3rd to the 5th of March": ("2016-03-03", "2016-03-05"),
    "next Monday to Wednesday": ("2016-11-14", "2016-11-16"),
    "between March 3 and March 5": ("2016-03-03", "2016-03-05"),
    "the last three days": ("2016-11-04", "2016-11-07"),
    "next month": ("2016-12-01", "2016-12-31"),
    "last weekend": ("2016-11-05", "2016-11-06"),
    "3月1日到5日": ("2016-03-01", "2016-03-05"),
    "下周一到周三": ("2016-11-14", "2016-11-16"),
    "上个月": ("2016-10-01", "2016-10-31"),
    "这周末": ("2016-11-12", "2016-11-13"),
    "过去两周": ("2016-10-24", "2016-11-07"),
    "明年3月中旬": ("2017-03-11", "2017-03-20"),
}
CLOCKS = {
    "the third Tuesday of next month at 5:30pm": "17:30",
    "tomorrow at noon": "12:00",
    "昨晚8点": "20:00",
    "今天下午三点半": "15:30",
    "后天早上七点四十五分": "07:45",
    "half an hour ago": "10:00",
    "五个小时后": "15:30",
}


@pytest.mark.parametrize(("words", "day"), ONE_DAY.items())
def test_words_for_a_day_mean_that_day(words: str, day: str) -> None:
    assert [(str(one.span.first), str(one.span.last)) for one in time_expressions(words, NOW)] == [
        (day, day)
    ]


@pytest.mark.parametrize(("words", "days"), STRETCHES.items())
def test_words_for_a_stretch_have_a_first_and_a_last_day(words: str, days: tuple[str, str]) -> None:
    assert [(str(one.span.first), str(one.span.last)) for one in time_expressions(words, NOW)] == [
        days
    ]


@pytest.mark.parametrize(("words", "clock"), CLOCKS.items())
def test_a_time_of_day_belongs_to_its_date(words: str, clock: str) -> None:
    (found,) = time_expressions(words, NOW)
    assert found.span.clock is not None
    assert found.span.clock.strftime("%H:%M") == clock
    assert (found.start, found.end) == (0, len(words))


def test_a_day_that_does_not_exist_is_said_to_be_impossible() -> None:
    assert [one.span.grain for one in time_expressions("2019年2月29日", NOW)] == ["impossible"]
    assert [one.span.grain for one in time_expressions("on 2/29/2019", NOW)] == ["impossible"]


def test_a_date_of_the_moon_keeps_its_own_numbers() -> None:
    (found,) = time_expressions("五月初五吃粽子", NOW)
    assert (found.span.grain, found.span.first.month, found.span.first.day) == ("lunar", 5, 5)


def test_the_sentence_says_which_year_or_week_is_meant() -> None:
    was = time_expressions("We saw her on Friday and on March 3", NOW)
    will = time_expressions("We will see her on Friday and on March 3", NOW)
    assert [str(one.span.first) for one in was] == ["2016-11-04", "2016-03-03"]
    assert [str(one.span.first) for one in will] == ["2016-11-11", "2017-03-03"]


def test_days_are_those_of_the_zone() -> None:
    late = datetime(2026, 11, 16, 15, 50, tzinfo=ZoneInfo("UTC"))
    shanghai, honolulu = ZoneInfo("Asia/Shanghai"), ZoneInfo("Pacific/Honolulu")
    past_midnight = late.replace(hour=16)
    for words, now, zone, day in (
        ("明天见", late, shanghai, "2026-11-17"),
        ("明天见", past_midnight, shanghai, "2026-11-18"),
        ("see you tomorrow", late, honolulu, "2026-11-17"),
    ):
        assert [str(named.first) for named in times_in(words, now.astimezone(zone))] == [day]


def test_words_that_name_no_day_give_none() -> None:
    assert times_in("let us talk later, 目前很忙", NOW) == []


def test_what_stands_beyond_the_limit_is_not_read() -> None:
    assert time_expressions("x" * MAX_CHARACTERS + " tomorrow", NOW) == []
