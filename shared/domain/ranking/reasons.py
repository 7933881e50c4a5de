"""Why a line is offered, in words that the owner of a bot understands. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.language import Language, guess_language, keywords

MOST_WORDS = 3
"""Named in a reason."""
TELLS = 0.25
"""A part of the sum this large is worth a reason."""
MEANS = 1.0
"""Nearness this far above the usual is told as the same meaning."""

_OF_PLACE = ("answer", "reply", "number", "speaker", "around", "talk")
_ENGLISH = {
    "word": "the word {0}",
    "words": "the words {0}",
    "meaning": "same meaning",
    "answer": "said right after a question like yours",
    "reply": "in a reply with a line that fits",
    "number": "an amount or a day, as you ask for one",
    "around": "beside lines that fit",
    "speaker": "said by whom the question names",
    "talk": "of the talk that goes on",
    "fresh": "said lately",
    "other": "several weak signs",
    "and": " and ",
}
_CHINESE = {
    "word": "有“{0}”这个词",
    "words": "有{0}这些词",
    "meaning": "意思相近",
    "answer": "紧跟在类似的问题之后",
    "reply": "与相关的话互为回复",
    "number": "有数字或日期，正是所问",
    "around": "在相关的话旁边",
    "speaker": "是问题里提到的人说的",
    "talk": "属于正在进行的话题",
    "fresh": "刚说不久",
    "other": "几个较弱的迹象",
    "and": "、",
}


@dataclass(frozen=True)
class AskedWords:
    """What of a question a reason may name."""

    words: tuple[str, ...]
    is_chinese: bool


def asked_words(question: str) -> AskedWords:
    return AskedWords(tuple(keywords(question)), guess_language(question) is Language.CHINESE)


def reasons_of(parts: Mapping[str, float], asked: AskedWords, text: str) -> tuple[str, ...]:
    """The strongest first, in the language of the question."""
    is_chinese = asked.is_chinese
    told = _CHINESE if is_chinese else _ENGLISH
    found: list[tuple[float, str]] = []
    said = parts.get("words", 0.0) + parts.get("nearby_words", 0.0)
    if shared := _shared_words(asked, text):
        quoted = [f"“{word}”" if is_chinese else f"'{word}'" for word in shared]
        kind = "word" if len(shared) == 1 else "words"
        listed = shared[0] if is_chinese and kind == "word" else told["and"].join(quoted)
        found.append((said, told[kind].format(listed)))
    near = parts.get("near", 0.0) + parts.get("rare", 0.0)
    if near >= MEANS:
        found.append((near, told["meaning"]))
    telling = [name for name in _OF_PLACE if parts.get(name, 0.0) >= TELLS]
    found += [(parts[name], told[name]) for name in telling]
    if not found:
        return (told["fresh" if parts.get("fresh", 0.0) >= MEANS else "other"],)
    found.sort(key=lambda reason: -reason[0])
    return tuple(words for _, words in found[:MOST_WORDS])


def _shared_words(asked: AskedWords, text: str) -> list[str]:
    said = text.casefold()
    return [word for word in asked.words if word.casefold() in said][:MOST_WORDS]
