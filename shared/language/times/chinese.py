"""Words of time in Chinese: a table of patterns, each with what makes days of it.

A pattern is written with the pieces below in angle brackets, and is held against simplified
characters and half-width digits.
"""

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from shared.language.times import days
from shared.language.times.days import Amount, NamedTime, Parts, Rule, SaidAt
from shared.language.times.numbers import CHINESE_NUMBER, chinese_number

_DAYS = {
    "大前天": -3, "前天": -2, "前日": -2, "前晚": -2, "昨天": -1, "昨日": -1, "昨晚": -1,
    "昨夜": -1, "昨儿": -1, "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "今夜": 0, "今儿": 0,
    "明天": 1, "明日": 1, "明晚": 1, "明早": 1, "明儿": 1, "后天": 2, "后日": 2, "后晚": 2,
    "大后天": 3,
}  # fmt: skip
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS = "一二三四五六日"
_COUNT = rf"(?:{CHINESE_NUMBER}|半|几)"
_PART = rf"{_COUNT}(?:个?半?(?:小时|钟头)|个半?月|年半?|个?(?:星期|礼拜)|周|天|分钟)"
_PIECES = {
    "IN_YEAR": "(?:(?P<year><YEAR>)年|(?P<year_word><YEAR_WORD>)的?)",
    "DAY_END": r"(?:[日号]|(?![\d年个周天:点%岁时分人次份]))(?:[,(]?<WEEK><ONE_TO_SUNDAY>\)?)?",
    "MARK": (
        "[号日](?![线楼院店机位桌门房车馆厅码球选窗台柜床仓公文本币语报常期志程游色嘉电字卡铺场]"
        "|出口|会议)"
    ),
    "NUMBER": CHINESE_NUMBER,
    "AMOUNT": rf"(?:{_PART})(?:零?(?:{_PART})){{0,3}}",
    "NAMED_DAY": "|".join(_DAYS),
    "SHIFT": "(?:上上|下下|上|下|这|本)",
    "MONTH": "(?:个月|月(?![亮饼薪]))",
    "WEEK": "(?:周|星期|礼拜)",
    "ONE_TO_NINE": "一二三四五六七八九",
    "ONE_TO_SUNDAY": "[一二三四五六日天]",
    "NTH": "(?:第(?P<nth>[一二三四五])个?|最后一?个?)",
    "PIECE": "初(?![一二三四五六七八九十])|底|末|[上中下]旬",
    "YEAR_WORD": "(?:大前年|[前去今本明后]年)",
    "YEAR": r"(?:\d{4}|\d{2}|[零一二三四五六七八九]{4}|[一二两]千[零一二三四五六七八九十百]{0,6})",
}
_AMOUNT_PART = re.compile(
    rf"(?P<count>{_COUNT})个?(?P<half>半(?=小时|钟头|月))?"
    r"(?P<unit>年|月|星期|礼拜|周|天|小时|钟头|分钟)(?P<more>半)?"
)
_DAYS_IN = {"星期": 7, "礼拜": 7, "周": 7, "天": 1}
_ABOUT = re.compile(r"(?:一[两二]|[二两]三|三四|四五|五六|六七|七八|八九)(?=[年个周天星礼小分])")


def _amount(words: str) -> Amount:
    months, rest = 0.0, timedelta()
    for part in _AMOUNT_PART.finditer(words):
        if part["count"] in "半几":
            count = 0.5 if part["count"] == "半" else 3.0
        else:
            count = float(chinese_number(part["count"]))
        count += 0.5 * bool(part["half"] or part["more"])
        unit = part["unit"]
        if unit in "年月":
            months += count * (12 if unit == "年" else 1)
        elif unit in _DAYS_IN:
            rest += timedelta(days=count * _DAYS_IN[unit])
        else:
            rest += timedelta(minutes=count * (1 if unit == "分钟" else 60))
    return Amount(int(months), rest + timedelta(days=15 * (months % 1 > 0)))


def _away(words: str, said: SaidAt, sign: int) -> NamedTime:
    """两三天前 is a stretch from the one to the other."""
    about = _ABOUT.match(words)
    if not about:
        return days.away(said, _amount(words), sign)
    least, most = (
        days.away(said, _amount(number + words[about.end() :]), sign).first for number in about[0]
    )
    return NamedTime(min(least, most), max(least, most), days.STRETCH)


def _weekday(word: str) -> int:
    return _WEEKDAYS.index("日" if word == "天" else word)


def _year_meant(parts: Parts, said: SaidAt) -> int | None:
    if "year" in parts:
        return days.full_year(chinese_number(parts["year"]))
    return said.today.year + _YEARS[parts["year_word"]] if "year_word" in parts else None


def _date(parts: Parts, said: SaidAt) -> NamedTime:
    month = said.today.month if parts["month"] == "本" else chinese_number(parts["month"])
    day, year = chinese_number(parts["day"]), _year_meant(parts, said)
    if year is None:
        return days.without_year(said, month, day)
    return days.dated(year, month, day, is_relative="year" not in parts)


