"""Gives pending messages their topics: read, embed, decide, ask, one fenced commit, indexes."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from functions.ingest_message.attribution_plan import Planning, vectors_to_drop
from functions.ingest_message.attribution_reads import Read, TopicReads
from functions.ingest_message.attribution_writes import (
    RunOutcome,
    group_after,
    left_behind,
    message_writes,
    run_outcome,
    topic_writes,
)
from functions.ingest_message.indexing import Indexing
from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import evolve_job, summarize_job
from shared.domain.attribution.batches import BATCH, first_size, is_hopeless, larger, smaller
from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.attribution.topic_updates import Growth
from shared.domain.group import Group
from shared.domain.jobs.attribution_tasks import wait_of
from shared.domain.jobs.job import Job
from shared.domain.jobs.lease import attribution_of
from shared.domain.memories.reading import reading_due
from shared.domain.pages import listed
from shared.domain.tail import indexed
from shared.errors import Conflict, EpochMoved, Poisoned, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs
from shared.stores.leases import Held
from shared.stores.message_records import FoundMessage, passed_over
from shared.stores.messages import Messages
from shared.stores.pages import Pages, put_page
from shared.stores.tails import Tails, put_tail
from shared.stores.topics import Topics
from shared.stores.vectors import Vectors

if TYPE_CHECKING:
    from shared.threads import Tables

TRIES = 3
"""Each lost to an edit or a recall in between; after them the queue sends the task again."""
GOES_ON_FOR_S = 20.0
"""A task that finds more than a batch goes on for so long before it leaves the rest to the next."""


@dataclass(frozen=True)
class AttributionDeps:
    groups: Groups
    messages: Messages
    topics: Topics
    jobs: Jobs
    vectors: Vectors
    indexing: Indexing
    tails: Tails
    pages: Pages
    embedder: Embedder
    model: Model
    worker: Worker
    dispatch: Dispatch
    settings: Settings
    now: Callable[[], datetime]
    model_budget_s: float
    tables: "Tables | None"
    """None: the shipped ones."""


@dataclass(frozen=True)
class AttributionReport:
    """`waiting`: another run works for the group, and sends this one again when it ends. `again`
    are lines of earlier runs that got their vectors, and perhaps another place, with these."""

    waiting: bool = False
    attributed: int = 0
    again: int = 0
    passed_over: Sequence[str] = ()


@dataclass(frozen=True)
class _Done:
    attributed: int = 0
    again: int = 0
    passed_over: Sequence[str] = ()
    is_more: bool = False
    next_size: int = BATCH


async def attribute(group_id: str, deps: AttributionDeps) -> AttributionReport:
    """The pending messages of a group, the longest waiting first, a hundred at a time."""
    lease = attribution_of(group_id)

    async def again() -> None:
        await deps.dispatch.attribution(group_id)
        await deps.worker.send_next(lease)

    attributed = again_placed = 0
    named: list[str] = []
    until = time.monotonic() + GOES_ON_FOR_S
    async with deps.worker.holding(lease, again) as held:
        if held is None:
            return AttributionReport(waiting=True)
        if is_hopeless(held.died):
            named += await _pass_over_unseen(group_id, held, deps)
        size = first_size(held.died)
        while True:
            done = await _attribute_some(group_id, size, held, deps)
            attributed += done.attributed
            again_placed += done.again
            named += done.passed_over
            size = done.next_size
            if not done.is_more:
                break
            if time.monotonic() >= until:
                await deps.dispatch.attribution(group_id)
                break
    return AttributionReport(attributed=attributed, again=again_placed, passed_over=named)


async def _attribute_some(group_id: str, size: int, held: Held, deps: AttributionDeps) -> _Done:
    """A batch of at most `size`; of half as many where some text among them makes the work fail,
    down to the one to blame, which is passed over."""
    changed = 0
    while changed < TRIES:
        try:
            return await _attribute_batch(group_id, size, held, deps)
        except (Conflict, EpochMoved):
            # Edited, recalled or forgotten while we looked: look again.
            changed += 1
        except Poisoned as error:
            if size == 1:
                raise
            size = smaller(size)
            log.warning("batch_split", group_id=group_id, size=size, cause=error.message)
    raise Transient(f"the messages of {group_id} keep changing")


async def _pass_over_unseen(group_id: str, held: Held, deps: AttributionDeps) -> list[str]:
    """Run after run died, the last ones over this message alone."""
    group = await deps.groups.find(group_id)
    pending = await deps.messages.pending(group_id, 1)
    if group is None or group.is_deleted or not pending:
        return []
    return await _pass_over(group, pending[0], "the runs that took it up died", held, deps)


async def _pass_over(
    group: Group, found: FoundMessage, reason: str, held: Held, deps: AttributionDeps
) -> list[str]:
    message_id = found.message.message_id
    log.warning(
        "message_passed_over", group_id=group.group_id, message_id=message_id, reason=reason
    )
    writes = [passed_over(found, reason)]
    await deps.groups.commit(Plan(group.group_id, group.epoch, writes), held)
    return [message_id]


async def _attribute_batch(group_id: str, size: int, held: Held, deps: AttributionDeps) -> _Done:
    group = await deps.groups.find(group_id)
    if group is None or group.is_deleted:
        return _Done()
    settings = settings_for(group, deps.settings)
    planning = Planning(
        group,
        settings,
        TopicReads(deps.messages, deps.topics, deps.tails, deps.pages),
        deps.embedder,
        deps.model,
        deps.model_budget_s,
        deps.tables,
    )
    read = await planning.reads.around_pending(group, size)
    if not read.waiting:
        # Only what an earlier run could not index: it ended before it did, or the index was away.
        await _index(group, left_behind(read.tail), held, deps, settings.index_every_messages)
        return _Done()
    try:
        done = await _attribute_read(read, planning, held, deps)
    except Poisoned as error:
        if len(read.waiting) > 1:
            raise
        await planning.check_it_is_the_message(read)
        (found,) = read.found.values()
        reason = f"it cannot be placed: {error.message}"
        named = await _pass_over(group, found, reason, held, deps)
        return _Done(0, 0, named, read.is_more, size)
    return replace(done, next_size=larger(size))


async def _attribute_read(
    read: Read, planning: Planning, held: Held, deps: AttributionDeps
) -> _Done:
    group, settings = planning.group, planning.settings
    group_id, model = group.group_id, deps.embedder.model
    since = [message.pending_since for message in read.waiting]
    read, embedded = await planning.embedded(read)
    for message_id in embedded.refused:
        log.warning("message_passed_over", group_id=group_id, message_id=message_id)
    plan, read, asked = await planning.planned(read, embedded)
    jobs = await _due_jobs(group, plan.growth, plan.attributed, settings, deps)
    moved = await _to_move(group_id, plan, deps)
    run = run_outcome(plan, read, embedded, moved, model, settings, deps.now())
    pages = [*run.pages, *await deps.pages.changed_by(group_id, run.aside)]
    run = replace(run, tail=replace(run.tail, pages=listed(run.tail.pages, pages)))
    new = [message for message in run.placed if message.message_id not in plan.again]
    await deps.indexing.check_words(new)
    await deps.groups.commit(
        Plan(
            group_id,
            group.epoch,
            [
                *message_writes(plan, read, embedded, moved, model),
                *topic_writes(plan, read, jobs),
                put_tail(group_id, run.tail),
                *(put_page(group_id, page) for page in pages),
            ],
            change=lambda found: group_after(
                found, read, plan, run.lost_since, settings, deps.now()
            ),
        ),
        held,
    )
    for job in jobs:
        await deps.dispatch.job(job)
    await _index(group, run, held, deps, settings.index_every_messages)
    await _drop_vectors(group_id, plan, deps)
    log.info(
        "attributed",
        group_id=group_id,
        messages=len(plan.assignments),
        opened=len(plan.growth.opened),
        asked=asked,
        dissolved=len(plan.gone),
        waited_s=round(wait_of(since, deps.now()).total_seconds(), 2),
    )
    done = sum(assignment.message.message_id not in plan.again for assignment in plan.assignments)
    again = len(plan.assignments) - done
    return _Done(done, again, sorted(plan.refused), read.is_more)


async def _index(
    group: Group, run: RunOutcome, held: Held, deps: AttributionDeps, every: int
) -> None:
    """What is owed, once enough has gathered or some of it would be lost sight of. Nothing waits
    behind the index: if it is away, the marks stay, and a later run or upkeep makes it good."""
    if not run.owed or (len(run.owed) < every and run.lost_since is None):
        return
    group_id = group.group_id
    topics = await deps.topics.get_many(group_id, list(run.owed_topics))
    is_done = await deps.indexing.put(
        group_id, run.around, run.owed, list(topics.values()), deps.embedder.model
    )
    if not is_done:
        return

    def caught_up(found: Group) -> Group:
        is_ours = found.unindexed_since == run.lost_since
        return replace(found, unindexed_since=group.unindexed_since) if is_ours else found

    try:
        await deps.groups.commit(
            Plan(
                group_id,
                group.epoch,
                [put_tail(group_id, indexed(run.tail))],
                change=caught_up if run.lost_since else None,
            ),
            held,
        )
    except EpochMoved:
        # Something was forgotten meanwhile: the marks stay, and it is indexed once more.
        log.info("index_marks_stay", group_id=group_id)


async def _drop_vectors(group_id: str, plan: AttributionPlan, deps: AttributionDeps) -> None:
    if not plan.gone:
        return
    try:
        await deps.vectors.apply(group_id, vectors_to_drop(plan))
    except Transient as error:
        # A vector without its record is dropped by every reader.
        log.warning("vectors_not_dropped", group_id=group_id, code=error.code)


async def _due_jobs(
    group: Group, growth: Growth, new: int, own: Settings, deps: AttributionDeps
) -> list[Job]:
    """Summaries, and a reading for every full batch of rounds or page of lines. Only those that are
    not there yet: a job that exists would make the whole commit fail."""
    wanted = [
        summarize_job(group.group_id, topic_id, cause, deps.now())
        for topic_id, cause in growth.due.items()
    ]
    cause = reading_due(group, new, growth.rounds, own.extract_batch_size)
    if cause:
        wanted.append(evolve_job(group.group_id, cause, deps.now(), by_schedule=True))
    known = await asyncio.gather(*(deps.jobs.get(job.job_id) for job in wanted))
    return [job for job, found in zip(wanted, known, strict=True) if found is None]


async def _to_move(
    group_id: str, plan: AttributionPlan, deps: AttributionDeps
) -> Mapping[str, FoundMessage]:
    """The earlier messages that change their topic, as they are now."""
    if not plan.moves:
        return {}
    found = await deps.messages.get_many(group_id, sorted(plan.moves))
    if any(
        message_id not in found or found[message_id].message.topic_id not in plan.gone
        for message_id in plan.moves
    ):
        raise Conflict("a message that was to move is not where it was")
    return found
