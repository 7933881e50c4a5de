"""Long-term memory in a context: which reads it takes, and what they offer."""

import asyncio
from typing import Any

from functions.build_context.deps import Deps
from functions.build_context.question import Question
from functions.build_context.reads import SELECTING, Reads
from shared.domain.context.fitting import Offer
from shared.domain.context.sections import (
    event_offers,
    graph_offers,
    relevant_memories,
    stable_offers,
    summary_offers,
)
from shared.domain.knowledge.graph import Neighbourhood
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory
from shared.domain.memories.ranking import ranked_memories
from shared.search.events import EventHit
from shared.search.summaries import SummaryHit

ACTIVE_MEMORIES = 50
"""More than a group keeps by default, so a context misses none of the usual ones."""
SUMMARIES = 2
"""Of other topics: each is a paragraph, and more would crowd out the lines of the talk."""
SHARED_PROFILES = 20
"""Groups of one person that are looked into; a context has room for far fewer profiles."""
SIMILAR = 0.3
"""Calibrated; rank decides among what is above it."""


def start_memory(
    question: Question,
    deps: Deps,
    reads: Reads,
    vector: "asyncio.Task[list[float] | None]",
    include: set[str],
) -> None:
    group_id, text, settings = question.group.group_id, question.asked.content, question.settings
    user_id = question.asked.user_id

    async def events() -> list[EventHit]:
        found = await asyncio.shield(vector)
        return await deps.events.near(
            group_id, text, found, limit=settings.auto_top_k, threshold=SIMILAR
        )

    async def summaries() -> list[SummaryHit]:
        found = await asyncio.shield(vector)
        return await deps.summaries.near(group_id, text, found, limit=SUMMARIES, threshold=SIMILAR)

    async def profiles() -> list[Profile]:
        wanted: list[Any] = [("group", group_id)]
        wanted += [("user", user_id)] if user_id else []
        own = list((await deps.profiles.get_many(group_id, wanted)).values())
        if settings.profile_sharing == "shared" and user_id:
            own += [
                one
                for one in await deps.profiles.of_user_everywhere(user_id, SHARED_PROFILES)
                if one.group_id != group_id
            ]
        return own

    if "memories" in include:
        reads.start("memories", deps.memories.active(group_id, ACTIVE_MEMORIES), until=SELECTING)
    if "summaries" in include:
        reads.start("summaries", summaries(), until=SELECTING)
    if settings.enable_cognitive:
        if "events" in include:
            reads.start("events", events(), until=SELECTING)
        if "profiles" in include:
            reads.start("profiles", profiles(), until=SELECTING)
        if "graph" in include:
            reads.start("graph", deps.graph.around(group_id, text), until=SELECTING)


async def memory_offers(
    question: Question, reads: Reads, vector: list[float] | None
) -> tuple[list[Offer], list[Offer]]:
    group_id, text, settings = question.group.group_id, question.asked.content, question.settings
    memories = await reads.get("memories", list[Memory]())
    profiles = await reads.get("profiles", list[Profile]())
    stable = stable_offers(
        group_id,
        profiles,
        memories,
        speaker_id=question.asked.user_id,
        shares_profiles=settings.profile_sharing == "shared",
    )
    near: dict[str, float] = {}
    if vector is not None and memories:
        ranked = ranked_memories(memories, text, vector, settings.embedding_model)
        near = {one.memory.memory_id: one.confidence for one in ranked}
    dynamic = relevant_memories(
        group_id,
        memories,
        near,
        text,
        threshold=SIMILAR,
        limit=settings.max_return,
    )
    events = await reads.get("events", list[EventHit]())
    dynamic += event_offers(group_id, [(hit.event, hit.score) for hit in events])
    dynamic += graph_offers(group_id, await reads.get("graph", Neighbourhood()))
    own = await reads.get("topic_summary", list[SummaryHit]())
    like = await reads.get("summaries", list[SummaryHit]())
    dynamic += summary_offers(
        group_id,
        [
            *((hit.summary, hit.score, "of this topic") for hit in own),
            *((hit.summary, hit.score, "near in meaning") for hit in like),
        ],
    )
    return stable, dynamic
