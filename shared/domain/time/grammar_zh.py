"""The Chinese grammar of time: one production for each way to say when.

It reads simplified characters only: `scripts.plainly_written` brings the others there. As in the
English grammar, a production is asked at a place, looks a bounded way ahead and never back.
"""

import re
from datetime import date, timedelta

from shared.domain.time.amounts import Amount, amount_of, moved, moved_day
from shared.domain.time.calendar import (
    LOOK_BACK,
    add_months,
    fitting_month,
    fitting_weekday,
    fitting_year,
    full_year,
    month_of,
    nth_weekday,
    quarter_of,
    real_date,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)
from shared.domain.time.eras import ERA, REPUBLIC, year_of_era
from shared.domain.time.numbers_zh import NUMBER, number
from shared.domain.time.scene import Reading, Scene
from shared.domain.time.span import (
    AFTER,
    AROUND,
    AS_OF,
    LUNAR,
    NO_SUCH_DAY,
    SINCE,
    STRETCH,
    TimeSpan,
    a_moment,
    one_day,
)

_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
             "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6}  # fmt: skip
_YEAR_WORDS = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1,
    "下一年": 1, "来年": 1, "后年": 2, "大后年": 3,
}  # fmt: skip
_DAY_WORDS = {
    "大大前天": -4, "大大后天": 4, "大前天": -3, "大前日": -3, "前天": -2, "前日": -2,
    "前儿": -2, "昨天": -1, "昨日": -1,
    "昨儿": -1, "今天": 0, "今日": 0, "今儿": 0, "当天": 0, "当日": 0, "明天": 1, "明日": 1,
    "明儿": 1, "后天": 2, "后日": 2, "大后天": 3, "大后日": 3,
}  # fmt: skip
_SHORT_PARTS = {
    "今早": (0, "早上"), "今晨": (0, "早上"), "今晚": (0, "晚上"), "今夜": (0, "夜里"),
    "当晚": (0, "晚上"), "明早": (1, "早上"), "明晨": (1, "早上"), "明晚": (1, "晚上"),
    "昨晚": (-1, "晚上"), "昨夜": (-1, "夜里"), "前晚": (-2, "晚上"), "后晚": (2, "晚上"),
}  # fmt: skip
_SHIFTS = {"上上上": -3, "上上": -2, "上": -1, "这": 0, "本": 0, "今": 0, "当": 0, "同": 0,
           "下": 1, "下下": 2, "下下下": 3}  # fmt: skip

_SHIFT = r"(?:上上上|下下下|上上|下下|上|下|这|本|今)"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = r"[一二三四五六日天]"
_YEAR_WORD = "|".join(sorted(_YEAR_WORDS, key=len, reverse=True))
_DIGIT_YEAR = (
    r"(?:\d{4}|\d{2}|[零一二三四五六七八九]{4}|[零一二三四五六七八九]{2}|"
    r"[一二两]千[零一二三四五六七八九十百]{0,6})"
)
_EARLY = r"初(?![一二三四五六七八九十])"
_WEEKDAY_NOTE = re.compile(rf" {{0,2}}[,，(]? {{0,2}}{_WEEK}{_WEEKDAY}\)?")


def _day_or_none(found: date | None) -> TimeSpan:
    return one_day(found) if found else NO_SUCH_DAY


# ---- dates of the calendar: a year, a month and a day, of which the first may be missing

