"""The gate: what a note in absolute words must not contain.

Pronouns, relative times and relative places, in Chinese and English. Quoted speech, titles, names
and compounds do not count, the same as for the rewrite.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.domain.historian.untouchable import Veil
from shared.language.times.anchored import counts_from_elsewhere
from shared.language.times.find import time_expressions
from shared.language.times.habits import fixed_names
from shared.language.times.scripts import plainly_written
from shared.language.times.span import IMPOSSIBLE, LUNAR
from shared.language.times.weeks_zh import is_cut

PRONOUN, TIME, PLACE = "pronoun", "relative time", "relative place"


@dataclass(frozen=True)
class Violation:
    kind: str
    word: str


_PRONOUN_ZH = re.compile(
    r"我们|你们|您们|他们|她们|它们|咱们|俺们|[我你您他她它咱俺]|[这那]位(?!置|数|于)"
)
_PRONOUN_EN = re.compile(
    r"\b(?:I(?=$|['’ ,;:!?]|\.(?:\s|$))|(?i:me|my|mine|"
    r"myself|you|your|yours|yourself|yourselves|he|him|his|himself|she|her|hers|herself|we|us|our|ours|ourselves|they|them|their|theirs|themselves|its|"
    r"itself|(?:this|that) (?:person|guy|one|user|man|woman|lady)))\b"
)
_US_COUNTRY = re.compile(r"\bUS\b")
_IT = re.compile(r"\bit\b(?:['’]s\b)?", re.IGNORECASE)
_IT_OF_NOBODY = re.compile(
    r"it(?:['’]s| is| was| will be| has been| would be| had been) "
    r"(?:\w+ ){0,3}(?:that|to|whether|how|if)\b"
    r"|it (?:easy|easier|hard|harder|difficult|possible|impossible|clear|clearer|necessary|useful|"
    r"safe|safer|better|worth|important|likely) (?:\w+ ){0,2}(?:that|to|for|whether|how)\b"
    r"|it(?:['’]s| is| was| will be| has been| would be| had been)? "
    r"(?:(?:rain|snow|sunny|cold|hot|warm|dark|late|"
    r"early|windy|cloudy|freezing)\w*\b)"
    r"|it (?:rain|snow|take|took|seem|appear|turned out|turns out|depends)",
    re.IGNORECASE,
)
_TIME_ZH = re.compile(
    r"今天|昨天|明天|前天|后天|今日|昨日|明日|今晚|昨晚|明晚|今早|明早|刚才|刚刚|方才|稍后|待会儿?(?![议员])|"
    r"等会儿?(?![议员])|上上?个?(?:周|星期|礼拜|月)|下下?个?(?:周|星期|礼拜|月)|[这本]个?(?:周|星期|礼拜|月)(?!期)|"
    r"最近(?!的?一[次回家个间]|的(?:地铁|车站|医院|店|路|距离|一家|超市))|近期|近来|近日|去年|今年|明年|前年|后年|现在|目前|眼下"
)
_TIME_EN = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|last night|just now|right now|recently|lately|nowadays|"
    r"(?:last|next|this|past|coming) (?:week|weekend|month|quarter|year|night|morning|afternoon|"
    r"evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|the day (?:after tomorrow|before "
    r"yesterday))\b(?! (?:of|in) )",
    re.IGNORECASE,
)
_PLACE_ZH = re.compile(r"这里|那里|这儿|那儿|这边|那边|本地|当地|此地|此处")
_PLACE_EN = re.compile(
    r"\b(?:over (?:here|there)|(?:around|from|near|to|up|down|out|in|back|go|goes|went|going|been|"
    r"moved?|stay(?:s|ed)?|lives?|lived|works?|worked|met|meets?|get|got|was|were|is|are|be) "
    r"there(?! (?:is|are|was|were|will|has|have|had)\b)|here|nearby|locally)\b",
    re.IGNORECASE,
)
_SOME_TIME = datetime(2020, 1, 15, 12, tzinfo=UTC)
"""Whether words are relative does not depend on when they are read."""


def violations(text: str, names: Iterable[str] = ()) -> list[Violation]:
    """In the order of their kind and place; empty if the text may be kept."""
    seen = Veil(names).hide(text)
    found = [Violation(PRONOUN, match[0]) for match in _PRONOUN_ZH.finditer(seen)]
    found += [
        Violation(PRONOUN, match[0])
        for match in _PRONOUN_EN.finditer(seen)
        if not _US_COUNTRY.fullmatch(match[0])
    ]
    found += [
        Violation(PRONOUN, match[0])
        for match in _IT.finditer(seen)
        if match[0] != "IT" and not _IT_OF_NOBODY.match(seen, match.start())
    ]
    found += [Violation(TIME, word) for word in _relative_times(seen)]
    for pattern in (_PLACE_ZH, _PLACE_EN):
        found += [Violation(PLACE, match[0]) for match in pattern.finditer(seen)]
    return list(dict.fromkeys(found))


def _relative_times(text: str) -> list[str]:
    read = [
        (one.start, one.end)
        for one in time_expressions(text, _SOME_TIME)
        if not one.is_partial
        and one.span.grain not in (IMPOSSIBLE, LUNAR)
        and not counts_from_elsewhere(text, one.start, one.end)
    ]
    read_already = [*read, *fixed_names(plainly_written(text), text)]
    listed = [match.span() for one in (_TIME_ZH, _TIME_EN) for match in one.finditer(text)]
    extra = [
        (start, end)
        for start, end in listed
        if not is_cut(text, start)
        and not any(low <= start and end <= high for low, high in read_already)
    ]
    return [text[start:end] for start, end in sorted([*read, *extra])]
