"""The talk around a question: its thread, its topic, and what was said in like words or meaning.

Every read is of one group, and what the index finds is read again from Firestore.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.domain.calibration import calibrated
from shared.domain.language import guess_language
from shared.domain.relevance import Asked
from shared.domain.stored_message import MessageState, StoredMessage
from shared.errors import Transient
from shared.stores.messages import REPLY_DEPTH, Messages
from shared.stores.vectors import Vectors

THREAD = 15
TOPIC = 20
BY_WORDS = 30
BY_MEANING = 20


@dataclass(frozen=True)
class Near:
    """A message found by its meaning, and how probably it belongs to the question."""

    message: StoredMessage
    similarity: float


@dataclass(frozen=True)
class Talk:
    messages: Messages
    vectors: Vectors
    embedder: Embedder

    async def chain(
        self, group_id: str, asked: Asked, known: dict[str, StoredMessage]
    ) -> list[StoredMessage]:
        """What it answers, what that answered, and so on; only what is not known is read."""
        chain: dict[str, StoredMessage] = {}
        next_id = asked.reply_message_id
        while next_id and next_id not in chain and len(chain) < REPLY_DEPTH:
            found = known.get(next_id) or await self.messages.get(group_id, next_id)
            if found is None or found.message_id == asked.message_id:
                break
            chain[next_id] = found
            next_id = found.reply_message_id
        return list(chain.values())[::-1]

    async def thread(self, group_id: str, asked: Asked) -> list[StoredMessage]:
        """The platform's own thread: its newest messages, and the one it began with."""
        root, thread = asked.root_message_id, asked.thread_id
        if not (root or thread):
            return []
        found = await self.messages.in_thread(
            group_id, root_id=root, thread_id=thread, limit=THREAD
        )
        if root and root not in {one.message_id for one in found}:
            first = await self.messages.get(group_id, root)
            found = [first, *found] if first else found
        return found

    async def topic(
        self, group_id: str, topic_id: str | None, until: datetime
    ) -> list[StoredMessage]:
        if topic_id is None:
            return []
        return await self.messages.of_topic(group_id, topic_id, limit=TOPIC, until=until)

    async def by_words(
        self, group_id: str, terms: Sequence[str], until: datetime
    ) -> list[StoredMessage]:
        return await self.messages.with_any_term(group_id, terms, until=until, limit=BY_WORDS)

    async def vector(
        self, group_id: str, asked: Asked, state: MessageState | None, budget_s: float
    ) -> list[float] | None:
        """The question's own, if it has been indexed already; else it is embedded."""
        if asked.message_id and state is MessageState.ATTRIBUTED:
            try:
                found = await self.vectors.fetch(group_id, "message", [asked.message_id])
            except Transient:
                found = {}  # then it costs an embedding, and the search will say what is down
            if asked.message_id in found:
                return found[asked.message_id]
        return await self.embedder.embed_one(asked.content, group_id=group_id, budget_s=budget_s)

    async def by_meaning(
        self, group_id: str, text: str, vector: Sequence[float] | None
    ) -> list[Near]:
        if vector is None:
            return []
        hits = await self.vectors.search(group_id, "message", vector, BY_MEANING)
        found = await self.messages.get_many(group_id, [hit.record_id for hit in hits])
        language = guess_language(text)
        return [
            Near(found[hit.record_id].message, calibrated(self.embedder.model, language, hit.score))
            for hit in hits
            if hit.record_id in found
        ]
