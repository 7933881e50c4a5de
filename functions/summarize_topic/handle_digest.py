"""The weekly digest of a group: found due by the schedule, made by a job from summaries."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from shared.config import Settings, settings_for
from shared.contracts.jobs import digest_job
from shared.domain.context.shown_times import zone_named
from shared.domain.group import Group
from shared.domain.jobs.kinds import DigestReport, TellWeek
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.group_digest import (
    ToldTopic,
    Week,
    decide_digest,
    is_of_week,
    week_at,
    week_due_at,
)
from shared.domain.topics.topic import Topic
from shared.jobs.worker import JobInHand
from shared.stores.digests import put_digest
from shared.stores.groups import Plan
from shared.wiring import Services

GROUPS_A_CALL = 200
"""A page of the schedule: some seconds' work."""
TOPICS_A_WEEK = 200
"""That a digest looks at, the most recent; a page of text cannot tell of more."""
VERSIONS_READ = 20
"""Of each topic's summary: as many as a very busy week makes, and the one before it."""
MOST_NEW_MEMBERS = 30
"""Each costs two reads."""
AT_ONCE = 20
"""Reads side by side."""


@dataclass(frozen=True)
class DigestsSent:
    total: int
    is_more: bool


def due_with_news(group: Group, settings: Settings, now: datetime) -> Callable[[Group], Group]:
    """The change of a group that something was told of: its week gets a digest, if it wants one."""
    due_at = week_at(now, _zone(group, settings)).due_at

    def change(found: Group) -> Group:
        return found if found.digest_due_at else replace(found, digest_due_at=due_at)

    return change


async def send_due(made: Services) -> DigestsSent:
    """A job for each week that is over; the group is due again a week later. What is done twice
    makes the same job."""
    now = made.now()
    due = await made.groups.digest_due(now, GROUPS_A_CALL)
    sent = 0
    for start in range(0, len(due), AT_ONCE):
        sent += sum(
            await asyncio.gather(
                *(_send(group, now, made) for group in due[start : start + AT_ONCE])
            )
        )
    return DigestsSent(sent, len(due) == GROUPS_A_CALL)


async def _send(group: Group, now: datetime, made: Services) -> bool:
    due_at = group.digest_due_at
    assert due_at is not None
    settings = settings_for(group, made.settings)
    if group.is_deleted:
        return False
    next_due = None
    if settings.enable_digests:
        job = await made.jobs.ensure(digest_job(group.group_id, due_at, now))
        if job.is_open:
            await made.dispatch.job(job)
        next_due = week_at(now, _zone(group, settings)).due_at

    def moved(found: Group) -> Group:
        return replace(found, digest_due_at=next_due) if found.digest_due_at == due_at else found

    await made.groups.change(group.group_id, moved, now)
    return settings.enable_digests


async def run(work: JobInHand, made: Services) -> DigestReport:
    return await work.run(DigestReport, lambda now: _told_week(now, made))


async def _told_week(work: JobInHand, made: Services) -> DigestReport:
    """Read the week's topics and their summaries, decide, commit."""
    group_id = work.job.group_id
    group = await made.groups.get(group_id)
    settings = settings_for(group, made.settings)
    week = week_due_at(work.payload(TellWeek).digest_due_at, _zone(group, settings))
    found, known = await asyncio.gather(
        made.topics.spoken_in_since(group_id, week.starts_at, TOPICS_A_WEEK),
        made.digests.find(group_id, week.name),
    )
    topics = [topic for topic in found if is_of_week(topic, week) and topic.summary_version]
    told = [await _told(topic, made) for topic in topics]
    joined = await _joined(group, topics, week, made)
    version = known.version + 1 if known else 1
    digest = decide_digest(group_id, week, told, joined, version, made.now())
    report = DigestReport(week.name, digest.version if digest else 0)
    writes = [put_digest(digest)] if digest else []
    await work.commit(Plan(group_id, group.epoch, writes, report=report))
    return report


async def _told(topic: Topic, made: Services) -> ToldTopic:
    versions = await made.topics.summaries(topic.group_id, topic.topic_id, VERSIONS_READ)
    return ToldTopic(topic, versions)


async def _joined(group: Group, topics: list[Topic], week: Week, made: Services) -> dict[str, str]:
    """Names by id of those who took part and of whom nothing older is kept."""
    users = sorted({user for topic in topics for user in topic.user_ids} - set(group.opted_out))
    names: dict[str, str] = {}
    for user_id in users:
        if len(names) == MOST_NEW_MEMBERS:
            break
        said = await _last_said(group.group_id, user_id, week.ends_at, made)
        if said is None or said.role != "user":
            continue
        if await _last_said(group.group_id, user_id, week.starts_at, made) is None:
            names[user_id] = said.user_name or user_id
    return names


async def _last_said(
    group_id: str, user_id: str, before: datetime, made: Services
) -> StoredMessage | None:
    """Read for the name and the time alone."""
    _, said = await made.messages.page(
        group_id,
        since=None,
        until=before,
        user_id=user_id,
        topic_id=None,
        after=None,
        limit=1,
    )
    return said[0] if said else None


def _zone(group: Group, settings: Settings) -> tzinfo:
    return zone_named(settings.timezone, group.timezone)