def _month(parts: Parts, said: SaidAt) -> NamedTime | None:
    """March 2027, 明年三月, 三月份; also its end, its beginning, or a third of it."""
    number, year = chinese_number(parts["month"]), _year_meant(parts, said)
    if not 0 < number < 13:
        return None
    first = date(year, number, 1) if year else days.without_year(said, number, 1).first
    return _piece(
        days.month(first, is_relative="year" not in parts and year is not None), parts.get("piece")
    )


def _piece(whole: NamedTime, piece: str | None) -> NamedTime:
    """Its beginning, its end, or a third of the month."""
    if not piece:
        return whole
    if piece[-1] != "旬":
        return days.part_of(whole, 0 if piece[-1] == "初" else -1)
    start = whole.first + timedelta(days=10 * "上中下".index(piece[0]))
    last = whole.last if piece[0] == "下" else start + timedelta(days=9)
    return NamedTime(start, last, days.STRETCH, whole.is_relative)


def _shifted_month(parts: Parts, said: SaidAt) -> NamedTime:
    whole = days.period(said, days.MONTH, _SHIFTS[parts.get("shift", "本")])
    return _piece(whole, parts.get("piece"))


def _shifted_year(parts: Parts, said: SaidAt) -> NamedTime:
    whole = days.period(said, days.YEAR, _YEARS[parts.get("year_word", "今年")])
    return _piece(whole, parts.get("piece"))


def _day_of_month(parts: Parts, said: SaidAt) -> NamedTime:
    first = days.period(said, days.MONTH, _SHIFTS[parts["shift"]]).first
    return days.dated(first.year, first.month, chinese_number(parts["day"]), is_relative=True)


def _nth_weekday(parts: Parts, said: SaidAt) -> NamedTime | None:
    if "shift" in parts:
        first = days.period(said, days.MONTH, _SHIFTS[parts["shift"]]).first
    else:
        first = date(_year_meant(parts, said) or 1, chinese_number(parts["month"]), 1)
    nth = chinese_number(parts["nth"]) if "nth" in parts else -1
    weekday = _weekday(parts["weekday"])
    return days.nth_weekday(first, nth, weekday, is_relative="shift" in parts)


def _same_day(parts: Parts, said: SaidAt) -> NamedTime:
    if "year_word" in parts:
        return days.one_day(days.plus_months(said.today, 12 * _YEARS[parts["year_word"]]))
    shift = _SHIFTS[parts["shift"]]
    if parts["unit"] == "月":
        return days.one_day(days.plus_months(said.today, shift))
    return days.in_days(said, 7 * shift)


def _lunar(parts: Parts, said: SaidAt) -> NamedTime:
    """In its own numbers; which day it is needs an almanac."""
    word, day = parts.get("month", "正"), parts["day"].removeprefix("初")
    month = {"正": 1, "腊": 12, "冬": 11}.get(word) or chinese_number(word)
    named = days.dated(_year_meant(parts, said) or said.today.year, month, chinese_number(day))
    return NamedTime(named.first, named.first, days.LUNAR, is_relative=False)


