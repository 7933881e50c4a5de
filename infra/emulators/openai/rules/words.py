"""Sentences, content words and language of chat text, in Chinese and English, without a dictionary.

Chinese is cut at its function words: what is left between them is a content word or a phrase.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .stopwords import LEADING_ZH, STOP_EN, STOP_ZH, WHOLE_ZH

CHINESE = "zh"
ENGLISH = "en"

HAN = r"\u3400-\u9fff"
_HAN_RUN = re.compile(rf"[{HAN}]+")
_HAN = re.compile(rf"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SENTENCE = re.compile(r"[^。！？!?；;\n…]+?(?:[。！？!?；;\n…]+|\.(?=\s|$)\s*|$)")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'’+#-]*|\d+(?:[.:]\d+)*")

_CUT_ZH = re.compile(
    "(?P<whole>" + "|".join(WHOLE_ZH) + ")|(?P<stop>" + "|".join(STOP_ZH) + ")|(?P<other>.)"
)


def is_han(text: str) -> bool:
    return bool(_HAN.search(text))


def language(text: str) -> str:
    """The language most of the text is in: Chinese characters against English words."""
    return CHINESE if len(_HAN.findall(text)) > len(_LATIN_WORD.findall(text)) else ENGLISH


def language_of(texts: Iterable[str]) -> str:
    return language(" ".join(texts))


def sentences(text: str) -> list[str]:
    """The text's sentences with their own end marks."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def stem(word: str) -> str:
    """A word without its commonest English endings: enough to see that two words are one."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending, kept in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + kept
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def phrases(text: str) -> list[str]:
    """Content words in order: English words, Chinese runs between function words."""
    found: list[tuple[int, str]] = []
    for match in _WORD.finditer(text):
        word = match[0].strip("'’-")
        if word.lower() not in STOP_EN and (len(word) > 1 or word.isdigit()):
            found.append((match.start(), word))
    for run in _HAN_RUN.finditer(text):
        found += [(run.start() + at, piece) for at, piece in _chinese_pieces(run[0])]
    return [word for _, word in sorted(found)]


def _chinese_pieces(run: str) -> list[tuple[int, str]]:
    pieces: list[tuple[int, str]] = []
    current, begun = "", 0
    for match in _CUT_ZH.finditer(run):
        if match.lastgroup == "stop":
            if len(current) > 1:
                pieces.append((begun, current))
            current = ""
            continue
        if not current:
            if match.lastgroup == "other" and match[0] in LEADING_ZH:
                continue
            begun = match.start()
        current += match[0]
    if len(current) > 1:
        pieces.append((begun, current))
    return pieces


@lru_cache(maxsize=8192)
def marks(text: str) -> frozenset[str]:
    """What the text is about, to compare: stems of English words, pairs of Chinese characters."""
    found: set[str] = set()
    for word in phrases(text):
        if is_han(word):
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.add(stem(word))
    return frozenset(found)


def shared(left: frozenset[str], right: frozenset[str]) -> float:
    """How much of the smaller one the larger one holds, 0 to 1."""
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def keywords(texts: Sequence[str], limit: int = 8) -> list[tuple[str, float]]:
    """The words and phrases the texts come back to, with weights, the heaviest 1.

    Chinese phrases that share a part count for that part as well: it is the better keyword.
    """
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for text in texts:
        found = [word for word in phrases(text) if not word[0].isdigit()]
        for key in dict.fromkeys(word.lower() for word in found):
            spelling = next(word for word in found if word.lower() == key)
            word = spelled.setdefault(key, spelling)
            counts[word] += 1
            first.setdefault(word, len(first))
    for part, times in _common_parts([word for word in counts if is_han(word)]).items():
        counts[part] = max(counts[part], times)
        first.setdefault(part, len(first))
    ranked = sorted(counts, key=lambda word: (-counts[word], first[word]))
    chosen: list[str] = []
    for word in ranked:
        if not any(word in other or other in word for other in chosen):
            chosen.append(word)
        if len(chosen) == limit:
            break
    if not chosen:
        return []
    return [(word, round(counts[word] / counts[chosen[0]], 3)) for word in chosen]


def _common_parts(phrases_: list[str]) -> Counter[str]:
    """Parts of two characters or more that occur in two phrases or more, the longest of them."""
    holders: Counter[str] = Counter()
    for phrase in phrases_[:400]:
        parts = {
            phrase[start:end]
            for start in range(len(phrase))
            for end in range(start + 2, min(start + 6, len(phrase)) + 1)
        }
        holders.update(parts)
    repeated = {part: times for part, times in holders.items() if times > 1}
    return Counter(
        {
            part: times
            for part, times in repeated.items()
            if not any(
                part != other and part in other and repeated[other] >= times for other in repeated
            )
        }
    )
