"""Gives pending messages their topics: read, embed, decide, ask, vectors, one fenced commit."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from functions.ingest_message.topic_reads import Read, TopicReads
from functions.ingest_message.topic_vectors import (
    Embedded,
    embed,
    vectors_to_drop,
    vectors_to_index,
)
from functions.ingest_message.topic_words import Words
from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import summarize_job
from shared.contracts.replies import NEW_TOPIC, TopicChoices
from shared.domain.attribution.deciding import (
    AttributionPlan,
    Placed,
    decide_attribution,
    place_messages,
)
from shared.domain.attribution.growing import Growth, Rules
from shared.domain.attribution.proposing import Known, Thresholds
from shared.domain.attribution.questions import NO_QUESTIONS, Questions, questions, quotable
from shared.domain.attribution.settling import Answers, Choice, Title
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.lease import attribution_of
from shared.errors import BadReply, Conflict, EpochMoved, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.database import Write
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.leases import Held
from shared.stores.messages import (
    FoundMessage,
    Messages,
    attributed_message,
    moved_message,
    passed_over,
)
from shared.stores.recent_messages import Recent
from shared.stores.topics import Topics, changed_topic, delete_topic
from shared.stores.vectors import Vectors

if TYPE_CHECKING:
    from shared.domain.attribution.tables import Tables

BATCH = 100
"""Fits one commit with its topics, words and jobs, and is placed in a tenth of a second."""
TRIES = 3
"""Each lost to an edit or a recall in between; after them the queue sends the task again."""
GOES_ON_FOR_S = 20.0
"""A task that finds more than a batch goes on for so long before it leaves the rest to the next."""
EMBEDDING_SHARE = 1 / 3
"""Of the time for models; the rest is for the one question."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    topics: Topics
    jobs: Jobs
    vectors: Vectors
    words: Words
    recent: Recent
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
    """`waiting`: another run works for the group, and sends this one again when it ends."""

    waiting: bool = False
    attributed: int = 0
    passed_over: Sequence[str] = ()


@dataclass(frozen=True)
class _Done:
    attributed: int = 0
    passed_over: Sequence[str] = ()
    is_more: bool = False


async def attribute(group_id: str, deps: Deps) -> AttributionReport:
    """The pending messages of a group, the longest waiting first, a hundred at a time."""
    lease = attribution_of(group_id)

    async def again() -> None:
        await deps.dispatch.attribution(group_id)
        await deps.worker.send_next(lease)

    attributed = 0
    named: list[str] = []
    until = time.monotonic() + GOES_ON_FOR_S
    async with deps.worker.holding(lease, again) as held:
        if held is None:
            return AttributionReport(waiting=True)
        while True:
            done = await _attribute_some(group_id, held, deps)
            attributed += done.attributed
            named += done.passed_over
            if not done.is_more:
                break
            if time.monotonic() >= until:
                await deps.dispatch.attribution(group_id)
                break
    return AttributionReport(attributed=attributed, passed_over=named)


async def _attribute_some(group_id: str, held: Held, deps: Deps) -> _Done:
    for _ in range(TRIES):
        try:
            return await _attribute_batch(group_id, held, deps)
        except (Conflict, EpochMoved):
            # Edited, recalled or forgotten while we looked: look again.
            continue
    raise Transient(f"the messages of {group_id} keep changing")


async def _attribute_batch(group_id: str, held: Held, deps: Deps) -> _Done:
    group = await deps.groups.find(group_id)
    if group is None or group.is_deleted:
        return _Done()
    settings = settings_for(group, deps.settings)
    reads = TopicReads(deps.messages, deps.topics, deps.recent)
    read = await reads.around_pending(group, BATCH)
    if not read.waiting:
        return _Done()
    model = deps.embedder.model
    embedded = await embed(
        group_id,
        read,
        deps.embedder,
        is_indexing=settings.message_vectors,
        budget_s=deps.model_budget_s * EMBEDDING_SHARE,
    )
    for message_id in embedded.refused:
        log.warning("message_passed_over", group_id=group_id, message_id=message_id)
    # A hundred messages hold the processor for a tenth of a second: not on the loop.
    placed = await asyncio.to_thread(
        place_messages,
        [one for one in read.waiting if one.message_id not in embedded.refused],
        Known(read.before, read.replied, frozenset(read.topics), model, deps.tables),
        Thresholds(settings.topic_join_threshold, settings.topic_ask_threshold),
        embedded.own,
        read.topics,
        group.attributed_messages,
    )
    read = await reads.with_topics(group_id, read, placed.topics_touched())
    wishes = NO_QUESTIONS
    if _is_time_to_ask(group, len(placed.proposals), settings.topic_ask_every):
        wishes = await _questions(group_id, placed, read, reads)
    answers = await _ask(group_id, wishes, deps)
    plan = decide_attribution(
        placed,
        read.before,
        read.topics,
        embedded.own,
        Rules(
            timedelta(hours=settings.topic_idle_hours),
            settings.enable_summaries,
            settings.summary_every_messages,
            settings.trigger_tokens,
            timedelta(hours=settings.summary_every_hours),
        ),
        embedding_model=model,
        answers=answers,
        title_wishes=wishes.untitled,
        refused=embedded.refused,
        roles={message_id: one.role for message_id, one in read.messages.items()},
    )
    jobs = await _summary_jobs(group_id, plan.growth, deps)
    moved = await _to_move(group_id, plan, deps)
    # The index first: this work has no job to come back to, and a vector without its record is
    # dropped by every reader. The other way round a crash in between would leave a hole.
    vectors = vectors_to_index(
        plan, read, embedded, embedding_model=model, is_indexing=settings.message_vectors
    )
    decided = {one.message.message_id: one.topic_id for one in plan.assignments}
    _, words = await asyncio.gather(
        deps.vectors.apply(group_id, vectors),
        deps.words.put(group_id, read.messages.values(), decided),
    )
    await deps.groups.commit(
        Plan(
            group_id,
            group.epoch,
            [
                *_message_writes(plan, read, embedded, moved, model),
                *_topic_writes(plan, read, jobs),
                *words.writes,
            ],
            change=lambda found: _seen(found, plan, words.behind_since),
        ),
        held,
    )
    if plan.gone:
        await deps.vectors.apply(group_id, vectors_to_drop(plan))
    for job in jobs:
        await deps.dispatch.job(job)
    log.info(
        "attributed",
        group_id=group_id,
        messages=len(plan.assignments),
        opened=len(plan.growth.opened),
        asked=len(wishes.asked),
        dissolved=len(plan.gone),
    )
    return _Done(len(plan.assignments), sorted(plan.refused), read.is_more)


