"""Fuses what a group said since the last run into its memories: one fenced commit, then vectors."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from functions.evolve_group.evolution_question import question
from shared import log
from shared.clients.model import Model
from shared.config import settings_for
from shared.contracts.jobs import next_evolve_job, skipped_evolve_job
from shared.contracts.prompt_names import PromptNames
from shared.contracts.queues import queues
from shared.contracts.replies import Evolution
from shared.domain.context.shown_times import zone_named
from shared.domain.group import Group
from shared.domain.jobs.kinds import (
    NO_COST,
    EvolutionReport,
    EvolutionStats,
    EvolveGroup,
    ModelCost,
    SkippedPage,
)
from shared.domain.memories.core import with_core
from shared.domain.memories.evolution import (
    EvolutionPlan,
    EvolutionRules,
    ModelLine,
    Source,
    Speakers,
    bot_names,
    decide_evolution,
)
from shared.domain.memories.expiry import expiry_in
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.news import (
    CURSOR,
    MAX_MESSAGES,
    NewsPage,
    due_with,
    is_rest_small,
    kept_reply,
    news_page,
    read_until,
)
from shared.domain.memories.support import is_review_due, next_review, with_support
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import BadReply
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.search.memory_index import index
from shared.search.standings import standings_behind
from shared.search.statement_similarity import StatementSimilarity, similarity_for
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import new_job
from shared.stores.memories import (
    FoundMemory,
    Memories,
    changed_memory,
    new_change,
    new_memory,
    patched_memory,
)
from shared.stores.messages import Messages
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_MEMORIES = 50
"""Shown to the model at once; a group has at most thirty active ones, the rest are candidates."""


@dataclass(frozen=True)
class EvolutionDeps:
    groups: Groups
    memories: Memories
    messages: Messages
    vectors: Vectors
    model: Model
    similarity: StatementSimilarity
    dispatch: Dispatch
    now: Callable[[], datetime]
    model_budget_s: float
    rules: EvolutionRules
    unsupported_days: int
    every: int
    waits: timedelta
    """New messages that are worth a call by schedule, and how long fewer wait for more."""
    timezone: str | None = None


def deps_for(group: Group | None, made: Services) -> EvolutionDeps:
    """By the group's own settings."""
    own = settings_for(group, made.settings)
    return made.deps(
        EvolutionDeps,
        similarity=similarity_for(own, made.embedder),
        model_budget_s=queues()["evolve"].model_budget_s,
        rules=EvolutionRules(own.max_active_memories, own.hold_back_memories, own.core_threshold),
        unsupported_days=own.unsupported_days,
        every=own.evolve_every_messages,
        waits=timedelta(days=own.evolve_every_days),
        timezone=own.timezone,
    )


async def run(work: JobInHand, made: Services) -> EvolutionReport:
    return await evolve(work, deps_for(await made.groups.find(work.job.group_id), made))


async def evolve(work: JobInHand, deps: EvolutionDeps) -> EvolutionReport:
    """One page of news. After the commit a repetition only puts the vectors again."""
    if work.is_committed:
        report = work.report(EvolutionReport)
    else:
        report = await work.planned(lambda one: _evolved(one, deps))
    await index(work.job.group_id, report.touched, deps.memories, deps.vectors)
    if report.next_job:
        asked = work.payload(EvolveGroup)
        await deps.dispatch.job(next_evolve_job(work.job, asked, report.after, deps.now()))
    else:
        await _notice_news(work.job.group_id, deps)
    return report


