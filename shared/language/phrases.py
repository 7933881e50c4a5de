"""Noun phrases: what a text speaks of, in whole words as a reader would write them.

A phrase starts and ends where a word does: 实验室门禁密码 or "allotment gate", never half a word.
For showing and naming; to find or compare texts, use `words.terms`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.language import chinese_nouns
from shared.language.english_nouns import ADJECTIVES, FORMED, VERBS, can_name, naming
from shared.language.stop_words import ENGLISH, ENGLISH_UNNAMING

MAX_TEXT_CHARACTERS = 4_000
"""Of a longer message the beginning tells what it is about."""
MAX_WORDS = 3
"""Longer runs of nouns are no longer one thing."""
MAX_HAN = 8
"""A longer run of characters is a clause, not a thing."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_LETTER = rf"[^\W_{_HAN}]"
_PIECE = re.compile(rf"[{_HAN}]+|(?!\d){_LETTER}+(?:['’.+#-]{_LETTER}+)*(?:\+\+|#)?")
_URL = re.compile(r"(?:https?|ftp)://[^\s，。！？；、（）】》”]+")
_MARKUP = re.compile(r"\[[^\[\]\n]{1,20}\]|@[^\s@，。:：]{1,32}")
"""Placeholders of pictures and faces, and addresses: they name nothing."""

_SAYINGS = frozenset({"l", "i"})
"""Turns of speech (太好了, 没人住): the dictionary has them as words, but they name nothing."""
_SPOKEN = re.compile("^[我你您咱]..|(?<=.)(?<!自)[我你您咱]")
"""A word with a pronoun in it (跟我走) is a piece of a sentence; 我妈 is none."""
_DONE = frozenset({"vn", "an"})
"""Names of doings and states (施工): they are also said as verbs (救命)."""
SURE, ALSO_DONE, GUESSED, SAYING = 1.0, 0.6, 0.4, 0.2
"""How surely a phrase names what a talk is about. A verb alone is as a guess (露营, 停水)."""
BESIDE = 0.8
"""Of English words beside each other after an article: "the surf club"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """As it was `written`, the `key` under which its spellings meet, and of how many words.

    A `loose` one may be just words beside each other (a verb and a noun, two English words): it
    is a phrase once somebody says it again. `names` is how surely it names what a talk is about.
    """

    written: str
    key: str
    words: int
    is_loose: bool = False
    names: float = SURE


def phrases(text: str) -> list[Phrase]:
    """In their order, every noun phrase and the shorter ones inside it."""
    plain = unicodedata.normalize("NFKC", text[:MAX_TEXT_CHARACTERS])
    plain = _MARKUP.sub(" ", _URL.sub(" ", plain))
    found: list[Phrase] = []
    english: list[str] = []
    end = 0
    for piece in _PIECE.finditer(plain):
        is_chinese = _is_han(piece[0][0])
        if english and (is_chinese or plain[end : piece.start()].strip(" ")):
            found += _english(english)
            english = []
        if is_chinese:
            found += _chinese(piece[0], is_counted=plain[: piece.start()][-1:].isdecimal())
        else:
            english.append(piece[0])
        end = piece.end()
    return [*found, *_english(english)]


def _chinese(run: str, *, is_counted: bool) -> Iterator[Phrase]:
    """Runs of words that end in a noun; inside a run each whole part that ends in one."""
    words = list(chinese_nouns.words_of(run, is_counted=is_counted))
    for part in chinese_nouns.runs_of_nouns(words):
        yield from _parts(part)


def _parts(words: Sequence[tuple[str, str]]) -> Iterator[Phrase]:
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + MAX_WORDS) + 1):
            part = words[start:end]
            written = "".join(word for word, _ in part)
            if 1 < len(written) <= MAX_HAN and part[-1][1] in chinese_nouns.NOUNS:
                is_loose = any(
                    tag not in chinese_nouns.NOUNS or not chinese_nouns.is_known(word)
                    for word, tag in part
                )
                yield Phrase(written, written, len(part), is_loose, _chinese_names(part, is_loose))
        word, tag = words[start]
        if len(word) > 1 and tag in chinese_nouns.VERBS:
            yield Phrase(word, word, 1, is_loose=True, names=GUESSED)


def _chinese_names(part: Sequence[tuple[str, str]], is_loose: bool) -> float:
    """Its last word says what it is."""
    last = part[-1][1]
    if last in _SAYINGS or _SPOKEN.search("".join(word for word, _ in part)):
        return SAYING
    if is_loose:
        return GUESSED
    return ALSO_DONE if len(part) == 1 and last in _DONE else SURE


def _english(run: Sequence[str]) -> Iterator[Phrase]:
    """Words beside each other that end in one that names something; a lone one too."""
    kept: list[tuple[str, bool, float]] = []
    before = ""
    for word in [*run, ""]:
        bare = word.replace("’", "'").removesuffix("'s")
        plain = bare.lower()
        is_kept = len(bare) > 2 and plain not in ENGLISH | ENGLISH_UNNAMING
        names = is_kept and (
            can_name(plain, before) or (plain in VERBS and _is_thing_after(kept, plain))
        )
        if names or (is_kept and plain in ADJECTIVES):
            kept.append((bare, names, naming(bare, before)))
        else:
            yield from _english_parts(kept)
            kept = []
        before = plain


def _is_thing_after(kept: Sequence[tuple[str, bool, float]], word: str) -> bool:
    """A vote after a film is one; what is done to it is another matter: "film voted"."""
    return bool(kept) and kept[-1][1] and not word.endswith(("ed", "ing")) and word not in FORMED


def _english_parts(kept: Sequence[tuple[str, bool, float]]) -> Iterator[Phrase]:
    for start in range(len(kept)):
        for end in range(start + 1, min(len(kept), start + MAX_WORDS) + 1):
            part = kept[start:end]
            if part[-1][1]:
                written = " ".join(word for word, *_ in part)
                is_loose = len(part) > 1
                names = min(names for *_, names in part)
                if is_loose:
                    names *= BESIDE if part[0][2] == SURE else GUESSED
                yield Phrase(written, _singular(written.lower()), len(part), is_loose, names)


def _singular(phrase: str) -> str:
    """Good enough for two spellings of one word to meet: boards, board; batteries, battery."""
    if phrase.endswith("ies") and len(phrase) > 5:
        return phrase[:-3] + "y"
    if phrase.endswith("s") and not phrase.endswith(("ss", "us", "is")) and len(phrase) > 3:
        return phrase[:-1]
    return phrase


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"
