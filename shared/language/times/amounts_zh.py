"""So long ago, so long from now, and stretches, in Chinese."""

import re
from datetime import timedelta

from shared.language.times.amounts import Amount, amount_of, moved
from shared.language.times.calendar import (
    weekday_of,
)
from shared.language.times.numbers_zh import NUMBER, either, number
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import (
    AFTER,
    DAY,
    STRETCH,
    TimeSpan,
    a_moment,
    one_day,
)
from shared.language.times.words_zh import (
    THAT_DAY,
    WEEK,
    WEEKDAY,
    WEEKDAYS,
)

_UNITS = {
    "年": "year", "季度": "quarter", "月": "month", "星期": "week", "礼拜": "week", "周": "week",
    "工作日": "workday", "天": "day", "日": "day", "小时": "hour", "钟头": "hour", "分钟": "minute",
    "刻钟": "quarter hour", "秒": "second", "秒钟": "second", "晚上": "day", "晚": "day",
}  # fmt: skip
_ONE_AMOUNT = re.compile(
    rf"(?P<n>\d{{1,3}}\.\d(?!\d)|{NUMBER}|半|好几|几|数|若干) ?"
    r"(?P<half>个半)?(?:个(?=多))?(?P<over>[多来])?个?(?P<more>半)?"
    r"(?P<unit>年|季度|月|星期|礼拜|周|工作日|天|日|小时|钟头|分钟|刻钟|秒钟|秒|晚上|晚)(?P<tail>半)?"
    r"(?P<over_it>多)?"
)
_DIGITS_ONLY = re.compile(r"[零一二两三四五六七八九]{2,}")
"""七八 is no seventy-eight: such a number is about, and read as `_about` does."""
_ABOUT = re.compile(
    r"(?P<n>[一二两三四五六七八九十]{2,3})个?(?P<unit>年|季度|月|星期|礼拜|周|工作日|天|日|晚上)"
)
_AND = re.compile(r"[,，]? ?(?:又|零|加|外加|和|多)? ?")
_NOT_BEFORE_AMOUNT = tuple("第0123456789零一二两三四五六七八九十百千月年.前后")
_SIDE = re.compile(
    r"(?:的)?(?:以|之)?(?P<side>前|后)(?:(?=天[天气空晴])|(?![半年天排脚来]))|(?:的)?(?:以|之)(?P<far>前|后)"
)


def _one_amount(text: str, at: int) -> tuple[Amount, int] | None:
    found = _ONE_AMOUNT.match(text, at)
    if not found:
        return None
    words, unit = found["n"], _UNITS[found["unit"]]
    if _DIGITS_ONLY.fullmatch(words):
        return None
    is_few = words in ("好几", "几", "数", "若干")
    is_vague = is_few or bool(found["over"] or found["over_it"])
    if words == "半":
        value: float | None = 0.5
    elif is_few:
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


def _about(text: str, at: int) -> tuple[Amount, Amount, int] | None:
    """七八年, 两三天: the least and the most of it."""
    found = _ABOUT.match(text, at)
    between = either(found["n"]) if found else None
    if not found or not between:
        return None
    unit = _UNITS[found["unit"]]
    return amount_of(between[0], unit), amount_of(between[1], unit), found.end()


def about_so_far(scene: Scene, at: int, *, is_led: bool = False) -> Reading | None:
    """两三天前, 四五天后, 再过四五天: from the one to the other."""
    counted = _about(scene.text, at)
    side = _SIDE.match(scene.text, counted[2]) if counted else None
    if not counted or scene.text[max(0, at - 1) : at] in _NOT_BEFORE_AMOUNT:
        return None
    if not side and not is_led:
        return None
    sign = -1 if side and "前" in side[0] else 1
    spans = [moved(scene.now, one, sign) for one in counted[:2]]
    days = sorted(one.first for one in spans if one)
    if len(days) < 2:
        return None
    return Reading(TimeSpan(days[0], days[1], STRETCH), side.end() if side else counted[2])


