"""Brings lines and topics into the indexes, after the commit, many at a time.

A request to the vector index costs the same for one line as for some, and the last lines of a group
are found without it: its tail has their text and vectors. So lines are gathered there.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence

from shared import log
from shared.domain.attribution.batches import blaming_texts
from shared.domain.messages.message import without_placeholders
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half
from shared.domain.topics.topic import Topic
from shared.domain.word_index.rows import word_rows
from shared.domain.word_index.terms import indexed_terms
from shared.errors import Transient
from shared.stores.vectors import Vector, VectorPlan, Vectors
from shared.stores.word_index import WordIndex

AWAY_FOR_S = 30.0
"""How long an index that did not answer is left alone: no run waits for it again and again."""
PATIENCE_S = 10.0
"""Of a run for both indexes; what does not arrive by then is tried again by a later run."""


class Indexing:
    """Safe to repeat. It knows for a while that an index is away."""

    def __init__(self, vectors: Vectors, word_index: WordIndex) -> None:
        self._vectors = vectors
        self._word_index = word_index
        self._away_until = 0.0

    async def put(
        self,
        group_id: str,
        lines: Iterable[StoredMessage],
        vectors: Mapping[str, bytes],
        topics: Sequence[Topic],
        embedding_model: str,
    ) -> bool:
        """Whether all of it has arrived. `vectors` are of the owed lines, by message id and packed;
        a line without one has only words. `lines` are those around, the owed ones among them."""
        if time.monotonic() < self._away_until:
            return False
        known = {message.message_id: message for message in lines}
        rows = await asyncio.to_thread(word_rows, known.values(), vectors.keys(), {})
        try:
            async with asyncio.timeout(PATIENCE_S):
                _, is_done = await asyncio.gather(
                    self._vectors.apply(group_id, _plan(known, vectors, topics, embedding_model)),
                    self._word_index.tried(group_id, rows),
                )
        except (Transient, TimeoutError) as error:
            self._away_until = time.monotonic() + AWAY_FOR_S
            log.warning("lines_not_indexed", group_id=group_id, reason=type(error).__name__)
            return False
        return is_done

    async def check_words(self, new: Iterable[StoredMessage]) -> None:
        """All are cut into words before anything is stored: a text that cannot be is found out
        now."""
        readable = [message for message in new if message.is_readable]
        with blaming_texts():
            await asyncio.to_thread(_cut_into_words, readable)


def _cut_into_words(lines: Sequence[StoredMessage]) -> None:
    for message in lines:
        indexed_terms(without_placeholders(message.content))


def _plan(
    known: Mapping[str, StoredMessage],
    vectors: Mapping[str, bytes],
    topics: Sequence[Topic],
    embedding_model: str,
) -> VectorPlan:
    means = [
        Vector("topic", topic.topic_id, mean, max(1, topic.summary_version), topic.created_at)
        for topic in topics
        if (mean := topic.mean_in(embedding_model))
    ]
    messages = [
        Vector("message", key, _floats(packed), line.version, line.create_time)
        for key, packed in vectors.items()
        if packed and (line := known.get(key)) is not None and line.is_readable
    ]
    # An extract means what its lines mean; what the model wrote has a vector of its own.
    extracts = [
        Vector("summary", topic.topic_id, mean, topic.summary_version, topic.created_at)
        for topic in topics
        if topic.summary_version
        and not topic.is_titled
        and (mean := topic.mean_in(embedding_model))
    ]
    return VectorPlan([*means, *extracts, *messages])


def _floats(packed: bytes) -> list[float]:
    """Plain numbers: a request is JSON."""
    return [float(number) for number in unpack_half(packed)]
