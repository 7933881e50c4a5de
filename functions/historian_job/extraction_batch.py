"""What one extraction reads: the talk, who is in it, what is remembered; and its question."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.prompt_names import PromptNames
from shared.contracts.prompts import (
    FACT_COLUMNS,
    MESSAGE_COLUMNS,
    as_table,
    prompt_message,
    with_fewer_times,
)
from shared.contracts.queues import queues
from shared.domain.group import Group
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.jobs.dispatch import Dispatch
from shared.language import times_in
from shared.search.entity_index import EntityIndex
from shared.search.statement_similarity import StatementSimilarity, similarity_for
from shared.stores.conflicts import Conflicts
from shared.stores.entities import Entities
from shared.stores.groups import Groups
from shared.stores.jobs import Jobs
from shared.stores.memories import (
    FoundMemory,
    Memories,
)
from shared.stores.messages import Messages
from shared.stores.relations import Relations
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_MEMORIES = 50
"""Compared with, as in evolution."""
FACTS_SHOWN = 30
"""Of those who speak: what is known already need not be said again."""


@dataclass(frozen=True)
class ExtractionDeps:
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


def deps_for(group: Group | None, made: Services) -> ExtractionDeps:
    """By the group's own settings."""
    own = settings_for(group, made.settings)
    return made.deps(
        ExtractionDeps,
        settings=own,
        similarity=similarity_for(own, made.embedder),
        model_budget_s=queues()["historian"].model_budget_s * 3 / 4,
    )


@dataclass(frozen=True)
class Batch:
    """What is read for one plan: the talk, who is in it, and what is remembered."""

    group: Group
    said: Sequence[StoredMessage]
    names: Mapping[str, str]
    found: Mapping[str, FoundMemory]

    @property
    def memories(self) -> list[Memory]:
        return [one.memory for one in self.found.values()]

    @property
    def prompt_names(self) -> PromptNames:
        return PromptNames.naming(self.memories, self.said, self.names)


def names_in(said: Sequence[StoredMessage]) -> dict[str, str]:
    """Those who speak, and those who are mentioned: ids to names."""
    names: dict[str, str] = {}
    for one in said:
        names |= {who.user_id: who.name for who in one.mentions if who.user_id and who.name}
    people = [one for one in said if one.role != "assistant"]
    names |= {one.user_id: one.user_name or one.user_id for one in people}
    bots = {one.user_id for one in said if one.role == "assistant"}
    return {user_id: name for user_id, name in names.items() if user_id not in bots}


async def known(group_id: str, deps: ExtractionDeps) -> dict[str, FoundMemory]:
    active, candidates = await asyncio.gather(
        deps.memories.with_status(group_id, MemoryStatus.ACTIVE, MAX_MEMORIES),
        deps.memories.with_status(group_id, MemoryStatus.CANDIDATE, MAX_MEMORIES),
    )
    return {one.memory.memory_id: one for one in [*active, *candidates][:MAX_MEMORIES]}


def question(batch: Batch, own: Settings) -> dict[str, Any]:
    speakers, names = {one.user_id for one in batch.said}, batch.prompt_names
    about = [one for one in batch.memories if one.subject in batch.names][:FACTS_SHOWN]
    facts = [
        {
            "id": names.memories.short(one.memory_id),
            "subject": names.member(one.subject or ""),
            "content": one.statement,
        }
        for one in about
    ]
    return {
        "messages": as_table(
            with_fewer_times([names.line(_line(one)) for one in batch.said]), MESSAGE_COLUMNS
        ),
        "existing_facts": as_table(facts, FACT_COLUMNS),
        "known_people": [
            {"user_id": names.member(user_id), "name": name}
            for user_id, name in batch.names.items()
            if user_id not in speakers
        ],
        "max_facts": own.max_facts,
        "min_confidence": own.min_confidence,
    }


def _line(message: StoredMessage) -> dict[str, Any]:
    """With the days that its words name, if they name any."""
    text, said_at = message.content, message.create_time
    dates = [
        {"words": text[named.start : named.end], "date": named.first.isoformat()}
        for named in times_in(text, said_at)
        if named.grain == "day" and named.is_relative
    ]
    return {**prompt_message(message), **({"dates": dates} if dates else {})}
