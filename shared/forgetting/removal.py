"""Takes away what was made of messages, of a member or of a memory, and makes the rest again.

Every step can be repeated: it looks for what is still there. Vectors go before their records, as
without its record nobody would know of a vector that was left.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.forgetting.remaining_records import conflict_left, memory_left
from shared.domain.memories.memory import Memory
from shared.errors import AnnalsError, Conflict, Transient
from shared.forgetting.knowledge import KnowledgeRemoval
from shared.forgetting.topics import TopicRemoval
from shared.forgetting.traces import Provenance, TraceRemoval
from shared.stores.conflicts import CONFLICTS, put_conflict
from shared.stores.contexts import blanked_context
from shared.stores.derived import Changes, Derived
from shared.stores.firestore import Snapshot, update
from shared.stores.jobs import Jobs
from shared.stores.memories import CHANGES, MEMORIES, new_memory
from shared.stores.messages import Messages
from shared.stores.topics import topic_path
from shared.stores.vectors import VectorPlan, Vectors, vector_id


@dataclass(frozen=True)
class MemoryRemoval:
    derived: Derived
    provenance: Provenance

    async def memories(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = [
            *await self.provenance.named(group_id, "memories", forgotten, "sources"),
            *await self.provenance.about(group_id, "memories", "subject", forgotten),
        ]
        roots = {memory.root_id or memory.memory_id for memory in map(MEMORIES.read, named)}
        roots |= forgotten.root_ids
        changes = Changes()
        stay: set[str] = set()
        for root_id in sorted(roots):
            found = await self.derived.where(group_id, "memories", "root_id", root_id)
            if await self._memory(group_id, root_id, found, forgotten, changes):
                stay.add(root_id)
        conflicts = [
            *await self.provenance.named(group_id, "conflicts", forgotten, "sources"),
            *await self.provenance.about(group_id, "conflicts", "subject", forgotten),
        ]
        for root_id in roots:
            conflicts += await self.derived.where(group_id, "conflicts", "root_id", root_id)
        for snapshot in {conflict.path: conflict for conflict in conflicts}.values():
            before = CONFLICTS.read(snapshot)
            after = conflict_left(
                before, forgotten, before.root_id in stay or before.root_id not in roots
            )
            if after is None:
                changes.remove("conflicts", snapshot)
            elif after != before:
                changes.rewrite("conflicts", snapshot, put_conflict(after))
            if after != before and before.root_id not in roots:
                await self._without_claim(group_id, before.root_id, changes)
        return changes

    async def _without_claim(self, group_id: str, root_id: str, changes: Changes) -> None:
        """A memory that stays tells no longer what was said against it."""
        for snapshot in await self.derived.where(group_id, "memories", "root_id", root_id):
            if MEMORIES.read(snapshot).conflict:
                changes.write(snapshot, update(snapshot.path, {"conflict": ""}), {})

    async def _memory(
        self,
        group_id: str,
        root_id: str,
        found: Sequence[Snapshot],
        forgotten: Forgotten,
        changes: Changes,
    ) -> bool:
        """Whether something of the memory stays."""
        at = {MEMORIES.read(snapshot).memory_id: snapshot for snapshot in found}
        versions: list[Memory] = sorted(map(MEMORIES.read, found), key=lambda one: one.version)
        named = await self.provenance.said(
            group_id, (each for version in versions for each in version.sources)
        )
        left = memory_left(versions, forgotten, named)
        before = {version.memory_id: version for version in versions}
        for memory_id in left.gone:
            changes.remove(
                "memories",
                at[memory_id],
                vector_id("memory", memory_id),
                f"memory:{memory_id}",
            )
        for memory in left.kept:
            if memory != before[memory.memory_id]:
                changes.rewrite("memories", at[memory.memory_id], new_memory(memory))
            else:
                changes.rests_on(at[memory.memory_id])
        for row in await self.derived.where(group_id, "changes", "root_id", root_id):
            change = CHANGES.read(row)
            if {change.memory_id, change.old_id} & set(left.gone):
                changes.remove("changes", row)
            elif change.reason:
                changes.write(row, update(row.path, {"reason": ""}), {})
        return bool(left.kept)


TRIES = 5
"""Each was lost because a record changed between reading and removing."""
LOOKS_AGAIN = 5
"""How often the index is asked whether a vector is gone; it lags by a second or so."""
AT_ONCE_S = 1.5
"""What a platform's call may wait beside the rest: Lark gives an event three seconds."""


async def read_back(is_gone: Callable[[], Awaitable[bool]]) -> None:
    """Until the index no longer shows what was deleted: it answers before its readers see it."""
    for wait in range(LOOKS_AGAIN):
        if await is_gone():
            return
        await asyncio.sleep(0.2 * (wait + 1))
    raise Transient("the vector index still has what was deleted")