def _is_time_to_ask(group: Group, count: int, every: int) -> bool:
    """Doubts and titles are collected: one question for so many messages, and a first one."""
    before = group.attributed_messages
    return before == 0 or (before + count) // every > before // every


async def _questions(group_id: str, placed: Placed, read: Read, reads: TopicReads) -> Questions:
    quoted = quotable(read.before, placed.proposals)
    unquoted = quoted.lacking(placed.proposals)
    if unquoted:
        quoted = quoted.also(await reads.last_of(group_id, unquoted))
    return questions(placed.proposals, read.topics, quoted)


async def _ask(group_id: str, wishes: Questions, deps: Deps) -> Answers | None:
    """One call for everything; None if there is no model: then likeness decides, keywords name."""
    if not wishes:
        return None
    try:
        answer = await deps.model.ask(
            "topic_attribute",
            TopicChoices,
            wishes.data,
            group_id=group_id,
            budget_s=deps.model_budget_s * (1 - EMBEDDING_SHARE),
        )
    except (Transient, BadReply) as error:
        log.warning("topics_without_model", group_id=group_id, code=error.code)
        return None
    return answers_of(answer.reply, wishes)


def answers_of(reply: TopicChoices, wishes: Questions) -> Answers:
    """What the model said, by message and topic; what it says of no question is passed over."""
    choices: dict[str, Choice] = {}
    for one in reply.answers:
        if 1 <= one.n <= len(wishes.asked):
            message_id = wishes.asked[one.n - 1].message.message_id
            candidate = None if one.choice == NEW_TOPIC else int(one.choice)
            title = Title(one.title, one.description) if one.title else None
            choices.setdefault(message_id, Choice(candidate, title))
    titles: dict[str, Title] = {}
    for wish in reply.titles:
        if 1 <= wish.n <= len(wishes.untitled):
            titles.setdefault(wishes.untitled[wish.n - 1], Title(wish.title, wish.description))
    return Answers(choices, titles)


async def _summary_jobs(group_id: str, growth: Growth, deps: Deps) -> list[Job]:
    """Those that are not there yet: a job that exists would make the whole commit fail."""
    wanted = [
        summarize_job(group_id, topic_id, cause, deps.now())
        for topic_id, cause in growth.due.items()
    ]
    known = await asyncio.gather(*(deps.jobs.get(job.job_id) for job in wanted))
    return [job for job, found in zip(wanted, known, strict=True) if found is None]


async def _to_move(group_id: str, plan: AttributionPlan, deps: Deps) -> Mapping[str, FoundMessage]:
    """The earlier messages that change their topic, as they are now."""
    if not plan.moves:
        return {}
    found = await deps.messages.get_many(group_id, sorted(plan.moves))
    if any(one not in found or found[one].message.topic_id not in plan.gone for one in plan.moves):
        raise Conflict("a message that was to move is not where it was")
    return found


def _message_writes(
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


def _topic_writes(plan: AttributionPlan, read: Read, jobs: Sequence[Job]) -> list[Write]:
    return [
        *(
            changed_topic(read.topics.get(topic_id), topic)
            for topic_id, topic in plan.growth.changed.items()
        ),
        *(delete_topic(read.group_id, one) for one in sorted(plan.gone)),
        *map(new_job, jobs),
    ]


def _seen(group: Group, plan: AttributionPlan, behind_since: datetime | None) -> Group:
    """Extraction starts from the count of rounds once its route is there."""
    behind = [one for one in (group.words_behind, behind_since) if one]
    return replace(
        group,
        evolve_due=True,
        rounds_since_extraction=group.rounds_since_extraction + plan.growth.rounds,
        attributed_messages=group.attributed_messages + plan.attributed,
        words_behind=min(behind, default=None),
    )
