"""Recurring times ("每周五晚上8点", "every Friday night at 8"), and how they change."""

import re
from dataclasses import dataclass, replace

_PART_ZH = r"凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜|晚"
_TIME_ZH = (
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点(?:半|一刻|三刻|\d{1,2}分?|"
    r"[零一二三四五六七八九十]{1,3}分)?|[:：]\d{2})"
)
_DAY_ZH = r"(?:一(?![起次个下直边些定样])|[二三四五六日天])"
_DAYS_ZH = rf"(?:末|{_DAY_ZH}(?:[和、与及至到]?(?:周|星期|礼拜)?{_DAY_ZH})*)"
_ZH = re.compile(
    r"(?P<every>每逢|每个|每|逢)?(?P<gap>两|隔|双|单)?(?P<unit>周|週|星期|"
    rf"礼拜)(?P<days>{_DAYS_ZH})?的?(?P<part>{_PART_ZH})?(?P<time>{_TIME_ZH})?"
    rf"|(?P<daily>每天|每日|天天|每晚|每早|每个工作日|每个晚上)(?P<part2>{_PART_ZH})?(?P<time2>"
    rf"{_TIME_ZH})?"
    rf"|(?P<monthly>每(?:个)?月(?:的)?(?:\d{{1,2}}[号日]|底|初|中旬|"
    rf"[一二三四五六七八九十]{{1,3}}号|第[一二三四]个?周[一二三四五六日末天]?)?)(?P<time3>"
    rf"{_TIME_ZH})?"
    rf"|(?P<part4>{_PART_ZH})?(?P<time4>{_TIME_ZH})"
)  # fmt: skip
EVENING = 17
"""The hour at which it begins."""
_WEEKDAY_EN = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_TIME_EN = (
    r"(?:\d{1,2}(?::\d{2})?\s?(?:am|pm|o'clock)|\d{1,2}:\d{2}|noon|midnight|\d{1,2}(?=\s*(?:$|"
    r"[.,;!])))"
)
_EN = re.compile(
    r"(?P<every>every|each)\s+(?P<gap>other\s+|second\s+|"
    rf"single\s+)?(?P<days>{_WEEKDAY_EN}(?:\s*(?:and|,|&)\s*{_WEEKDAY_EN})*|day|morning|"
    r"afternoon|evening|night|week|weekend|weekday|month|year)"
    rf"(?:\s+(?P<part>morning|afternoon|evening|night))?(?:\s+at\s+(?P<time>{_TIME_EN}))?"
    rf"|(?:on\s+)?(?P<plural>{_WEEKDAY_EN}s(?:\s*(?:and|,|"
    rf"&)\s*{_WEEKDAY_EN}s)*)(?:\s+at\s+(?P<time2>{_TIME_EN}))?"
    rf"|(?:on\s+|to\s+)?(?P<bare>{_WEEKDAY_EN}(?:\s*(?:and|,|"
    rf"&)\s*{_WEEKDAY_EN})*)(?:\s+(?P<part3>morning|afternoon|evening|"
    rf"night)s?)?(?:\s+at\s+(?P<time3>{_TIME_EN}))?"
    r"|(?P<adverb>\b(?:weekly|daily|monthly|fortnightly|"
    rf"biweekly)\b)(?:\s+at\s+(?P<time4>{_TIME_EN}))?"
    rf"|\b(?:at|to)\s+(?P<time5>{_TIME_EN})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Slot:
    """A recurring time and where in its text it stands; `days` is the weekday or the unit."""

    start: int
    end: int
    is_recurring: bool
    days: str = ""
    part: str = ""
    time: str = ""
    is_chinese: bool = True

    def shown(self) -> str:
        if self.is_chinese:
            return f"{self.days}{self.part}{self.time}"
        part = f" {self.part}" if self.part and self.part not in self.days else ""
        return f"{self.days}{part}" + (f" at {self.time}" if self.time else "")


def slot_of(text: str) -> Slot | None:
    """The first recurring time, or the first weekday or hour if there is none."""
    found = _chinese_slots(text) + _english_slots(text)
    found.sort(key=lambda slot: (not slot.is_recurring, not slot.days, slot.start))
    return found[0] if found else None


def without_slot(text: str) -> str:
    slot = slot_of(text)
    return text if slot is None else f"{text[: slot.start]} {text[slot.end :]}".strip()


def new_slot(text: str) -> Slot | None:
    """The time a change leads to: the last one named."""
    found = sorted(_chinese_slots(text) + _english_slots(text), key=lambda slot: slot.start)
    return found[-1] if found else None


def moved(statement: str, change: Slot) -> str:
    """The statement at its new time; what the change leaves unsaid stays as it was."""
    old = slot_of(statement)
    if old is None:
        return statement
    merged = replace(
        old,
        days=_recurring(change) or old.days,
        part=change.part or old.part,
        time=change.time or old.time,
    )
    merged = _in_agreement(merged)
    shown = merged.shown() if old.start else merged.shown()[:1].upper() + merged.shown()[1:]
    return statement[: old.start] + shown + statement[old.end :]


def _in_agreement(slot: Slot) -> Slot:
    """ "Every night at 8am" is every morning, "every morning at 16:00" every afternoon."""
    time = slot.time.lower()
    hour = int(found[0]) if (found := re.match(r"\d{1,2}", time)) else 0
    hour += 12 if time.endswith("pm") and hour < 12 else 0
    if time.endswith("am"):
        other, right = r"\b(?:night|evening|afternoon)\b", "morning"
    elif hour >= 12:
        other, right = r"\bmorning\b", "afternoon" if hour < EVENING else "evening"
    else:
        return slot
    return replace(slot, days=re.sub(other, right, slot.days), part=re.sub(other, right, slot.part))


def same_time(left: Slot, right: Slot) -> bool:
    """Nothing one of them says contradicts the other."""
    pairs = (
        (_recurring(left), _recurring(right)),
        (left.part, right.part),
        (left.time, right.time),
    )
    return all(not one or not other or one.lower() == other.lower() for one, other in pairs)


def says_more(new: Slot, old: Slot) -> bool:
    return bool((new.time and not old.time) or (new.part and not old.part))


def _recurring(slot: Slot) -> str:
    """The days as a recurring time: 周四 becomes 每周四, Thursday becomes every Thursday."""
    if not slot.days or slot.is_recurring:
        return slot.days
    return f"每{slot.days}" if slot.is_chinese else f"every {slot.days}"


def _chinese_slots(text: str) -> list[Slot]:
    slots = []
    for match in _ZH.finditer(text):
        if match["unit"]:
            if not match["every"] and not match["days"]:
                continue
            gap = match["gap"] or ""
            if gap and match["every"] is None and gap != "隔":
                continue
            days = (
                f"{'每' if match['every'] or gap else ''}{gap}{match['unit']}{match['days'] or ''}"
            )
            is_recurring = bool(match["every"] or gap)
            part, time = match["part"], match["time"]
        elif match["daily"]:
            days, is_recurring, part, time = match["daily"], True, match["part2"], match["time2"]
        elif match["monthly"]:
            days, is_recurring, part, time = match["monthly"], True, "", match["time3"]
        else:
            days, is_recurring, part, time = "", False, match["part4"], match["time4"]
        part = {"晚": "晚上"}.get(part or "", part or "")
        slots.append(Slot(match.start(), match.end(), is_recurring, days, part, time or ""))
    return slots


def _english_slots(text: str) -> list[Slot]:
    slots = []
    for match in _EN.finditer(text):
        part = match["part"] or match["part3"] or ""
        time = next(
            (match[name] for name in ("time", "time2", "time3", "time4", "time5") if match[name]),
            "",
        )
        if match["every"]:
            days = f"every {(match['gap'] or '').lower().removeprefix('single')}{match['days']}"
            is_recurring = True
        elif match["plural"]:
            days, is_recurring = (
                "every " + re.sub(r"days\b", "day", match["plural"], flags=re.IGNORECASE),
                True,
            )
        elif match["bare"]:
            days, is_recurring = match["bare"], False
        elif match["adverb"]:
            days, is_recurring = match["adverb"].lower(), True
        else:
            days, is_recurring = "", False
        slots.append(
            Slot(match.start(), match.end(), is_recurring, days, part.lower(), time, False)
        )
    return slots
