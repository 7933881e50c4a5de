"""Finds Chinese expressions of time and says which days they mean, as of a reference time.

Both scripts are read (周 and 週, 个 and 個). Lunar dates are left alone: they need an almanac.
"""

import re
from datetime import datetime

from . import moments_zh as moments
from .clock_zh import with_clock
from .when import (
    AFTER,
    AROUND,
    AS_OF,
    SINCE,
    Found,
    longest_first,
)

_NUM = r"(?:\d+|[零〇一二两兩三四五六七八九十百]+)"
_WEEK = r"(?:周|週|星期|礼拜|禮拜)"
_SHIFT = r"(?:上上|下下|上|下|这|這|本|今)"
_MEASURE = r"(?:个|個)?"
_YEAR_WORD = "|".join(moments.YEAR_WORDS)


def find(text: str, reference: datetime) -> list[Found]:
    found = []
    scene = moments.Scene(reference, _lean(text))
    for pattern, read, is_partial in _PATTERNS:
        for match in pattern.finditer(text):
            when = read(match, scene)
            if when is not None:
                found.append(Found(match.start(), match.end(), when, is_partial))
    return [with_clock(text, one) for one in longest_first(found)]


_AHEAD = re.compile(r"要|会|將|将|打算|准备|計劃|计划|记得|安排|提醒|一起去|想去|预计|約|约在|截止")
_BACK = re.compile(r"了|过|過|曾|已经|已經|上次|是在")


def _lean(text: str) -> int:
    if _AHEAD.search(text):
        return 1
    return -1 if _BACK.search(text) else 0


_NOT_EVERY = r"(?<![每逢隔双雙单到至])(?<!每个)(?<!每個)"
_DAY_MARK = r"(?:日|号|號)"
_YEAR_NUM = r"(?:\d{4}|[零〇一二三四五六七八九]{4}|[一二两兩]千[零〇一二三四五六七八九十]*)"
_UNIT = (
    r"(?:天|日|周|週|(?:个|個)?(?:星期|礼拜|禮拜|月|季度|小时|小時|钟头|鐘頭)|年|分钟|分鐘|"
    r"刻钟|刻鐘)"
)
_WEEKDAY_NOTE = rf"(?:\s*[,，(（]?\s*{_WEEK}[一二三四五六日天][)）]?)?"


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(body)


_PATTERNS: list[tuple[re.Pattern[str], moments.Reader, bool]] = [
    (
        _pattern(
            rf"(?P<y>{_YEAR_NUM})\s*年\s*(?P<m>{_NUM})\s*月\s*(?P<d>{_NUM})\s*{_DAY_MARK}?"
            rf"{_WEEKDAY_NOTE}"
        ),
        moments.full_date,
        True,
    ),
    (
        _pattern(
            rf"(?P<y>{_YEAR_WORD})的?(?P<m>{_NUM})月(?:份|(?P<d>{_NUM}){_DAY_MARK}?)?"
            rf"{_WEEKDAY_NOTE}"
        ),
        moments.date_of_named_year,
        False,
    ),
    (
        _pattern(rf"(?<![\d年])(?P<m>{_NUM})\s*月\s*(?P<d>{_NUM})\s*{_DAY_MARK}?{_WEEKDAY_NOTE}"),
        moments.month_day,
        True,
    ),
    (
        _pattern(rf"(?P<s>{_SHIFT}){_MEASURE}月的?(?P<d>{_NUM}){_DAY_MARK}"),
        moments.day_of_month,
        False,
    ),
    (
        _pattern(
            r"(?<![\d月第一二三四五六七八九十])(?P<d>\d{1,2}|[一二三]?十[一二三四五六七八九]?|"
            r"[一二三四五六七八九])(?:号|號)(?![线線楼樓院店机機位桌门門房车車馆館厅廳码碼球员員选"
            r"])"
        ),
        moments.bare_day,
        True,
    ),
    (
        _pattern(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
        moments.full_date,
        True,
    ),
    (
        _pattern(r"(?<![\d.])(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{4}|\d{2})(?![\d.])"),
        moments.numeric,
        True,
    ),
    (_pattern(r"(?<![\d./:-])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\d./%])"), moments.numeric, True),
    (
        _pattern(
            rf"(?P<s>{_SHIFT}){_MEASURE}{_WEEK}的?{_WEEK}?(?P<w>[一二三四五六日天])(?![个個])"
        ),
        moments.weekday,
        False,
    ),
    (
        _pattern(rf"{_NOT_EVERY}{_WEEK}(?P<w>[一二三四五六日天])(?![到至些个個])"),
        moments.weekday,
        False,
    ),
    (
        _pattern(
            rf"(?P<s>{_SHIFT}){_MEASURE}(?P<u>{_WEEK}末|周末|週末|{_WEEK}|月份|月(?![底初中末])|"
            r"季度)"
        ),
        moments.period,
        False,
    ),
    (_pattern(rf"{_NOT_EVERY}(?:周末|週末)"), moments.weekend, False),
    (_pattern(_YEAR_WORD), moments.named_year, False),
    (
        _pattern(
            "|".join(sorted((*moments.DAY_WORDS, *moments.SHORT_PARTS), key=len, reverse=True))
        ),
        moments.named_day,
        False,
    ),
    (
        _pattern(
            rf"(?P<n>{_NUM}|半|好几|几|幾|数)(?P<half>个半|個半)?(?P<u>{_UNIT})(?P<p>以前|之前|前|"
            r"以后|之后|以後|之後|后|後)(?!半)"
        ),
        moments.shifted,
        False,
    ),
    (
        _pattern(
            rf"(?:再过|再過|过|過)(?P<n>{_NUM}|几|幾)(?P<u>天|周|週|(?:个|個)(?:星期|礼拜|月))"
        ),
        moments.days_past,
        False,
    ),
    (
        _pattern(
            rf"(?P<p>未来|未來|接下来|接下來|今后|今後|过去|過去|最近|近|这|這)(?P<n>{_NUM}|几|"
            r"幾)(?P<u>天|周|週|(?:个|個)?(?:星期|礼拜|月)|年)(?:里|内|以来)?"
        ),
        moments.stretch,
        False,
    ),
    (
        _pattern(
            rf"(?:(?P<s>{_SHIFT}){_MEASURE})?(?P<y>{_YEAR_WORD})?(?P<e>月底|月初|月中|月末|年底|"
            r"年初|年末)(?![一二三四五六七八九十])"
        ),
        moments.edge,
        False,
    ),
    (_pattern(r"刚才|剛才|刚刚|剛剛|方才|适才|此刻"), moments.just_now, False),
    (
        _pattern(
            r"(?<![离離距])最近|近期|近来|近來|近日|这几天|這幾天|这阵子|这段时间|這段時間|前几天|"
            r"前幾天|前阵子|前段时间|前不久|不久前"
        ),
        moments.vague(AROUND),
        False,
    ),
    (_pattern(r"目前|现在|現在|眼下|当前|如今"), moments.vague(AS_OF), False),
    (
        _pattern(
            r"从现在起|從現在起|从今以后|从今往后|今后|今後|(?:(?<=^)|(?<=[，。,；！\s])|(?<=们)|"
            r"(?<=大家))以后"
        ),
        moments.vague(SINCE),
        False,
    ),
    (
        _pattern(
            r"稍后|稍後|等会儿?|等會兒?|待会儿?|一会儿|一會兒|过会儿?|马上|馬上|回头|改天|过几天|"
            r"過幾天|不久后|不久之后"
        ),
        moments.vague(AFTER),
        False,
    ),
]