async def _evolved(work: JobInHand, deps: EvolutionDeps) -> EvolutionReport:
    group_id, asked, now = work.job.group_id, work.payload(EvolveGroup), deps.now()
    group, found = await asyncio.gather(deps.groups.get(group_id), _known(group_id, deps))
    # After a change of the embedding model, upkeep may not have come to this group yet.
    memories = await deps.similarity.with_vectors(group_id, [one.memory for one in found.values()])
    page = news_page(await _news(group, work, deps), work.job.reply, group.epoch)
    heard = await deps.similarity.supported_at(memories, page.spoken)
    supported = with_support(memories, heard)
    plan, cost = EvolutionPlan.unchanged(memories), NO_COST
    if page.says_something or is_review_due(group, supported, now, deps.unsupported_days):
        try:
            plan, cost = await _planned(work, memories, supported, page, group, deps)
        except BadReply as error:
            is_last = work.job.attempts >= work.job.max_attempts
            if not is_last or asked.days or asked.skipped or not page.until:
                raise
            return await _stepped_over(work, group, page, error, deps)
    core, left = deps.rules.core_threshold, {one.memory_id for one in plan.changed}
    stay = [with_core(one, core) for one in supported if one.memory_id not in left]
    new = await deps.similarity.with_vectors(group_id, [with_core(one, core) for one in plan.new])
    is_put_off = asked.by_schedule and is_rest_small(page, group, deps.every)
    goes_on = page.is_more and not is_put_off
    next_job = next_evolve_job(work.job, asked, page.until, now) if goes_on else None
    report = EvolutionReport(
        evolution_time=now,
        stats=EvolutionStats(plan.kept, plan.updated, plan.created, plan.deleted),
        message=_told(page),
        touched=tuple(one.memory_id for one in (*plan.new, *plan.changed)),
        next_job=next_job.job_id if next_job else None,
        after=page.until,
        candidates=plan.candidates,
        judged=plan.judged,
        cost=cost,
    )
    writes = [
        *map(new_memory, new),
        *(changed_memory(one, found[one.memory_id].revision) for one in plan.changed),
        *(
            patched_memory(
                found[one.memory_id], last_supported_at=one.last_supported_at, core=one.core
            )
            for one in stay
            if _support(one) != _support(found[one.memory_id].memory)
        ),
        *map(new_change, plan.changes),
        *([new_job(next_job)] if next_job else []),
    ]
    review_at = next_review([*new, *stay], now, deps.unsupported_days)

    def moved(now_group: Group) -> Group:
        now_group = replace(now_group, review_at=review_at)
        if asked.days or asked.skipped:
            return now_group
        moved = read_until(page, now_group, now)
        return replace(moved, evolve_due_at=now + deps.waits) if is_put_off else moved

    await work.commit(Plan(group_id, group.epoch, writes, change=moved, report=report))
    if plan.warnings:
        log.warning("evolution_lines_left_out", group_id=group_id, reasons=list(plan.warnings))
    return report


def _told(page: NewsPage) -> str:
    if not page.spoken:
        return "no new messages"
    return "evolved" if page.says_something else "only small talk"


async def _stepped_over(
    work: JobInHand, group: Group, page: NewsPage, error: BadReply, deps: EvolutionDeps
) -> EvolutionReport:
    """The model cannot be brought to say anything of this page: the group goes on behind it, and
    the page is left as a failed job of its own."""
    group_id, now, until = work.job.group_id, deps.now(), page.until
    assert until is not None
    skipped = SkippedPage(group.cursors.get(CURSOR), until)
    failed = skipped_evolve_job(work.job, skipped, f"{error.code}: {error.message}", now)
    asked = work.payload(EvolveGroup)
    next_job = next_evolve_job(work.job, asked, until, now) if page.is_more else None
    log.error(
        "evolution_page_skipped",
        group_id=group_id,
        job_id=failed.job_id,
        messages=len(page.messages),
        code=error.code,
    )
    report = EvolutionReport(
        evolution_time=now,
        stats=EvolutionStats(0, 0, 0, 0),
        message=f"skipped {len(page.messages)} messages: {failed.job_id}",
        touched=(),
        next_job=next_job.job_id if next_job else None,
        after=until,
        candidates=0,
        cost=NO_COST,
    )
    jobs = [failed, *([next_job] if next_job else [])]
    await work.commit(
        Plan(
            group_id,
            group.epoch,
            [*map(new_job, jobs)],
            change=lambda found: read_until(page, found, now),
            report=report,
        )
    )
    return report


def _support(memory: Memory) -> tuple[datetime | None, bool]:
    return memory.last_supported_at, memory.core


async def _known(group_id: str, deps: EvolutionDeps) -> dict[str, FoundMemory]:
    """The active memories, and as many candidates as there is room for beside them."""
    active, candidates = await asyncio.gather(
        deps.memories.with_status(group_id, MemoryStatus.ACTIVE, MAX_MEMORIES),
        deps.memories.with_status(group_id, MemoryStatus.CANDIDATE, MAX_MEMORIES),
    )
    found = [*active, *candidates][:MAX_MEMORIES]
    return {one.memory.memory_id: one for one in found}


