"""Takes away what was made of messages or of a member, and makes the rest again without them.

Every step can be repeated: it looks for what is still there. Vectors go before their records, as
without its record nobody would know of a vector that was left.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared import log
from shared.clients.embedder import Embedder
from shared.contracts.jobs import digest_again_job
from shared.domain.forgetting.forgotten import Forgotten, is_still_told, texts_of
from shared.domain.forgetting.knowledge_left import entity_left, profile_left, relation_left
from shared.domain.forgetting.memories_left import conflict_left, memory_left
from shared.domain.forgetting.topics_left import summaries_gone, topic_left
from shared.domain.jobs.job import JobState
from shared.domain.jobs.payload_words import is_made_of
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.group_digest import SETTLES
from shared.errors import AnnalsError, Conflict, Transient
from shared.stores.conflicts import CONFLICTS, put_conflict
from shared.stores.contexts import blanked_context
from shared.stores.database import Snapshot, update
from shared.stores.derived import Changes, Derived
from shared.stores.digests import DIGESTS
from shared.stores.entities import ENTITIES, put_entity
from shared.stores.events import EVENTS, put_event
from shared.stores.jobs import JOBS, Jobs
from shared.stores.memories import CHANGES, MEMORIES, new_memory
from shared.stores.messages import Messages
from shared.stores.profiles import PROFILES, SNAPSHOTS, put_profile
from shared.stores.relations import RELATIONS, put_relation
from shared.stores.tails import Tails
from shared.stores.topics import SUMMARIES, TOPICS, put_topic, topic_path
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id

NOT_DONE = (JobState.PENDING, JobState.RUNNING, JobState.COMMITTED, JobState.FAILED)
"""A job that is done has no words; one that is not has them until it is."""
TRIES = 5
"""Each lost to somebody who changed a record in between."""
MOST_LINES = 2_000
"""Of a topic that are read to make it again: the newest."""
MOST_EVIDENCE = 500
"""Events and memories that may tell a fact of a profile: the newest."""
LOOKS_AGAIN = 5
"""How often the index is asked whether a vector is gone; it lags by a second or so."""


AT_ONCE_S = 1.5
"""What a platform's call may wait beside the rest: Lark gives an event three seconds."""


async def forget_now(
    removal: "Removal", group_id: str, forgotten: Forgotten, topic_ids: Iterable[str], job_id: str
) -> None:
    """Before the request is answered, so that nobody is shown it any more. What cannot be done at
    once, and what is left to do, the job does."""
    try:
        async with asyncio.timeout(AT_ONCE_S):
            await removal.made_of(group_id, forgotten, topic_ids, job_id)
    except (AnnalsError, TimeoutError) as error:
        log.info("forgetting_left_to_its_job", group_id=group_id, reason=type(error).__name__)


