"""Words and pieces of patterns that the Chinese grammar of time shares."""

import re
from datetime import date

from shared.language.times.span import (
    NO_SUCH_DAY,
    TimeSpan,
    one_day,
)

WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
             "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6}  # fmt: skip
YEAR_WORDS = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1,
    "下一年": 1, "来年": 1, "后年": 2, "大后年": 3,
}  # fmt: skip
DAY_WORDS = {
    "大大前天": -4, "大大后天": 4, "大前天": -3, "大前日": -3, "前天": -2, "前日": -2,
    "前儿": -2, "昨天": -1, "昨日": -1,
    "昨儿": -1, "今天": 0, "今日": 0, "今儿": 0, "当天": 0, "当日": 0, "明天": 1, "明日": 1,
    "明儿": 1, "后天": 2, "后日": 2, "大后天": 3, "大后日": 3,
    "大前儿个": -3, "前儿个": -2, "昨儿个": -1, "今儿个": 0, "明儿个": 1, "后儿个": 2,
    "大后儿个": 3, "大前儿": -3, "后儿": 2, "大后儿": 3,
}  # fmt: skip
SHORT_PARTS = {
    "今早": (0, "早上"), "今晨": (0, "早上"), "今晚": (0, "晚上"), "今夜": (0, "夜里"),
    "当晚": (0, "晚上"), "明早": (1, "早上"), "明晨": (1, "早上"), "明晚": (1, "晚上"),
    "昨晚": (-1, "晚上"), "昨夜": (-1, "夜里"), "前晚": (-2, "晚上"), "后晚": (2, "晚上"),
}  # fmt: skip
SHIFTS = {"上上上": -3, "上上": -2, "上": -1, "这": 0, "本": 0, "今": 0, "当": 0, "同": 0,
           "下": 1, "下下": 2, "下下下": 3}  # fmt: skip

SHIFT = r"(?:上上上|下下下|上上|下下|上|下|这|本|今)"
WEEK = r"(?:周|星期|礼拜)"
WEEKDAY = r"[一二三四五六日天]"
YEAR_WORD = "|".join(sorted(YEAR_WORDS, key=len, reverse=True))
DIGIT_YEAR = (
    r"(?:\d{4}|\d{2}|[零一二三四五六七八九]{4}|[零一二三四五六七八九]{2}|"
    r"[一二两]千[零一二三四五六七八九十百]{0,6})"
)
EARLY = r"初(?![一二三四五六七八九十])"
WEEKDAY_NOTE = re.compile(rf" {{0,2}}[,，(]? {{0,2}}{WEEK}{WEEKDAY}\)?")


def day_or_none(found: date | None) -> TimeSpan:
    return one_day(found) if found else NO_SUCH_DAY


THAT_DAY = re.compile(r"(?:的)?(?:今天|今日|这一天|这天|同一天)")
