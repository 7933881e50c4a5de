"""Reads what a group said since the last time into its memories and its graph: a page a run, one
call of the model, one fenced commit, then vectors."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from functions.evolve_group.reading_question import (
    model_line,
    question,
    reply_to,
)
from functions.evolve_group.reading_writes import (
    GraphWrites,
    conflict_writes,
    graph_writes,
    memory_writes,
    open_conflicts,
    profile_jobs,
)
from shared import log
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import next_evolve_job, skipped_evolve_job
from shared.contracts.prompt_names import PromptNames
from shared.contracts.queues import queues
from shared.domain.context.shown_times import zone_named
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.group import Group
from shared.domain.jobs.kinds import (
    NO_COST,
    EvolutionReport,
    EvolutionStats,
    EvolveGroup,
    ModelCost,
    SkippedPage,
)
from shared.domain.knowledge.graph_growth import GrowthRules
from shared.domain.memories.conflict import MemoryConflict
from shared.domain.memories.door import DoorRules
from shared.domain.memories.evolution import decide_evolution
from shared.domain.memories.evolution_plan import EvolutionPlan, EvolutionRules
from shared.domain.memories.memory import Memory, MemoryStatus, with_core
from shared.domain.memories.reading import (
    CURSOR,
    MAX_MESSAGES,
    TalkPage,
    due_with,
    is_rest_small,
    members_in,
    read_until,
    talk_page,
)
from shared.domain.memories.talk import ModelLine, NewTalk, Source
from shared.domain.memories.upkeep import is_review_due, next_review
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import BadReply
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.search.entity_index import EntityIndex
from shared.search.memory_index import index
from shared.search.standings import standings_behind
from shared.search.statement_similarity import StatementVectors, vectors_for
from shared.stores.conflicts import Conflicts
from shared.stores.entities import Entities
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.memories import FoundMemory, Memories
from shared.stores.messages import Messages
from shared.stores.relations import Relations
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_MEMORIES = 50
"""Shown to the model at once; a group has at most thirty active ones, the rest are candidates."""


@dataclass(frozen=True)
class EvolutionDeps:
    groups: Groups
    memories: Memories
    messages: Messages
    conflicts: Conflicts
    entities: Entities
    relations: Relations
    entity_index: EntityIndex
    jobs: Jobs
    vectors: Vectors
    model: Model
    similarity: StatementVectors
    dispatch: Dispatch
    settings: Settings
    now: Callable[[], datetime]
    model_budget_s: float

    @property
    def waits(self) -> timedelta:
        """How long fewer new messages than are worth a call wait for more."""
        return timedelta(days=self.settings.evolve_every_days)


def deps_for(group: Group | None, made: Services) -> EvolutionDeps:
    """By the group's own settings."""
    return made.deps(
        EvolutionDeps,
        settings=settings_for(group, made.settings),
        similarity=vectors_for(made.embedder),
        model_budget_s=queues()["evolve"].model_budget_s,
    )


async def run(work: JobInHand, made: Services) -> EvolutionReport:
    return await evolve(work, deps_for(await made.groups.find(work.job.group_id), made))


async def evolve(work: JobInHand, deps: EvolutionDeps) -> EvolutionReport:
    """One page. After the commit a repetition only puts the vectors and sends the tasks again."""
    return await work.run(
        EvolutionReport,
        lambda now: _read_page(now, deps),
        lambda report: _follow(work, report, deps),
    )


async def _follow(work: JobInHand, report: EvolutionReport, deps: EvolutionDeps) -> None:
    group_id = work.job.group_id
    await index(group_id, report.touched, deps.memories, deps.vectors)
    await deps.entity_index.put(group_id, report.entities_touched)
    for job_id in (*report.profile_jobs, *([report.next_job] if report.next_job else [])):
        job = await deps.jobs.get(job_id)
        if job is not None and job.is_open:
            await deps.dispatch.job(job)
    if not report.next_job:
        await _notice_news(group_id, deps)


@dataclass(frozen=True)
class _PageRead:
    """What the model said of a page, in the product's words, and what becomes of it."""

    plan: EvolutionPlan
    graph: GraphWrites = field(default_factory=GraphWrites)
    conflicts: Mapping[str, MemoryConflict] | None = None
    cost: ModelCost = NO_COST
    is_cut: bool = False


