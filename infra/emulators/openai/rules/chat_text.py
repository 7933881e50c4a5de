"""Sentences and words of chat text, Chinese and English, by a few patterns and no dictionary."""

import json
import re
from typing import Any

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SENTENCE = re.compile(r"[^。！？!?；;\n…]+?(?:[。！？!?；;\n…]+|\.(?=\s|$)\s*|$)")
_WORD = re.compile(r"[a-z]{3,}|\d+|[\u3400-\u9fff]+")
_CLAUSE_MARK = re.compile(r"[，：；]|[,:;](?=\s)")
_CLAUSE_END = re.compile(r"[,，、:：;；.。!！?？~～…]+(?=\s|$|[\u3400-\u9fff])")
_GREETING = re.compile(
    r"^(?:@\S+\s*|(?:大家好|各位|请问|对了)[\s,，、:：!！。]*|"
    r"(?:hi|hello|hey)(?: (?:everyone|all|guys|folks))?[\s,:!.]+)+",
    re.IGNORECASE,
)
_LIGHT_ENGLISH = re.compile(
    "the|and|for|you|are|was|were|but|not|that|this|with|have|has|had|from|they|them|what|when|"
    "where|who|why|how|will|would|can|could|should|there|here|your|our|about|just|like|then|than|"
    "some|all|any|too|yes"
)
_LIGHT_CHINESE = frozenset("的了是我你他她们这那个不在有就都也和吗呢吧啊什么怎谁")


def is_han(text: str) -> bool:
    return bool(_HAN.search(text))


def is_chinese(text: str) -> bool:
    """Mostly Chinese: more of its characters than English words."""
    return len(_HAN.findall(text)) > len(_LATIN_WORD.findall(text))


def sentences(text: str) -> list[str]:
    """The text's sentences with their own end marks."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def clauses(sentence: str) -> list[str]:
    return [part.strip() for part in _CLAUSE_MARK.split(sentence) if part.strip()]


def is_question(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？", "吗", "呢"))


def content_marks(text: str) -> frozenset[str]:
    """What the text is about, to compare: English words, pairs of Chinese characters."""
    marks: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if is_han(word):
            pairs = (word[place : place + 2] for place in range(len(word) - 1))
            marks.update(pair for pair in pairs if not _LIGHT_CHINESE.intersection(pair))
        elif not _LIGHT_ENGLISH.fullmatch(word):
            marks.add(word.removesuffix("s"))
    return frozenset(marks)


def share_of(part: frozenset[str], whole: frozenset[str]) -> float:
    """How much of `part` stands in `whole`, 0 to 1."""
    return len(part & whole) / len(part) if part else 0.0


def shortened(sentence: str, han: int = 60, words: int = 30) -> str:
    """As much of it as fits, cut between words."""
    return sentence[:han] if is_han(sentence) else " ".join(sentence.split()[:words])


def first_clause(text: str) -> str:
    """How a talk is called: its opening clause without the greeting, cut as a title is."""
    opening = _GREETING.sub("", text.strip()) or text.strip()
    return shortened(_CLAUSE_END.split(opening, maxsplit=1)[0].strip(), han=15, words=8)


def echo(said: str) -> str:
    """The first and the last sentence of a text, or of the texts in a JSON value."""
    try:
        value = json.loads(said)
    except ValueError:
        value = said
    lines = [line for text in _texts_in(value) for line in sentences(text)] or [said.strip()]
    return " ".join(dict.fromkeys([lines[0], lines[-1]]))


def _texts_in(value: Any) -> list[str]:
    """The texts that hold more than one word: no ids, times or names of fields."""
    if isinstance(value, str):
        return [value] if is_han(value) or " " in value.strip() else []
    children = value.values() if isinstance(value, dict) else value
    return (
        [text for child in children for text in _texts_in(child)]
        if isinstance(value, dict | list)
        else []
    )
