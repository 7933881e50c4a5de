"""Edges of months and years, and words that mean a day only beside the time they were said."""

import re
from datetime import date, timedelta

from shared.language.times.calendar import (
    month_of,
    year_of,
)
from shared.language.times.numbers_zh import NUMBER, number
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import (
    AFTER,
    AROUND,
    AS_OF,
    PART_OF_YEAR,
    SINCE,
    STRETCH,
    TimeSpan,
    a_moment,
    one_day,
)
from shared.language.times.words_zh import (
    SHIFT,
    SHIFTS,
    YEAR_WORD,
    YEAR_WORDS,
)

_EDGE = re.compile(
    rf"(?:(?P<shift>{SHIFT}|当|同)(?:一?个)?(?=月)|(?P<year>{YEAR_WORD})的?|(?P<digits>\d{{4}})年)?"
    rf"(?P<month>{NUMBER}(?=月))?"
    r"(?P<edge>月底(?!薪)|月初(?![一二三四五六七八九十])|月中旬|月上旬|月下旬|月中(?!旬)|月末|年底|年初|年末|年中|底(?![下层线气部子座细牌价薪])|初(?![中一二三四五六七八九十步级次期衷心恋始]))"
)


def edge_of_period(scene: Scene, at: int) -> Reading | None:
    """月底, 下个月初, 去年年底, 明年3月中旬."""
    found = _EDGE.match(scene.text, at)
    if not found:
        return None
    edge = found["edge"]
    steps = YEAR_WORDS[found["year"]] if found["year"] else 0
    year = int(found["digits"]) if found["digits"] else scene.today.year + steps
    if edge in ("底", "初"):
        if not found["year"] and not found["digits"]:
            return None
        if found["month"]:
            return None
        edge = "年" + edge
    if year < 1:
        return None
    if edge[0] == "年":
        if found["month"]:
            return None
        span = year_of(date(year, 1, 1))
    elif found["month"]:
        value = number(found["month"])
        if value is None or not 1 <= value <= 12:
            return None
        span = month_of(date(year, value, 1))
    else:
        span = month_of(scene.today, SHIFTS[found["shift"] or "本"])
        if found["year"] or found["digits"]:
            return None
    is_partial = bool(found["digits"])
    tens = {"上旬": (0, 9), "中旬": (10, 19), "下旬": (20, 40)}.get(edge[1:])
    if tens:
        first = span.first + timedelta(days=tens[0])
        last = min(span.last, span.first + timedelta(days=tens[1]))
        return Reading(TimeSpan(first, last, STRETCH), found.end(), is_partial)
    if edge[-1] == "中":
        middle = timedelta(days=14) if edge[0] == "月" else timedelta(days=181)
        return Reading(one_day(span.first + middle), found.end(), is_partial)
    day = span.last if edge[-1] in "底末" else span.first
    return Reading(one_day(day), found.end(), is_partial)


_HALF_YEAR = re.compile(r"(?P<half>[上下])半年|(?P<within>年内)")


def half_of_year(scene: Scene, at: int) -> Reading | None:
    """上半年, 下半年, 年内: of this year. Behind a year they are that year's and stay."""
    found = _HALF_YEAR.match(scene.text, at)
    before = scene.text[max(0, at - 1) : at]
    if not found or before in tuple("近年的两几数0123456789一二三四五六七八九十"):
        return None
    year = year_of(scene.today)
    if found["within"]:
        return Reading(TimeSpan(scene.today, year.last, PART_OF_YEAR, part="内"), found.end())
    middle = date(scene.today.year, 7, 1)
    first, last = year.first, middle - timedelta(days=1)
    if found["half"] == "下":
        first, last = middle, year.last
    return Reading(TimeSpan(first, last, PART_OF_YEAR, part=found[0]), found.end())


_JUST_NOW = re.compile(r"刚才|刚刚|方才|适才|此刻|这会儿")
_VAGUE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"最近(?!的?一[次回家个间]|的(?:地铁|车站|医院|店|路|距离|一家|超市))|近期|近来|近日|这几天|这些天|这两天|这阵子|这段时间|前几天|前两天|前些天|"
            r"前阵子|前段时间|前不久|不久前"
        ),
        AROUND,
    ),
    (
        re.compile(
            r"从现在起|从现在开始|从今以后|从今往后|今后|往后(?![退面边站翻靠挪看走倒仰撤])"
        ),
        SINCE,
    ),
    (re.compile(r"目前|现在|眼下|当前|如今|现阶段"), AS_OF),
    (
        re.compile(
            r"稍后|等会儿?(?![议员])|待会儿?(?![议员谈])|(?<![了等过坐睡玩聊看歇躺站待呆])一会儿|(?<![开见约聚])过会儿?(?![议员了])|(?<![在骑])马上|(?<![子不猛])回头(?!率|客|看|见|草|路|是岸)|改天(?!换地)|过几天|过两天|过阵子|不久后|不久之后|(?<!飞机)(?<!航班)(?<!火车)(?<!高铁)(?<!列车)(?<![又没老总天日\d])晚点(?!名|到|了|\d|[二两三四五六七八九十半几]|一(?![起块会并])|率|严重|起飞|发车)|晚些时候"
        ),
        AFTER,
    ),
)
_FROM_NOW_ON = re.compile(r"以后")
_OPENS_CLAUSE = re.compile(r"(?:^|[,，。;；!！?？\s]|们|大家)$")


def vague_word(scene: Scene, at: int) -> Reading | None:
    """最近, 刚才, 目前, 以后."""
    text = scene.text
    now_word = _JUST_NOW.match(text, at)
    if now_word:
        return Reading(a_moment(scene.now), now_word.end())
    since = _FROM_NOW_ON.match(text, at)
    if since and _OPENS_CLAUSE.search(text[max(0, at - 2) : at]):
        return Reading(TimeSpan(scene.today, scene.today, SINCE), since.end())
    for pattern, grain in _VAGUE:
        found = pattern.match(text, at)
        if not found:
            continue
        if grain == AROUND and text[max(0, at - 1) : at] in ("离", "距"):
            return None
        if grain == AFTER:
            return Reading(a_moment(scene.now, AFTER), found.end())
        return Reading(TimeSpan(scene.today, scene.today, grain), found.end())
    return None