_TABLE: dict[str, Callable[[Parts, SaidAt], NamedTime | None]] = {
    r"(?<![以之雨透大点])(?P<word><NAMED_DAY>)(?![培谈])": lambda parts, said: days.in_days(
        said, _DAYS[parts["word"]]
    ),
    # Amounts of time
    r"(?P<amount><AMOUNT>)多?(?:以|之)?前": lambda parts, said: _away(parts["amount"], said, -1),
    r"(?P<amount><AMOUNT>)(?:以|之)?后": lambda parts, said: _away(parts["amount"], said, 1),
    r"(?:再?过|还有)(?P<amount><AMOUNT>)": lambda parts, said: _away(parts["amount"], said, 1),
    r"(?P<side>过去|最近|未来|接下来)的?(?P<amount><AMOUNT>)": lambda parts, said: days.stretch(
        said, _amount(parts["amount"]), -1 if parts["side"] in ("过去", "最近") else 1
    ),
    # Weeks
    r"(?P<shift><SHIFT>)个?<WEEK>(?P<weekday><ONE_TO_SUNDAY>)(?![一二三四五六])": (
        lambda parts, said: days.weekday_of(
            said, _weekday(parts["weekday"]), _SHIFTS[parts["shift"]]
        )
    ),
    r"(?<!一)<WEEK>(?P<weekday><ONE_TO_SUNDAY>)(?!一(?![早定起])|[二三四五六福常报])": (
        lambda parts, said: days.bare_weekday(said, _weekday(parts["weekday"]))
    ),
    r"(?P<shift><SHIFT>)个?<WEEK>(?P<end>末)?(?![刊期])": lambda parts, said: days.period(
        said, days.WEEKEND if "end" in parts else days.WEEK, _SHIFTS[parts["shift"]]
    ),
    "周末": lambda _, said: days.period(said, days.WEEKEND, -(said.leaning < 0)),
    # Months and years
    r"(?P<shift><SHIFT>)<MONTH>的?(?P<day><NUMBER>)<MARK>": _day_of_month,
    r"(?P<shift><SHIFT>)<MONTH>(?P<piece><PIECE>)?": _shifted_month,
    "(?<![正腊冬<ONE_TO_NINE>十])月(?P<piece>初(?![<ONE_TO_NINE>十])|底)(?!薪)": _shifted_month,
    r"(?P<year_word><YEAR_WORD>)(?P<piece>年?[初底末])?": _shifted_year,
    r"(?<![\d零一二三四五六七八九])年(?P<piece>初|底)": _shifted_year,
    r"<IN_YEAR>?(?P<month><NUMBER>)月份?(?P<piece><PIECE>)": _month,
    r"<IN_YEAR>(?P<month><NUMBER>)月份?": _month,
    r"(?P<month><NUMBER>)月份": _month,
    r"(?P<year>(?:19|20)\d\d|[一二][零九][零一二三四五六七八九]{2})年(?P<piece>[初底末])?": (
        lambda parts, _: _piece(days.whole_year(chinese_number(parts["year"])), parts.get("piece"))
    ),
    # Dates
    r"(?:<IN_YEAR>|(?<!年))(?P<month><NUMBER>|本)月(?P<day><NUMBER>)<DAY_END>": _date,
    "(?:<IN_YEAR>|(?<!年))(?:大年|(?P<month>[正腊冬])月)(?P<day>初?[<ONE_TO_NINE>十]{1,3})": _lunar,
    "<IN_YEAR>?(?P<month><NUMBER>)月(?P<day>初[<ONE_TO_NINE>十])": _lunar,
    "(?<![楼栋座路街])(?!一日)(?P<day><NUMBER>)<MARK>": lambda parts, said: days.bare_day(
        said, chinese_number(parts["day"])
    ),
    "(?P<shift><SHIFT>)个?月的?<NTH><WEEK>(?P<weekday><ONE_TO_SUNDAY>)": _nth_weekday,
    "<IN_YEAR>(?P<month><NUMBER>)月的?<NTH><WEEK>(?P<weekday><ONE_TO_SUNDAY>)": _nth_weekday,
    "(?P<year_word><YEAR_WORD>)的?今[天日]": _same_day,
    "(?P<shift><SHIFT>)个?(?P<unit>月|<WEEK>)的?今[天日]": _same_day,
}


def _compiled(pattern: str) -> re.Pattern[str]:
    for _ in range(2):  # pieces are made of pieces
        for name, piece in _PIECES.items():
            pattern = pattern.replace(f"<{name}>", piece)
    return re.compile(rf"(?<![\d.])(?:{pattern})")


RULES = tuple(Rule(_compiled(pattern), maker) for pattern, maker in _TABLE.items())

# ---- what surrounds a time

HABIT = re.compile(
    r"(?:每[个逢]?|逢|隔)[\d年月周星期礼拜一二三四五六日天末早晚上下午、和跟,到至]{0,20}$"
)
_WILL = re.compile(
    r"要|(?<![开聚机社晚])会(?!议|上|员)|将|得(?!了)|打算|准备|计划|别|记得|[改推挪]到|约|截止|下(?:周|个?月)"
)
_WAS = re.compile(r"了(?!吗|没)|(?<![不通超经])过(?!年|来|去|节|期)|没(?!有?时间|空)|那天|的时候")


def leaning(before: str, after: str) -> int:
    """Of a clause, by what stands before and after the time in it."""
    if _WILL.search(before) or _WILL.search(after):
        return 1
    return -1 if _WAS.search(before) or _WAS.search(after) else 0


_MINUTES = {"半": 30, "一刻": 15, "三刻": 45}
_PART_OF_DAY = "凌晨|清早|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚"
CLOCK_AFTER = re.compile(
    rf"的? ?(?P<part>{_PART_OF_DAY})?(?:(?P<h>\d{{1,2}}|[零一二两三四五六七八九十]{{1,3}})"
    r"(?:点(?P<m>半|[一三]刻|\d{1,2}|[一二三四五六七八九十]{1,3})?分?|:(?P<m2>\d\d))|(?<=[早晚午上晨里夜]))"
)


def clock(found: re.Match[str], words: str) -> time | None:
    """`words` may say which part of the day is meant; None if they say no hour."""
    if not found["h"]:
        return None
    hour, spoken = chinese_number(found["h"]), found["m"] or found["m2"] or "零"
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(spoken) or chinese_number(
        spoken.replace("半", "零")
    )
    if (re.search("下午|傍晚|晚", words) and hour < 12) or ("中午" in words and hour < 3):
        hour += 12
    return time(hour, minute) if hour < 24 and minute < 60 else None