async def _news(group: Group, work: JobInHand, deps: EvolutionDeps) -> Sequence[StoredMessage]:
    """What came since the cursor; with `days`, what was said in that window; oldest first.

    One more than a page: so a run knows whether there is another.
    """
    asked, until, limit = work.payload(EvolveGroup), work.job.created_at, MAX_MESSAGES + 1
    if asked.skipped:
        found = await deps.messages.since(group.group_id, asked.skipped.since, limit)
        ids = [one.message_id for one in found]
        last = ids.index(asked.skipped.until) + 1 if asked.skipped.until in ids else 0
        return found[:last]
    if asked.days:
        since = until - timedelta(days=asked.days)
        return await deps.messages.said_between(group.group_id, since, until, asked.after, limit)
    return await deps.messages.since(group.group_id, group.cursors.get(CURSOR), limit)


async def _notice_news(group_id: str, deps: EvolutionDeps) -> None:
    """What came while the run was under way makes the group due again."""
    group = await deps.groups.find(group_id)
    if group is None or group.is_deleted or group.evolve_due:
        return
    if await deps.messages.since(group_id, group.cursors.get(CURSOR), 1):
        now = deps.now()
        await deps.groups.change(
            group_id, lambda found: due_with(found, 1, now, deps.every, deps.waits), now
        )


async def _planned(
    work: JobInHand,
    memories: Sequence[Memory],
    supported: Sequence[Memory],
    page: NewsPage,
    group: Group,
    deps: EvolutionDeps,
) -> tuple[EvolutionPlan, ModelCost]:
    """The model sees the support of today; the decision the memories as they were stored."""
    lines, cost = await _lines(work, supported, page, group.epoch, deps)
    said = {line.statement: guessed_kind(line.statement) for line in lines if line.statement}
    kinds = {line.statement: line.kind for line in lines if line.statement}
    is_same = await deps.similarity.sameness(work.job.group_id, said, kinds)
    sources = {
        one.message_id: Source(one.user_id, one.create_time, one.content, one.user_name)
        for one in page.spoken
        if one.role != "assistant"
    }
    zone = zone_named(deps.timezone, group.timezone)
    lines = [_with_end(line, sources, zone) for line in lines]
    standings = await standings_behind(
        lines, memories, page.messages, sources, deps.messages, deps.now()
    )
    plan = decide_evolution(
        memories,
        lines,
        group_id=work.job.group_id,
        run_id=work.job.job_id,
        now=deps.now(),
        speakers=Speakers(sources, standings, group.created_at, bot_names(page.spoken)),
        rules=deps.rules,
        is_same=is_same,
    )
    return plan, cost


def _with_end(line: ModelLine, sources: Mapping[str, Source], zone: tzinfo) -> ModelLine:
    """A statement that says until when it holds ends then, as of when it was last said."""
    said_at = [sources[one].at for one in line.sources if one in sources]
    if not said_at or not line.statement:
        return line
    return replace(line, expires_at=expiry_in([(line.statement, max(said_at))], zone))


async def _lines(
    work: JobInHand, memories: Sequence[Memory], page: NewsPage, epoch: int, deps: EvolutionDeps
) -> tuple[list[ModelLine], ModelCost]:
    """The model's decisions; its raw answer is kept on the job, with the page that it is about,
    before anything is made of it."""
    cost = NO_COST
    names = PromptNames.naming(memories, page.spoken)
    if page.answer is not None:
        reply, _ = Evolution.read(page.answer)
        if reply is None:
            raise BadReply("the stored answer cannot be read")
    else:
        answer = await deps.model.ask(
            "memory_evolve",
            Evolution,
            question(memories, page.spoken, deps.now(), names),
            group_id=work.job.group_id,
            budget_s=deps.model_budget_s,
        )
        await work.keep_reply(kept_reply(page, answer.raw, epoch))
        reply, cost = answer.reply, answer.cost
    lines = [
        ModelLine(
            action=line.action,
            old_id=names.memories.whole(line.old_id) if line.old_id else None,
            statement=line.statement or "",
            reason=line.change_reason or "",
            kind=line.kind or "",
            subject=names.user_id(line.subject or ""),
            tags=tuple(line.tags),
            sources=tuple(names.whole_messages(line.sources)),
        )
        for line in reply.lines
    ]
    return lines, cost
