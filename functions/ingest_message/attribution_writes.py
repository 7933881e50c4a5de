"""What a run of attribution commits and leaves: messages, topics, the group, the tail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from functions.ingest_message.attribution_plan import Embedded, unindexed_lines
from functions.ingest_message.attribution_reads import Read
from shared.config import Settings
from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.attribution.questions import Assignment
from shared.domain.group import Group
from shared.domain.jobs.attribution_tasks import wait_of
from shared.domain.jobs.job import Job
from shared.domain.memories.reading import due_with
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import Page
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import Tail, TailChange, UnindexedLine, after_run
from shared.stores.firestore import Write
from shared.stores.jobs import new_job
from shared.stores.message_records import (
    FoundMessage,
    attributed_message,
    moved_message,
    passed_over,
)
from shared.stores.tails import paged_to_fit
from shared.stores.topics import changed_topic, delete_topic


def message_writes(
    plan: AttributionPlan,
    read: Read,
    embedded: Embedded,
    moved: Mapping[str, FoundMessage],
    model: str,
) -> list[Write]:
    return [
        *(
            attributed_message(
                read.found[assignment.message.message_id],
                assignment.topic_id,
                assignment.continues,
                embedded.own.get(assignment.message.message_id),
                model,
            )
            for assignment in plan.assignments
        ),
        *(moved_message(moved[message_id], *place) for message_id, place in plan.moves.items()),
        *(
            passed_over(read.found[message_id], "the embedder refused it")
            for message_id in plan.refused
        ),
    ]


def topic_writes(plan: AttributionPlan, read: Read, jobs: Sequence[Job]) -> list[Write]:
    return [
        *(
            changed_topic(read.stored.get(topic_id) or read.topics.get(topic_id), topic)
            for topic_id, topic in plan.growth.changed.items()
        ),
        *(delete_topic(read.group_id, topic_id) for topic_id in sorted(plan.gone)),
        *map(new_job, jobs),
    ]


def group_after(
    group: Group,
    read: Read,
    plan: AttributionPlan,
    lost_since: datetime | None,
    own: Settings,
    now: datetime,
) -> Group:
    """The counts of rounds and lines go down again as they are read."""
    behind = [since for since in (group.unindexed_since, lost_since) if since]
    unpaged = (group.unpaged_since, read.unpaged_since)
    return replace(
        due_with(
            group,
            plan.attributed,
            now,
            own.evolve_every_messages,
            timedelta(days=own.evolve_every_days),
        ),
        rounds_since_reading=group.rounds_since_reading + plan.growth.rounds,
        attributed_messages=group.attributed_messages + plan.attributed,
        last_wait_s=int(
            wait_of((message.pending_since for message in read.waiting), now).total_seconds()
        ),
        unindexed_since=min(behind, default=None),
        unpaged_since=min((since for since in unpaged if since), default=None),
        stuck_since=None,
    )


@dataclass(frozen=True)
class RunOutcome:
    """What a run leaves: the lines it placed, the tail, the pages of lines that left it, the lines
    that go into earlier pages (`aside`), and all that the indexes are owed, with the lines around
    it. `lost_since`: what is owed and not in the tail, from when on."""

    placed: Sequence[StoredMessage]
    tail: Tail
    pages: Sequence[Page]
    aside: Sequence[StoredMessage]
    around: Sequence[StoredMessage]
    owed: Mapping[str, bytes]
    owed_topics: Sequence[str]
    lost_since: datetime | None


def run_outcome(
    plan: AttributionPlan,
    read: Read,
    embedded: Embedded,
    moved: Mapping[str, FoundMessage],
    model: str,
    settings: Settings,
    now: datetime,
) -> RunOutcome:
    placed = [_placed(assignment, embedded, model) for assignment in plan.assignments]
    owed = unindexed_lines(plan, read, embedded, is_indexing=settings.message_vectors)
    refused = [_refused(read.found[message_id].message) for message_id in plan.refused]
    days = settings.retention_days
    not_before = now - timedelta(days=days) if days else None
    after = after_run(
        read.tail,
        TailChange(
            placed=[*placed, *refused],
            moved=plan.moves,
            # Those that the schedule has closed since are not looked at again and again.
            topics=[
                *(topic for topic in read.topics.values() if not topic.is_active),
                *plan.growth.changed.values(),
            ],
            gone=plan.gone,
            unindexed=owed,
            unindexed_topics=plan.growth.opened | plan.growth.closed | plan.late_topics,
        ),
        not_before=not_before,
    )
    tail, pages = paged_to_fit(after)
    elsewhere = {
        key: replace(found.message, topic_id=plan.moves[key][0], continues=plan.moves[key][1])
        for key, found in moved.items()
    }
    aside = [
        message
        for message in (*placed, *refused, *elsewhere.values())
        if message.create_time < read.tail.reaches_back_to
        and message.is_readable
        and (not_before is None or message.create_time >= not_before)
    ]
    all_owed: list[UnindexedLine] = [*read.tail.unindexed, *owed]
    around = {
        message.message_id: message for message in (*read.messages.values(), *read.tail.lines)
    }
    around |= {message.message_id: message for message in (*tail.lines, *placed)}
    kept = {line.message_id for line in tail.unindexed}
    lost = [line.message_id for line in all_owed if line.message_id not in kept]
    return RunOutcome(
        placed,
        tail,
        pages,
        aside,
        list(around.values()),
        {line.message_id: line.vector for line in all_owed},
        tail.unindexed_topics,
        min((around[line_id].create_time for line_id in lost if line_id in around), default=None),
    )


def left_behind(tail: Tail) -> RunOutcome:
    owed = {line.message_id: line.vector for line in tail.unindexed}
    return RunOutcome((), tail, (), (), tail.lines, owed, tail.unindexed_topics, None)


def _placed(assignment: Assignment, embedded: Embedded, model: str) -> StoredMessage:
    """The line as it is stored from now on."""
    vector = embedded.own.get(assignment.message.message_id)
    return replace(
        assignment.message,
        state=MessageState.ATTRIBUTED,
        topic_id=assignment.topic_id,
        continues=assignment.continues,
        vector=pack_half(vector) if vector is not None else b"",
        vector_model=model if vector is not None else "",
        state_reason=None,
        pending_since=None,
    )


def _refused(message: StoredMessage) -> StoredMessage:
    return replace(message, state=MessageState.UNATTRIBUTABLE, pending_since=None)
