"""The words of a text, the same for what is stored and for what is searched, and its language.

Chinese is cut into words, English is stemmed, stop words go; numbers, ids, addresses and code
stay whole. Everything is NFKC and lower case, so that two spellings of one word meet.
"""

import functools
import importlib.util
import re
import sys
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any

from shared.language.patterns import CODE_OR_ADDRESS
from shared.language.small_talk import is_small_talk
from shared.language.stop_words import CHINESE, ENGLISH, NAMING_NOTHING

MAX_TERMS = 64
"""Of a text, the weightiest: they are stored and indexed with every message."""
MAX_KEYWORDS = 10
"""What a message is about; further ones are words it merely has."""
MAX_TERM_CHARACTERS = 256
"""A longer run without a space is data, not a word; it also could not be stored as a field's name,
and the whole commit would be refused with it."""
MAX_TEXT_CHARACTERS = 16_384
"""Of a longer text the beginning speaks for the rest."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_LETTER = rf"[^\W{_HAN}]"  # any letter, digit or underscore that is not Chinese
_TOKEN = re.compile(
    rf"""
    (?P<url> (?:https?|ftp|wss?)://[^\s<>"'`，。！？；：、（）【】《》“”{_HAN}]+ )
  | (?P<mail> [a-z0-9][a-z0-9_.+-]{{0,63}}@[a-z0-9-]+(?:\.[a-z0-9-]+)+ )
  | (?P<han> [{_HAN}]+ )
  | (?P<word> {_LETTER}+ (?: (?: [./'+-] | :: | (?<=\d)[,:](?=\d) ) {_LETTER}+ )* (?:\+\+|\#)? )
    """,
    re.VERBOSE,
)
_PART = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"[\d.,:]+")
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]*|[^\n]+")
_SENTENCE_END = re.compile(r"(?<=[.;])\s+")
_UNIT = re.compile(rf"[{_HAN}]|{_LETTER}+")
_CLAUSE = re.compile(rf".+?(?:[，。！？；：、,!?;…~]+|[.:](?=\s|$|[{_HAN}])|$)")
_PIECE = re.compile(rf"[{_HAN}]+|[^\s{_HAN}]+|\s+")
_YES_OR_NO = re.compile(r"(.)不\1.?")
"""去不去, 可不可以: asks whether, and names nothing."""
_PLACEHOLDER = re.compile(r"\[[^\[\]\n]{1,20}\]|@[^\s@，。:：]{1,32}|(?:https?|ftp)://\S+")
"""Pictures, faces, people who are called, and addresses."""
SUBJECT_CHARACTERS = 500
"""A clause that names a talk stands at its beginning."""
LEAST_WORDS = 3
"""A shorter first clause ("so", 那个) says nothing without the next."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it was written, as it is searched for, and how much it tells."""

    written: str
    term: str
    weight: float


def terms(text: str) -> list[str]:
    """The words to find the text by, in order; of more than 64 the most telling."""
    weights: dict[str, float] = {}
    for word in _words(text, for_search=True):
        weights[word.term] = weights.get(word.term, 0.0) + word.weight
    if len(weights) <= MAX_TERMS:
        return list(weights)
    kept = set(sorted(weights, key=lambda term: -weights[term])[:MAX_TERMS])
    return [term for term in weights if term in kept]


def keywords(text: str, limit: int = MAX_KEYWORDS) -> dict[str, float]:
    """The words that tell most of what a text is about, with weights up to 1, heaviest first.

    They are for people to read; to compare two texts, compare their terms.
    """
    weights: dict[str, float] = {}
    written: dict[str, str] = {}
    for word in _words(text, for_search=False):
        names = word.weight > 0 and word.written not in NAMING_NOTHING
        if names and not _YES_OR_NO.fullmatch(word.written):
            written.setdefault(word.term, word.written.strip("_"))
            weights[word.term] = weights.get(word.term, 0.0) + word.weight
    best = sorted(weights, key=lambda term: -weights[term])[:limit]
    return {written[term]: round(weights[term] / weights[best[0]], 3) for term in best}


def first_clause(text: str, *, han: int, words: int) -> str:
    """What a text opens with, as the subject of a mail: its first clause, without greetings and
    the people it calls, and at most so many characters or words long. A longer one is cut between
    two words. Empty if the text says nothing."""
    opening = " ".join(_PLACEHOLDER.sub(" ", text[:SUBJECT_CHARACTERS]).split())
    clauses = [part for part in _CLAUSE.findall(opening) if _UNIT.search(part)]
    while len(clauses) > 1 and is_small_talk(clauses[0]):
        clauses.pop(0)
    while len(clauses) > 1 and count_words(clauses[0]) < LEAST_WORDS:
        clauses[:2] = [clauses[0] + clauses[1]]
    return _cut(clauses[0].strip(" ，。；：、,;:~."), han, words) if clauses else ""


def _cut(clause: str, han: int, words: int) -> str:
    room, end = 1.0, 0
    for piece in _PIECE.findall(clause):
        for word in _chinese_cutter().cut(piece) if piece[0] > "\u2fff" else [piece]:
            units = _UNIT.findall(word)
            room -= sum(1 / han if unit[0] > "\u2fff" else 1 / words for unit in units)
            if room < -1e-9:
                return (clause[:end].strip() or clause[:han]) + "…"
            end += len(word)
    return clause


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, Chinese and English, in order."""
    found = [part.strip() for line in _SENTENCE.findall(text) for part in _SENTENCE_END.split(line)]
    return [sentence for sentence in found if sentence]


def count_words(text: str) -> int:
    """A Chinese character counts as a word."""
    return len(_UNIT.findall(text))


def is_stop_word(word: str) -> bool:
    """Whether it is too common to tell two messages apart; `word` in lower case."""
    return word in ENGLISH or word in CHINESE


def _words(text: str, *, for_search: bool) -> Iterator[_Word]:
    plain = unicodedata.normalize("NFKC", text[:MAX_TEXT_CHARACTERS]).replace("’", "'").lower()
    for token in _TOKEN.finditer(plain):
        if token.lastgroup == "han":
            yield from _chinese(token[0], for_search=for_search)
        elif token.lastgroup == "word":
            yield from _lettered(token[0], for_search=for_search)
        else:
            whole = token[0].rstrip(".,;:!?)]}")[:MAX_TERM_CHARACTERS]
            yield _Word(whole, whole, 1.2 if for_search else 0.0)  # found by, not shown


def _chinese(run: str, *, for_search: bool) -> Iterator[_Word]:
    """Searching also finds a long word by the words inside it."""
    cut = _chinese_cutter()
    for word in cut.cut_for_search(run) if for_search else cut.cut(run):
        length = len(word)
        if word not in CHINESE and length <= MAX_TERM_CHARACTERS:
            yield _Word(word, word, 0.0 if length == 1 else min(0.8 + 0.2 * (length - 1), 1.6))


def _lettered(token: str, *, for_search: bool) -> Iterator[_Word]:
    if _DIGIT.search(token):
        whole = token[:MAX_TERM_CHARACTERS]
        yield _Word(whole, whole, 0.3 if _NUMBER.fullmatch(whole) else 1.0)
        return
    parts = _PART.findall(token)
    if parts == [token]:
        yield from _plain(token)
        return
    if all(part in ENGLISH for part in parts):
        return
    whole = token[:MAX_TERM_CHARACTERS]
    yield _Word(whole, whole, 1.2)
    if for_search:  # `user_id` is found by `user`, and `done.Next` by both its words
        for part in parts:
            yield from _plain(part)


def _plain(word: str) -> Iterator[_Word]:
    if word in ENGLISH or len(word) > MAX_TERM_CHARACTERS:
        return
    term = _stem(word) if word.isascii() else word
    weight = 0.0 if len(word) < 3 else min(0.6 + 0.1 * len(word), 1.4)
    yield _Word(word, term, weight)


@functools.cache
def _chinese_cutter() -> Any:
    import rjieba  # a tenth of a second, and only for who reads Chinese

    return rjieba


@functools.cache
def _english_stemmer() -> Any:
    """Its package imports forty languages at once, a twentieth of a second. While an empty one
    stands in for it, the one module comes alone."""
    found = importlib.util.find_spec("snowballstemmer")
    assert found is not None
    assert found.submodule_search_locations is not None
    alone = ModuleType("snowballstemmer")
    alone.__path__ = found.submodule_search_locations
    before = sys.modules.get(alone.__name__)
    sys.modules[alone.__name__] = before or alone
    try:
        from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]
    finally:
        if before is None:
            del sys.modules[alone.__name__]
    return EnglishStemmer()


_stemming = threading.Lock()  # the stemmer keeps the word it works on in itself


@functools.lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    with _stemming:
        stem: str = _english_stemmer().stemWord(word)
    return stem


# ---- what two short texts can have in common

_HAN_RUN = re.compile(rf"[{_HAN}]+")
_ANY_HAN = re.compile(rf"[{_HAN}]")
_EMPTY = frozenset(word for word in CHINESE if len(word) == 1) | frozenset("什怎样时候")
"""Characters that a question is made of and that tell nothing of its matter."""
_GROUP_WORDS = re.compile(
    r"群组|群聊|群里面?|群内|群友们?|群成员|本群|这个群|成员们?|大家|所有人|每个人|"
    r"\b(?:group|members?|people|everyone|everybody|club|team|chat|channel)(?:'s)?\b",
    re.IGNORECASE,
)
"""Words for the group itself: any memory and any question may have them."""


def matching_units(text: str) -> frozenset[str]:
    """The stems, characters and pairs of characters by which a text may match another.

    Chinese words are cut differently in a question and in its answer ("考研" and "报考"), so the
    characters and their neighbours are compared instead of words.
    """
    text = without_group_words(text)
    stems = {word for word in terms(text) if not has_han(word)}
    units = set()
    for run in _HAN_RUN.findall(text):
        units |= {character for character in run if character not in _EMPTY}
        units |= {pair for pair in _pairs(run) if not _EMPTY.issuperset(pair)}
    return frozenset(stems | units)


def character_pairs(text: str) -> list[str]:
    """Pairs of Chinese characters beside each other, each once, in order."""
    return list(dict.fromkeys(pair for run in _HAN_RUN.findall(text) for pair in _pairs(run)))


def has_han(text: str) -> bool:
    return _ANY_HAN.search(text) is not None


def without_group_words(text: str) -> str:
    return _GROUP_WORDS.sub("", text)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


# ---- the language of a text

_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_ANY_LETTER = re.compile(r"[^\W\d_]")

HAN_SHARE = 0.3
"""A Chinese sentence with an English product name in it is Chinese."""
KANA_SHARE = 0.1
"""Japanese has Han characters too, but never without kana for long."""
LATIN_SHARE = 0.9
"""English, if nearly all letters are Latin and nothing speaks for another language."""


class Language(StrEnum):
    CHINESE = "zh"
    ENGLISH = "en"
    OTHER = "other"


def guess_language(text: str) -> Language:
    """By the share of scripts, where a Han character weighs as much as a Latin word.

    Any text in plain Latin letters counts as English; one with no letters is other. Code and
    addresses do not count.
    """
    text = CODE_OR_ADDRESS.sub(" ", text)
    han = len(_ANY_HAN.findall(text))
    kana = len(_KANA_OR_HANGUL.findall(text))
    words = len(_LATIN_WORD.findall(text))
    units = han + kana + words
    if units and kana / units > KANA_SHARE:
        return Language.OTHER
    if units and han / units >= HAN_SHARE:
        return Language.CHINESE
    letters = len(_ANY_LETTER.findall(text))
    latin = sum(len(word) for word in _LATIN_WORD.findall(text))
    if letters and latin / letters >= LATIN_SHARE:
        return Language.ENGLISH
    return Language.OTHER
