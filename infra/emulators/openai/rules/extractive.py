"""A sentence without its greeting, and cut to what fits."""

import re

from .words import is_han

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
