"""Phrases of time made from parts, with the day each means computed without a calendar library.

Days are counted from the first of March of year 0 by the civil calendar's own rule, so a mistake in
the product's arithmetic is not repeated here.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

_DAYS_BEFORE = (0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337)
"""Days of a year that starts in March before each of its months."""
Civil = tuple[int, int, int]


@dataclass(frozen=True)
class Phrase:
    """`words` are those of time, `text` a sentence with them."""

    text: str
    reference: str
    date: str
    words: str


def number_of(day: Civil) -> int:
    year, month, number = day
    year -= month < 3
    since_march = (month + 9) % 12
    return year * 365 + year // 4 - year // 100 + year // 400 + _DAYS_BEFORE[since_march] + number


def civil(number: int) -> Civil:
    year = number * 10000 // 3652425 + 1
    while number_of((year, 3, 1)) > number:
        year -= 1
    left = number - number_of((year, 3, 1))
    month = max(place for place, before in enumerate(_DAYS_BEFORE) if before <= left)
    shown = (month + 2) % 12 + 1
    return year + (shown < 3), shown, left - _DAYS_BEFORE[month] + 1


def weekday(number: int) -> int:
    """Monday is 0: 3 January 2000 was one."""
    return (number - number_of((2000, 1, 3))) % 7


def length(year: int, month: int) -> int:
    following = (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)
    return number_of(following) - number_of((year, month, 1))


def plus_months(day: Civil, months: int) -> Civil:
    total = day[0] * 12 + day[1] - 1 + months
    year, month = total // 12, total % 12 + 1
    return year, month, min(day[2], length(year, month))


def plus_days(day: Civil, days: int) -> Civil:
    return civil(number_of(day) + days)


def iso(day: Civil) -> str:
    return f"{day[0]:04d}-{day[1]:02d}-{day[2]:02d}"


def nth_weekday(year: int, month: int, nth: int, wanted: int) -> Civil | None:
    """The nth such weekday by trying every day; the last for -1."""
    days = [
        (year, month, day)
        for day in range(1, length(year, month) + 1)
        if weekday(number_of((year, month, day))) == wanted
    ]
    if nth == -1:
        return days[-1]
    return days[nth - 1] if nth <= len(days) else None


# ---- English

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_FIRSTS = [
    "_",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def english(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")


def nth(number: int) -> str:
    if number < 20:
        return _FIRSTS[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_FIRSTS[ones]}" if ones else f"{_TENS[tens][:-1]}ieth"


def nth_digits(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


Maker = Callable[[random.Random, Civil], tuple[str, Civil]]


def _amount_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    sign = rng.choice((-1, 1))
    years, months, weeks, days = (rng.choice((0, 0, rng.randint(1, top))) for top in (9, 11, 7, 40))
    if not (years or months or weeks or days):
        days = rng.randint(1, 90)
    shown = english if rng.random() < 0.4 else str
    parts = [
        f"{shown(count)} {unit}{'s' if count > 1 else ''}"
        for count, unit in ((years, "year"), (months, "month"), (weeks, "week"), (days, "day"))
        if count
    ]
    if len(parts) > 1 and rng.random() < 0.6:
        parts[-2:] = [f"{parts[-2]} and {parts[-1]}"]
    words = rng.choice((" ", ", ")).join(parts)
    then = plus_days(plus_months(today, sign * (12 * years + months)), sign * (7 * weeks + days))
    if sign < 0:
        return f"{words} {rng.choice(('ago', 'ago', 'earlier', 'back'))}", then
    ahead = (f"in {words}", f"{words} from now", f"{words} from today", f"{words} later")
    return rng.choice(ahead), then


def _weekday_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    wanted, steps = rng.randrange(7), rng.choice((-1, 0, 1))
    shift, name = {-1: "last", 0: "this", 1: "next"}[steps], _WEEKDAYS[wanted]
    monday = number_of(today) - weekday(number_of(today))
    words = rng.choice(
        (
            f"{shift} {name}", f"{shift} week {name}", f"{shift} week on {name}",
            f"{name} {shift} week", f"{name} of {shift} week", f"{shift} {name.lower()}",
        )
    )  # fmt: skip
    return words, civil(monday + 7 * steps + wanted)


def _nth_weekday_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    count, wanted, steps = rng.choice((1, 2, 3, 4, -1)), rng.randrange(7), rng.choice((-1, 0, 1))
    shown = "last" if count == -1 else rng.choice((nth(count), nth_digits(count)))
    if rng.random() < 0.5:
        shift = {-1: rng.choice(("last", "previous")), 0: "this", 1: "next"}[steps]
        month = plus_months((today[0], today[1], 1), steps)
        where = f"{shift} month"
    else:
        month = (rng.randint(2001, 2060), rng.randint(1, 12), 1)
        where = f"{_MONTHS[month[1] - 1]} {month[0]}"
    then = nth_weekday(month[0], month[1], count, wanted)
    assert then is not None
    return f"the {shown} {_WEEKDAYS[wanted]} {rng.choice(('of', 'in'))} {where}", then


def _date_en(rng: random.Random, _: Civil) -> tuple[str, Civil]:
    year, month = rng.randint(1901, 2099), rng.randint(1, 12)
    day = rng.randint(1, length(year, month))
    full, short = _MONTHS[month - 1], _MONTHS[month - 1][:3]
    name = rng.choice((full, short, f"{short}.") if month != 5 else (full,))
    shown = rng.choice((str(day), nth_digits(day), nth(day)))
    words = rng.choice(
        (
            f"{name} {shown}, {year}", f"{name} {shown} {year}", f"{shown} {name} {year}",
            f"the {nth(day)} of {name}, {year}", f"{name} the {nth_digits(day)}, {year}",
            f"{year} {name} {day}", f"{year}-{month:02d}-{day:02d}", f"{year}/{month}/{day}",
            f"{month}/{day}/{year}",
        )
    )  # fmt: skip
    return words, (year, month, day)


def _day_of_month_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    steps = rng.choice((-1, 0, 1))
    month = plus_months((today[0], today[1], 1), steps)
    day = rng.randint(1, length(month[0], month[1]))
    shift = {-1: "last", 0: "this", 1: "next"}[steps]
    words = rng.choice(
        (
            f"the {nth_digits(day)} of {shift} month", f"the {nth(day)} of {shift} month",
            f"{shift} month on the {nth_digits(day)}",
        )
    )  # fmt: skip
    return words, (month[0], month[1], day)


def _date_of_year_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    steps = rng.choice((-1, 0, 1))
    year, month = today[0] + steps, rng.randint(1, 12)
    day = rng.randint(1, length(year, month))
    shift, name = {-1: "last", 0: "this", 1: "next"}[steps], _MONTHS[month - 1]
    words = rng.choice(
        (
            f"{name} {nth_digits(day)} {shift} year", f"{shift} year on {name} {day}",
            f"the {nth_digits(day)} of {name} {shift} year",
        )
    )  # fmt: skip
    return words, (year, month, day)


def _beside_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    base, shift = rng.choice((("yesterday", -1), ("tomorrow", 1), ("today", 0)))
    count, unit, days = rng.choice(((2, "days", 2), (3, "weeks", 21), (10, "days", 10)))
    side, sign = rng.choice((("before", -1), ("after", 1), ("from", 1)))
    return f"{english(count)} {unit} {side} {base}", plus_days(today, shift + sign * days)


def _counted_weekdays_en(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    wanted, count, now = rng.randrange(7), rng.randint(2, 6), number_of(today)
    if rng.random() < 0.5:
        first = now + 1 + (wanted - weekday(now + 1)) % 7
        words = f"{english(count)} {_WEEKDAYS[wanted]}s from now"
        return words, civil(first + 7 * (count - 1))
    first = now - 1 - (weekday(now - 1) - wanted) % 7
    return f"{english(count)} {_WEEKDAYS[wanted]}s ago", civil(first - 7 * (count - 1))


# ---- Chinese

_DIGITS = "零一二三四五六七八九"


def chinese(number: int) -> str:
    if number < 10:
        return _DIGITS[number]
    tens, ones = divmod(number, 10)
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[ones] if ones else "")


def _shown_zh(rng: random.Random, number: int) -> str:
    how = rng.random()
    if how < 0.5:
        return chinese(number)
    shown = str(number)
    if how < 0.6:
        return "".join(chr(ord(digit) + 0xFEE0) for digit in shown)
    return shown


def _count_zh(rng: random.Random, number: int) -> str:
    return "两" if number == 2 and rng.random() < 0.7 else _shown_zh(rng, number)


def _week_zh(rng: random.Random) -> str:
    return rng.choice(("周", "星期", "礼拜", "週", "禮拜"))


def _amount_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    sign = rng.choice((-1, 1))
    years, months, days = (rng.choice((0, 0, rng.randint(1, top))) for top in (9, 11, 40))
    weeks = 0 if years or months or days else rng.randint(1, 9)
    parts = []
    if years:
        parts.append(f"{_count_zh(rng, years)}年")
    if months:
        parts.append(f"{_count_zh(rng, months)}{rng.choice(('个月', '個月'))}")
    if weeks:
        unit = rng.choice(("周", "个星期", "個禮拜", "个礼拜"))
        parts.append(f"{_count_zh(rng, weeks)}{unit}")
    if days:
        parts.append(f"{_count_zh(rng, days)}天")
    words = rng.choice(("", "零")).join(parts)
    then = plus_days(plus_months(today, sign * (12 * years + months)), sign * (7 * weeks + days))
    side = rng.choice(("前", "以前", "之前") if sign < 0 else ("后", "以后", "之后", "後"))
    return words + side, then


def _weekday_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    wanted, steps = rng.randrange(7), rng.choice((-2, -1, 0, 1, 2))
    shift = {-2: "上上", -1: "上", 0: rng.choice("这本"), 1: "下", 2: "下下"}[steps]
    measure = rng.choice(("", "个")) if shift != "本" else ""
    name = "一二三四五六日"[wanted] if wanted < 6 else rng.choice("日天")
    monday = number_of(today) - weekday(number_of(today))
    return f"{shift}{measure}{_week_zh(rng)}{name}", civil(monday + 7 * steps + wanted)


def _date_zh(rng: random.Random, _: Civil) -> tuple[str, Civil]:
    year, month = rng.randint(1901, 2099), rng.randint(1, 12)
    day = rng.randint(1, length(year, month))
    shown_year = rng.choice((str(year), "".join(_DIGITS[int(digit)] for digit in str(year))))
    words = rng.choice(
        (
            f"{shown_year}年{_shown_zh(rng, month)}月{_shown_zh(rng, day)}{rng.choice('日号號')}",
            f"{shown_year}年{chinese(month)}月{chinese(day)}",
            f"{year}-{month:02d}-{day:02d}",
            f"{year}/{month}/{day}",
            f"{year}.{month}.{day}",
        )
    )
    return words, (year, month, day)


def _date_of_year_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    steps = rng.choice((-2, -1, 0, 1, 2))
    name = {-2: "前年", -1: "去年", 0: "今年", 1: "明年", 2: "后年"}[steps]
    this_month = rng.random() < 0.3
    month = today[1] if this_month else rng.randint(1, 12)
    day = rng.randint(1, length(today[0] + steps, month))
    month_words = "本月" if this_month else f"{_shown_zh(rng, month)}月"
    mark = rng.choice("日号")
    words = f"{name}{rng.choice(('', '的'))}{month_words}{_shown_zh(rng, day)}{mark}"
    return words, (today[0] + steps, month, day)


def _day_of_month_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    steps = rng.choice((-2, -1, 0, 1, 2))
    month = plus_months((today[0], today[1], 1), steps)
    day = rng.randint(1, length(month[0], month[1]))
    shift = {-2: "上上个", -1: "上个", 0: rng.choice(("这个", "本")), 1: "下个", 2: "下下个"}[steps]
    if rng.random() < 0.2 and abs(steps) == 1:
        shift = shift[0]
    words = f"{shift}月{rng.choice(('', '的'))}{_shown_zh(rng, day)}{rng.choice('号日')}"
    return words, (month[0], month[1], day)


def _nth_weekday_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    count, wanted, steps = rng.choice((1, 2, 3, 4, -1)), rng.randrange(7), rng.choice((-1, 0, 1))
    if rng.random() < 0.5:
        month = plus_months((today[0], today[1], 1), steps)
        where = {-1: "上个月", 0: "这个月", 1: "下个月"}[steps]
    else:
        month = (rng.randint(2001, 2060), rng.randint(1, 12), 1)
        where = f"{month[0]}年{_shown_zh(rng, month[1])}月"
    shown = "最后一个" if count == -1 else f"第{chinese(count)}个"
    then = nth_weekday(month[0], month[1], count, wanted)
    assert then is not None
    between = rng.choice(("", "的"))
    return f"{where}{between}{shown}{_week_zh(rng)}{'一二三四五六日'[wanted]}", then


def _same_day_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    words, then = rng.choice(
        (
            ("去年的今天", plus_months(today, -12)), ("明年今天", plus_months(today, 12)),
            ("前年今日", plus_months(today, -24)), ("上个月的今天", plus_months(today, -1)),
            ("下个月今天", plus_months(today, 1)), ("上周的今天", plus_days(today, -7)),
            ("半年前", plus_months(today, -6)), ("半年后", plus_months(today, 6)),
            ("一年半前", plus_months(today, -18)), ("半个月后", plus_days(today, 15)),
        )
    )  # fmt: skip
    return words, then


def _named_zh(rng: random.Random, today: Civil) -> tuple[str, Civil]:
    days = rng.randint(-3, 3)
    names = {-3: "大前天", -2: "前天", -1: "昨天", 0: "今天", 1: "明天", 2: "后天", 3: "大后天"}
    return names[days], plus_days(today, days)


_MAKERS: dict[str, tuple[Maker, ...]] = {
    "en": (
        _amount_en, _amount_en, _weekday_en, _nth_weekday_en, _date_en, _date_en,
        _day_of_month_en, _date_of_year_en, _beside_en, _counted_weekdays_en,
    ),
    "zh": (
        _amount_zh, _amount_zh, _weekday_zh, _weekday_zh, _date_zh, _date_of_year_zh,
        _day_of_month_zh, _nth_weekday_zh, _same_day_zh, _named_zh,
    ),
}  # fmt: skip
_FRAMES = {
    "en": (
        "{}", "The meeting is {}.", "She will be in Oslo {}", "{} we talked about the budget",
        "Remind me {} please", "We should meet {}, if that suits you",
    ),
    "zh": (
        "{}", "我们{}见面", "小林{}要去成都", "会议定在{}。", "{}大家一起吃饭吧",
        "请提醒我{}交报告",
    ),
}  # fmt: skip


def generated(lang: str, seed: int) -> Phrase:
    """The phrase of this number: the same on every machine."""
    rng = random.Random(f"{lang}:{seed}")
    today = civil(rng.randint(number_of((2015, 1, 1)), number_of((2035, 12, 31))))
    words, then = rng.choice(_MAKERS[lang])(rng, today)
    frame = rng.choice(_FRAMES[lang])
    hour, minute = rng.randrange(24), rng.randrange(60)
    reference = f"{iso(today)}T{hour:02d}:{minute:02d}:00"
    return Phrase(frame.format(words), reference, iso(then), words)