@dataclass(frozen=True)
class Removal:
    derived: Derived
    messages: Messages
    tails: Tails
    jobs: Jobs
    vectors: Vectors
    embedder: Embedder
    now: Callable[[], datetime]

    async def made_of(
        self, group_id: str, forgotten: Forgotten, topic_ids: Iterable[str], job_id: str
    ) -> list[str]:
        """All that was made of it but the messages themselves; the topics that were told anew."""
        for step in (self._memories, self._events, self._graph):
            await self._settled(group_id, job_id, lambda step=step: step(group_id, forgotten))  # type: ignore[misc]
        topic_ids = list(topic_ids)
        await self._settled(
            group_id, job_id, lambda: self._digests(group_id, forgotten, topic_ids, job_id)
        )
        anew = await self.topics_again(group_id, topic_ids, forgotten, job_id)
        # Last: what a profile may keep is what the others still tell.
        await self._settled(group_id, job_id, lambda: self._profiles(group_id, forgotten))
        await self._settled(group_id, job_id, lambda: self._contexts(group_id, forgotten))
        await self._open_jobs(group_id, forgotten, job_id)
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

    async def _settled(self, group_id: str, job_id: str, look: Callable[[], object]) -> None:
        """Look, take away, and look again if something changed meanwhile."""
        for _ in range(TRIES):
            changes = await look()  # type: ignore[misc]
            assert isinstance(changes, Changes)
            if not changes.writes:
                return
            await self._before_records(group_id, changes, job_id)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                log.info("forgetting_looks_again", group_id=group_id)
                continue
            return
        raise Transient("what is to be forgotten keeps changing")

    async def _before_records(self, group_id: str, changes: Changes, job_id: str) -> None:
        """What nobody could find once the records are gone: their vectors, and the replies that
        were built on them."""
        await self.drop_vectors(group_id, changes.vectors)
        replies = Changes()
        for one in await self.derived.made_of(group_id, "contexts", "offered", changes.offered):
            replies.rewrite("contexts", one, blanked_context(one))
        await self.derived.apply(group_id, replies, job_id)

    async def drop_vectors(self, group_id: str, vector_ids: Sequence[str]) -> None:
        """And read back: the index takes a moment."""
        if not vector_ids:
            return
        await self.vectors.apply(group_id, VectorPlan(deletes=list(vector_ids)))
        for wait in range(LOOKS_AGAIN):
            left = await self.vectors.known(group_id, list(vector_ids))
            if not left:
                return
            await asyncio.sleep(0.2 * (wait + 1))
            await self.vectors.apply(group_id, VectorPlan(deletes=sorted(left)))
        raise Transient("the vector index still has what was deleted")

    async def _named(
        self, group_id: str, kind: str, forgotten: Forgotten, sources: str
    ) -> list[Snapshot]:
        found = [
            *await self.derived.made_of(group_id, kind, sources, forgotten.message_ids),
            *await self.derived.made_of(group_id, kind, "source_users", forgotten.user_ids),
        ]
        return list({one.path: one for one in found}.values())

    async def _about(
        self, group_id: str, kind: str, name: str, forgotten: Forgotten
    ) -> list[Snapshot]:
        found = [await self.derived.where(group_id, kind, name, one) for one in forgotten.user_ids]
        return [one for some in found for one in some]

    async def _said(self, group_id: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        wanted = list(dict.fromkeys(ids))
        found = await self.messages.get_many(group_id, wanted) if wanted else {}
        return {key: one.message for key, one in found.items()}

    async def _memories(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = [
            *await self._named(group_id, "memories", forgotten, "sources"),
            *await self._about(group_id, "memories", "subject", forgotten),
        ]
        roots = {one.root_id or one.memory_id for one in map(MEMORIES.read, named)}
        changes = Changes()
        stay: set[str] = set()
        for root_id in sorted(roots):
            found = await self.derived.where(group_id, "memories", "root_id", root_id)
            if await self._memory(group_id, root_id, found, forgotten, changes):
                stay.add(root_id)
        conflicts = [
            *await self._named(group_id, "conflicts", forgotten, "sources"),
            *await self._about(group_id, "conflicts", "subject", forgotten),
        ]
        for root_id in roots:
            conflicts += await self.derived.where(group_id, "conflicts", "root_id", root_id)
        for snapshot in {one.path: one for one in conflicts}.values():
            before = CONFLICTS.read(snapshot)
            after = conflict_left(
                before, forgotten, before.root_id in stay or before.root_id not in roots
            )
            if after is None:
                changes.remove("conflicts", snapshot)
            elif after != before:
                changes.rewrite("conflicts", snapshot, put_conflict(after))
        return changes

    async def _memory(
        self,
        group_id: str,
        root_id: str,
        found: Sequence[Snapshot],
        forgotten: Forgotten,
        changes: Changes,
    ) -> bool:
        """Whether something of the memory stays."""
        at = {MEMORIES.read(one).memory_id: one for one in found}
        versions: list[Memory] = sorted(map(MEMORIES.read, found), key=lambda one: one.version)
        named = await self._said(group_id, (each for one in versions for each in one.sources))
        left = memory_left(versions, forgotten, named)
        before = {one.memory_id: one for one in versions}
        for memory_id in left.gone:
            changes.remove(
                "memories",
                at[memory_id],
                vector_id("memory", memory_id),
                f"memory:{memory_id}",
            )
        for one in left.kept:
            if one != before[one.memory_id]:
                changes.rewrite("memories", at[one.memory_id], new_memory(one))
            else:
                changes.rests_on(at[one.memory_id])
        for row in await self.derived.where(group_id, "changes", "root_id", root_id):
            change = CHANGES.read(row)
            if {change.memory_id, change.old_id} & set(left.gone):
                changes.remove("changes", row)
            elif change.reason:
                changes.write(row, update(row.path, {"reason": ""}), {})
        return bool(left.kept)

    async def _events(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = [
            *await self._named(group_id, "events", forgotten, "message_ids"),
            *await self._about(group_id, "events", "user_id", forgotten),
        ]
        changes = Changes()
        for snapshot in {one.path: one for one in named}.values():
            event = EVENTS.read(snapshot)
            sources = await self._said(group_id, event.message_ids)
            evidence = forgotten.evidence(sources.values())
            texts = texts_of(evidence)
            is_theirs = event.user_id in forgotten.user_ids
            if is_theirs or not is_still_told(event.canonical_text, texts):
                changes.remove(
                    "events",
                    snapshot,
                    vector_id("event", event.event_id),
                    f"event:{event.event_id}",
                )
                continue
            left = replace(
                event,
                message_ids=tuple(one.message_id for one in evidence),
                source_users=tuple(
                    one for one in event.source_users if one not in forgotten.user_ids
                ),
                new_info=event.new_info if is_still_told(event.new_info, texts) else "",
            )
            changes.rewrite("events", snapshot, put_event(left))
        return changes

    async def _graph(self, group_id: str, forgotten: Forgotten) -> Changes:
        entities = [
            *await self._named(group_id, "entities", forgotten, "sources"),
            *await self._about(group_id, "entities", "user_id", forgotten),
        ]
        relations = await self._named(group_id, "relations", forgotten, "sources")
        changes, gone = Changes(), list[str]()
        for snapshot in {one.path: one for one in entities}.values():
            entity = ENTITIES.read(snapshot)
            sources = await self._said(group_id, entity.sources)
            left = entity_left(entity, forgotten, list(sources.values()))
            if left is None:
                gone.append(entity.entity_id)
                changes.remove("entities", snapshot, vector_id("entity", entity.entity_id))
            else:
                # Its vector is of all its names; upkeep and the next mention make another.
                changes.vectors.append(vector_id("entity", entity.entity_id))
                changes.rewrite("entities", snapshot, put_entity(left))
        relations += await self.derived.made_of(group_id, "relations", "ends", gone)
        for snapshot in {one.path: one for one in relations}.values():
            relation = RELATIONS.read(snapshot)
            sources = await self._said(group_id, relation.sources)
            stays = relation_left(relation, forgotten, list(sources.values()))
            if stays is None or not set(relation.ends).isdisjoint(gone):
                changes.remove("relations", snapshot)
            else:
                changes.rewrite("relations", snapshot, put_relation(stays))
        return changes

    async def _digests(
        self, group_id: str, forgotten: Forgotten, topic_ids: Sequence[str], job_id: str
    ) -> Changes:
        """Of weeks whose summaries may tell of it; they are told again once the summaries are."""
        found = [
            *await self._named(group_id, "digests", forgotten, "message_ids"),
            *await self.derived.made_of(group_id, "digests", "topic_ids", topic_ids),
        ]
        changes = Changes()
        for snapshot in {one.path: one for one in found}.values():
            due_at = DIGESTS.read(snapshot).ends_at + SETTLES
            await self.jobs.ensure(digest_again_job(group_id, due_at, job_id, self.now()))
            changes.remove("digests", snapshot)
        return changes

    async def _topic_again(
        self, group_id: str, topic_id: str, forgotten: Forgotten, job_id: str
    ) -> bool:
        """Whether a summary went and is to be made anew."""
        for _ in range(TRIES):
            found = await self.derived.get([topic_path(group_id, topic_id)])
            if not found:
                return False
            changes, is_told_anew = await self._topic(group_id, found[0], forgotten)
            await self._before_records(group_id, changes, job_id)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                continue
            await self._index_topic(group_id, topic_id)
            return is_told_anew
        raise Transient("the topic keeps changing")

    async def _topic(
        self, group_id: str, snapshot: Snapshot, forgotten: Forgotten
    ) -> tuple[Changes, bool]:
        topic = TOPICS.read(snapshot)
        changes = Changes()
        below = await self.derived.below(snapshot, "summaries")
        at = {SUMMARIES.read(one).version: one for one in below}
        versions = [SUMMARIES.read(one) for one in below]
        said = await self.messages.of_topic(group_id, topic.topic_id, limit=MOST_LINES)
        lines = forgotten.evidence(said)
        gone = summaries_gone(versions, forgotten) if lines else versions
        for one in gone:
            offered = f"summary:{one.topic_id}:{one.version}"
            changes.remove("summaries", at[one.version], offered=offered)
        stay = [one for one in versions if one not in gone and one.is_shown]
        shown = max(stay, key=lambda one: one.version, default=None)
        left = topic_left(topic, lines, shown, self.embedder.model, self.now())
        if gone or left is None:
            changes.vectors.append(vector_id("summary", topic.topic_id))
        if left is None:
            changes.remove("topics", snapshot, vector_id("topic", topic.topic_id))
        elif left != topic:
            changes.rewrite("topics", snapshot, put_topic(left))
        newest = max((one.version for one in versions if one not in gone), default=0)
        return changes, left is not None and topic.summary_version > newest

    async def _index_topic(self, group_id: str, topic_id: str) -> None:
        """Its mean without the forgotten lines, if the index had one."""
        found = await self.derived.get([topic_path(group_id, topic_id)])
        known = await self.vectors.known(group_id, [vector_id("topic", topic_id)])
        if not found or not known:
            return
        topic = TOPICS.read(found[0])
        mean = topic.mean_in(self.embedder.model)
        if not mean:
            await self.drop_vectors(group_id, [vector_id("topic", topic_id)])
            return
        version = max(1, topic.summary_version)
        vector = Vector("topic", topic_id, mean, version, topic.created_at)
        await self.vectors.apply(group_id, VectorPlan([vector]))

    async def _profiles(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = await self._named(group_id, "profiles", forgotten, "sources")
        for user_id in forgotten.user_ids:
            named += await self.derived.where(group_id, "profiles", "profile_id", f"user:{user_id}")
        changes = Changes()
        for snapshot in {one.path: one for one in named}.values():
            profile = PROFILES.read(snapshot)
            for below in await self.derived.below(snapshot, "snapshots"):
                old = SNAPSHOTS.read(below).profile
                is_of_them = profile.entity_id in forgotten.user_ids
                if is_of_them or forgotten.touches(old.sources, old.source_users):
                    changes.remove("snapshots", below)
            told = await self._told_of(group_id, profile.entity_id, profile.sources, forgotten)
            left = profile_left(profile, forgotten, told, self.now())
            changes.vectors.append(vector_id("profile", profile.profile_id))
            changes.offered.append(f"profile:{profile.profile_id}")
            if left is None:
                changes.remove("profiles", snapshot)
            else:
                changes.rewrite("profiles", snapshot, put_profile(left))
        return changes

    async def _told_of(
        self, group_id: str, entity_id: str, sources: Sequence[str], forgotten: Forgotten
    ) -> list[str]:
        """All that is left and may tell a fact of somebody: messages, events, memories."""
        said = await self._said(group_id, sources)
        events = await self.derived.made_of(group_id, "events", "source_users", [entity_id])
        if entity_id == group_id:
            events = await self.derived.page(group_id, "events")
        memories = await self.derived.where(group_id, "memories", "subject", entity_id)
        read = [EVENTS.read(one) for one in events[-MOST_EVIDENCE:]]
        return [
            *texts_of(forgotten.evidence(said.values())),
            *(text for one in read for text in (one.canonical_text, one.new_info) if text),
            *(MEMORIES.read(one).statement for one in memories[-MOST_EVIDENCE:]),
        ]

    async def _contexts(self, group_id: str, forgotten: Forgotten) -> Changes:
        """Records name things by their ids; the reply and what was said of it may quote them."""
        named = [
            *await self.derived.made_of(group_id, "contexts", "message_ids", forgotten.message_ids),
            *await self._about(group_id, "contexts", "user_id", forgotten),
        ]
        changes = Changes()
        for snapshot in {one.path: one for one in named}.values():
            if snapshot.data.get("user_id") in forgotten.user_ids:
                changes.remove("contexts", snapshot)
            else:
                changes.rewrite("contexts", snapshot, blanked_context(snapshot))
        return changes

    async def _open_jobs(self, group_id: str, forgotten: Forgotten, job_id: str) -> None:
        """Notes and news that wait or failed and speak of it; and models' answers kept for a
        repetition, which may quote it. Of a member also the jobs that are done: they name them."""
        states = () if forgotten.user_ids else [one.value for one in NOT_DONE]
        skip = 0
        while page := await self.derived.jobs_page(group_id, skip, states):
            changes = Changes()
            for snapshot in page:
                job = JOBS.read(snapshot)
                if job.job_id != job_id and is_made_of(job.payload, forgotten):
                    changes.remove("jobs", snapshot)
            skip += len(page) - len(changes.writes)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                skip = 0
        await self.jobs.blank_replies(group_id)