_YEAR = re.compile(
    rf"(?P<word>{_YEAR_WORD})(?:的|里)?"
    rf"|(?P<era>{ERA})(?P<nth>元|{NUMBER})年的?"
    rf"|(?P<year>{_DIGIT_YEAR}) ?年的?"
)
_MONTH = re.compile(
    rf" {{0,2}}(?:(?:(?P<shift>{_SHIFT}|当|同)(?:一?个)?月(?:份)?(?!底|{_EARLY}|中|末))"
    rf"|(?P<number>{NUMBER}|元) {{0,2}}月(?:份)?(?!前|后|内|以|之|底|{_EARLY}|末|中旬|上旬|下旬)"
    r"|(?P<lunar>正月|腊月|冬月))的?"
)
_DAY = re.compile(
    rf" {{0,2}}(?P<number>{NUMBER}) {{0,2}}(?:日|号)"
    rf"(?![线楼院店机位桌门房车馆厅码球员选窗台柜床仓口公文本])"
    rf"|(?P<plain> {{0,2}}{NUMBER})(?![\d.个年月天周点:%岁号日时分人次份])"
    r"|(?P<first>初[一二三四五六七八九十])|(?P<today>今天|今日|这一天|这天|同一天)"
    r"|(?P<last>最后一天)|第(?P<nth>[\d一二三四五六七八九十]{1,3})(?:天|日)"
)
_NTH_WEEKDAY = re.compile(
    rf"(?:第(?P<nth>[一二三四五1-5])|(?P<last>最后一))个?{_WEEK}(?P<weekday>{_WEEKDAY})"
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
        year = _year(scene, found_year)
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
        day = nth_weekday(month, count, _WEEKDAYS[nth["weekday"]])
        return Reading(_day_or_none(day), nth.end(), is_partial=bool(found_month["number"]))
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


def _year(scene: Scene, found: re.Match[str]) -> int | None:
    if found["word"]:
        return scene.today.year + _YEAR_WORDS[found["word"]]
    if found["era"]:
        nth = 1 if found["nth"] == "元" else number(found["nth"])
        return year_of_era(found["era"], nth) if nth else None
    value = number(found["year"])
    if value is None or value < 1:
        return None
    return full_year(value) if len(found["year"]) == 2 else value


def _month(scene: Scene, found: re.Match[str], year: int | None) -> date | None:
    if found["shift"]:
        month = month_of(scene.today, _SHIFTS[found["shift"]]).first
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
    note = _WEEKDAY_NOTE.match(scene.text, end)
    end = note.end() if note else end
    return Reading(_day_or_none(day), end, is_partial=not is_relative)


_LAST_OF_YEAR = re.compile(r"(?:的)?最后一天")
_THAT_DAY = re.compile(r"(?:的)?(?:今天|今日|这一天|这天|同一天)")


def _year_then_today(scene: Scene, found_year: re.Match[str] | None, place: int) -> Reading | None:
    """去年的今天, 明年今日."""
    if not found_year or not found_year["word"]:
        return None
    that_day = _THAT_DAY.match(scene.text, place)
    steps = _YEAR_WORDS[found_year["word"]]
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
    year = _year(scene, found_year) if found_year else scene.today.year
    if not found or not year:
        return None
    moon = date(year, 1, 30 if found["eve"] else number(found["first"]) or 1)
    return Reading(TimeSpan(moon, moon, LUNAR), found.end(), is_partial=True)


_NUMERIC = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d]|[-/.]\d)"
    r"|(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y2>\d{4}|\d{2})(?![\d]|[-/.]\d)"
    r"|(?P<a2>\d{1,2})/(?P<b2>\d{1,2})(?![\d%]|[-/.]\d|的人|以上|左右)"
    r"|(?P<a3>\d{1,2})[-.](?P<b3>\d{1,2}) ?(?:号|日)"
    r"|(?<![^\n])(?P<a4>\d{1,2})[-.](?P<b4>\d{1,2})(?![^\n])"
)


def numeric_date(scene: Scene, at: int) -> Reading | None:
    """Day before month when the year stands last, as the Chinese locale writes it."""
    found = _NUMERIC.match(scene.text, at)
    if not found or scene.text[max(0, at - 1) : at] in (".", "/", "-", ":"):
        return None
    if found["y"]:
        day = real_date(int(found["y"]), int(found["m"]), int(found["d"]))
        end = found.end()
        note = _WEEKDAY_NOTE.match(scene.text, end)
        return Reading(_day_or_none(day), note.end() if note else end, is_partial=True)
    if found["y2"]:
        first, second = int(found["a"]), int(found["b"])
        value, month = (second, first) if second > 12 else (first, second)
        if not (1 <= month <= 12 and 1 <= value <= 31):
            return None
        day = real_date(full_year(int(found["y2"])), month, value)
        return Reading(_day_or_none(day), found.end(), is_partial=True)
    first = int(found["a2"] or found["a3"] or found["a4"])
    second = int(found["b2"] or found["b3"] or found["b4"])
    month, value = (second, first) if first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= value <= 31):
        return None
    day = fitting_year(scene.today, month, value, scene.lean(at))
    return Reading(_day_or_none(day), found.end(), is_partial=True)


_BARE_DAY = re.compile(
    r"(?P<d>\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九]|廿[一二三四五六七八九]?)"
    r"(?P<mark>号|日)(?![线楼院店机位桌门房车馆厅码球员选窗台柜床仓口出公文本元币语报常子期志程用前后内以之记落]|会议室)"
)


