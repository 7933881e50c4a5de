"""Reads facts, entities and relations out of a batch of rounds: one model call, one fenced commit,
then vectors."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared import log
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import next_extract_job, profile_job
from shared.contracts.prompts import prompt_message
from shared.contracts.queues import queues
from shared.contracts.replies import Extraction
from shared.domain.context.shown_times import zone_named
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import NO_COST, ExtractionReport, ExtractRounds, ModelCost
from shared.domain.knowledge.extracted_facts import (
    Contradiction,
    FactRules,
    JudgedFacts,
    ReadFact,
    judged_facts,
)
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.graph_growth import (
    GrowthRules,
    ReadEntity,
    ReadRelation,
    grown_entities,
    grown_relations,
    keys_of,
    settled_relations,
)
from shared.domain.knowledge.profile import News
from shared.domain.knowledge.rounds import (
    CURSOR,
    MAX_MESSAGES,
    RoundsPage,
    extracted_until,
    kept_reply,
    rounds_page,
)
from shared.domain.memories.conflict import Claim, conflict_id, contradicted, strength_after
from shared.domain.memories.core import with_core
from shared.domain.memories.evolution import (
    EvolutionPlan,
    EvolutionRules,
    Source,
    Speakers,
    decide_evolution,
)
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.text.words import terms
from shared.domain.time.days_named import words_with_days
from shared.errors import BadReply, Conflict, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.search.entity_index import EntityIndex
from shared.search.memory_index import index
from shared.search.standings import standings_behind
from shared.search.statement_similarity import StatementSimilarity, similarity_for
from shared.stores.conflicts import Conflicts, put_conflict
from shared.stores.database import Write
from shared.stores.entities import Entities, put_entity
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.memories import (
    FoundMemory,
    Memories,
    changed_memory,
    new_change,
    new_memory,
    patched_memory,
)
from shared.stores.messages import Messages
from shared.stores.relations import Relations, put_relation
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_MEMORIES = 50
"""Compared with, as in evolution."""
FACTS_SHOWN = 30
"""Of those who speak: what is known already need not be said again."""
ALIKE_ENTITIES = 100
"""With a word in common with a new name; among them it may be spelt a little otherwise."""
FRESH_PLANS = 3
"""How often a plan is made again within one attempt because a memory was changed meanwhile."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    memories: Memories
    messages: Messages
    entities: Entities
    relations: Relations
    conflicts: Conflicts
    jobs: Jobs
    vectors: Vectors
    model: Model
    entity_index: EntityIndex
    similarity: StatementSimilarity
    dispatch: Dispatch
    settings: Settings
    now: Callable[[], datetime]
    model_budget_s: float


def deps_for(group: Group | None, made: Services) -> Deps:
    """By the group's own settings."""
    own = settings_for(group, made.settings)
    return made.deps(
        Deps,
        settings=own,
        similarity=similarity_for(own, made.embedder),
        model_budget_s=queues()["historian"].model_budget_s * 3 / 4,
    )


async def extract(work: JobInHand, deps: Deps) -> ExtractionReport:
    """One batch. After the commit a repetition only puts the vectors again."""
    report = work.report(ExtractionReport) if work.is_committed else await _committed(work, deps)
    group_id = work.job.group_id
    await index(group_id, report.touched, deps.memories, deps.vectors)
    await deps.entity_index.put(group_id, report.entities_touched)
    for job_id in (*report.profile_jobs, *([report.next_job] if report.next_job else [])):
        job = await deps.jobs.get(job_id)
        if job is not None and job.is_open:
            await deps.dispatch.job(job)
    return report


async def _committed(work: JobInHand, deps: Deps) -> ExtractionReport:
    """Changed by hand while the model thought: its answer is kept, and the plan made anew."""
    for _ in range(FRESH_PLANS):
        try:
            return await _extracted(work, deps)
        except Conflict:
            log.info("extraction_planned_again", group_id=work.job.group_id)
            work = await work.reread()
    raise Transient("the memories keep changing under this extraction")


@dataclass(frozen=True)
class _Batch:
    """What is read for one plan: the talk, who is in it, and what is remembered."""

    group: Group
    said: Sequence[StoredMessage]
    names: Mapping[str, str]
    found: Mapping[str, FoundMemory]

    @property
    def memories(self) -> list[Memory]:
        return [one.memory for one in self.found.values()]


