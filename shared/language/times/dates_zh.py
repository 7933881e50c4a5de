"""Dates in Chinese: a year, a month and a day, of which the first may be missing."""

import re
from datetime import date

from shared.language.times.calendar import (
    LOOK_AHEAD,
    add_months,
    fitting_month,
    fitting_year,
    full_year,
    month_of,
    nth_weekday,
    real_date,
    year_of,
)
from shared.language.times.eras import ERA, REPUBLIC, year_of_era
from shared.language.times.numbers_zh import NUMBER, number
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import (
    LUNAR,
    TimeSpan,
    one_day,
)
from shared.language.times.words_zh import (
    DIGIT_YEAR,
    EARLY,
    SHIFT,
    SHIFTS,
    THAT_DAY,
    WEEK,
    WEEKDAY,
    WEEKDAY_NOTE,
    WEEKDAYS,
    YEAR_WORD,
    YEAR_WORDS,
    day_or_none,
)

_YEAR = re.compile(
    rf"(?P<word>{YEAR_WORD})(?:的|里)?"
    rf"|(?P<era>{ERA})(?P<nth>元|{NUMBER})年的?"
    rf"|(?P<year>{DIGIT_YEAR}) ?年的?"
)
_MONTH = re.compile(
    rf" {{0,2}}(?:(?:(?P<shift>{SHIFT}|当|同)(?:一?个)?月(?:份)?(?!底|{EARLY}|中|末))"
    rf"|(?P<number>{NUMBER}|元) {{0,2}}月(?:份)?(?!前|后|内|以|之|底|{EARLY}|末|中旬|上旬|下旬)"
    r"|(?P<lunar>正月|腊月|冬月))的?"
)
_MONTH_ALONE = re.compile(rf"(?P<number>{NUMBER}) ?月份(?!的?{NUMBER}[号日])")
_DAY = re.compile(
    rf" {{0,2}}(?P<number>{NUMBER}) {{0,2}}(?:日|号)"
    rf"(?![线楼院店机位桌门房车馆厅码球员选窗台柜床仓口公文本])"
    rf"|(?P<plain> {{0,2}}{NUMBER})(?![\d.个年月天周点:%岁号日时分人次份])"
    r"|(?P<first>初[一二三四五六七八九十])|(?P<today>今天|今日|这一天|这天|同一天)"
    r"|(?P<last>最后一天)|第(?P<nth>[\d一二三四五六七八九十]{1,3})(?:天|日)"
)
_NTH_WEEKDAY = re.compile(
    rf"(?:第(?P<nth>[一二三四五1-5])|(?P<last>最后一))个?{WEEK}(?P<weekday>{WEEKDAY})"
)
_LUNAR_MARK = re.compile(r"(?:农历|阴历|旧历)的?")
_LUNAR_MONTHS = {"正月": 1, "冬月": 11, "腊月": 12}


def calendar_date(scene: Scene, at: int) -> Reading | None:
    """2009年10月12号, 去年本月十日, 下个月第三个周二, 八月十五, 正月初一."""
    text = scene.text
    marked = _LUNAR_MARK.match(text, at)
    place = marked.end() if marked else at
    found_year = _YEAR.match(text, place)
    year: int | None = None
    if found_year:
        year = year_said(scene, found_year)
        if year is None:
            return None
        place = found_year.end()
        inner = _LUNAR_MARK.match(text, place)
        marked, place = (inner, inner.end()) if inner else (marked, place)
    found_month = _MONTH.match(text, place)
    if not found_month:
        first = _DAY.match(text, place) if marked and not found_year else None
        if first and first["first"]:
            moon = scene.today.replace(day=number(first["first"][1:]) or 1)
            return Reading(TimeSpan(moon, moon, LUNAR), first.end(), is_partial=True)
        return _year_then_today(scene, found_year, place)
    month = _month(scene, found_month, year)
    if month is None:
        return None
    place = found_month.end()
    nth = _NTH_WEEKDAY.match(text, place)
    if nth:
        count = -1 if nth["last"] else (number(nth["nth"]) or 0)
        day = nth_weekday(month, count, WEEKDAYS[nth["weekday"]])
        return Reading(day_or_none(day), nth.end(), is_partial=bool(found_month["number"]))
    found_day = _DAY.match(text, place)
    is_relative = bool(found_month["shift"]) or bool(found_year and found_year["word"])
    if not found_day:
        if found_month["lunar"] or marked or not (found_year or found_month["shift"]):
            return None
        end = place - text[found_month.start() : place].endswith("的")
        return Reading(month_of(month), end, is_partial=not is_relative)
    reign = found_year["era"] if found_year else None
    lunar = bool(marked or found_month["lunar"] or found_day["first"])
    lunar = lunar or bool(reign and reign != REPUBLIC)
    return _day_reading(scene, at, year, month, found_month, found_day, lunar, is_relative)


