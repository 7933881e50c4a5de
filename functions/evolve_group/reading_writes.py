"""What a reading writes: memories, open conflicts, the graph, and merges into profiles."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.contracts.jobs import profile_job
from shared.contracts.prompt_names import PromptNames
from shared.contracts.replies import Evolution
from shared.domain.jobs.job import Job
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
from shared.domain.memories.conflict import (
    Contradiction,
    MemoryConflict,
    conflict_id,
    conflict_line,
    contradicted,
    settled,
    strength_after,
)
from shared.domain.memories.evolution_plan import EvolutionPlan
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.language import terms
from shared.stores.conflicts import Conflicts, put_conflict
from shared.stores.entities import Entities, put_entity
from shared.stores.firestore import Write
from shared.stores.memories import (
    FoundMemory,
    changed_memory,
    new_change,
    new_memory,
    patched_memory,
)
from shared.stores.relations import Relations, put_relation

ALIKE_ENTITIES = 100
"""With a word in common with a new name; among them it may be spelt a little otherwise."""
REPLACED = "replaced"


@dataclass(frozen=True)
class GraphWrites:
    writes: Sequence[Write] = ()
    entities: Sequence[Entity] = ()
    relations: int = 0
    refused: Sequence[str] = ()


def memory_writes(
    plan: EvolutionPlan,
    new: Sequence[Memory],
    stay: Sequence[Memory],
    found: Mapping[str, FoundMemory],
) -> list[Write]:
    """`new` are the plan's with their vectors. Of those that `stay`, what supports them is written,
    but for the disputed: a conflict's writes have it."""
    disputed = {one.memory.memory_id for one in plan.contradictions}
    supported = [
        patched_memory(
            found[memory.memory_id], last_supported_at=memory.last_supported_at, core=memory.core
        )
        for memory in stay
        if memory.memory_id not in disputed
        and _support(memory) != _support(found[memory.memory_id].memory)
    ]
    return [
        *map(new_memory, new),
        *(changed_memory(memory, found[memory.memory_id].revision) for memory in plan.changed),
        *supported,
        *map(new_change, plan.changes),
    ]


def _support(memory: Memory) -> tuple[datetime | None, bool]:
    return memory.last_supported_at, memory.core


async def open_conflicts(
    memories: Sequence[Memory], conflicts: Conflicts
) -> dict[str, MemoryConflict]:
    """Those of the memories that somebody speaks against, by the memories' ids."""
    disputed = {conflict_id(memory): memory for memory in memories if memory.conflict}
    if not disputed:
        return {}
    found = await conflicts.get_many(memories[0].group_id, disputed)
    return {disputed[key].memory_id: conflict for key, conflict in found.items()}


async def conflict_writes(
    plan: EvolutionPlan,
    found: Mapping[str, FoundMemory],
    known: Mapping[str, MemoryConflict],
    names: Mapping[str, str],
    conflicts: Conflicts,
    now: datetime,
) -> list[Write]:
    """New claims are put beside those of before, and shown with the memory; what a surer word
    replaced is settled."""
    changed = {memory.memory_id for memory in plan.changed}
    writes = [
        put_conflict(settled(conflict, REPLACED, now))
        for memory_id, conflict in known.items()
        if memory_id in changed
    ]
    against: dict[str, list[Contradiction]] = {}
    for one in plan.contradictions:
        against.setdefault(one.memory.memory_id, []).append(one)
    group_id = next((one.memory.group_id for one in plan.contradictions), "")
    ids = {conflict_id(one.memory) for one in plan.contradictions}
    stored = await conflicts.get_many(group_id, ids) if ids else {}
    for memory_id, contradictions in against.items():
        memory = found[memory_id].memory
        conflict = stored.get(conflict_id(memory))
        for one in contradictions:
            conflict = contradicted(conflict, memory, one.claim, now)
        assert conflict is not None
        writes.append(put_conflict(conflict))
        writes.append(
            patched_memory(
                found[memory_id],
                strength=strength_after(memory, conflict),
                conflict=conflict_line(memory, conflict.claims, names),
            )
        )
    return writes


def profile_jobs(
    plan: EvolutionPlan,
    of_members: frozenset[str],
    names: Mapping[str, str],
    job: Job,
    now: datetime,
) -> list[Job]:
    """What members said of themselves goes into their profiles, one merge each."""
    told: dict[str, list[Memory]] = {}
    for memory in plan.new:
        is_own = memory.subject in memory.source_users and memory.status is MemoryStatus.ACTIVE
        if is_own and memory.sources and memory.subject in of_members:
            told.setdefault(memory.subject, []).append(memory)
    return [
        profile_job(
            job.group_id,
            News(
                "user",
                user_id,
                names.get(user_id, ""),
                tuple(memory.statement for memory in learnt),
                sources=tuple(dict.fromkeys(one for memory in learnt for one in memory.sources)),
                source_users=(user_id,),
            ),
            job.job_id,
            now,
        )
        for user_id, learnt in told.items()
    ]


async def graph_writes(
    said: Sequence[StoredMessage],
    members: Mapping[str, str],
    reply: Evolution,
    names: PromptNames,
    rules: GrowthRules,
    entities: Entities,
    relations: Relations,
) -> GraphWrites:
    """Entities first: relations only join those that are known."""
    read = [
        ReadEntity(one.name, one.type, tuple(one.aliases), one.description, one.confidence)
        for one in reply.entities
    ]
    joined = [
        ReadRelation(
            one.source,
            one.target,
            one.type,
            one.label,
            one.evidence,
            one.confidence,
            tuple(names.whole_messages(one.sources)),
        )
        for one in reply.relations
    ]
    if not read and not joined:
        return GraphWrites()
    group_id = rules.group_id
    ends = [ReadEntity(name) for one in joined for name in (one.source, one.target)]
    words = list(dict.fromkeys(word for one in read for word in terms(one.name)))
    named, alike = await asyncio.gather(
        entities.named(group_id, keys_of([*read, *ends], members)),
        entities.with_any_term(group_id, words, ALIKE_ENTITIES),
    )
    known = {entity.entity_id: entity for entity in (*alike, *named)}
    grown = grown_entities(read, said, members, list(known.values()), rules)
    settled_ones = settled_relations(joined, said, grown.by_name, rules)
    before = await relations.get_many(group_id, sorted(settled_ones.by_id))
    users = {message.message_id: message.user_id for message in said}
    edges = grown_relations(settled_ones, before, users, rules)
    writes = [*map(put_entity, grown.changed), *map(put_relation, edges)]
    refused = [*grown.refused, *settled_ones.refused]
    return GraphWrites(writes, grown.changed, len(edges), refused)
