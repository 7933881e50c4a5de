"""What a run of attribution commits: its messages, its topics, the group after it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from functions.ingest_message.topic_reads import Read
from functions.ingest_message.topic_vectors import Embedded
from shared.config import Settings
from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.slots import wait_of
from shared.domain.memories.news import due_with
from shared.stores.firestore import Write
from shared.stores.jobs import new_job
from shared.stores.message_records import (
    FoundMessage,
    attributed_message,
    moved_message,
    passed_over,
)
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
                read.found[one.message.message_id],
                one.topic_id,
                one.continues,
                embedded.own.get(one.message.message_id),
                model,
            )
            for one in plan.assignments
        ),
        *(moved_message(moved[one], *place) for one, place in plan.moves.items()),
        *(passed_over(read.found[one], "the embedder refused it") for one in plan.refused),
    ]


def topic_writes(plan: AttributionPlan, read: Read, jobs: Sequence[Job]) -> list[Write]:
    return [
        *(
            changed_topic(read.stored.get(topic_id) or read.topics.get(topic_id), topic)
            for topic_id, topic in plan.growth.changed.items()
        ),
        *(delete_topic(read.group_id, one) for one in sorted(plan.gone)),
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
    """The count of rounds goes down again as extraction reads them."""
    behind = [one for one in (group.unindexed_since, lost_since) if one]
    unpaged = (group.unpaged_since, read.unpaged_since)
    return replace(
        due_with(
            group,
            plan.attributed,
            now,
            own.evolve_every_messages,
            timedelta(days=own.evolve_every_days),
        ),
        rounds_since_extraction=group.rounds_since_extraction + plan.growth.rounds,
        attributed_messages=group.attributed_messages + plan.attributed,
        last_wait_s=int(wait_of((one.pending_since for one in read.waiting), now).total_seconds()),
        unindexed_since=min(behind, default=None),
        unpaged_since=min((one for one in unpaged if one), default=None),
        stuck_since=None,
    )