def day_alone(scene: Scene, at: int) -> Reading | None:
    """12号, 十五日: a day of this month or of the one that fits."""
    found = _BARE_DAY.match(scene.text, at)
    before = scene.text[max(0, at - 1) : at]
    if not found or before in tuple("月第年几数每两周期拜0123456789零一二三四五六七八九十个"):
        return None
    value = number(found["d"])
    if value is None or not 1 <= value <= 31:
        return None
    day = fitting_month(scene.today, value, scene.lean(at))
    if day is None:
        return None
    note = _WEEKDAY_NOTE.match(scene.text, found.end())
    return Reading(one_day(day), note.end() if note else found.end(), is_partial=True)


# ---- weeks and weekdays

_WEEKDAY_OF = re.compile(
    rf"(?P<shift>{_SHIFT})(?:一?个)?(?:{_WEEK}的?{_WEEK}?)(?P<day>{_WEEKDAY}(?![个些起直样])|[1-7](?![\d点:.个]))"
)
_WEEKDAY_ALONE = re.compile(rf"{_WEEK}(?P<day>{_WEEKDAY})(?![到至]?[些个起直样])")
_EVERY = re.compile(r"(?:每个?|逢|隔|双|单|每逢|每一个)$")
_SAME_DAY_OF_WEEK = re.compile(rf"(?P<shift>{_SHIFT})(?:一?个)?{_WEEK}的?(?:今天|今日|同一天)")


def weekday(scene: Scene, at: int) -> Reading | None:
    """下周五, 上上个星期三, 礼拜日."""
    found = _WEEKDAY_OF.match(scene.text, at)
    if found:
        day = weekday_of(scene.today, _WEEKDAYS[found["day"]], _SHIFTS[found["shift"]])
        return Reading(one_day(day), found.end())
    same = _SAME_DAY_OF_WEEK.match(scene.text, at)
    if same:
        day = scene.today + timedelta(weeks=_SHIFTS[same["shift"]])
        return Reading(one_day(day), same.end())
    alone = _WEEKDAY_ALONE.match(scene.text, at)
    if not alone or _EVERY.search(scene.text[max(0, at - 3) : at]):
        return None
    value = _WEEKDAYS[alone["day"]]
    day = fitting_weekday(scene.today, value, scene.lean(at))
    return Reading(one_day(day), alone.end(), is_partial=True)


_PERIOD = re.compile(
    rf"(?P<shift>{_SHIFT})(?:一?个)?(?P<unit>{_WEEK}六[日天]|(?:{_WEEK}的?)?周末|{_WEEK}末|{_WEEK}|月(?:份)?(?![底初中末])|季度|季(?!节))"
    r"(?!期)"
)
_WEEKEND = re.compile(r"周末")


def period(scene: Scene, at: int) -> Reading | None:
    """下个月, 上周, 这个周末, 本季度, 周末."""
    found = _PERIOD.match(scene.text, at)
    if found:
        steps, unit = _SHIFTS[found["shift"]], found["unit"]
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
    if not weekend or _EVERY.search(scene.text[max(0, at - 3) : at]):
        return None
    is_past = scene.lean(at) == LOOK_BACK and scene.today.weekday() < 5
    span = weekend_of(scene.today, -1 if is_past else 0)
    return Reading(span, weekend.end(), is_partial=True)


_YEAR_ALONE = re.compile(
    rf"(?P<word>{_YEAR_WORD})|(?P<era>{ERA})(?P<nth>元|{NUMBER})年(?!间)"
    r"|(?P<year>\d{4}|[零一二三四五六七八九]{4})年(?![前后级代])"
)


def year_alone(scene: Scene, at: int) -> Reading | None:
    found = _YEAR_ALONE.match(scene.text, at)
    if not found:
        return None
    if found["word"]:
        return Reading(year_of(scene.today, _YEAR_WORDS[found["word"]]), found.end())
    value = _year(scene, found)
    if not value:
        return None
    return Reading(year_of(date(value, 1, 1)), found.end(), is_partial=True)


# ---- named days

_NAMED = re.compile("|".join(sorted((*_DAY_WORDS, *_SHORT_PARTS), key=len, reverse=True)))


def named_day(scene: Scene, at: int) -> Reading | None:
    """昨天, 大后天, 今晚."""
    found = _NAMED.match(scene.text, at)
    if not found or scene.text.startswith("性", found.end()):
        return None
    before = scene.text[max(0, at - 1) : at]
    if found[0] in ("前日", "后日", "当日", "当天") and before in tuple("之以目三几数"):
        return None
    if found[0] in _SHORT_PARTS:
        days, part = _SHORT_PARTS[found[0]]
        return Reading(one_day(scene.today + timedelta(days=days)).during(part), found.end())
    return Reading(one_day(scene.today + timedelta(days=_DAY_WORDS[found[0]])), found.end())


# ---- so long ago, so long from now