def year_said(scene: Scene, found: re.Match[str]) -> int | None:
    if found["word"]:
        return scene.today.year + YEAR_WORDS[found["word"]]
    if found["era"]:
        nth = 1 if found["nth"] == "元" else number(found["nth"])
        return year_of_era(found["era"], nth) if nth else None
    value = number(found["year"])
    if value is None or value < 1:
        return None
    return full_year(value) if len(found["year"]) == 2 else value


def _month(scene: Scene, found: re.Match[str], year: int | None) -> date | None:
    if found["shift"]:
        month = month_of(scene.today, SHIFTS[found["shift"]]).first
        return month.replace(year=year) if year else month
    if found["lunar"]:
        value: int | None = _LUNAR_MONTHS[found["lunar"]]
    else:
        value = 1 if found["number"] == "元" else number(found["number"])
    if value is None or not 1 <= value <= 12:
        return None
    return date(year or scene.today.year, value, 1)


def _day_reading(
    scene: Scene,
    at: int,
    year: int | None,
    month: date,
    found_month: re.Match[str],
    found: re.Match[str],
    lunar: bool,
    is_relative: bool,
) -> Reading | None:
    end = found.end()
    if found["today"]:
        months = (month.year - scene.today.year) * 12 + month.month - scene.today.month
        return Reading(one_day(add_months(scene.today, months)), end)
    if found["last"]:
        return Reading(one_day(month_of(month).last), end, is_partial=not is_relative)
    words = (
        (found["first"] or "").removeprefix("初")
        or found["number"]
        or found["nth"]
        or found["plain"]
    )
    value = number(words.strip())
    if value is None or not 1 <= value <= 31:
        return None
    if lunar:
        moon = real_date(month.year, month.month, value)
        if moon is None or value > 30:
            return None
        return Reading(TimeSpan(moon, moon, LUNAR), end, is_partial=True)
    if year or found_month["shift"]:
        day = real_date(month.year, month.month, value)
    else:
        day = fitting_year(scene.today, month.month, value, scene.lean(at))
    note = WEEKDAY_NOTE.match(scene.text, end)
    end = note.end() if note else end
    return Reading(day_or_none(day), end, is_partial=not is_relative)


def month_alone(scene: Scene, at: int) -> Reading | None:
    """9月份: of this year or the one that fits. 9月 alone may be of any year."""
    found = _MONTH_ALONE.match(scene.text, at)
    value = number(found["number"]) if found else None
    before = scene.text[max(0, at - 2) : at]
    if not found or not value or value > 12 or before.endswith(tuple("年每第到至、-~个")):
        return None
    day = fitting_year(scene.today, value, 1, scene.lean(at))
    if day and (value, scene.lean(at)) == (scene.today.month, LOOK_AHEAD):
        day = scene.today.replace(day=1)
    return Reading(month_of(day), found.end(), is_partial=True) if day else None


_LAST_OF_YEAR = re.compile(r"(?:的)?最后一天")


def _year_then_today(scene: Scene, found_year: re.Match[str] | None, place: int) -> Reading | None:
    """去年的今天, 明年今日."""
    if not found_year or not found_year["word"]:
        return None
    that_day = THAT_DAY.match(scene.text, place)
    steps = YEAR_WORDS[found_year["word"]]
    last = _LAST_OF_YEAR.match(scene.text, place)
    if last:
        return Reading(one_day(year_of(scene.today, steps).last), last.end())
    if that_day and steps:
        return Reading(one_day(add_months(scene.today, 12 * steps)), that_day.end())
    return None


_NEW_YEAR = re.compile(r"大年(?:(?P<eve>三十)|初(?P<first>[一二三四五六七八九十]))")


def lunar_new_year(scene: Scene, at: int) -> Reading | None:
    """大年初一, 2015年大年三十. 大年 counts as the first month, which is how such dates are
    noted; its thirtieth is the eve, a day before the first."""
    found_year = _YEAR.match(scene.text, at)
    found = _NEW_YEAR.match(scene.text, found_year.end() if found_year else at)
    year = year_said(scene, found_year) if found_year else scene.today.year
    if not found or not year:
        return None
    moon = date(year, 1, 30 if found["eve"] else number(found["first"]) or 1)
    return Reading(TimeSpan(moon, moon, LUNAR), found.end(), is_partial=True)


