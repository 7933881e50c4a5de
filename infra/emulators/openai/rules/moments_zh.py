"""Which days a Chinese expression of time means: one reader for each kind of expression."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from .numbers_zh import number
from .when import (
    AFTER,
    AROUND,
    AS_OF,
    DAY,
    SINCE,
    SPAN,
    When,
    add_months,
    day,
    full_year,
    moment,
    month_of,
    nearest_month,
    nearest_weekday,
    nearest_year,
    quarter_of,
    real_date,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)

_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
YEAR_WORDS = {"前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2, "後年": 2}
DAY_WORDS = {
    "大前天": -3, "大前日": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨儿": -1,
    "今天": 0, "今日": 0, "今儿": 0, "明天": 1, "明日": 1, "明儿": 1, "后天": 2, "後天": 2,
    "后日": 2, "大后天": 3, "大後天": 3,
}  # fmt: skip
SHORT_PARTS = {
    "今早": (0, "早上"), "今晨": (0, "早上"), "今晚": (0, "晚上"), "今夜": (0, "夜里"),
    "当晚": (0, "晚上"), "明早": (1, "早上"), "明晚": (1, "晚上"), "昨晚": (-1, "晚上"),
    "昨夜": (-1, "夜里"), "前晚": (-2, "晚上"), "后晚": (2, "晚上"),
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """The time it is, and whether the sentence looks back (-1), ahead (1) or neither (0)."""

    now: datetime
    lean: int

    @property
    def today(self) -> date:
        return self.now.date()


Reader = Callable[[re.Match[str], Scene], When | None]


def shift_of(shift: str) -> int:
    return {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(shift, 0)


# ---- readers, one a pattern


def full_date(match: re.Match[str], _: Scene) -> When | None:
    found = real_date(number(match["y"]), number(match["m"]), number(match["d"]))
    return day(found) if found else None


def date_of_named_year(match: re.Match[str], scene: Scene) -> When | None:
    year = scene.today.year + YEAR_WORDS[match["y"]]
    month = number(match["m"])
    if not 1 <= month <= 12:
        return None
    if not match["d"]:
        return month_of(date(year, month, 1))
    found = real_date(year, month, number(match["d"]))
    return day(found) if found else None


def month_day(match: re.Match[str], scene: Scene) -> When | None:
    month, day_of_month = number(match["m"]), number(match["d"])
    if not 1 <= month <= 12:
        return None
    found = nearest_year(scene.today, month, day_of_month, scene.lean)
    return day(found) if found else None


def day_of_month(match: re.Match[str], scene: Scene) -> When | None:
    month = month_of(scene.today, shift_of(match["s"])).first
    found = real_date(month.year, month.month, number(match["d"]))
    return day(found) if found else None


def bare_day(match: re.Match[str], scene: Scene) -> When | None:
    wanted = number(match["d"])
    if not 1 <= wanted <= 31:
        return None
    found = nearest_month(scene.today, wanted, scene.lean)
    return day(found) if found else None


def numeric(match: re.Match[str], scene: Scene) -> When | None:
    """Day before month when the year stands last, as the Chinese locale writes it."""
    first, second = int(match["a"]), int(match["b"])
    year = match.groupdict().get("y")
    if year:
        day_of_month, month = (second, first) if second > 12 else (first, second)
        found = real_date(full_year(int(year)), month, day_of_month)
    else:
        month, day_of_month = (second, first) if first > 12 else (first, second)
        if not 1 <= month <= 12:
            return None
        found = nearest_year(scene.today, month, day_of_month, scene.lean)
    return day(found) if found else None


def weekday(match: re.Match[str], scene: Scene) -> When | None:
    weekday = _WEEKDAYS[match["w"]]
    shift = match.groupdict().get("s")
    if shift:
        return day(weekday_of(scene.today, weekday, shift_of(shift)))
    return day(nearest_weekday(scene.today, weekday, scene.lean))


def period(match: re.Match[str], scene: Scene) -> When | None:
    offset, unit = shift_of(match["s"]), match["u"]
    if unit.endswith("末"):
        return weekend_of(scene.today, offset)
    if unit in ("月", "月份"):
        return month_of(scene.today, offset)
    if unit == "季度":
        return quarter_of(scene.today, offset)
    return week_of(scene.today, offset)


def weekend(_: re.Match[str], scene: Scene) -> When | None:
    return weekend_of(scene.today, -1 if scene.lean < 0 and scene.today.weekday() < 5 else 0)


def named_year(match: re.Match[str], scene: Scene) -> When | None:
    return year_of(scene.today, YEAR_WORDS[match[0]])


def named_day(match: re.Match[str], scene: Scene) -> When | None:
    words = match[0]
    if words in SHORT_PARTS:
        offset, part = SHORT_PARTS[words]
        return day(scene.today + timedelta(days=offset)).during(part)
    return day(scene.today + timedelta(days=DAY_WORDS[words]))


def shifted(match: re.Match[str], scene: Scene) -> When | None:
    amount_words, unit = match["n"], match["u"]
    is_vague = amount_words in ("几", "幾", "好几", "数")
    sign = -1 if match["p"] in ("前", "以前", "之前") else 1
    if amount_words == "半":
        return half(scene, unit, sign)
    amount = sign * (3 if is_vague else number(amount_words))
    when = moved(scene.now, unit, amount + (sign * 0.5 if match["half"] else 0))
    if is_vague and when.grain == DAY:
        return When(when.first, when.last, AROUND)
    return when


def half(scene: Scene, unit: str, sign: int) -> When | None:
    if "年" in unit:
        return day(add_months(scene.today, 6 * sign))
    if "月" in unit:
        return day(scene.today + timedelta(days=15 * sign))
    if "时" in unit or "時" in unit or "钟头" in unit:
        return moment(scene.now + timedelta(minutes=30 * sign))
    return day(scene.today) if "天" in unit else None


def moved(now: datetime, unit: str, amount: float) -> When:
    whole = int(amount)
    if "分" in unit:
        return moment(now + timedelta(minutes=amount))
    if "刻" in unit:
        return moment(now + timedelta(minutes=15 * amount))
    if "时" in unit or "時" in unit or "钟头" in unit:
        return moment(now + timedelta(hours=amount))
    if "年" in unit:
        return day(add_months(now.date(), int(12 * amount)))
    if "月" in unit:
        days = 15 if amount != whole else 0
        return day(add_months(now.date(), whole) + timedelta(days=days if amount > 0 else -days))
    if unit.endswith(("周", "週", "星期", "礼拜", "禮拜")):
        return day(now.date() + timedelta(weeks=whole))
    return day(now.date() + timedelta(days=whole))


def days_past(match: re.Match[str], scene: Scene) -> When | None:
    """过三天: three days on."""
    if match["n"] in ("几", "幾"):
        return moment(scene.now, AFTER)
    return moved(scene.now, match["u"], number(match["n"]))


def stretch(match: re.Match[str], scene: Scene) -> When | None:
    """未来三天, 过去两周: a stretch from or up to today."""
    length = 3 if match["n"] in ("几", "幾") else number(match["n"])
    unit = match["u"]
    is_ahead = match["p"] in ("未来", "未來", "接下来", "接下來", "今后", "今後")
    other = moved(scene.now, unit, length if is_ahead else -length).first
    first, last = sorted((scene.today, other))
    return When(first, last, SPAN)


def edge(match: re.Match[str], scene: Scene) -> When | None:
    """月底, 下个月初, 年底: the last days or the first, named by the last or first one."""
    shift = shift_of(match["s"] or "")
    words = match["e"]
    if words[0] == "年":
        period = year_of(scene.today, YEAR_WORDS.get(match["y"] or "今年", 0))
    else:
        period = month_of(scene.today, shift)
    edge = period.last if words[-1] in "底末" else period.first
    if words[-1] == "中":
        edge = period.first + timedelta(days=14)
    return day(edge)


def vague(grain: str) -> Reader:
    def read(_: re.Match[str], scene: Scene) -> When | None:
        if grain in (AROUND, AS_OF, SINCE):
            return When(scene.today, scene.today, grain)
        return moment(scene.now, grain)

    return read


def just_now(_: re.Match[str], scene: Scene) -> When | None:
    return moment(scene.now)
