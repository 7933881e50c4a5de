"""Words that only who was there can place: pronouns, relative times, relative places, placeholders.

The lists of the gate for notes, in Chinese and English. Quoted speech, titles, code and addresses
are left alone, and so are names.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

_QUOTED = re.compile(
    r"“[^”\n]{0,2000}”|「[^」\n]{0,2000}」|『[^』\n]{0,2000}』|《[^》\n]{0,200}》|〈[^〉\n]{0,200}〉"
    r"|‘[^’\n]{0,2000}’(?![a-z])|\"[^\"\n]{0,2000}\"|`[^`\n]{0,500}`|https?://[^\s，。！？、）)]{1,500}"
    r"|(?<![^\s(（:：,，])'[^'\n]{1,500}'(?![^\s.,;:!?)）。，；！？])"
)
"""A single quote opens only after a space or a bracket: "Sam's" is no quotation."""
_LOOK_ALIKE = re.compile(
    r"其[他它]|吉他|排他|利他|他[人乡国杀律]|维他命?|马耳他|犹他|[自忘本超无]我|我[国行]|你[好来]"
    r"|今日头条|明日方舟|最近[邻似]|透明|(?:[以然之]后|雨后)(?=天)"
    r"|本地(?=化|部署|环境|仓库|文件|服务|运行|开发|存储|数据|测试|模型|网络)"
    r"|(?<=[A-Za-z] )(?:Yesterday|Today|Tomorrow)\b"
)
"""Words with the character of a pronoun, a day or a place in them that mean none; titles by their
capital in the middle of a sentence."""
_HIDDEN = "\ue000"
"""Stands for each hidden character; it is no letter, so words end beside it."""


def _any(words: str) -> str:
    """Words of a list, or patterns, parted by spaces; an underscore stands for a space in one."""
    return f"(?:{'|'.join(word.replace('_', ' ') for word in words.split())})"


def _english(words: str) -> str:
    return rf"(?i:\b{_any(words)}\b)"


_COUNT_ZH = (
    r"(?:(?<!\d)\d{1,4}|[一二两三四五六七八九十几半数])个?多?"
    r"(?:分钟|小时|钟头|天|周|星期|礼拜|月|年)"
)
_CHINESE = {
    "pronoun": _any(
        "我们 你们 您们 他们 她们 它们 咱们 俺们 [我你您他她它咱俺] [这那]位(?![置于数])"
    ),
    "relative time": _any(
        rf"""
        [今昨明][天日晚早] 大?[前后]天 [今去前明后]年 刚[才刚] 方才 稍后 待会儿? 这几天 近[期来日]
        (?:上上?|下下?|这|本)个?(?:周|星期|礼拜|月)(?!期) 最近(?!的?一[家个次]) 现在 目前 眼下
        {_COUNT_ZH}[以之]?前 (?<![\u3400-\u9fff\d]){_COUNT_ZH}[以之]?后
        """
    ),
    "relative place": _any("[这那][里儿边] [本当]地(?!震) 此[地处]"),
}
_ENGLISH = {
    "pronoun": r"\b(?<!War )I(?=$|['’ ,;:!?]|\.(?:\s|$))|(?!US\b|IT\b)"
    + _english(
        """
        me my mine myself you your yours yourself yourselves he him his she her hers
        its? we us our ours ourselves they them their theirs
        (?:this|that)_(?:person|guy|man|woman|lady|user)
        """
    ),
    "relative time": _english(
        """
        today yesterday tomorrow tonight just_now right_now recently lately currently nowadays soon
        at_the_moment these_days from_now the_other_day ago
        (?<!days_)(?<!weeks_)(?<!months_)(?<!years_)(?<!hours_)(?<!minutes_)(?<!sooner_or_)later
        (?:last|next|this|past|coming)_(?:week|weekend|month|quarter|year|spring|summer|autumn|fall)
        (?:last|next|this)_(?:winter|night|morning|afternoon|evening)
        (?:last|next|this|past|coming)_(?:mon|tues|wednes|thurs|fri|satur|sun)day
        """
    )
    + "(?! of )",
    "relative place": _english(
        """
        here nearby locally over_there
        (?:around|from|near|to|up|down|in|go|goes|went|going|been|moved?|live[sd]?|worked|met)_there
        """
    ),
}
_RELATIVE = {kind: re.compile(f"{_CHINESE[kind]}|{_ENGLISH[kind]}") for kind in _CHINESE}
_DUMMY_IT = re.compile(
    r"[Ii]t (?:is|was|has been) \w+ (?:that|to)\b|[Ii]t(?: (?:is|was|will|would|may|might|has been"
    r"|be)){0,2} (?:rain|snow|sunny|windy|cold|hot|warm|dry|wet|dark|late|early|take|took|seem)"
)
""" "It will rain": here "it" is nobody."""
_PLACEHOLDER = re.compile(
    r"\b(?i:some(?:one|body)|(?:an? )?(?:unknown|unnamed|certain) (?:person|user|member|place)|"
    r"the place (?:spoken of|in question)|some(?: unknown)? (?:place|date|time))\b"
    r"|[\[<{](?i:name|date|place|user|sender|person|time)[^\]>}]{0,20}[\]>}]|\bX{3,}\b"
    r"|某[人某地时日天位个]|所说的地方|聊天中|该事物|未知(?:用户|成员|地点)"
)
_DAY_WORDS = re.compile(
    r"(?<![前后])(?P<zh>(?<!大)前天|昨天|今天|明天|(?<!大)后天)"
    r"|(?<!before )(?<!after )\b(?P<en>(?i:yesterday|today|tomorrow))\b"
)
_DAYS = {
    "前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2,
    "yesterday": -1, "today": 0, "tomorrow": 1,
}  # fmt: skip


_WEEKDAY = re.compile(
    r"[上下这本]*(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])(?![到至和、])"
    r"|(?<!\ba )\b(?P<en>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
)
_HABIT = re.compile(r"(?i)\b(?:every|each|weekly)\b|\b\w+days\b|每")
_WEEKDAYS = {
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
    "Mon": 0, "Tues": 1, "Wednes": 2, "Thurs": 3, "Fri": 4, "Satur": 5, "Sun": 6,
}  # fmt: skip


def relative_words(text: str, names: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The kind of each such word (pronoun, relative time, relative place) and the word."""
    seen = without_quotes(text, names)
    found = [
        (kind, match[0])
        for kind, pattern in _RELATIVE.items()
        for match in pattern.finditer(seen)
        if match[0].lower() != "it" or not _DUMMY_IT.match(seen, match.start())
    ]
    return list(dict.fromkeys(found))


