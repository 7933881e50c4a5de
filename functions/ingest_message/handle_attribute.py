"""Gives pending messages their topics: read, embed, decide, ask, vectors, one fenced commit."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from functions.ingest_message.topic_reads import Read, TopicReads
from functions.ingest_message.topic_vectors import embed, vector_plan
from functions.ingest_message.topic_words import Words
from functions.ingest_message.turns import Turn, one_by_one
from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings
from shared.config.overrides import effective
from shared.contracts.jobs import summarize_job
from shared.contracts.replies import NEW_TOPIC, TopicChoices
from shared.domain.attribution.growing import Growth, Rules, grow
from shared.domain.attribution.proposing import Known, Proposal, Thresholds, propose
from shared.domain.attribution.questions import (
    Questions,
    Quotable,
    questions,
    quotable,
    uncertain,
)
from shared.domain.attribution.scoring import HAND_SET, Scorer
from shared.domain.attribution.settling import (
    NO_ANSWERS,
    Answers,
    Choice,
    Settled,
    Title,
    settle,
)
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.lease import attribution_of
from shared.errors import BadReply, Conflict, EpochMoved, InvalidInput, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.database import Write
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.leases import Held
from shared.stores.messages import Messages, attributed_message, passed_over
from shared.stores.recent_messages import Recent
from shared.stores.topics import Topics, changed_topic
from shared.stores.vectors import Vectors

BATCH = 100
TRIES = 3
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
    turns: asyncio.Semaphore
    scorer: Scorer = HAND_SET


@dataclass(frozen=True)
class _Done:
    attributed: int = 0
    passed_over: Sequence[str] = ()
    is_more: bool = False


async def attribute(group_id: str, deps: Deps) -> Mapping[str, Any]:
    """The pending messages of a group, the longest waiting first, a hundred at a time."""
    async with Turn(deps.turns) as turn:
        return await _attribute_all(group_id, turn, deps)


async def _attribute_all(group_id: str, turn: Turn, deps: Deps) -> Mapping[str, Any]:
    lease = attribution_of(group_id)

    async def again() -> None:
        await deps.dispatch.attribution(group_id)
        await deps.worker.send_next(lease)

    attributed = 0
    named: list[str] = []
    until = time.monotonic() + GOES_ON_FOR_S
    async with deps.worker.holding(lease, again) as held:
        if held is None:
            return {"waiting": True}
        while True:
            done = await _attribute_some(group_id, held, turn, deps)
            attributed += done.attributed
            named += done.passed_over
            if not done.is_more:
                break
            if time.monotonic() >= until:
                await deps.dispatch.attribution(group_id)
                break
    return {"attributed": attributed, "passed_over": named}


async def _attribute_some(group_id: str, held: Held, turn: Turn, deps: Deps) -> _Done:
    for _ in range(TRIES):
        try:
            return await _attribute_batch(group_id, held, turn, deps)
        except (Conflict, EpochMoved):
            # Edited, recalled or forgotten while we looked: look again.
            continue
    raise Transient(f"the messages of {group_id} keep changing")


async def _attribute_batch(group_id: str, held: Held, turn: Turn, deps: Deps) -> _Done:
    group = await deps.groups.find(group_id)
    if group is None or group.is_deleted:
        return _Done()
    settings = _settings_of(group, deps)
    thresholds = Thresholds(
        settings.topic_join_threshold,
        settings.topic_ask_threshold,
        timedelta(hours=settings.topic_idle_hours),
    )
    reads = TopicReads(deps.messages, deps.topics, deps.recent)
    read = await reads.around_pending(group, BATCH, thresholds.idle)
    if not read.waiting:
        return _Done()
    known = Known(
        before=read.before,
        replied=read.replied,
        topics=read.topics,
        embedding_model=deps.embedder.model,
    )
    async with turn.given_up():
        embedded = await embed(
            group_id,
            read,
            known,
            deps.scorer,
            thresholds,
            deps.embedder,
            is_indexing=settings.message_vectors,
            budget_s=deps.model_budget_s * EMBEDDING_SHARE,
        )
    for message_id in embedded.refused:
        log.warning("message_passed_over", group_id=group_id, message_id=message_id)
    readable = [one for one in read.waiting if one.message_id not in embedded.refused]
    proposals = await one_by_one(propose(readable, known, deps.scorer, thresholds, embedded.own))
    wishes = await _questions(group_id, proposals, read, reads)
    answers = await _ask(group_id, wishes, turn, deps)
    settled = settle(proposals, answers or NO_ANSWERS)
    growth = grow(
        settled,
        read.topics,
        embedded.own,
        Rules(
            thresholds.idle,
            settings.enable_summaries,
            settings.summary_every_messages,
            settings.trigger_tokens,
        ),
        embedding_model=deps.embedder.model,
        title_wishes=wishes.untitled if answers else (),
        roles={message_id: one.role for message_id, one in read.messages.items()},
    )
    jobs = await _summary_jobs(group_id, growth, deps)
    # The index first: this work has no job to come back to, and a vector without its record is
    # dropped by every reader. The other way round a crash in between would leave a hole.
    vectors = vector_plan(
        read,
        settled,
        growth,
        embedded,
        embedding_model=deps.embedder.model,
        is_indexing=settings.message_vectors,
    )
    decided = {one.message.message_id: one.topic_id for one in settled.assignments}
    _, words = await asyncio.gather(
        deps.vectors.apply(group_id, vectors),
        deps.words.put(group_id, read.messages.values(), decided),
    )
    await deps.groups.commit(
        Plan(
            group_id,
            group.epoch,
            [*_writes(read, settled, growth, embedded.refused, jobs), *words.writes],
            change=lambda found: _seen(found, growth.rounds, words.behind_since),
        ),
        held,
    )
    for job in jobs:
        await deps.dispatch.job(job)
    log.info(
        "attributed",
        group_id=group_id,
        messages=len(settled.assignments),
        opened=len(growth.opened),
        asked=len(wishes.asked),
    )
    return _Done(len(settled.assignments), sorted(embedded.refused), read.is_more)


def _settings_of(group: Group, deps: Deps) -> Settings:
    try:
        return effective(deps.settings, group.settings)
    except InvalidInput as error:
        # Stored by another version: the group goes on by the deployment's own.
        log.warning("group_settings_unusable", group_id=group.group_id, problem=error.message)
        return deps.settings


async def _questions(
    group_id: str, proposals: Sequence[Proposal], read: Read, reads: TopicReads
) -> Questions:
    quoted = quotable(read.before, proposals)
    unquoted = sorted(
        {
            choice.topic_id
            for proposal in uncertain(proposals)
            for choice in proposal.candidates
            if not quoted.last(choice.topic_id)
        }
    )
    if unquoted:
        more = await reads.last_of(group_id, unquoted)
        quoted = Quotable({**quoted.by_topic, **more})
    return questions(proposals, read.topics, quoted)


async def _ask(group_id: str, wishes: Questions, turn: Turn, deps: Deps) -> Answers | None:
    """One call for everything; None if there is no model: then likeness decides, keywords name."""
    if not wishes:
        return None
    try:
        async with turn.given_up():
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


def _writes(
    read: Read, settled: Settled, growth: Growth, refused: Iterable[str], jobs: Sequence[Job]
) -> list[Write]:
    return [
        *(
            attributed_message(read.found[one.message.message_id], one.topic_id, one.continues)
            for one in settled.assignments
        ),
        *(passed_over(read.found[one], "the embedder refused it") for one in refused),
        *(
            changed_topic(read.topics.get(topic_id), topic)
            for topic_id, topic in growth.changed.items()
        ),
        *map(new_job, jobs),
    ]


def _seen(group: Group, rounds: int, behind_since: datetime | None) -> Group:
    """Extraction starts from the count of rounds once its route is there."""
    behind = [one for one in (group.words_behind, behind_since) if one]
    return replace(
        group,
        evolve_due=True,
        rounds_since_extraction=group.rounds_since_extraction + rounds,
        words_behind=min(behind, default=None),
    )