async def _read_page(work: JobInHand, deps: EvolutionDeps) -> EvolutionReport:
    group_id, asked, now = work.job.group_id, work.payload(EvolveGroup), deps.now()
    group, found = await asyncio.gather(deps.groups.get(group_id), _known(group_id, deps))
    memories = [one.memory for one in found.values()]
    page = talk_page(await _news(group, work, deps), work.job.reply, group.epoch)
    members, own = members_in(page.spoken), deps.settings
    read = _PageRead(EvolutionPlan.unchanged(memories))
    if page.says_something or is_review_due(group, memories, now, own.unsupported_days):
        try:
            read = await _read(work, memories, members, page, group, deps)
        except BadReply as error:
            is_last = work.job.attempts >= work.job.max_attempts
            if not is_last or asked.days or asked.skipped or not page.until:
                raise
            return await _stepped_over(work, group, page, error, deps)
    plan, graph = read.plan, read.graph
    changed = {memory.memory_id for memory in plan.changed}
    stay = [
        with_core(
            replace(memory, last_supported_at=plan.supported.get(key, memory.last_supported_at)),
            own.core_threshold,
        )
        for key, memory in ((memory.memory_id, memory) for memory in memories)
        if key not in changed
    ]
    new = await deps.similarity.with_vectors(
        group_id, [with_core(memory, own.core_threshold) for memory in plan.new]
    )
    is_put_off = asked.by_schedule and is_rest_small(page, group, own.evolve_every_messages)
    goes_on = page.is_more and not is_put_off
    next_job = next_evolve_job(work.job, asked, page.until, now) if goes_on else None
    merges = (
        profile_jobs(plan, page.asked_the_bot, members, work.job, now)
        if own.enable_cognitive
        else []
    )
    report = EvolutionReport(
        evolution_time=now,
        stats=EvolutionStats(plan.kept, plan.updated, plan.created, plan.deleted),
        message=_told(page, is_cut=read.is_cut),
        touched=tuple(memory.memory_id for memory in (*plan.new, *plan.changed)),
        next_job=next_job.job_id if next_job else None,
        after=page.until,
        candidates=plan.candidates,
        conflicts=len(plan.contradictions),
        refused=len(plan.warnings) + len(graph.refused),
        masked=plan.masked,
        entities=len(graph.entities),
        relations=graph.relations,
        entities_touched=tuple(entity.entity_id for entity in graph.entities),
        profile_jobs=tuple(job.job_id for job in merges),
        judged=plan.judged,
        cost=read.cost,
    )
    against = await conflict_writes(plan, found, read.conflicts or {}, members, deps.conflicts, now)
    writes = [
        *memory_writes(plan, new, stay, found),
        *against,
        *graph.writes,
        *map(new_job, [*merges, *([next_job] if next_job else [])]),
    ]
    review_at = next_review([*new, *stay], now, own.unsupported_days)

    def moved(now_group: Group) -> Group:
        now_group = replace(now_group, review_at=review_at)
        if asked.days or asked.skipped:
            return now_group
        moved = read_until(page, now_group, now)
        return replace(moved, evolve_due_at=now + deps.waits) if is_put_off else moved

    await work.commit(Plan(group_id, group.epoch, writes, change=moved, report=report))
    if reasons := [*plan.warnings, *graph.refused]:
        log.warning("evolution_lines_left_out", group_id=group_id, reasons=sorted(set(reasons)))
    if plan.masked:
        log.warning("secrets_masked", group_id=group_id, statements=plan.masked)
    return report


def _told(page: TalkPage, *, is_cut: bool) -> str:
    if not page.spoken:
        return "no new messages"
    if is_cut:
        return (
            f"evolved, but the model's reply was cut off twice: not all of these "
            f"{len(page.spoken)} messages may have been used"
        )
    return "evolved" if page.says_something else "only small talk"


async def _stepped_over(
    work: JobInHand, group: Group, page: TalkPage, error: BadReply, deps: EvolutionDeps
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
        ids = [message.message_id for message in found]
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
        now, every = deps.now(), deps.settings.evolve_every_messages
        await deps.groups.change(
            group_id, lambda found: due_with(found, 1, now, every, deps.waits), now
        )


async def _read(
    work: JobInHand,
    memories: Sequence[Memory],
    members: Mapping[str, str],
    page: TalkPage,
    group: Group,
    deps: EvolutionDeps,
) -> _PageRead:
    group_id, now, own = group.group_id, deps.now(), deps.settings
    names = PromptNames.naming(memories, page.spoken, members)
    asked = question(memories, page.spoken, now, names, members, own.remember)
    reply, cost, is_cut = await reply_to(
        asked, page, work, group.epoch, deps.model, deps.model_budget_s / 2
    )
    zone = zone_named(own.timezone, group.timezone)
    lines = [model_line(line, names, zone) for line in reply.lines]
    sources = {
        message.message_id: Source(
            message.user_id, message.create_time, message.content, message.user_name
        )
        for message in page.spoken
        if message.role != "assistant"
    }
    standings, conflicts, used = await asyncio.gather(
        standings_behind(lines, memories, page.messages, sources, deps.messages, now),
        open_conflicts(memories, deps.conflicts),
        deps.memories.resting_on(group_id, _named(lines, sources)),
    )
    claims = {memory_id: conflict.claims for memory_id, conflict in conflicts.items()}
    plan = decide_evolution(
        memories,
        lines,
        group_id=group_id,
        run_id=work.job.job_id,
        now=now,
        talk=NewTalk(sources, standings, group.created_at, used, claims),
        rules=rules_for(group, page.spoken, members, own),
    )
    graph = GraphWrites()
    if own.enable_cognitive:
        growth = GrowthRules(group_id, own.entity_same_threshold, own.min_confidence, now)
        graph = await graph_writes(
            page.spoken, members, reply, names, growth, deps.entities, deps.relations
        )
    return _PageRead(plan, graph, conflicts, cost, is_cut)


def _named(lines: Sequence[ModelLine], sources: Mapping[str, Source]) -> list[str]:
    ids = (one for line in lines for one in (*line.sources, *line.agree, *line.deny))
    return sorted({one for one in ids if one in sources})


def rules_for(
    group: Group, said: Sequence[StoredMessage], members: Mapping[str, str], own: Settings
) -> EvolutionRules:
    bots = {message.user_id for message in said if message.role == "assistant"}
    called = {message.user_name for message in said if message.role == "assistant"}
    called |= {who.name for message in said for who in message.mentions if who.user_id in bots}
    return EvolutionRules(
        door=DoorRules(
            max_active=own.max_active_memories,
            holds_back=own.hold_back_memories,
            is_out=lambda user_id: is_opted_out(group.opted_out, user_id, own.hash_key),
            bots=frozenset(name for name in called if name),
            members=members,
        ),
        core_threshold=own.core_threshold,
        min_confidence=own.min_confidence,
        conflict_margin=own.conflict_margin,
        max_facts=own.max_facts,
        auto_tag=own.auto_tag,
        unsupported_days=own.unsupported_days,
    )
