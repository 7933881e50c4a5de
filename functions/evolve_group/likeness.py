"""Likeness of statements and messages, calibrated: who says the same, and who supports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.domain.calibration import calibrated
from shared.domain.evolution import IsSame
from shared.domain.language import guess_language
from shared.domain.memory import Memory, MemoryStatus
from shared.domain.stored_message import StoredMessage
from shared.domain.vectors import cosines, pack, unpack


@dataclass(frozen=True)
class Likeness:
    """`same` and `support` are thresholds on calibrated similarity."""

    embedder: Embedder
    budget_s: float
    same: float
    support: float

    async def sameness(self, group_id: str, statements: Sequence[str]) -> IsSame:
        """A pure question for the decision: the statements are embedded here, in one call."""
        embedded = await self.embedder.embed(statements, group_id=group_id, budget_s=self.budget_s)
        vectors = dict(zip(statements, embedded, strict=True))

        def is_same(statement: str, memory: Memory) -> bool:
            vector = vectors.get(statement)
            other = unpack(memory.vector) if memory.vector else vectors.get(memory.statement)
            if not vector or not other:
                return False
            return self._likeness(statement, cosines(vector, [other])[0]) >= self.same

        return is_same

    async def supported_at(
        self, memories: Sequence[Memory], messages: Sequence[StoredMessage]
    ) -> Mapping[str, datetime]:
        """For each memory that somebody spoke for: when that was last."""
        known = [memory for memory in memories if memory.vector]
        if not known or not messages:
            return {}
        embedded = await self.embedder.embed(
            [one.content for one in messages],
            group_id=messages[0].group_id,
            budget_s=self.budget_s,
        )
        others = [unpack(memory.vector) for memory in known]
        seen: dict[str, datetime] = {}
        for message, vector in zip(messages, embedded, strict=True):
            if vector is None or message.role == "assistant":
                continue
            for memory, cosine in zip(known, cosines(vector, others), strict=True):
                if self._likeness(message.content, cosine) >= self.support:
                    at = message.create_time
                    seen[memory.memory_id] = max(at, seen.get(memory.memory_id, at))
        return seen

    async def with_vectors(self, group_id: str, memories: Sequence[Memory]) -> list[Memory]:
        """Statements get their vectors: later decisions read them from the record."""
        bare = [
            one
            for one in memories
            if not one.vector and one.status in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)
        ]
        embedded = await self.embedder.embed(
            [one.statement for one in bare], group_id=group_id, budget_s=self.budget_s
        )
        vectors = {
            one.memory_id: pack(values)
            for one, values in zip(bare, embedded, strict=True)
            if values is not None
        }
        return [replace(one, vector=vectors.get(one.memory_id, one.vector)) for one in memories]

    def _likeness(self, text: str, cosine: float) -> float:
        return calibrated(self.embedder.model, guess_language(text), cosine)