_DAY_BESIDE = re.compile(r"的(?P<day>明|昨)天")
_WEEKDAY_AFTER = re.compile(rf"的(?:那个)?{WEEK}(?P<day>{WEEKDAY})")


def amount_away(scene: Scene, at: int) -> Reading | None:
    """三天前, 两年零三个月后, 半年前, 两周后的周五."""
    text = scene.text
    if text[max(0, at - 1) : at] in _NOT_BEFORE_AMOUNT:
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
    that_day = THAT_DAY.match(text, side.end())
    if that_day and not counted[0].has_clock:
        return Reading(span, that_day.end())
    beside = _DAY_BESIDE.match(text, side.end())
    if beside and span.grain == DAY:
        step = timedelta(days=1 if beside["day"] == "明" else -1)
        return Reading(one_day(span.first + step), beside.end())
    weekday_then = _WEEKDAY_AFTER.match(text, side.end())
    if weekday_then and not counted[0].has_clock:
        day = weekday_of(span.first, WEEKDAYS[weekday_then["day"]])
        return Reading(one_day(day), weekday_then.end())
    return Reading(span, side.end())


def amount_to_come(scene: Scene, at: int) -> Reading | None:
    """再过三天, 过两周."""
    lead = re.compile(r"(?:再过|还过|过)(?!了|去|来)|还有").match(scene.text, at)
    if not lead:
        return None
    if lead[0] == "还有":
        return _still_so_long(scene, lead.end())
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
        return about_so_far(scene, lead.end(), is_led=True)
    if counted[0].is_vague:
        return Reading(a_moment(scene.now, AFTER), counted[1])
    span = moved(scene.now, counted[0], 1)
    tail = re.compile(r"(?:之|以)?后?").match(scene.text, counted[1])
    return Reading(span, tail.end() if tail else counted[1]) if span else None


_THEN = re.compile(r"(?=就|才)")


def _still_so_long(scene: Scene, at: int) -> Reading | None:
    """还有三天就开学: then it begins; 离开学还有三天 is left, a date does not fit its place."""
    counted = amounts(scene.text, at)
    if not counted or counted[0].is_vague or not _THEN.match(scene.text, counted[1]):
        return None
    span = moved(scene.now, counted[0], 1)
    return Reading(span, counted[1]) if span else None


_STRETCH = re.compile(r"(?P<side>未来|接下来|今后|往后|过去|最近|近|这)的?")
_WITHIN = re.compile(r"(?:以|之)?内")
_NOT_YET = re.compile(
    r"[要会将]|打算|准备|计划|不能|不去|不来|不在|不用|别|没法|没空|得(?![到了])|先"
)


def stretch(scene: Scene, at: int) -> Reading | None:
    """未来三天, 过去两周, 三天内."""
    lead = _STRETCH.match(scene.text, at)
    place = lead.end() if lead else at
    about = _about(scene.text, place)
    counted = about[1:] if about else amounts(scene.text, place)
    if not counted or counted[0].has_clock:
        return None
    end = counted[1]
    within = _WITHIN.match(scene.text, end)
    if not lead and not within:
        return None
    if not lead and scene.text[max(0, at - 1) : at] in _NOT_BEFORE_AMOUNT:
        return None
    is_ahead = lead["side"] in ("未来", "接下来", "今后", "往后") if lead else True
    if lead and lead["side"] == "这":
        # 这两周不能跑步 lies ahead, 这两周瘦了 behind.
        is_ahead = bool(_NOT_YET.search(scene.clause(at)))
    tail = re.compile(r"(?:以来|里|之内|以内|内)?").match(scene.text, end)
    other = moved(scene.now, counted[0], 1 if is_ahead else -1)
    if other is None:
        return None
    first, last = sorted((scene.today, other.first))
    return Reading(TimeSpan(first, last, STRETCH), tail.end() if tail else end)
