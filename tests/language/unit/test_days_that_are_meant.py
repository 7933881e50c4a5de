"""Which week, month or year a bare date is of, and what only looks like a date.

As of Wednesday 2026-11-18, 21:40 in Shanghai.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shared.language import relative_words
from shared.language.times.wording import with_dates

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 21, 40, tzinfo=ZONE)

AHEAD = {
    "warned everybody about Friday's inspection": "warned everybody about 2026-11-20's inspection",
    "the talk was put back to Monday": "the talk was put back to 2026-11-23",
    "knitted a scarf for Sunday": "knitted a scarf for 2026-11-22",
    "she mentioned the shop is shut on Friday": "she mentioned the shop is shut on 2026-11-20",
    "failed the test, retake on Friday": "failed the test, retake on 2026-11-20",
    "Friday's hike was cancelled": "2026-11-20's hike was cancelled",
    "the salary gets paid on the 30th": "the salary gets paid on 2026-11-30",
    "came on Monday and leave on Friday": "came on 2026-11-16 and leave on 2026-11-20",
    "跟房东商量了周五的交接": "跟房东商量了2026-11-20的交接",
    "the museum's closed on Monday": "the museum's closed on 2026-11-23",
    "周日的票没抢到": "2026-11-22的票没抢到",
    "周六的烧烤黄了": "2026-11-21的烧烤黄了",
    "球赛挪到了周日": "球赛挪到了2026-11-22",
    "周五加班，别忘了带电脑": "2026-11-20加班，别忘了带电脑",
    "周日搬家，纸箱准备好了": "2026-11-22搬家，纸箱准备好了",
    "已经通知大家周五停电": "已经通知大家2026-11-20停电",
    "腿疼，周六不跑了": "腿疼，2026-11-21不跑了",
}
BEHIND = {
    "the sofa should've come on Monday": "the sofa should've come on 2026-11-16",
    "was supposed to ring on Tuesday": "was supposed to ring on 2026-11-17",
    "wanted to visit on Sunday but was ill": "wanted to visit on 2026-11-15 but was ill",
    "Will phoned on Friday": "Will phoned on 2026-11-13",
    "周一没来开会": "2026-11-16没来开会",
    "she cut her hand on Sunday": "she cut her hand on 2026-11-15",
    "周二下的单": "2026-11-17下的单",
    "手机周一丢的": "手机2026-11-16丢的",
    "周二那天停电": "2026-11-17那天停电",
    "说好周日来，结果没来": "说好2026-11-15来，结果没来",
    "看了周日的比赛": "看了2026-11-15的比赛",
}
NEXT = {
    "viewing on the 3rd": "viewing on 2026-12-03",
    "3号去拿签证": "2026-12-03去拿签证",
    "28号到3号出差": "2026-11-28至2026-12-03出差",
    "check-up on Jan 8": "check-up on 2027-01-08",
    "away Dec 29 to Jan 4": "away from 2026-12-29 to 2027-01-04",
    "Monday or Wednesday": "On 2026-11-23 or on 2026-11-25",
}
READ = {
    "Thurs suits me": "2026-11-19 suits me",
    "fri night": "On 2026-11-20 at night",
    "we slept in over the weekend": "we slept in on the weekend of 2026-11-14",
    "back by mid-December": "back by mid-December 2026",
    "the Friday deadline": "the 2026-11-20 deadline",
    "half past six tomorrow evening": "On 2026-11-19 18:30",
    "due by midnight tomorrow": "due by 2026-11-20 00:00",
    "tomorrow at 17.30": "On 2026-11-19 17:30",
    "Friday 3pm to 5:30pm": "On 2026-11-20 15:00 to 17:30",
    "two or three days ago": "From 2026-11-15 to 2026-11-16",
    "周5见": "2026-11-20见",
    "周六日加班": "2026-11-21至2026-11-22加班",
    "周日一早走": "2026-11-22一早走",
    "12月份去哈尔滨": "2026年12月去哈尔滨",
    "还有五天就考试": "2026-11-23就考试",
    "25号之前寄": "2026-11-25之前寄",
    "周五24点截止": "2026-11-21 00:00截止",
    "明天下午两点到四点": "2026-11-19 14:00至16:00",
    "明天周四开会": "2026-11-19周四开会",
    "下周二三": "2026-11-24至2026-11-25",
    "五六天后": "2026-11-23至2026-11-24",
    "二十多年前": "2006-11-18前后",
    "12/5交房": "2026-12-05交房",
}
KEPT = [
    "swims every Tuesday, Thursday and Sunday",
    "the library is open Tuesday to Saturday",
    "usually free on Monday",
    "the last Friday of each month",
    "her birthday is April 9",
    "was born on April 9",
    "the Black Friday sale",
    "it's now or never",
    "the film Yesterday",
    "the last month of school",
    "ships in 3-5 business days",
    "starts at 7.15",
    "runs Python 3.11.12",
    "cut to 2/3",
    "for 3/4 of an hour",
    "it could be done in two days",
    "每周三、周五练琴",
    "每年4月9号",
    "食堂周一到周六营业",
    "周四一般在家",
    "女儿生日是4月9号",
    "一周五天",
    "毕业以后天天加班",
    "雨后天晴",
    "透明天花板",
    "高铁晚点了",
    "玩了一会儿",
    "打分8/10",
    "一次1/2片",
    "用的10号字",
    "3号嘉宾",
    "在周六福",
]


@pytest.mark.parametrize(
    ("said", "written"), [*AHEAD.items(), *BEHIND.items(), *NEXT.items(), *READ.items()]
)
def test_the_day_is_the_one_that_is_meant(said: str, written: str) -> None:
    assert with_dates(said, NOW)[0] == written


@pytest.mark.parametrize("said", KEPT)
def test_what_only_looks_like_a_date_is_kept_and_passes_the_gate(said: str) -> None:
    assert with_dates(said, NOW) == (said, [])
    assert [word for kind, word in relative_words(said) if kind == "relative time"] == []
