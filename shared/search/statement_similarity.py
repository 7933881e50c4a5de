"""Vectors of statements, kept with the memories: searches read them from the records."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.clients.embedder import Embedder
from shared.contracts.queues import queues
from shared.domain.memories.embedded_wording import embedded_as, memory_text
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.similarity.vectors import pack


@dataclass(frozen=True)
class StatementVectors:
    embedder: Embedder
    budget_s: float

    async def with_vectors(self, group_id: str, memories: Sequence[Memory]) -> list[Memory]:
        """Statements get their vectors: later decisions read them from the record. One that has
        its vector already is left as it is; one that the embedder refuses has none."""
        bare = [memory for memory in memories if self.is_stale(memory)]
        embedded = await self.embedder.embed(
            [memory_text(memory.statement, memory.kind) for memory in bare],
            group_id=group_id,
            budget_s=self.budget_s,
        )
        vectors = {
            memory.memory_id: pack(values or ())
            for memory, values in zip(bare, embedded, strict=True)
        }
        made_as = embedded_as(self.embedder.model)
        return [
            replace(memory, vector=vectors[memory.memory_id], embedded_as=made_as)
            if memory.memory_id in vectors
            else memory
            for memory in memories
        ]

    def is_stale(self, memory: Memory) -> bool:
        """Whether it is in use without a vector, or with one of another model or wording."""
        is_used = memory.status in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)
        made_as = embedded_as(self.embedder.model)
        return is_used and (not memory.vector or memory.embedded_as != made_as)


def vectors_for(embedder: Embedder) -> StatementVectors:
    """A quarter of the run's budget: most of it is the model's."""
    return StatementVectors(embedder, queues()["evolve"].model_budget_s / 4)