async def forget_now(
    removal: "Removal", group_id: str, forgotten: Forgotten, topic_ids: Iterable[str], job_id: str
) -> None:
    """Before the request is answered, so that nothing of it is left. What cannot be done at once,
    the job does; until then readers are not shown it."""
    try:
        async with asyncio.timeout(AT_ONCE_S):
            await removal.made_of(group_id, forgotten, topic_ids, job_id)
            await removal.derived.all_gone(group_id, job_id)
    except (AnnalsError, TimeoutError) as error:
        log.info("forgetting_left_to_its_job", group_id=group_id, reason=type(error).__name__)


@dataclass(frozen=True)
class Removal:
    derived: Derived
    messages: Messages
    jobs: Jobs
    vectors: Vectors
    embedder: Embedder
    now: Callable[[], datetime]

    async def made_of(
        self, group_id: str, forgotten: Forgotten, topic_ids: Iterable[str], job_id: str
    ) -> list[str]:
        """All that was made of it but the messages themselves; the topics that were told anew."""
        provenance = Provenance(self.derived, self.messages)
        memories = MemoryRemoval(self.derived, provenance)
        knowledge = KnowledgeRemoval(self.derived, provenance, self.now)
        traces = TraceRemoval(self.derived, self.jobs, provenance)
        topic_ids = list(topic_ids)

        async def settled(look: Callable[[], Awaitable[Changes]]) -> None:
            await self._settled(group_id, job_id, look)

        await settled(lambda: knowledge.told_by_memories(group_id, forgotten))
        await settled(lambda: memories.memories(group_id, forgotten))
        await settled(lambda: knowledge.events(group_id, forgotten))
        await settled(lambda: knowledge.graph(group_id, forgotten))
        await settled(lambda: self._topics().digests(group_id, forgotten, topic_ids, job_id))
        anew = await self.topics_again(group_id, topic_ids, forgotten, job_id)
        # Last: what a profile may keep is what the others still tell.
        await settled(lambda: knowledge.profiles(group_id, forgotten))
        await settled(lambda: traces.contexts(group_id, forgotten))
        await traces.open_jobs(group_id, forgotten, job_id)
        return anew

    async def topics_again(
        self, group_id: str, topic_ids: Iterable[str], forgotten: Forgotten, job_id: str
    ) -> list[str]:
        """By the lines that stay; those of them whose summary is to be made anew."""
        return [
            topic_id
            for topic_id in dict.fromkeys(topic_ids)
            if await self._topic_again(group_id, topic_id, forgotten, job_id)
        ]

    def _topics(self) -> TopicRemoval:
        provenance = Provenance(self.derived, self.messages)
        return TopicRemoval(
            self.derived,
            self.messages,
            self.jobs,
            self.vectors,
            self.embedder,
            provenance,
            self.now,
        )

    async def _settled(
        self, group_id: str, job_id: str, look: Callable[[], Awaitable[Changes]]
    ) -> None:
        """Look, take away, and look again if something changed meanwhile."""
        for _ in range(TRIES):
            changes = await look()
            if not changes.writes:
                return None
            await self._before_records(group_id, changes, job_id)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                log.info("forgetting_looks_again", group_id=group_id)
                continue
            return await self.drop_vectors(group_id, changes.vectors)
        raise Transient("what is to be forgotten keeps changing")

    async def _topic_again(
        self, group_id: str, topic_id: str, forgotten: Forgotten, job_id: str
    ) -> bool:
        """Whether a summary went and is to be made anew."""
        topics = self._topics()
        for _ in range(TRIES):
            found = await self.derived.get([topic_path(group_id, topic_id)])
            if not found:
                return False
            changes, is_told_anew = await topics.without(group_id, found[0], forgotten)
            await self._before_records(group_id, changes, job_id)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                continue
            await self.drop_vectors(group_id, changes.vectors)
            await topics.index(group_id, topic_id)
            return is_told_anew
        raise Transient("the topic keeps changing")

    async def _before_records(self, group_id: str, changes: Changes, job_id: str) -> None:
        """What nobody could find once the records are gone: their vectors, and the replies that
        were built on them. The vectors go once more after them: somebody who still found the record
        may have put one (`put_as_stored`)."""
        await self.drop_vectors(group_id, changes.vectors)
        replies = Changes()
        for snapshot in await self.derived.made_of(
            group_id, "contexts", "offered", changes.offered
        ):
            replies.rewrite("contexts", snapshot, blanked_context(snapshot))
        await self.derived.apply(group_id, replies, job_id)

    async def drop_vectors(self, group_id: str, vector_ids: Sequence[str]) -> None:
        """And read back: the index takes a moment."""
        if not vector_ids:
            return
        await self.vectors.apply(group_id, VectorPlan(deletes=list(vector_ids)))
        left: set[str] = set()

        async def is_gone() -> bool:
            nonlocal left
            if left:
                await self.vectors.apply(group_id, VectorPlan(deletes=sorted(left)))
            left = await self.vectors.known(group_id, list(vector_ids))
            return not left

        await read_back(is_gone)
