"""Weeks, weekdays, periods and years by their Chinese names, and named days."""

import re
from datetime import date, timedelta

from shared.language.times.calendar import (
    LOOK_BACK,
    fitting_weekday,
    month_of,
    quarter_of,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)
from shared.language.times.dates_zh import year_said
from shared.language.times.eras import ERA
from shared.language.times.numbers_zh import NUMBER
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import STRETCH, TimeSpan, one_day
from shared.language.times.words_zh import (
    DAY_WORDS,
    SHIFT,
    SHIFTS,
    SHORT_PARTS,
    WEEK,
    WEEKDAY,
    WEEKDAYS,
    YEAR_WORD,
    YEAR_WORDS,
)

_WEEKDAY_OF = re.compile(
    rf"(?P<shift>{SHIFT})(?:一?个)?(?:{WEEK}的?{WEEK}?)(?P<day>{WEEKDAY}(?![个些起直样共块般片圈])|[1-7](?![\d点:.个]))"
    r"(?P<second>[二三四五六日](?![点时:十月号天个]))?"
)
_WEEKDAY_ALONE = re.compile(
    rf"{WEEK}(?P<day>{WEEKDAY}|(?<!\d周)[1-7](?![\d点:.个年月天次周/%-]))(?![到至]?[些个起直样共块般片圈])"
    r"(?!(?!一大?早)、?[一二三四五六日]{1,5}(?:$|[,，。;；!！?？、\s和都的开上下中早晚休值没有不要会去来]))"
)
"""周一三五 are days of every week, not one day; 周一三点 is an hour of one."""
_EVERY = re.compile(r"(?:每个?|逢|隔|双|单|每逢|每一个|隔[一两]周的?|第[一二三四五1-5]个)$")
_COUNTS_WEEKS = re.compile(r"(?<![周期拜])[一二两三四五六七八九十几每\d]$")
"""一周五天, 两周一次, 四周一片漆黑."""
_BEFORE_IT = re.compile("[之以]?前(?![几两天])")
"""Whoever says on a Wednesday 周三前 means the next: this one has begun."""
_SAME_DAY_OF_WEEK = re.compile(rf"(?P<shift>{SHIFT})(?:一?个)?{WEEK}的?(?:今天|今日|同一天)")


def weekday(scene: Scene, at: int) -> Reading | None:
    """下周五, 上上个星期三, 礼拜日."""
    found = _WEEKDAY_OF.match(scene.text, at)
    if found:
        day = weekday_of(scene.today, WEEKDAYS[found["day"]], SHIFTS[found["shift"]])
        if WEEKDAYS.get(found["second"]) == WEEKDAYS[found["day"]] + 1:
            return Reading(TimeSpan(day, day + timedelta(days=1), STRETCH), found.end())
        return Reading(one_day(day), found.end("day"))
    same = _SAME_DAY_OF_WEEK.match(scene.text, at)
    if same:
        day = scene.today + timedelta(weeks=SHIFTS[same["shift"]])
        return Reading(one_day(day), same.end())
    alone = _WEEKDAY_ALONE.match(scene.text, at)
    if not alone or _EVERY.search(scene.text[max(0, at - 5) : at]):
        return None
    if alone[0][0] == "周" and _COUNTS_WEEKS.search(scene.text[max(0, at - 2) : at]):
        return None
    value = WEEKDAYS[alone["day"]]
    day = fitting_weekday(scene.today, value, scene.lean(at))
    if day == scene.today and _BEFORE_IT.match(scene.text, alone.end()):
        day += timedelta(weeks=1)
    return Reading(one_day(day), alone.end(), is_partial=True)


_PERIOD = re.compile(
    rf"(?P<shift>{SHIFT})(?:一?个)?(?P<unit>{WEEK}六[日天]|(?:{WEEK}的?)?周末|{WEEK}末|{WEEK}|月(?:份)?(?![底初中末])|季度|季(?!节))"
    r"(?![期刊])"
)
_WEEKEND = re.compile(rf"周末|{WEEK}六、?[日天](?!早|晚|上午|下午)")


def period(scene: Scene, at: int) -> Reading | None:
    """下个月, 上周, 这个周末, 本季度, 周末."""
    found = _PERIOD.match(scene.text, at)
    if found:
        steps, unit = SHIFTS[found["shift"]], found["unit"]
        if unit.endswith(("末", "六日", "六天")):
            span = weekend_of(scene.today, steps)
        elif unit.startswith("月"):
            span = month_of(scene.today, steps)
        elif unit.startswith("季"):
            span = quarter_of(scene.today, steps)
        else:
            span = week_of(scene.today, steps)
        return Reading(span, found.end())
    weekend = _WEEKEND.match(scene.text, at)
    if not weekend or _EVERY.search(scene.text[max(0, at - 5) : at]):
        return None
    is_past = scene.lean(at) == LOOK_BACK and scene.today.weekday() < 5
    span = weekend_of(scene.today, -1 if is_past else 0)
    return Reading(span, weekend.end(), is_partial=True)


_YEAR_ALONE = re.compile(
    rf"(?P<word>{YEAR_WORD})|(?P<era>{ERA})(?P<nth>元|{NUMBER})年(?!间)"
    r"|(?P<year>\d{4}|[零一二三四五六七八九]{4})年(?![前后级代])"
)


def year_alone(scene: Scene, at: int) -> Reading | None:
    found = _YEAR_ALONE.match(scene.text, at)
    if not found:
        return None
    if found["word"]:
        return Reading(year_of(scene.today, YEAR_WORDS[found["word"]]), found.end())
    value = year_said(scene, found)
    if not value:
        return None
    return Reading(year_of(date(value, 1, 1)), found.end(), is_partial=True)


_NAMED = re.compile("|".join(sorted((*DAY_WORDS, *SHORT_PARTS), key=len, reverse=True)))


_CUT_DAYS = ("前天", "后天", "明天")
_CUTS = ("之", "以", "睡", "饭", "课", "然", "最", "午", "眼", "提", "天", "年", "月")
_CUT_AFTER = re.compile(
    r"花板|窗|桥|天(?![气晴黑亮冷热下])|猫|才(?!能|会|要|到|有|去|来|走|开|可|出|发|考|交)|真|赋|赐|使|堂"
    r"|生(?!日|孩|娃|病|效|产|意|鲜|火|吃)"
)
"""以后天天, 小明天天, 之后天晴: the words are cut elsewhere."""


def is_cut(text: str, at: int) -> bool:
    """Whether the two characters at this place belong to different words."""
    if text[at : at + 2] not in _CUT_DAYS:
        return False
    before = text[max(0, at - 1) : at]
    is_after_rain = before in ("雨", "雪") and text[at + 2 : at + 3] in ("晴", "空")
    return before in _CUTS or is_after_rain or bool(_CUT_AFTER.match(text, at + 2))


def named_day(scene: Scene, at: int) -> Reading | None:
    """昨天, 大后天, 今晚."""
    found = _NAMED.match(scene.text, at)
    if not found or scene.text.startswith(
        ("性", "子", "媳", "谈", "培养", "养成", "努力", "形成"), found.end()
    ):
        return None
    before = scene.text[max(0, at - 1) : at]
    if is_cut(scene.text, at):
        return None
    if found[0] in ("前日", "后日", "当日", "当天") and before in tuple("之以目三几数"):
        return None
    if found[0] in SHORT_PARTS:
        days, part = SHORT_PARTS[found[0]]
        return Reading(one_day(scene.today + timedelta(days=days)).during(part), found.end())
    return Reading(one_day(scene.today + timedelta(days=DAY_WORDS[found[0]])), found.end())