_UNITS = {
    "年": "year", "季度": "quarter", "月": "month", "星期": "week", "礼拜": "week", "周": "week",
    "工作日": "workday", "天": "day", "日": "day", "小时": "hour", "钟头": "hour", "分钟": "minute",
    "刻钟": "quarter hour", "秒": "second", "秒钟": "second", "晚上": "day", "晚": "day",
}  # fmt: skip
_ONE_AMOUNT = re.compile(
    rf"(?P<n>\d{{1,3}}\.\d(?!\d)|{NUMBER}|半|好几|几|数|若干) ?"
    r"(?P<half>个半)?(?:多|来)?个?(?P<more>半)?"
    r"(?P<unit>年|季度|月|星期|礼拜|周|工作日|天|日|小时|钟头|分钟|刻钟|秒钟|秒|晚上|晚)(?P<tail>半)?(?:多)?"
)
_AND = re.compile(r"[,，]? ?(?:又|零|加|外加|和|多)? ?")
_SIDE = re.compile(
    r"(?:的)?(?:以|之)?(?P<side>前|后)(?![半年天排脚来])|(?:的)?(?:以|之)(?P<far>前|后)"
)


def _one_amount(text: str, at: int) -> tuple[Amount, int] | None:
    found = _ONE_AMOUNT.match(text, at)
    if not found:
        return None
    words, unit = found["n"], _UNITS[found["unit"]]
    is_vague = words in ("好几", "几", "数", "若干")
    if words == "半":
        value: float | None = 0.5
    elif is_vague:
        value = 3
    else:
        value = float(words) if "." in words else number(words)
    if value is None:
        return None
    if found["half"] or found["more"] or found["tail"]:
        value += 0.5
    if unit == "quarter hour":
        value, unit = value * 15, "minute"
    return amount_of(value, unit, is_vague=is_vague), found.end()


def amounts(text: str, at: int) -> tuple[Amount, int] | None:
    """两年零三个月, 一年半, 3天."""
    total = _one_amount(text, at)
    if not total:
        return None
    amount, end = total
    # Years, months, weeks, days, hours: no compound has more parts than there are units.
    for _ in range(5):
        lead = _AND.match(text, end)
        more = _one_amount(text, lead.end()) if lead else None
        if not more:
            break
        amount, end = amount + more[0], more[1]
    return amount, end


_WEEKDAY_AFTER = re.compile(rf"的(?:那个)?{_WEEK}(?P<day>{_WEEKDAY})")


def amount_away(scene: Scene, at: int) -> Reading | None:
    """三天前, 两年零三个月后, 半年前, 两周后的周五."""
    text = scene.text
    before = text[max(0, at - 1) : at]
    if before in tuple("第0123456789零一二三四五六七八九十百千月年.") or before in ("前", "后"):
        return None
    counted = amounts(text, at)
    if not counted:
        return None
    side = _SIDE.match(text, counted[1])
    if not side:
        return None
    sign = -1 if (side["side"] or side["far"]) == "前" else 1
    span = moved(scene.now, counted[0], sign)
    if span is None:
        return None
    that_day = _THAT_DAY.match(text, side.end())
    if that_day and not counted[0].has_clock:
        return Reading(span, that_day.end())
    weekday_then = _WEEKDAY_AFTER.match(text, side.end())
    if weekday_then and not counted[0].has_clock:
        day = weekday_of(span.first, _WEEKDAYS[weekday_then["day"]])
        return Reading(one_day(day), weekday_then.end())
    return Reading(span, side.end())


def amount_to_come(scene: Scene, at: int) -> Reading | None:
    """再过三天, 过两周."""
    lead = re.compile(r"(?:再过|还过|过)(?!了|去|来)").match(scene.text, at)
    if not lead:
        return None
    if lead[0] == "过" and scene.text[max(0, at - 1) : at] not in (
        "",
        " ",
        ",",
        "，",
        "。",
        "等",
        "要",
        "会",
    ):
        return None
    counted = amounts(scene.text, lead.end())
    if not counted:
        return None
    if counted[0].is_vague:
        return Reading(a_moment(scene.now, AFTER), counted[1])
    span = moved(scene.now, counted[0], 1)
    tail = re.compile(r"(?:之|以)?后?").match(scene.text, counted[1])
    return Reading(span, tail.end() if tail else counted[1]) if span else None


_STRETCH = re.compile(r"(?P<side>未来|接下来|今后|往后|过去|最近|近|这)的?")
_WITHIN = re.compile(r"(?:以|之)?内")


