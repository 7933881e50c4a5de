"""Which rows of the word index a run of attribution writes.

A line is found by its own words and, less, by those of its neighbours in the same topic: an answer
seldom repeats the words of its question. So a new line also changes the rows of the one or two
lines before it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.bm25 import K1
from shared.domain.messages.message import without_placeholders
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.word_index.terms import dimension_of, indexed_terms

REACH = 2
"""Neighbours on each side; further ones add little and cost a larger vector each."""
BEFORE = 0.6
AFTER = 0.5
"""What a neighbour's words count, for each step away: measured on long dialogues."""


@dataclass(frozen=True)
class WordRow:
    """A message's sparse vector, with the version of the text it was made of."""

    message_id: str
    version: int
    time: datetime
    weights: Mapping[int, float]


def word_rows(
    lines: Iterable[StoredMessage], changed: Collection[str], topic_of: Mapping[str, str]
) -> list[WordRow]:
    """The rows of the `changed` lines and of their neighbours, given the lines around them.

    `topic_of` says where a line belongs if it has only just been decided.
    """
    threads: dict[str, dict[str, StoredMessage]] = defaultdict(dict)
    for line in lines:
        topic_id = topic_of.get(line.message_id, line.topic_id)
        if topic_id and line.is_readable:
            threads[topic_id][line.message_id] = line
    rows: list[WordRow] = []
    for members in threads.values():
        thread = sorted(members.values(), key=_when)
        places = [n for n, line in enumerate(thread) if line.message_id in changed]
        touched = {m for n in places for m in range(n - REACH, n + REACH + 1)}
        rows += _rows(thread, [n for n in sorted(touched) if 0 <= n < len(thread)])
    return rows


def rows_without(
    lines: Iterable[StoredMessage], topic_id: str, gone: str, when: datetime
) -> list[WordRow]:
    """The rows of those that stood beside a message that is gone."""
    thread = sorted(
        (
            message
            for message in lines
            if message.topic_id == topic_id and message.is_readable and message.message_id != gone
        ),
        key=_when,
    )
    place = sum(_when(message) < (when, gone) for message in thread)
    return _rows(thread, range(max(0, place - REACH), min(len(thread), place + REACH)))


def _rows(thread: Sequence[StoredMessage], places: Iterable[int]) -> list[WordRow]:
    said: dict[int, Mapping[str, float]] = {}

    def terms_at(place: int) -> Mapping[str, float]:
        if place not in said:
            said[place] = indexed_terms(without_placeholders(thread[place].content))
        return said[place]

    rows = []
    for place in places:
        fields = [(terms_at(place), 1.0)]
        for step in range(1, REACH + 1):
            if place >= step:
                fields.append((terms_at(place - step), BEFORE**step))
            if place + step < len(thread):
                fields.append((terms_at(place + step), AFTER**step))
        line = thread[place]
        if weights := weighted(fields):
            rows.append(WordRow(line.message_id, line.version, line.create_time, weights))
    return rows


def weighted(fields: Iterable[tuple[Mapping[str, float], float]]) -> dict[int, float]:
    """The document's side of BM25 without length: how often a term is said, here and (less) near
    by, with the saturation of `K1`."""
    frequency: dict[int, float] = defaultdict(float)
    for terms, share in fields:
        for term, count in terms.items():
            frequency[dimension_of(term)] += share * count
    return {
        dimension: round(often * (K1 + 1) / (often + K1), 4)
        for dimension, often in frequency.items()
    }


def _when(message: StoredMessage) -> tuple[datetime, str]:
    return message.create_time, message.message_id
