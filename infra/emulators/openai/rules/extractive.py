"""Picks the sentences of a chat that say most of it, and shortens them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .words import is_han, marks, sentences, shared

LINE_HAN = 60
LINE_WORDS = 30
_LEAD = re.compile(
    r"^(?:@\S+\s*|(?:大家好|各位好|各位|请问一下|请问|话说|对了|那个|嗯+|哦+|哈+|好的|好吧|诶|"
    r"欸)[\s,，、:：!！。.~～]*|"
    r"(?:hi|hello|hey)(?: (?:everyone|everybody|all|guys|folks|there|team))?(?:[\s,:!.~]+|$)|"
    r"(?:ok|okay|well|so|btw|by the way|guys|yeah|yes|oh|um+|hmm+)[\s,:!.~]+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s。！？!?.,，、；;~～…]+$")


@dataclass(frozen=True)
class Line:
    """One sentence of a chat: who said it, in which message, how far in."""

    text: str
    speaker: str = ""
    message_id: str = ""
    place: int = 0


def lines_of(texts: Sequence[tuple[str, str, str]]) -> list[Line]:
    """Sentences of messages given as (id, speaker, content)."""
    lines: list[Line] = []
    for message_id, speaker, content in texts:
        for sentence in sentences(content):
            lines.append(Line(sentence, speaker, message_id, len(lines)))
    return lines


def central(lines: Sequence[Line], limit: int) -> list[Line]:
    """The lines whose words the others use too, in their own order, no two alike."""
    about = {line.place: marks(line.text) for line in lines}
    commonness: Counter[str] = Counter()
    for found in about.values():
        commonness.update(found)

    def weight(line: Line) -> float:
        own = about[line.place]
        return sum(commonness[mark] for mark in own) / (len(own) + 4)

    chosen: list[Line] = []
    for line in sorted(lines, key=lambda one: (-weight(one), one.place)):
        if len(chosen) == limit:
            break
        own = about[line.place]
        if own and not any(shared(own, about[other.place]) > 0.7 for other in chosen):
            chosen.append(line)
    return sorted(chosen, key=lambda one: one.place)


def cleaned(sentence: str) -> str:
    """A sentence without greeting, address and end marks."""
    return _TAIL.sub("", _LEAD.sub("", sentence.strip())) or _TAIL.sub("", sentence.strip())


def shortened(sentence: str, han: int = LINE_HAN, words: int = LINE_WORDS) -> str:
    """Cut at the last clause or word that fits."""
    if is_han(sentence):
        if len(sentence) <= han:
            return sentence
        cut = sentence[:han]
        clause = max(cut.rfind(mark) for mark in "，,、；;")
        return cut[:clause] if clause > han // 3 else cut
    parts = sentence.split()
    return sentence if len(parts) <= words else " ".join(parts[:words])


def gist(given: Any, limit: int = 2) -> str:
    """A few sentences that stand for a text or for all the texts in a JSON value."""
    lines = lines_of([("", "", one) for one in _strings(given)])
    chosen = central(lines, limit) or lines[:1]
    return " ".join(shortened(line.text) for line in chosen)


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() if key != "prompt" for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return []
