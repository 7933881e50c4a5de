"""What one extraction writes: memories through evolution's guards, open conflicts, the graph, and
merges into profiles."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from functions.historian_job.extraction_batch import Batch, ExtractionDeps
from shared.contracts.jobs import profile_job
from shared.contracts.replies import Extraction
from shared.domain.jobs.job import Job
from shared.domain.knowledge.extracted_facts import (
    Contradiction,
    JudgedFacts,
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
from shared.domain.memories.conflict import Claim, conflict_id, contradicted, strength_after
from shared.domain.memories.core import with_core
from shared.domain.memories.evolution import (
    EvolutionPlan,
    EvolutionRules,
    Source,
    Speakers,
    bot_names,
    decide_evolution,
)
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.jobs.worker import JobInHand
from shared.language import terms
from shared.search.standings import standings_behind
from shared.stores.conflicts import put_conflict
from shared.stores.entities import put_entity
from shared.stores.firestore import Write
from shared.stores.memories import (
    changed_memory,
    new_change,
    new_memory,
    patched_memory,
)
from shared.stores.relations import put_relation

ALIKE_ENTITIES = 100
"""With a word in common with a new name; among them it may be spelt a little otherwise."""


async def memory_writes(
    work: JobInHand, batch: Batch, facts: JudgedFacts, deps: ExtractionDeps
) -> tuple[EvolutionPlan, list[Write]]:
    """Facts become memories through evolution's own decision."""
    group_id, own = batch.group.group_id, deps.settings
    memories = await deps.similarity.with_vectors(group_id, batch.memories)
    said = {one.statement: one.kind or guessed_kind(one.statement) for one in facts.lines}
    now = deps.now()
    sources = {
        one.message_id: Source(one.user_id, one.create_time, one.content, one.user_name)
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
        speakers=Speakers(sources, standings, batch.group.created_at, bot_names(batch.said)),
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


def profile_jobs(work: JobInHand, batch: Batch, plan: EvolutionPlan, now: datetime) -> list[Job]:
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


async def conflict_writes(
    batch: Batch, against: Sequence[Contradiction], plan: EvolutionPlan, deps: ExtractionDeps
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


async def graph_writes(
    batch: Batch, reply: Extraction, deps: ExtractionDeps
) -> tuple[list[Write], list[Entity], int, list[str]]:
    """Entities first: relations only join those that are known."""
    group_id, own = batch.group.group_id, deps.settings
    rules = GrowthRules(group_id, own.entity_same_threshold, own.min_confidence, deps.now())
    read = [
        ReadEntity(one.name, one.type, tuple(one.aliases), one.description, one.confidence)
        for one in reply.entities
    ]
    names = batch.prompt_names
    relations = [
        ReadRelation(
            one.source,
            one.target,
            one.type,
            one.evidence,
            one.confidence,
            tuple(names.whole_messages(one.sources)),
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
