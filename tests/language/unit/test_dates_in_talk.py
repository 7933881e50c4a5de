"""Times as people say them in chats, written out; as of Wednesday 2026-11-18, 21:40 in Shanghai."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shared.language.times.wording import with_dates

NOW = datetime(2026, 11, 18, 21, 40, tzinfo=ZoneInfo("Asia/Shanghai"))

WRITTEN_OUT = {
    "今晚凌晨一点的球": "2026-11-19 01:00的球",
    "今晚两点睡": "2026-11-19 02:00睡",
    "昨天半夜一点": "2026-11-18 01:00",
    "明天晚上十二点": "2026-11-20 00:00",
    "明天凌晨三点": "2026-11-19 03:00",
    "明天晚上五点": "2026-11-19 17:00",
    "明儿个不来，大后儿来": "2026-11-19不来，2026-11-21来",
    "上半年亏了": "2026年上半年亏了",
    "年内上线": "2026年内上线",
    "到现在没找着": "到2026-11-18没找着",
    "本周六周日": "2026-11-21、2026-11-22",
    "周末去她妈家，她下个月过生日": "2026-11-21至2026-11-22去她妈家，她2026年12月过生日",
    "周三前把钱转我": "2026-11-25前把钱转我",
    "周五之前交": "2026-11-20之前交",
    "周三开会": "2026-11-18开会",
    "pay me by Wednesday": "pay me by 2026-11-25",
    "hand it in before Wednesday": "hand it in before 2026-11-25",
    "hand it in by Friday": "hand it in by 2026-11-20",
    "I work till 2am tonight": "I work till 2026-11-19 02:00",
    "woke at 3 last night": "woke on 2026-11-18 03:00",
    "pick them up at 3 this afternoon": "pick them up on 2026-11-18 15:00",
    "noon tomorrow": "On 2026-11-19 12:00",
    "midnight tonight": "On 2026-11-19 00:00",
    "at half past six tomorrow": "On 2026-11-19 06:30",
    "tomorrow at quarter to nine": "On 2026-11-19 08:45",
    "a week on Saturday": "On 2026-11-28",
    "two weeks today": "On 2026-12-02",
    "a month ago today": "On 2026-10-18",
    "the night before last": "On 2026-11-16 at night",
    "since Monday": "since 2026-11-16",
    "two summers ago": "In the summer of 2025",
    "the summer before last": "In the summer of 2025",
    "last winter": "In the winter of 2025",
    "next spring": "In the spring of 2027",
    "last Christmas": "On 2025-12-25",
    "next Easter": "On 2027-03-28",
    "I've got a meeting in two hours": "I've got a meeting at 2026-11-18 23:40",
    "had surgery and can walk in three days": "had surgery and can walk on 2026-11-21",
    "due at the end of the month": "due at the end of November 2026",
    "between now and Friday": "between 2026-11-18 and 2026-11-20",
    "from the 3rd to the 5th": "from 2026-12-03 to 2026-12-05",
    "in the second half of the year": "in the second half of 2026",
    "I take Thursday off": "I take 2026-11-19 off",
}
LEFT_ALONE = [
    "手术三天后出院",
    "毕业两年后回来",
    "婚礼前两天到",
    "除夕前两天的飞机",
    "生日当天收到",
    "那天没来，当天晚上才打电话",
    "十年如一日",
    "去云南三日游",
    "一日三餐",
    "周一三五上课",
    "最近一次体检",
    "flies in two days before Christmas Eve",
    "Two weeks later he came",
    "later that day",
    "the following week",
    "every first Monday of the month",
    "now and then",
]


@pytest.mark.parametrize(("said", "written"), WRITTEN_OUT.items())
def test_the_day_and_the_hour_are_those_that_are_meant(said: str, written: str) -> None:
    assert with_dates(said, NOW)[0] == written


@pytest.mark.parametrize("said", LEFT_ALONE)
def test_what_counts_from_another_time_or_from_none_is_left_alone(said: str) -> None:
    assert with_dates(said, NOW) == (said, [])


@pytest.mark.parametrize(
    ("said", "written"),
    [("周一三点开会", "2026-11-23三点开会"), ("tomorrow at 3", "On 2026-11-19 at 3")],
)
def test_an_hour_that_may_be_of_the_night_or_the_afternoon_is_not_guessed(
    said: str, written: str
) -> None:
    assert with_dates(said, NOW)[0] == written