async def _extracted(work: JobInHand, deps: Deps) -> ExtractionReport:
    work.payload(ExtractRounds)
    group = await deps.groups.get(work.job.group_id)
    batch_size = deps.settings.extract_batch_size
    page = RoundsPage((), 0)
    if batch_size and deps.settings.enable_cognitive:
        read = await deps.messages.since(group.group_id, group.cursors.get(CURSOR), MAX_MESSAGES)
        page = rounds_page(read, group, batch_size, work.job.reply)
    said = page.spoken
    if not any(one.role != "assistant" for one in said):
        return await _nothing(work, page, group, deps.now())
    found = await _known(group.group_id, deps)
    batch = _Batch(group, said, _names(said), found)
    reply, cost = await _reply(work, page, batch, deps)
    facts = judged_facts(
        [_fact(one) for one in reply.facts], said, batch.names, batch.memories, _rules(group, deps)
    )
    plan, written = await _memory_writes(work, batch, facts, deps)
    conflicts = await _conflict_writes(batch, facts.contradictions, plan, deps)
    graph, entities, relations, refused = await _graph_writes(batch, reply, deps)
    next_job = next_extract_job(work.job, deps.now()) if page.is_more else None
    merges = _profile_jobs(work, batch, plan, deps.now())
    report = ExtractionReport(
        rounds_read=page.rounds,
        facts=len(plan.new),
        entities=len(entities),
        relations=relations,
        refused=len(facts.refused) + len(plan.warnings) + len(refused),
        conflicts=len(facts.contradictions),
        touched=tuple(one.memory_id for one in (*plan.new, *plan.changed)),
        entities_touched=tuple(one.entity_id for one in entities),
        next_job=next_job.job_id if next_job else None,
        profile_jobs=tuple(one.job_id for one in merges),
        cost=cost,
    )
    jobs = [*merges, *([next_job] if next_job else [])]
    writes = [*written, *conflicts, *graph, *map(new_job, jobs)]
    await work.commit(
        Plan(
            group.group_id,
            group.epoch,
            writes,
            change=lambda now_group: extracted_until(page, now_group, deps.now()),
            report=report,
        )
    )
    if reasons := [*facts.refused, *plan.warnings, *refused]:
        log.info("extraction_refused", group_id=group.group_id, reasons=sorted(set(reasons)))
    return report


async def _nothing(
    work: JobInHand, page: RoundsPage, group: Group, now: datetime
) -> ExtractionReport:
    """No round to read: no call. Lines far from any round are passed over."""
    report = ExtractionReport(page.rounds, 0, 0, 0, 0, 0, (), (), None)
    change = (lambda now_group: extracted_until(page, now_group, now)) if page.messages else None
    await work.commit(Plan(group.group_id, group.epoch, [], change=change, report=report))
    return report


def _rules(group: Group, deps: Deps) -> FactRules:
    own = deps.settings
    zone = zone_named(own.timezone, group.timezone)
    return FactRules(own.max_facts, own.min_confidence, own.auto_tag, own.conflict_margin, zone)


def _names(said: Sequence[StoredMessage]) -> dict[str, str]:
    """Those who speak, and those who are mentioned: ids to names."""
    names: dict[str, str] = {}
    for one in said:
        names |= {who.user_id: who.name for who in one.mentions if who.user_id and who.name}
    people = [one for one in said if one.role != "assistant"]
    names |= {one.user_id: one.user_name or one.user_id for one in people}
    bots = {one.user_id for one in said if one.role == "assistant"}
    return {user_id: name for user_id, name in names.items() if user_id not in bots}


async def _known(group_id: str, deps: Deps) -> dict[str, FoundMemory]:
    active, candidates = await asyncio.gather(
        deps.memories.with_status(group_id, MemoryStatus.ACTIVE, MAX_MEMORIES),
        deps.memories.with_status(group_id, MemoryStatus.CANDIDATE, MAX_MEMORIES),
    )
    return {one.memory.memory_id: one for one in [*active, *candidates][:MAX_MEMORIES]}


async def _reply(
    work: JobInHand, page: RoundsPage, batch: _Batch, deps: Deps
) -> tuple[Extraction, ModelCost]:
    """The model's answer; its raw text is kept on the job before anything is made of it."""
    if page.answer is not None:
        reply, _ = Extraction.read(page.answer)
        if reply is None:
            raise BadReply("the stored answer cannot be read")
        return reply, NO_COST
    answer = await deps.model.ask(
        "extract",
        Extraction,
        _question(batch, deps.settings),
        group_id=work.job.group_id,
        budget_s=deps.model_budget_s,
    )
    await work.keep_reply(kept_reply(page, answer.raw, batch.group.epoch))
    return answer.reply, answer.cost


def _question(batch: _Batch, own: Settings) -> dict[str, Any]:
    speakers = {one.user_id for one in batch.said}
    about = [one for one in batch.memories if one.subject in batch.names][:FACTS_SHOWN]
    return {
        "messages": [
            {**prompt_message(one), "dates": words_with_days(one.content, one.create_time)}
            for one in batch.said
        ],
        "existing_facts": [
            {"id": one.memory_id, "subject": one.subject, "content": one.statement} for one in about
        ],
        "known_people": [
            {"user_id": user_id, "name": name}
            for user_id, name in batch.names.items()
            if user_id not in speakers
        ],
        "max_facts": own.max_facts,
        "min_confidence": own.min_confidence,
    }


def _fact(read: Any) -> ReadFact:
    return ReadFact(
        content=read.content,
        type=read.type,
        subject=read.subject or "",
        confidence=read.confidence,
        tags=tuple(read.tags),
        replaces=read.replaces or "",
        sources=tuple(read.sources),
    )