_NUMERIC = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d]|[-/.]\d)"
    r"|(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y2>\d{4}|\d{2})(?![\d]|[-/.]\d)"
    r"|(?P<a2>\d{1,2})/(?P<b2>\d{1,2})(?:号|日)?(?![\d%]|[-/.]\d|的[人概时比机员]|以上|左右|可选|通过|完成"
    r"| ?[片拍杯勺份页个人成章集节关步台颗粒瓶斤克块张寸分票桶袋盒碗次倍天])"
    r"|(?P<a3>\d{1,2})[-.](?P<b3>\d{1,2}) ?(?:号|日)"
    r"|(?<![^\n])(?P<a4>\d{1,2})[-.](?P<b4>\d{1,2})(?![^\n])"
)


_COUNTED_BEFORE = re.compile(
    r"(?:评分|得分|打分|分数|打了?|给了?|进度|概率|几率|比例|完成|只剩|剩下?|内存|显存|比分|吃|喝|第|"
    r"版本|缩|降|减|砍|满分|尺寸|规格|密码|血压|占|通过)(?:到|为|是|了|至|:|：)? {0,2}$"
)
"""评分9/10, 进度3/5: a part of something."""
_VERSION_BEFORE = re.compile(
    r"(?:版本|升级|升|更新|降级|回退|[a-z]) ?(?:到|至|为|是|:|：)? {0,2}v?$"
)


def _is_number(scene: Scene, at: int, found: re.Match[str]) -> bool:
    """Whether it is a fraction, a score or a version, and no date."""
    before = scene.text[max(0, at - 8) : at]
    if found["a2"]:
        return found[0] == "24/7" or bool(_COUNTED_BEFORE.search(before))
    is_dotted = bool(found["y2"]) and "." in found[0]
    is_version = _VERSION_BEFORE.search(before) or scene.text.startswith("版", found.end())
    return is_dotted and bool(is_version)


def numeric_date(scene: Scene, at: int) -> Reading | None:
    """Day before month when the year stands last, as the Chinese locale writes it."""
    found = _NUMERIC.match(scene.text, at)
    if not found or scene.text[max(0, at - 1) : at] in (".", "/", "-", ":"):
        return None
    if _is_number(scene, at, found):
        return None
    if found["y"]:
        day = real_date(int(found["y"]), int(found["m"]), int(found["d"]))
        end = found.end()
        note = WEEKDAY_NOTE.match(scene.text, end)
        return Reading(day_or_none(day), note.end() if note else end, is_partial=True)
    if found["y2"]:
        first, second = int(found["a"]), int(found["b"])
        value, month = (second, first) if second > 12 else (first, second)
        if not (1 <= month <= 12 and 1 <= value <= 31):
            return None
        day = real_date(full_year(int(found["y2"])), month, value)
        return Reading(day_or_none(day), found.end(), is_partial=True)
    first = int(found["a2"] or found["a3"] or found["a4"])
    second = int(found["b2"] or found["b3"] or found["b4"])
    month, value = (second, first) if first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= value <= 31):
        return None
    day = fitting_year(scene.today, month, value, scene.lean(at))
    return Reading(day_or_none(day), found.end(), is_partial=True)


_BARE_DAY = re.compile(
    r"(?P<d>\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九]|廿[一二三四五六七八九]?)"
    r"(?P<mark>号|日)(?![线楼院店机位桌门房车馆厅码球员选窗台柜床仓口公文本元币语报常子期志程用内记落游三]"
    r"|(?<=日)[不出电]|出口|电[池梯]|[色字坑针钢厂库炉]|[男女]?嘉宾|种子|病房|会议室|技师|教学|食堂|宿舍|主[角演机]"
    r"|[之以](?![前后])|[前后](?=[门排面座卫锋腰场院天]))"
)
"""6号色, 2号嘉宾: one of several, and no day."""


def day_alone(scene: Scene, at: int) -> Reading | None:
    """12号, 十五日: a day of this month or of the one that fits."""
    found = _BARE_DAY.match(scene.text, at)
    before = scene.text[max(0, at - 1) : at]
    if not found or before in tuple(
        "月第年几数每两周期拜如楼栋座层路街弄巷元0123456789零一二三四五六七八九十个"
    ):
        return None
    value = number(found["d"])
    if value is None or not 1 <= value <= 31:
        return None
    day = fitting_month(scene.today, value, scene.lean(at))
    if day is None:
        return None
    note = WEEKDAY_NOTE.match(scene.text, found.end())
    return Reading(one_day(day), note.end() if note else found.end(), is_partial=True)
