"""Relative places: "here" is the place the note came from, or the chat if nobody said where."""

import re

_ZH_AT_SOMEBODY = re.compile(
    r"(?P<at>[在去到来回住离从往])?(?P<who>(?:我们|你们|他们|她们|咱们|[我你您他她咱俺]|[\ue000-\uf8ff]|"
    r"[\u3400-\u9fff](?:妈|爸|户|导|板|东|友|事|师|家长))(?:的?家)?)(?:这[里儿边]|那[里儿边])"
)
_ZH_AT_PLACE = re.compile(
    r"(?<=[家司校院店楼村区城站场馆厅室园市省县镇路街岸方外国州京海圳津庆汉港厂局部组])(?:这边|那边|那儿|那里)(?![面有])"
)
"""老家那边, 公司这边: the place is named, the word behind it only points."""
_ZH_HERE = re.compile(
    r"(?P<at>在)?(?:我们这里|咱们这里|我们这儿|我们这边|这里|这儿|这边|此地|此处)"
)
_ZH_LOCAL = re.compile(r"(?P<at>在)?(?:本地|当地)")
_ZH_THERE = re.compile(r"(?P<at>在)?(?:那里|那儿|那边)")
_EN_HERE = re.compile(r"\b(?:(?P<prep>from|around|near|to|in|at|over)\s+)?here\b", re.IGNORECASE)
_EN_THERE = re.compile(
    r"(?<!^)(?<![.!?]\s)\b(?:(?P<prep>from|around|near|to|over|in|up|down)\s+)?there\b"
    r"(?!\s*(?:'s|’s|is|are|was|were|will|has|have|had|must|might|may|can|could|should|would)\b)",
    re.IGNORECASE,
)
_PLACE_ZH = re.compile(
    r"(?:在|去|到|来|回|从)([\u3400-\u9fff]{2,6}?)(?=[，。,"
    r"；！？、了的和与上工住待呆读开玩吃看出旅参见那这]|$)"
)
_MOTION = re.compile(
    r"\b(?:mov|com|came|arriv|go|went|travel|fly|flew|return|back|driv|drove|head|relocat|sail)\w*"
    r"(?:\s+back|\s+over)?\s+$",
    re.IGNORECASE,
)
_PLACE_EN = re.compile(r"\b(?:in|at|to|from|near)\s+((?:[A-Z][\w'-]+)(?:\s+[A-Z][\w'-]+)*)")


def without_relative_places(said: str, location: str, group: str, *, is_chinese: bool) -> str:
    """Only where the place is known: the note's location, the chat, a place named before."""
    if is_chinese:
        return _chinese(said, location, group)
    return _english(said, location, group)


def _chinese(said: str, location: str, group: str) -> str:
    said = _ZH_AT_SOMEBODY.sub(
        lambda found: (found["at"] or "") + found["who"] + ("处" if found["at"] else "一方"), said
    )
    said = _ZH_AT_PLACE.sub("", said)
    here = location or (f"“{group}”群里" if group else "聊天群里")
    said = _ZH_HERE.sub(lambda match: (match["at"] or "") + here, said)

    def named_or(match: re.Match[str], unknown: str) -> str:
        named = _PLACE_ZH.findall(match.string[: match.start()])
        return (match["at"] or "") + (named[-1] if named else location or unknown)

    said = _ZH_LOCAL.sub(lambda match: named_or(match, here), said)
    return _ZH_THERE.sub(lambda match: named_or(match, "所说的地方"), said)


def _english(said: str, location: str, group: str) -> str:
    here = location or (f"the group {group}" if group else "the chat")

    def placed(match: re.Match[str], place: str) -> str:
        moves = _MOTION.search(match.string[: match.start()])
        preposition = match["prep"] or ("to" if moves else "in")
        shown = f"{'in' if preposition.lower() == 'over' else preposition} {place}"
        return shown if match.start() else shown[:1].upper() + shown[1:]

    said = _EN_HERE.sub(lambda match: placed(match, here), said)

    def there(match: re.Match[str]) -> str:
        named = _PLACE_EN.findall(said[: match.start()])
        return placed(match, named[-1] if named else location or "the place spoken of")

    return _EN_THERE.sub(there, said)
