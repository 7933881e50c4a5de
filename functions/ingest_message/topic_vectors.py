"""The vectors of a run: one call of the embedder, and which of them finds each line again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from functions.ingest_message.topic_reads import Read
from shared.clients.embedder import Embedder
from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.attribution.model_answers import Assignment
from shared.domain.attribution.poison_texts import blaming_texts
from shared.domain.attribution.texts import (
    IndexedText,
    indexed_texts,
    own_text,
    was_guessed_right,
)
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import UnindexedLine
from shared.stores.vectors import VectorPlan, vector_id


@dataclass(frozen=True)
class Embedded:
    """`own` is of what was said, for deciding; `indexed` also of what it follows, for finding it;
    `refused` are the messages that the embedder does not take."""

    own: Mapping[str, Sequence[float]]
    indexed: Mapping[str, tuple[IndexedText, Sequence[float]]]
    refused: frozenset[str]


async def embed(
    group_id: str, read: Read, embedder: Embedder, *, is_indexing: bool, budget_s: float
) -> Embedded:
    """All in one call: each message alone, and with the one it seems to follow. That is a guess,
    as no vector is known yet; it is used only where the decision confirms it."""
    with blaming_texts():
        own, indexed = await asyncio.to_thread(_texts, read, is_indexing)
    texts = [*own.values(), *(one.text for one in indexed.values())]
    vectors = await embedder.embed(texts, group_id=group_id, budget_s=budget_s)
    own_vectors = dict(zip(own, vectors[: len(own)], strict=True))
    index_vectors = dict(zip(indexed, vectors[len(own) :], strict=True))
    return Embedded(
        own={key: one for key, one in own_vectors.items() if one is not None},
        indexed={key: (indexed[key], one) for key, one in index_vectors.items() if one is not None},
        refused=frozenset(key for key, one in own_vectors.items() if one is None),
    )


def _texts(read: Read, is_indexing: bool) -> tuple[dict[str, str], dict[str, IndexedText]]:
    own = {one.message_id: text for one in read.waiting if (text := own_text(one))}
    return own, indexed_texts(read.waiting, read.messages) if is_indexing else {}


def unindexed_lines(
    plan: AttributionPlan, read: Read, embedded: Embedded, *, is_indexing: bool
) -> list[UnindexedLine]:
    """The placed lines, each with the vector it is to be found by, if vectors are kept. Those that
    are yet to be embedded are not owed before."""
    topic_of = {one.message_id: one.topic_id for one in read.messages.values() if one.topic_id}
    topic_of |= {message_id: topic_id for message_id, (topic_id, _) in plan.moves.items()}
    topic_of |= {one.message.message_id: one.topic_id for one in plan.assignments}
    return [
        UnindexedLine(
            one.message.message_id,
            pack_half(values)
            if is_indexing and (values := _indexed(one, topic_of, embedded)) is not None
            else b"",
        )
        for one in plan.assignments
        if one.message.message_id in embedded.own or not own_text(one.message)
    ]


NOT_EMBEDDED = Embedded({}, {}, frozenset())
"""Of a run that leaves its lines for a later one to embed."""


def vectors_to_drop(plan: AttributionPlan) -> VectorPlan:
    """Of topics that are no more: after the commit, as nobody shows a hit without its record."""
    return VectorPlan(deletes=[vector_id("topic", one) for one in sorted(plan.gone)])


def _indexed(
    one: Assignment, topic_of: Mapping[str, str], embedded: Embedded
) -> Sequence[float] | None:
    message_id = one.message.message_id
    if message_id in embedded.indexed:
        text, values = embedded.indexed[message_id]
        if was_guessed_right(text, one, topic_of):
            return values
    return embedded.own.get(message_id)
