"""Which days words of time mean; most as of Monday 2016-11-07, 10:30."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from shared.language import times_in
from shared.language.times.reading import MAX_CHARACTERS, read
from tests.language.unit.dateless_sentences import CHINESE, ENGLISH

NOW = datetime(2016, 11, 7, 10, 30, tzinfo=UTC)

ONE_DAY = {
    "I'll go back Oct-2": "2017-10-02",
    "We met Wed, 22 of June": "2016-06-22",
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
    "两年零三个月前": "2014-08-07",
    "一年半前": "2015-05-07",
    "半年前": "2016-05-07",
    "再过三天": "2016-11-10",
    "去年年底": "2015-12-31",
    "二〇〇八年八月八日": "2008-08-08",
    "２０２６年３月５日": "2026-03-05",
    "后天下午": "2016-11-09",
}
STRETCHES = {
    "March 3-5": ("2016-03-03", "2016-03-05"),
    "next Monday to Wednesday": ("2016-11-14", "2016-11-16"),
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


THURSDAY = datetime(2026, 11, 19, 21, 40, tzinfo=UTC)
AHEAD = {
    "the talk was put back to Monday": "2026-11-23",
    "knitted a scarf for Sunday": "2026-11-22",
    "Friday, then": "2026-11-20",
    "check-up on Jan 8": "2027-01-08",
    "viewing on the 3rd": "2026-12-03",
    "球赛挪到了周日": "2026-11-22",
    "订好了 周日6点 大桌": "2026-11-22",
    "物业定了，周三上午打药": "2026-11-25",
    "the rent was paid up to 30 November": "2026-11-30",
    "booked, Mylor, 3 March": "2027-03-03",
    "周五加班，别忘了带电脑": "2026-11-20",
    "12/5交房": "2026-12-05",
}
BEHIND = {
    "we met her on Tuesday": "2026-11-17",
    "sold the bike on the 3rd": "2026-11-03",
    "since Monday": "2026-11-16",
    "what will happen is in this chat from 17 November": "2026-11-17",
    "周一没来开会": "2026-11-16",
    "看了周日的比赛": "2026-11-15",
    "Friday the 6th": "2026-11-06",
}
NAMES_NO_DAY = [
    "swims every Tuesday, Thursday and Sunday",
    "a walk every first Monday",
    "每周三、周五练琴",
    "每年4月9号",
    "一周五天",
    "毕业以后天天加班",
    "雨后天晴",
    "透明天花板",
    "神龙二年正月初一",
    "三月初一去庙里",
    "2019年2月29日",
    "on 2/29/2019",
    "ships in 3-5 business days",
    "runs Python 3.11.12",
    "用的10号字",
    "抢到 5号场",
    "let us talk later, 目前很忙",
]


@pytest.mark.parametrize(("words", "day"), ONE_DAY.items())
def test_words_for_a_day_mean_that_day(words: str, day: str) -> None:
    assert [(str(named.first), str(named.last)) for named in times_in(words, NOW)] == [(day, day)]


@pytest.mark.parametrize(("words", "days"), STRETCHES.items())
def test_words_for_a_stretch_have_a_first_and_a_last_day(words: str, days: tuple[str, str]) -> None:
    assert [(str(named.first), str(named.last)) for named in times_in(words, NOW)] == [days]


@pytest.mark.parametrize(("words", "clock"), CLOCKS.items())
def test_a_time_of_day_belongs_to_its_date(words: str, clock: str) -> None:
    (found,) = times_in(words, NOW)
    assert found.clock is not None
    assert found.clock.strftime("%H:%M") == clock
    assert (found.start, found.end) == (0, len(words))


@pytest.mark.parametrize(("words", "day"), [*AHEAD.items(), *BEHIND.items()])
def test_the_clause_says_which_week_or_month_is_meant(words: str, day: str) -> None:
    assert [str(named.first) for named in times_in(words, THURSDAY)] == [day]


@pytest.mark.parametrize("words", [*NAMES_NO_DAY, *ENGLISH.splitlines(), *CHINESE.splitlines()])
def test_nothing_is_read_into_words_that_name_no_day(words: str) -> None:
    assert [words[named.start : named.end] for named in times_in(words, NOW)] == []


def test_what_means_another_day_tomorrow_is_told_from_a_date() -> None:
    found = times_in("tomorrow or Friday, and May 3rd; 下周三, 3月1日", NOW)
    assert [named.is_relative for named in found] == [True, False, False, True, False]


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


def test_what_stands_beyond_the_limit_is_not_read() -> None:
    assert read("x" * MAX_CHARACTERS + " tomorrow", NOW) == []
