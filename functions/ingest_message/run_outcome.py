"""What a run of attribution leaves: the placed lines, the tail, what the indexes are owed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from functions.ingest_message.topic_reads import Read
from functions.ingest_message.topic_vectors import Embedded, unindexed_lines
from shared.config import Settings
from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.attribution.model_answers import Assignment
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import Page
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import Tail, TailChange, UnindexedLine, after_run
from shared.stores.message_records import FoundMessage
from shared.stores.tails import paged_to_fit


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
    placed = [_placed(one, embedded, model) for one in plan.assignments]
    owed = unindexed_lines(plan, read, embedded, is_indexing=settings.message_vectors)
    refused = [_refused(read.found[one].message) for one in plan.refused]
    days = settings.retention_days
    not_before = now - timedelta(days=days) if days else None
    after = after_run(
        read.tail,
        TailChange(
            placed=[*placed, *refused],
            moved=plan.moves,
            # Those that the schedule has closed since are not looked at again and again.
            topics=[
                *(one for one in read.topics.values() if not one.is_active),
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
        key: replace(one.message, topic_id=plan.moves[key][0], continues=plan.moves[key][1])
        for key, one in moved.items()
    }
    aside = [
        one
        for one in (*placed, *refused, *elsewhere.values())
        if one.create_time < read.tail.reaches_back_to
        and one.is_readable
        and (not_before is None or one.create_time >= not_before)
    ]
    all_owed: list[UnindexedLine] = [*read.tail.unindexed, *owed]
    around = {one.message_id: one for one in (*read.messages.values(), *read.tail.lines)}
    around |= {one.message_id: one for one in (*tail.lines, *placed)}
    kept = {one.message_id for one in tail.unindexed}
    lost = [one.message_id for one in all_owed if one.message_id not in kept]
    return RunOutcome(
        placed,
        tail,
        pages,
        aside,
        list(around.values()),
        {one.message_id: one.vector for one in all_owed},
        tail.unindexed_topics,
        min((around[one].create_time for one in lost if one in around), default=None),
    )


def left_behind(tail: Tail) -> RunOutcome:
    owed = {one.message_id: one.vector for one in tail.unindexed}
    return RunOutcome((), tail, (), (), tail.lines, owed, tail.unindexed_topics, None)


def _placed(one: Assignment, embedded: Embedded, model: str) -> StoredMessage:
    """The line as it is stored from now on."""
    vector = embedded.own.get(one.message.message_id)
    return replace(
        one.message,
        state=MessageState.ATTRIBUTED,
        topic_id=one.topic_id,
        continues=one.continues,
        vector=pack_half(vector) if vector is not None else b"",
        vector_model=model if vector is not None else "",
        state_reason=None,
        pending_since=None,
    )


def _refused(message: StoredMessage) -> StoredMessage:
    return replace(message, state=MessageState.UNATTRIBUTABLE, pending_since=None)
