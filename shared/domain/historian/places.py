"""Relative places: "here" is the place the note came from, or the chat if nobody said where."""

import re

_ZH_HERE = re.compile(
    r"(?P<at>在)?(?:我们这里|咱们这里|我们这儿|我们这边|这里|这儿|这边|此地|此处|本地|当地)"
)
_ZH_THERE = re.compile(r"(?P<at>在)?(?:那里|那儿|那边)")
_EN_HERE = re.compile(r"\b(?:(?P<prep>from|around|near|to|in|at|over)\s+)?here\b", re.IGNORECASE)
_EN_THERE = re.compile(
    r"(?<!^)(?<![.!?]\s)\b(?:(?P<prep>from|around|near|to|over|in|up|down)\s+)?there\b"
    r"(?!\s*(?:'s|’s|is|are|was|were|will|has|have|had|must|might|may|can|could|should|would)\b)",
    re.IGNORECASE,
)
_PLACE_ZH = re.compile(
    r"(?:在|去|到|来|回|从)([\u3400-\u9fff]{2,6}?)(?=[，。,"
    r"；！？、了的和与上工住读开玩吃看出旅参见那这]|$)"
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
    here = location or (f"“{group}”群里" if group else "聊天群里")
    said = _ZH_HERE.sub(lambda match: (match["at"] or "") + here, said)

    def there(match: re.Match[str]) -> str:
        named = _PLACE_ZH.findall(said[: match.start()])
        return (match["at"] or "") + (named[-1] if named else location or "所说的地方")

    return _ZH_THERE.sub(there, said)


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