def placeholders(text: str, names: Iterable[str] = ()) -> list[str]:
    """Words that stand where a name, a day or a place should."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(without_quotes(text, names))))


def quotations(text: str) -> list[str]:
    return _QUOTED.findall(text)


def named_days(text: str, day: date) -> Iterator[tuple[str, date]]:
    """Today, tomorrow, yesterday and the like, with the dates they mean on that day."""
    for match in _DAY_WORDS.finditer(without_quotes(text)):
        yield match[0], day + timedelta(days=_DAYS[match[0].lower()])


def tells_habit(text: str) -> bool:
    """ "Every Friday", "on Fridays": no date is meant."""
    return bool(_HABIT.search(text))


def named_weekdays(text: str, names: Iterable[str] = ()) -> Iterator[tuple[str, int]]:
    """Single weekdays with their numbers from Monday, 0; none of a text that tells a habit."""
    if tells_habit(text):
        return
    for match in _WEEKDAY.finditer(without_quotes(text, names)):
        yield match[0], _WEEKDAYS[match["zh"] or match["en"]]


def without_quotes(text: str, names: Iterable[str] = ()) -> str:
    """The text with quotations, names and words that only look like pronouns blanked out."""

    def blank(match: re.Match[str]) -> str:
        return _HIDDEN * len(match[0])

    text = _QUOTED.sub(blank, text)
    for name in sorted({name for name in names if len(name) > 1}, key=len, reverse=True):
        edge = r"(?<![A-Za-z]){}(?![A-Za-z])" if name.isascii() else "{}"
        text = re.sub(edge.format(re.escape(name)), blank, text)
    return _LOOK_ALIKE.sub(blank, text)