def stretch(scene: Scene, at: int) -> Reading | None:
    """未来三天, 过去两周, 三天内."""
    lead = _STRETCH.match(scene.text, at)
    counted = amounts(scene.text, lead.end() if lead else at)
    if not counted or counted[0].has_clock:
        return None
    end = counted[1]
    within = _WITHIN.match(scene.text, end)
    if not lead and not within:
        return None
    if not lead and scene.text[max(0, at - 1) : at] in tuple(
        "第0123456789零一二三四五六七八九十百千月年."
    ):
        return None
    is_ahead = lead["side"] in ("未来", "接下来", "今后", "往后") if lead else True
    tail = re.compile(r"(?:以来|里|之内|以内|内)?").match(scene.text, end)
    other = moved(scene.now, counted[0], 1 if is_ahead else -1)
    if other is None:
        return None
    first, last = sorted((scene.today, other.first))
    return Reading(TimeSpan(first, last, STRETCH), tail.end() if tail else end)


# ---- edges of months and years

_EDGE = re.compile(
    rf"(?:(?P<shift>{_SHIFT}|当|同)(?:一?个)?(?=月)|(?P<year>{_YEAR_WORD})的?|(?P<digits>\d{{4}})年)?"
    rf"(?P<month>{NUMBER}(?=月))?"
    r"(?P<edge>月底|月初(?![一二三四五六七八九十])|月中旬|月上旬|月下旬|月中(?!旬)|月末|年底|年初|年末|年中|底(?![下层线气部子座细牌价薪])|初(?![中一二三四五六七八九十步级次期衷心恋始]))"
)


def edge_of_period(scene: Scene, at: int) -> Reading | None:
    """月底, 下个月初, 去年年底, 明年3月中旬."""
    found = _EDGE.match(scene.text, at)
    if not found:
        return None
    edge = found["edge"]
    steps = _YEAR_WORDS[found["year"]] if found["year"] else 0
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
        span = month_of(scene.today, _SHIFTS[found["shift"] or "本"])
        if found["year"] or found["digits"]:
            return None
    tens = {"上旬": (0, 9), "中旬": (10, 19), "下旬": (20, 40)}.get(edge[1:])
    if tens:
        first = span.first + timedelta(days=tens[0])
        last = min(span.last, span.first + timedelta(days=tens[1]))
        return Reading(TimeSpan(first, last, STRETCH), found.end())
    if edge[-1] == "中":
        middle = timedelta(days=14) if edge[0] == "月" else timedelta(days=181)
        return Reading(one_day(span.first + middle), found.end())
    return Reading(one_day(span.last if edge[-1] in "底末" else span.first), found.end())


# ---- words that name no day, but mean one beside the time they were said

_JUST_NOW = re.compile(r"刚才|刚刚|方才|适才|此刻|这会儿")
_VAGUE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"最近(?!的(?:地铁|车站|医院|店|路|距离|一家|超市))|近期|近来|近日|这几天|这些天|这两天|这阵子|这段时间|前几天|前两天|前些天|"
            r"前阵子|前段时间|前不久|不久前"
        ),
        AROUND,
    ),
    (re.compile(r"从现在起|从现在开始|从今以后|从今往后|今后|往后(?!退|面|边)"), SINCE),
    (re.compile(r"目前|现在|眼下|当前|如今|现阶段"), AS_OF),
    (
        re.compile(
            r"稍后|等会儿?|待会儿?|一会儿|过会儿?|马上|回头(?!率|客|看|见)|改天|过几天|过两天|过阵子|不久后|不久之后|晚点(?!名|到)|晚些时候"
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


_NEXT_TO = re.compile(
    r"的?(?:(?P<side>前|后)(?P<n>一|两|三|几)天|(?P<next>次日|第二天|隔天)|(?P<eve>前夕|前夜))"
)


def neighbour(scene: Scene, reading: Reading) -> Reading:
    """下周五的前一天, 3月1日次日: the day beside the one that was just read."""
    found = _NEXT_TO.match(scene.text, reading.end)
    span = reading.span
    if not found or span.grain != "day" or span.part:
        return reading
    if found["next"]:
        days = 1
    elif found["eve"]:
        days = -1
    elif found["n"] == "几":
        return reading
    else:
        days = (number(found["n"]) or 1) * (-1 if found["side"] == "前" else 1)
    moved_to = moved_day(span.first, Amount(days=abs(days)), 1 if days > 0 else -1, scene.now)
    return Reading(moved_to, found.end()) if moved_to else reading


PRODUCTIONS = (
    calendar_date, lunar_new_year, numeric_date, day_alone, weekday, period, year_alone, named_day,
    amount_away, amount_to_come, stretch, edge_of_period, vague_word,
)  # fmt: skip
