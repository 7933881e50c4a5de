"""How often words are said in a group, from one message in eight, in a few kilobytes.

A question's rare words must count more than its common ones, over a whole history. Counting every
word of every message would be a write a word. A sample is enough: a word it has not met is in so
few messages that all of them fit into an answer. Counts are kept by hash, so no word can be read
from them.
"""

import hashlib
import math
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from shared.domain.bm25 import COMMON, FEW
from shared.domain.word_index.terms import dimension_of

SAMPLED = 8
"""One message in so many is counted."""
WIDTH = 2**14
DEPTH = 2
"""A term is counted in one cell of each of so many rows, and the smaller count is nearer the truth:
the other one is shared with more frequent terms."""
MOST = 2**15
"""Messages after which all counts are halved: a count needs sixteen bits, and talk changes."""


@dataclass(frozen=True)
class WordCounts:
    """`total` messages were counted; `packed` is what is stored."""

    total: int = 0
    packed: bytes = b""

    @cached_property
    def _cells(self) -> "array[int]":
        cells = array("H")
        if self.packed:
            cells.frombytes(zlib.decompress(self.packed))
            if sys.byteorder == "big":
                cells.byteswap()
        return cells or array("H", bytes(2 * WIDTH * DEPTH))

    def count(self, term: str) -> int:
        """In how many of `total` messages: never too few, seldom too many."""
        return min(self._cells[place] for place in _places(term))

    def plus(self, texts: Iterable[Collection[str]]) -> "WordCounts":
        """With more messages, each given by its terms."""
        cells, total = array("H", self._cells), self.total
        for terms in texts:
            total += 1
            for term in set(terms):
                places = _places(term)
                least = min(cells[place] for place in places)
                for place in places:  # only the smallest grow: the others count other terms too
                    if cells[place] == least:
                        cells[place] = least + 1
            if total >= MOST:
                total //= 2
                cells = array("H", (cell // 2 for cell in cells))
        if sys.byteorder == "big":
            cells.byteswap()
        return WordCounts(total, zlib.compress(cells.tobytes(), 6))


def is_sampled(message_id: str) -> bool:
    """Decided by the id, so that a message is counted or not however often it comes."""
    return hashlib.blake2b(message_id.encode(), digest_size=2).digest()[0] % SAMPLED == 0


def query_weights(terms: Iterable[str], said: Iterable[Collection[str]]) -> dict[int, float]:
    """The question's side of BM25: how rare each term is in the lines at hand, given by their
    words. What everybody says all the time is not asked for."""
    lines = [frozenset(words) for words in said]
    known, total = Counter(word for words in lines for word in words), len(lines)
    weights: dict[int, float] = {}
    for term in dict.fromkeys(terms):
        if known[term] <= max(FEW, COMMON * total):
            weights[dimension_of(term)] = round(_rarity(total, known[term]), 4)
    return weights


def _rarity(total: int, known: int) -> float:
    """Above 0 for every term, the highest for one that was never met."""
    return math.log1p((max(total, known) - known + 0.5) / (known + 0.5))


def _places(term: str) -> list[int]:
    dimension = dimension_of(term)
    return [row * WIDTH + (dimension // WIDTH**row) % WIDTH for row in range(DEPTH)]
