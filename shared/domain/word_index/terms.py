"""What a text is indexed by: its words, and for Chinese also pairs of characters and single ones.

Pairs meet where two texts are cut into words differently; single characters meet where one text
abbreviates what the other spells out. On Chinese group chats pairs are worth two points of recall
at 5 and single characters five more (docs/decisions/finding-messages.md).
"""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping

from shared.domain.bm25 import COMMON, FEW
from shared.language import MAX_TEXT_CHARACTERS, character_pairs, is_stop_word, terms

MAX_PAIRS = 128
MAX_CHARACTERS = 128
"""Of each so many: with 64 words and four neighbours a vector stays below the index's 2,048."""
CHARACTER = 0.3
"""What a single character counts beside a word: it is in many lines that mean something else."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def indexed_terms(text: str) -> dict[str, float]:
    """Each term once, with how much it counts; words before pairs before characters."""
    text = text[:MAX_TEXT_CHARACTERS]
    found = dict.fromkeys(terms(text), 1.0)
    for pair in [candidate for candidate in character_pairs(text) if _is_telling(candidate)][
        :MAX_PAIRS
    ]:
        found.setdefault(pair, 1.0)
    for character in _characters([text])[:MAX_CHARACTERS]:
        found.setdefault(character, CHARACTER)
    return found


def asked_terms(given: Iterable[str]) -> list[str]:
    """The terms to ask for, given words and pairs: also the single characters in them."""
    chosen = list(dict.fromkeys(given))
    return list(dict.fromkeys([*chosen, *_characters(chosen)]))


def dimension_of(term: str) -> int:
    """Its place in a sparse vector: the same in every process, 32 bits. Of a million different
    terms about a hundred share their place with another one."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")


def _is_telling(pair: str) -> bool:
    return not is_stop_word(pair) and not (is_stop_word(pair[0]) and is_stop_word(pair[1]))


def _characters(texts: Iterable[str]) -> list[str]:
    found = (run for text in texts for run in _HAN.findall(text))
    return list(dict.fromkeys(run for run in found if not is_stop_word(run)))


def query_weights(terms: Iterable[str], known: Mapping[str, int], total: int) -> dict[int, float]:
    """The question's side of BM25: how rare each term is, in so many of `total` lines at hand. What
    everybody says all the time is not asked for."""
    weights: dict[int, float] = {}
    for term in dict.fromkeys(terms):
        often = known.get(term, 0)
        if often <= max(FEW, COMMON * total):
            weights[dimension_of(term)] = round(_rarity(total, often), 4)
    return weights


def _rarity(total: int, known: int) -> float:
    """Above 0 for every term, the highest for one that was never met."""
    return math.log1p((max(total, known) - known + 0.5) / (known + 0.5))
