"""Similarity of statements and messages, calibrated: who says the same, and who supports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.config import Settings
from shared.contracts.queues import queues
from shared.domain.memories.embedded_wording import embedded_as, memory_text, vector_in
from shared.domain.memories.evolution import IsSame
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.same_matter import has_in_common, speaks_of_same, telling
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.calibration import calibrated, chance_of_same
from shared.domain.similarity.vectors import cosine_table, cosines, pack, unpack_half
from shared.language import Language

NO_KINDS: Mapping[str, str] = {}


@dataclass(frozen=True)
class StatementSimilarity:
    """`same` and `support` are thresholds on calibrated similarity."""

    embedder: Embedder
    budget_s: float
    same: float
    support: float

    async def sameness(
        self, group_id: str, said: Mapping[str, str], kinds: Mapping[str, str] = NO_KINDS
    ) -> IsSame:
        """A pure question for the decision: the statements, each with its kind, are embedded
        here, in one call and as memories are. So are those that may be kept under other `kinds`:
        the embedder remembers them until they are."""
        texts = [memory_text(statement, kind) for statement, kind in said.items()]
        others = [memory_text(statement, kind) for statement, kind in kinds.items() if kind]
        embedded = await self.embedder.embed(
            [*texts, *others], group_id=group_id, budget_s=self.budget_s
        )
        vectors = dict(zip(said, embedded[: len(texts)], strict=True))

        def is_same(statement: str, memory: Memory) -> bool:
            vector = vectors.get(statement)
            other = vector_in(memory, self.embedder.model) or vectors.get(memory.statement)
            if not vector or not other:
                return False
            if not speaks_of_same(statement, memory.statement):
                return False
            return chance_of_same(self.embedder.model, cosines(vector, [other])[0]) >= self.same

        return is_same

    async def supported_at(
        self, memories: Sequence[Memory], messages: Sequence[StoredMessage]
    ) -> Mapping[str, datetime]:
        """For each memory that somebody spoke for: when that was last."""
        model = self.embedder.model
        known = [(one, vector) for one in memories if (vector := vector_in(one, model))]
        matters = [telling(one.statement) for one, _ in known]
        said = {one.message_id: telling(one.content) for one in messages if one.role != "assistant"}
        said = {
            key: matter
            for key, matter in said.items()
            if any(has_in_common(matter, about) for about in matters)
        }
        heard = await self._heard([one for one in messages if one.message_id in said])
        table = cosine_table([vector for _, vector in heard], [vector for _, vector in known])
        seen: dict[str, datetime] = {}
        for (message, _), row in zip(heard, table, strict=True):
            matter = said[message.message_id]
            for (memory, _), about, cosine in zip(known, matters, row, strict=True):
                if not has_in_common(matter, about):
                    continue
                # In the words that memories are embedded in, the languages do not differ.
                if calibrated(model, Language.OTHER, cosine) >= self.support:
                    at = message.create_time
                    seen[memory.memory_id] = max(at, seen.get(memory.memory_id, at))
        return seen

    async def _heard(
        self, messages: Sequence[StoredMessage]
    ) -> list[tuple[StoredMessage, Sequence[float]]]:
        """Each with its vector: as attribution left it, or else embedded now."""
        bare = [one for one in messages if one.vector_model != self.embedder.model]
        embedded = await self.embedder.embed(
            [one.content for one in bare],
            group_id=bare[0].group_id if bare else "",
            budget_s=self.budget_s,
        )
        fresh = dict(zip((one.message_id for one in bare), embedded, strict=True))
        heard = []
        for one in messages:
            vector = fresh[one.message_id] if one.message_id in fresh else unpack_half(one.vector)
            if vector is not None and len(vector):
                heard.append((one, vector))
        return heard

    async def with_vectors(self, group_id: str, memories: Sequence[Memory]) -> list[Memory]:
        """Statements get their vectors: later decisions read them from the record. One that has
        its vector already is left as it is; one that the embedder refuses has none."""
        bare = [one for one in memories if self.is_stale(one)]
        embedded = await self.embedder.embed(
            [memory_text(one.statement, one.kind) for one in bare],
            group_id=group_id,
            budget_s=self.budget_s,
        )
        vectors = {
            one.memory_id: pack(values or ()) for one, values in zip(bare, embedded, strict=True)
        }
        made_as = embedded_as(self.embedder.model)
        return [
            replace(one, vector=vectors[one.memory_id], embedded_as=made_as)
            if one.memory_id in vectors
            else one
            for one in memories
        ]

    def is_stale(self, memory: Memory) -> bool:
        """Whether it is in use without a vector, or with one of another model or wording."""
        is_used = memory.status in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)
        made_as = embedded_as(self.embedder.model)
        return is_used and (not memory.vector or memory.embedded_as != made_as)


def similarity_for(settings: Settings, embedder: Embedder) -> StatementSimilarity:
    """By a group's thresholds. A quarter of the run's budget: most of it is the model's."""
    budget_s = queues()["evolve"].model_budget_s / 4
    return StatementSimilarity(
        embedder, budget_s, settings.same_threshold, settings.support_threshold
    )
