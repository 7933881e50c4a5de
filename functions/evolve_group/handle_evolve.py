"""Fuses what a group said since the last run into its memories: one fenced commit, then vectors."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from functions.evolve_group.statement_similarity import Likeness
from shared import log
from shared.clients.model import Model
from shared.contracts.jobs import evolve_job
from shared.contracts.prompts import prompt_message, prompt_time
from shared.contracts.replies import Evolution
from shared.domain.group import Cursor, Group
from shared.domain.jobs.job import Job, KeptReply
from shared.domain.jobs.kinds import EvolutionReport, EvolutionStats, EvolveGroup
from shared.domain.memories.core import with_core
from shared.domain.memories.evolution import (
    EvolutionPlan,
    Line,
    Rules,
    Source,
    decide_evolution,
    next_review,
    unsupported,
)
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack
from shared.errors import BadReply, Conflict, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.stores.database import Write
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import new_job
from shared.stores.memories import (
    Found,
    Memories,
    changed_memory,
    new_change,
    new_memory,
    patched_memory,
)
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id

MAX_MEMORIES = 50
MAX_MESSAGES = 200
FRESH_PLANS = 3
"""How often a plan is made again within one attempt because somebody changed a memory by hand."""
CURSOR = "evolve"
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Deps:
    groups: Groups
    memories: Memories
    messages: Messages
    vectors: Vectors
    model: Model
    likeness: Likeness
    dispatch: Dispatch
    now: Callable[[], datetime]
    model_budget_s: float
    rules: Rules
    unsupported_days: int


async def evolve(work: JobInHand, deps: Deps) -> EvolutionReport:
    """One page of news. After the commit a repetition only puts the vectors again."""
    report = work.report(EvolutionReport) if work.is_committed else await _committed(work, deps)
    await index(work.job.group_id, report.touched, deps.memories, deps.vectors)
    if report.next_job:
        await deps.dispatch.job(_next_job(work, report.after, deps.now()))
    else:
        await _notice_news(work.job.group_id, deps)
    return report


async def _committed(work: JobInHand, deps: Deps) -> EvolutionReport:
    """Changed by hand while the model thought: its answer is kept, and the plan made anew."""
    for _ in range(FRESH_PLANS):
        try:
            return await _evolved(work, deps)
        except Conflict:
            log.info("evolution_planned_again", group_id=work.job.group_id)
            work = await work.reread()
    raise Transient("the memories keep changing under this run")


async def _evolved(work: JobInHand, deps: Deps) -> EvolutionReport:
    group_id = work.job.group_id
    group, found = await asyncio.gather(deps.groups.get(group_id), _known(group_id, deps))
    # After a change of the embedding model, upkeep may not have come to this group yet.
    memories = await deps.likeness.with_vectors(group_id, [one.memory for one in found.values()])
    page = await _page(group, work, deps)
    spoken = [one for one in page.messages if one.is_readable and one.content.strip()]
    supported = await _with_support(memories, spoken, deps)
    active = [one for one in memories if one.status is MemoryStatus.ACTIVE]
    plan = EvolutionPlan((), (), (), kept=len(active))
    if spoken or _is_review_due(group, supported, deps):
        plan = await _planned(work, memories, supported, page, spoken, deps)
    core = deps.rules.core_threshold
    supported = [with_core(one, core) for one in supported]
    written = await deps.likeness.with_vectors(group_id, [with_core(one, core) for one in plan.new])
    after = page.messages[-1].message_id if page.messages else None
    next_job = _next_job(work, after, deps.now()) if page.is_more else None
    report = EvolutionReport(
        evolution_time=deps.now(),
        stats=EvolutionStats(plan.kept, plan.updated, plan.created, plan.deleted),
        message="evolved" if spoken else "no new messages",
        touched=tuple(one.memory_id for one in (*plan.new, *plan.changed)),
        next_job=next_job.job_id if next_job else None,
        after=after,
    )
    writes = [
        *map(new_memory, written),
        *(changed_memory(one, found[one.memory_id].revision) for one in plan.changed),
        *_support_writes(supported, found, plan),
        *map(new_change, plan.changes),
        *([new_job(next_job)] if next_job else []),
    ]
    gone = {one.memory_id for one in plan.changed}
    stay = [*written, *(one for one in supported if one.memory_id not in gone)]
    review_at = next_review(stay, deps.now(), deps.unsupported_days)

    def moved(now_group: Group) -> Group:
        now_group = replace(now_group, review_at=review_at)
        return now_group if work.payload(EvolveGroup).days else _read_until(page, now_group)

    await work.commit(Plan(group_id, group.epoch, writes, change=moved, report=report))
    if plan.warnings:
        log.warning("evolution_lines_left_out", group_id=group_id, reasons=list(plan.warnings))
    return report


async def _known(group_id: str, deps: Deps) -> dict[str, Found]:
    """The active memories, and as many candidates as there is room for beside them."""
    active, candidates = await asyncio.gather(
        deps.memories.with_status(group_id, MemoryStatus.ACTIVE, MAX_MEMORIES),
        deps.memories.with_status(group_id, MemoryStatus.CANDIDATE, MAX_MEMORIES),
    )
    found = [*active, *candidates][:MAX_MEMORIES]
    return {one.memory.memory_id: one for one in found}


@dataclass(frozen=True)
class _Page:
    """The news of one model call, read at `epoch`. `answer` is what the model said of it before
    a crash."""

    messages: Sequence[StoredMessage]
    is_more: bool
    epoch: int
    answer: str | None = None


async def _page(group: Group, work: JobInHand, deps: Deps) -> _Page:
    """What the model is asked about, or was: what came since it was asked is the next page."""
    found = await _news(group, work, deps)
    reply = work.job.reply
    # An answer from before something was forgotten may quote it, so it is not used.
    if reply is not None and reply.epoch == group.epoch:
        places = {one.message_id: place for place, one in enumerate(found, 1)}
        end = 0 if reply.until is None else places.get(reply.until)
        if end is not None:
            return _Page(found[:end], len(found) > end, group.epoch, json.loads(reply.answer))
    return _Page(found[:MAX_MESSAGES], len(found) > MAX_MESSAGES, group.epoch)


async def _news(group: Group, work: JobInHand, deps: Deps) -> Sequence[StoredMessage]:
    """What came since the cursor; with `days`, what was said in that window; oldest first.

    One more than a page: so a run knows whether there is another.
    """
    asked, until, limit = work.payload(EvolveGroup), work.job.created_at, MAX_MESSAGES + 1
    if asked.days:
        since = until - timedelta(days=asked.days)
        return await deps.messages.said_between(group.group_id, since, until, asked.after, limit)
    return await deps.messages.since(group.group_id, group.cursors.get(CURSOR), limit)


def _next_job(work: JobInHand, after: str | None, now: datetime) -> Job:
    """The next page is a job of its own: its id comes from this one, so twice is once."""
    job, days = work.job, work.payload(EvolveGroup).days
    return evolve_job(job.group_id, f"after {job.job_id}", now, days, after if days else None)


def _is_review_due(group: Group, supported: Sequence[Memory], deps: Deps) -> bool:
    """Silence is looked at once in so many days, not at every run of a silent group."""
    now = deps.now()
    is_due = group.review_at is None or group.review_at <= now
    return is_due and bool(unsupported(supported, now, deps.unsupported_days))


def _read_until(page: _Page, group: Group) -> Group:
    """The cursor goes on, never back."""
    last = page.messages[-1] if page.messages else None
    cursors, known = dict(group.cursors), group.cursors.get(CURSOR)
    if last and last.received_at and (known is None or last.received_at >= known.at):
        cursors[CURSOR] = Cursor(last.received_at, last.message_id)
    return replace(group, cursors=cursors, evolve_due=page.is_more)


async def _notice_news(group_id: str, deps: Deps) -> None:
    """What came while the run was under way makes the group due again."""
    group = await deps.groups.find(group_id)
    if group is None or group.is_deleted or group.evolve_due:
        return
    if await deps.messages.since(group_id, group.cursors.get(CURSOR), 1):
        await deps.groups.change(
            group_id, lambda found: replace(found, evolve_due=True), deps.now()
        )


async def _with_support(
    memories: Sequence[Memory], messages: Sequence[StoredMessage], deps: Deps
) -> list[Memory]:
    """When each was last spoken for, by likeness: the model need not tell."""
    seen = await deps.likeness.supported_at(memories, messages)
    known = {one.memory_id: one.last_supported_at or one.created_at for one in memories}
    return [
        replace(one, last_supported_at=max(known[one.memory_id], seen.get(one.memory_id, LONG_AGO)))
        for one in memories
    ]


def _support_writes(
    supported: Sequence[Memory], found: Mapping[str, Found], plan: EvolutionPlan
) -> list[Write]:
    """For the memories that stay as they are: only support moved, or whether they are core."""
    changed = {one.memory_id for one in plan.changed}
    return [
        patched_memory(found[one.memory_id], last_supported_at=one.last_supported_at, core=one.core)
        for one in supported
        if one.memory_id not in changed and _support(one) != _support(found[one.memory_id].memory)
    ]


def _support(memory: Memory) -> tuple[datetime | None, bool]:
    return memory.last_supported_at, memory.core


async def _planned(
    work: JobInHand,
    memories: Sequence[Memory],
    supported: Sequence[Memory],
    page: _Page,
    spoken: Sequence[StoredMessage],
    deps: Deps,
) -> EvolutionPlan:
    """The model sees the support of today; the decision the memories as they were stored."""
    lines = await _lines(work, supported, page, spoken, deps)
    said = {line.statement: line.subject for line in lines if line.statement}
    is_same = await deps.likeness.sameness(work.job.group_id, said)
    return decide_evolution(
        memories,
        lines,
        group_id=work.job.group_id,
        run_id=work.job.job_id,
        now=deps.now(),
        sources={
            one.message_id: Source(one.user_id, one.create_time)
            for one in spoken
            if one.role != "assistant"
        },
        rules=deps.rules,
        is_same=is_same,
    )


async def _lines(
    work: JobInHand,
    memories: Sequence[Memory],
    page: _Page,
    spoken: Sequence[StoredMessage],
    deps: Deps,
) -> list[Line]:
    """The model's decisions; its raw answer is kept on the job, with the page that it is about,
    before anything is made of it."""
    if page.answer is not None:
        reply, _ = Evolution.read(page.answer)
        if reply is None:
            raise BadReply("the stored answer cannot be read")
    else:
        answer = await deps.model.ask(
            "memory_evolve",
            Evolution,
            _question(memories, spoken, deps.now()),
            group_id=work.job.group_id,
            budget_s=deps.model_budget_s,
        )
        until = page.messages[-1].message_id if page.messages else None
        await work.keep_reply(KeptReply(json.dumps(answer.raw), page.epoch, until))
        reply = answer.reply
    return [
        Line(
            action=line.action,
            old_id=line.old_id or None,
            statement=line.statement or "",
            reason=line.change_reason or "",
            kind=line.kind or "",
            subject=line.subject or "",
            tags=tuple(line.tags),
            sources=tuple(line.sources),
        )
        for line in reply.lines
    ]


def _question(
    memories: Sequence[Memory], messages: Sequence[StoredMessage], now: datetime
) -> dict[str, Any]:
    return {
        "today": now.date().isoformat(),
        "existing_memories": [
            {
                "id": memory.memory_id,
                "statement": memory.statement,
                "kind": memory.kind,
                "subject": memory.subject,
                "version": memory.version,
                "status": memory.status.value,
                "last_supported_at": prompt_time(memory.last_supported_at),
            }
            for memory in memories
        ],
        "new_discussions": [prompt_message(message) for message in messages],
    }


async def index(
    group_id: str, memory_ids: Sequence[str], memories: Memories, vectors: Vectors
) -> None:
    """What is active is in the index, what is not is not. Safe to repeat."""
    found = await memories.get_many(group_id, memory_ids)
    upserts = [
        Vector("memory", one.memory_id, unpack(one.vector), one.version, one.updated_at)
        for one in found.values()
        if one.status is MemoryStatus.ACTIVE and one.vector
    ]
    kept = {one.record_id for one in upserts}
    deletes = [vector_id("memory", one) for one in memory_ids if one not in kept]
    await vectors.apply(group_id, VectorPlan(upserts, deletes))