async def _memory_writes(
    work: JobInHand, batch: _Batch, facts: JudgedFacts, deps: Deps
) -> tuple[EvolutionPlan, list[Write]]:
    """Facts become memories through evolution's own decision."""
    group_id, own = batch.group.group_id, deps.settings
    memories = await deps.similarity.with_vectors(group_id, batch.memories)
    said = {one.statement: one.kind or guessed_kind(one.statement) for one in facts.lines}
    now = deps.now()
    sources = {
        one.message_id: Source(one.user_id, one.create_time)
        for one in batch.said
        if one.role != "assistant"
    }
    standings = await standings_behind(
        facts.lines, memories, batch.said, sources, deps.messages, now
    )
    plan = decide_evolution(
        memories,
        facts.lines,
        group_id=group_id,
        run_id=work.job.job_id,
        now=now,
        speakers=Speakers(sources, standings, batch.group.created_at),
        rules=EvolutionRules(own.max_active_memories, own.hold_back_memories, own.core_threshold),
        is_same=await deps.similarity.sameness(group_id, said),
    )
    new = await deps.similarity.with_vectors(
        group_id, [with_core(one, own.core_threshold) for one in plan.new]
    )
    return plan, [
        *map(new_memory, new),
        *(changed_memory(one, batch.found[one.memory_id].revision) for one in plan.changed),
        *map(new_change, plan.changes),
    ]


def _profile_jobs(work: JobInHand, batch: _Batch, plan: EvolutionPlan, now: datetime) -> list[Job]:
    """What members said of themselves goes into their profiles, one merge each."""
    told: dict[str, list[Memory]] = {}
    for one in plan.new:
        is_own = one.subject in one.source_users and one.status is MemoryStatus.ACTIVE
        if is_own and one.sources:
            told.setdefault(one.subject, []).append(one)
    return [
        profile_job(
            batch.group.group_id,
            News(
                "user",
                user_id,
                batch.names.get(user_id, ""),
                tuple(one.statement for one in learnt),
                sources=tuple(dict.fromkeys(each for one in learnt for each in one.sources)),
                source_users=(user_id,),
            ),
            work.job.job_id,
            now,
        )
        for user_id, learnt in told.items()
    ]


async def _conflict_writes(
    batch: _Batch, against: Sequence[Contradiction], plan: EvolutionPlan, deps: Deps
) -> list[Write]:
    """A memory that this run changes anyway is not spoken against."""
    changed, now = {one.memory_id for one in plan.changed}, deps.now()
    open_ones = [one for one in against if one.memory.memory_id not in changed]
    group_id = batch.group.group_id
    known = await deps.conflicts.get_many(group_id, [conflict_id(one.memory) for one in open_ones])
    writes: list[Write] = []
    weaker: dict[str, float] = {}
    for one in open_ones:
        claim = Claim(one.statement, one.confidence, now, one.sources, one.source_users)
        key = conflict_id(one.memory)
        known[key] = contradicted(known.get(key), one.memory, claim, now)
        weaker[one.memory.memory_id] = strength_after(one.memory, known[key])
    writes += [put_conflict(known[key]) for key in {conflict_id(one.memory) for one in open_ones}]
    for memory_id, strength in weaker.items():
        found = batch.found[memory_id]
        if strength != found.memory.strength:
            writes.append(patched_memory(found, strength=strength))
    return writes


async def _graph_writes(
    batch: _Batch, reply: Extraction, deps: Deps
) -> tuple[list[Write], list[Entity], int, list[str]]:
    """Entities first: relations only join those that are known."""
    group_id, own = batch.group.group_id, deps.settings
    rules = GrowthRules(group_id, own.entity_same_threshold, own.min_confidence, deps.now())
    read = [
        ReadEntity(one.name, one.type, tuple(one.aliases), one.description, one.confidence)
        for one in reply.entities
    ]
    relations = [
        ReadRelation(
            one.source, one.target, one.type, one.evidence, one.confidence, tuple(one.sources)
        )
        for one in reply.relations
    ]
    ends = [ReadEntity(name) for one in relations for name in (one.source, one.target)]
    words = list(dict.fromkeys(word for one in read for word in terms(one.name)))
    named, alike = await asyncio.gather(
        deps.entities.named(group_id, keys_of([*read, *ends], batch.names)),
        deps.entities.with_any_term(group_id, words, ALIKE_ENTITIES),
    )
    known = {one.entity_id: one for one in (*alike, *named)}
    grown = grown_entities(read, batch.said, batch.names, list(known.values()), rules)
    settled = settled_relations(relations, batch.said, grown.by_name, rules)
    before = await deps.relations.get_many(group_id, sorted(settled.by_id))
    users = {one.message_id: one.user_id for one in batch.said}
    edges = grown_relations(settled, before, users, rules)
    writes = [*map(put_entity, grown.changed), *map(put_relation, edges)]
    return writes, list(grown.changed), len(edges), [*grown.refused, *settled.refused]
