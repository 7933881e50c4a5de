"""Relative dates in both languages, counted from a Saturday: 2026-02-21, 14:30."""

from datetime import datetime

import pytest

from infra.emulators.openai.rules.dates import absolute, find

NOW = datetime.fromisoformat("2026-02-21T14:30:00+08:00")

ENGLISH = {
    "today": "2026-02-21",
    "yesterday": "2026-02-20",
    "tomorrow": "2026-02-22",
    "the day after tomorrow": "2026-02-23",
    "the day before yesterday": "2026-02-19",
    "last night": "2026-02-20",
    "this morning": "2026-02-21",
    "next Wednesday": "2026-02-25",
    "last Wednesday": "2026-02-11",
    "this Wednesday": "2026-02-18",
    "Thursday of next week": "2026-02-26",
    "next week": "2026-02-23",
    "last month": "2026-01-01",
    "next year": "2027-01-01",
    "this weekend": "2026-02-21",
    "four days ago": "2026-02-17",
    "a week ago": "2026-02-14",
    "a couple of weeks ago": "2026-02-07",
    "in five days": "2026-02-26",
    "two months from now": "2026-04-21",
    "one month and three days ago": "2026-01-18",
    "in three business days": "2026-02-25",
    "two weeks after tomorrow": "2026-03-08",
    "the second Tuesday of next month": "2026-03-10",
    "the last Friday of this month": "2026-02-27",
    "the 8th of next month": "2026-03-08",
    "the end of the month": "2026-02-28",
    "March 14": "2026-03-14",
    "14 March 2024": "2024-03-14",
    "the third of April": "2026-04-03",
    "7/31/2025": "2025-07-31",
    "2025-07-31": "2025-07-31",
    "ninety minutes ago": "2026-02-21",
}

CHINESE = {
    "今天": "2026-02-21",
    "昨日": "2026-02-20",
    "明天": "2026-02-22",
    "后天": "2026-02-23",
    "大前天": "2026-02-18",
    "昨晚": "2026-02-20",
    "下周三": "2026-02-25",
    "上周三": "2026-02-11",
    "这周三": "2026-02-18",
    "下下周一": "2026-03-02",
    "上上个星期天": "2026-02-08",
    "下周": "2026-02-23",
    "上个月": "2026-01-01",
    "明年": "2027-01-01",
    "周末": "2026-02-21",
    "四天前": "2026-02-17",
    "两周前": "2026-02-07",
    "五天后": "2026-02-26",
    "半个月前": "2026-02-06",
    "三个月后": "2026-05-21",
    "去年11月3日": "2025-11-03",
    "下个月8号": "2026-03-08",
    "上个月底": "2026-01-31",
    "年底": "2026-12-31",
    "3月14日": "2026-03-14",
    "二零二四年三月十四日": "2024-03-14",
    "二十八号": "2026-02-28",
    "过三天": "2026-02-24",
    "前年": "2024-01-01",
    "九十分钟前": "2026-02-21",
}


@pytest.mark.parametrize(("words", "day"), [*ENGLISH.items(), *CHINESE.items()])
def test_an_expression_means_its_first_day(words: str, day: str) -> None:
    found = find(words, NOW)
    assert [one.when.first.isoformat() for one in found] == [day]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Ida will come next Friday at 3pm.", "Ida will come on 2026-02-27 15:00."),
        ("Ida came at 9:30 am yesterday", "Ida came on 2026-02-20 09:30"),
        ("by tomorrow evening", "by 2026-02-22 in the evening"),
        ("yesterday's bread", "2026-02-20's bread"),
        ("Tomorrow we sail", "On 2026-02-22 we sail"),
        ("the sale last month", "the sale in January 2026"),
        ("call in 20 minutes", "call at 2026-02-21 14:50"),
        ("just now", "At 2026-02-21 14:30"),
        ("Jon recently moved", "Jon around 2026-02-21 moved"),
        ("Jon now paints", "Jon as of 2026-02-21 paints"),
        ("明天下午3点开会", "2026-02-22 15:00开会"),
        ("上周三晚上八点半到的", "2026-02-11 20:30到的"),
        ("昨天的面包", "2026-02-20的面包"),
        ("下周要发版", "2026-02-23至2026-03-01要发版"),
        ("两个小时后出发", "2026-02-21 16:30出发"),
        ("最近在学画画", "2026-02-21前后在学画画"),
        ("刚才来过", "2026-02-21 14:30来过"),
        ("去年10月入职", "2025年10月入职"),
        ("今早六点一刻", "2026-02-21 06:15"),
    ],
)
def test_a_sentence_is_written_with_its_dates(said: str, written: str) -> None:
    assert absolute(said, NOW) == written


@pytest.mark.parametrize(
    "said",
    [
        "every Friday we sail",
        "On Fridays nobody works",
        "we may march",
        "version 4.22 is out",
        "the second time was better",
        "每周五晚上开会",
        "地铁3号线停了",
        "周一到周五上班",
        "2026-02-01已经过去",
        "三月初一",
    ],
)
def test_what_names_no_day_or_names_it_fully_is_left_alone(said: str) -> None:
    assert absolute(said, NOW) == said


@pytest.mark.parametrize("said", ["2/30/2025", "2月30日", "the 40th"])
def test_a_day_that_does_not_exist_is_no_date(said: str) -> None:
    assert find(said, NOW) == []


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I will see the dentist on Tuesday", "2026-02-24"),
        ("I saw the dentist on Tuesday", "2026-02-17"),
        ("周二要去看牙", "2026-02-24"),
        ("周二去看过牙了", "2026-02-17"),
        ("We shall meet on January 5", "2027-01-05"),
        ("We met on December 5", "2025-12-05"),
    ],
)
def test_the_tense_tells_which_of_two_days_is_meant(said: str, day: str) -> None:
    assert [one.when.first.isoformat() for one in find(said, NOW)] == [day]


def test_a_month_on_from_its_last_day_is_the_last_day() -> None:
    end = datetime.fromisoformat("2026-01-31T09:00:00+00:00")
    assert absolute("one month from now", end) == "On 2026-02-28"
    assert absolute("一个月后", end) == "2026-02-28"
