"""Topics, their summaries and the digests of weeks, without what is forgotten."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.contracts.jobs import digest_again_job
from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.forgetting.remaining_records import LinesLeft, summaries_gone, topic_left
from shared.domain.topics.group_digest import SETTLES
from shared.domain.topics.topic import Topic
from shared.forgetting.traces import Provenance
from shared.search.topic_index import topic_plan
from shared.search.vector_writes import put_as_stored
from shared.stores.derived import Changes, Derived
from shared.stores.digests import DIGESTS
from shared.stores.firestore import Snapshot
from shared.stores.jobs import Jobs
from shared.stores.messages import Messages
from shared.stores.topics import SUMMARIES, TOPICS, put_topic, topic_path
from shared.stores.vectors import Vectors, vector_id

MOST_LINES = 2_000
"""Of a topic, the newest: its title, keywords and mean are made of them again, and so many are read
at a time. Those before them are counted."""


@dataclass(frozen=True)
class TopicRemoval:
    derived: Derived
    messages: Messages
    jobs: Jobs
    vectors: Vectors
    embedder: Embedder
    provenance: Provenance
    now: Callable[[], datetime]

    async def without(
        self, group_id: str, snapshot: Snapshot, forgotten: Forgotten
    ) -> tuple[Changes, bool]:
        """And whether a summary went that is to be made anew."""
        topic = TOPICS.read(snapshot)
        changes = Changes()
        below = await self.derived.below(snapshot, "summaries")
        at = {SUMMARIES.read(snapshot).version: snapshot for snapshot in below}
        versions = [SUMMARIES.read(snapshot) for snapshot in below]
        lines = await self._lines_left(group_id, topic.topic_id, forgotten)
        gone = summaries_gone(versions, forgotten) if lines.newest else versions
        for summary in gone:
            offered = f"summary:{summary.topic_id}:{summary.version}"
            changes.remove("summaries", at[summary.version], offered=offered)
        stay = [version for version in versions if version not in gone and version.is_shown]
        shown = max(stay, key=lambda one: one.version, default=None)
        left = topic_left(topic, lines, shown, self.embedder.model, self.now())
        if gone or left is None:
            changes.vectors.append(vector_id("summary", topic.topic_id))
        if left is None:
            changes.remove("topics", snapshot, vector_id("topic", topic.topic_id))
        elif left != topic:
            changes.rewrite("topics", snapshot, put_topic(left))
        newest = max((version.version for version in versions if version not in gone), default=0)
        return changes, left is not None and topic.summary_version > newest

    async def _lines_left(self, group_id: str, topic_id: str, forgotten: Forgotten) -> LinesLeft:
        """All of them are looked at, however many: they may all be one member's, or blank."""
        left, after = LinesLeft(), None
        while True:
            _, page = await self.messages.page(
                group_id, since=None, until=None, user_id=None, topic_id=topic_id, after=after,
                limit=MOST_LINES,
            )  # fmt: skip
            left = left.before(forgotten.evidence(reversed(page)), MOST_LINES)
            if len(page) < MOST_LINES:
                return left
            after = (page[-1].create_time, page[-1].message_id)

    async def index(self, group_id: str, topic_id: str) -> None:
        """Its mean without the forgotten lines, if the index had one."""
        known = await self.vectors.known(group_id, [vector_id("topic", topic_id)])
        if not known:
            return

        async def read() -> Topic | None:
            found = await self.derived.get([topic_path(group_id, topic_id)])
            return TOPICS.read(found[0]) if found else None

        async def put(topic: Topic | None) -> None:
            plan = topic_plan(topic_id, topic, self.embedder.model)
            await self.vectors.apply(group_id, plan)

        await put_as_stored(read, put)

    async def digests(
        self, group_id: str, forgotten: Forgotten, topic_ids: Sequence[str], job_id: str
    ) -> Changes:
        """Of weeks whose summaries may tell of it; they are told again once the summaries are."""
        found = [
            *await self.provenance.named(group_id, "digests", forgotten, "message_ids"),
            *await self.derived.made_of(group_id, "digests", "topic_ids", topic_ids),
        ]
        changes = Changes()
        for snapshot in {snapshot.path: snapshot for snapshot in found}.values():
            due_at = DIGESTS.read(snapshot).ends_at + SETTLES
            await self.jobs.ensure(digest_again_job(group_id, due_at, job_id, self.now()))
            changes.remove("digests", snapshot)
        return changes
