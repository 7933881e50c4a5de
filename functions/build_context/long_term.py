"""Long-term memory in a context: which reads it takes, and what they offer."""

import asyncio

from functions.build_context.deps import Deps
from functions.build_context.question import Question
from functions.build_context.reads import SELECTING, Reads
from shared.domain.context.fitting import Offer
from shared.domain.context.rendering import Names
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
from shared.search.asked import EmbeddedQuestion
from shared.search.events import EventHit
from shared.search.summaries import SummaryHit

ACTIVE_MEMORIES = 50
"""More than a group keeps by default, so a context misses none of the usual ones."""
SUMMARIES = 2
"""Of other topics: each is a paragraph, and more would crowd out the lines of the talk."""
WEAK = 0.15
"""The score of a memory: of those below it fewer than one in ten answers."""
LIKELY = 0.5
"""The score of a summary: it is a paragraph, so it must be likelier to answer than a memory."""
SIMILAR = 0.3
"""Rank decides among what is above it."""


def start_memory(
    question: Question,
    deps: Deps,
    reads: Reads,
    embedding: "asyncio.Task[EmbeddedQuestion]",
    include: set[str],
) -> None:
    group_id, text, settings = question.group.group_id, question.message.content, question.settings
    user_id = question.user_id

    async def events() -> list[EventHit]:
        return await deps.events.near(
            group_id,
            await asyncio.shield(embedding),
            limit=settings.auto_top_k,
            threshold=SIMILAR,
        )

    async def summaries() -> list[SummaryHit]:
        found = await asyncio.shield(embedding)
        return await deps.summaries.near(group_id, found, limit=SUMMARIES, least=LIKELY)

    async def profiles() -> list[Profile]:
        found = list((await deps.profiles.own(question.group, [("group", group_id)])).values())
        speaker = await deps.profiles.shown(question.group, "user", user_id) if user_id else None
        return [*found, speaker] if speaker else found

    if "memories" in include:
        holding = deps.memories.holding(group_id, deps.now(), ACTIVE_MEMORIES)
        reads.start("memories", holding, until=SELECTING)
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
    question: Question, reads: Reads, embedded: EmbeddedQuestion, names: Names
) -> tuple[list[Offer], list[Offer]]:
    """Members go by the names they were last seen with."""
    group_id, text, settings = question.group.group_id, question.message.content, question.settings
    memories = await reads.get("memories", list[Memory]())
    profiles = await reads.get("profiles", list[Profile]())
    stable = stable_offers(
        group_id,
        profiles,
        memories,
        speaker_id=question.user_id,
        shares_profiles=settings.profile_sharing == "shared",
        names=names,
    )
    ranked = ranked_memories(
        memories, text, embedded.vector, settings.embedding_model, embedded.anchors
    )
    dynamic = relevant_memories(
        group_id, ranked, least=WEAK, limit=settings.max_return, names=names
    )
    events = await reads.get("events", list[EventHit]())
    dynamic += event_offers(group_id, [(hit.event, hit.score) for hit in events], question.times)
    dynamic += graph_offers(group_id, await reads.get("graph", Neighbourhood()))
    summaries = await reads.get("summaries", list[SummaryHit]())
    dynamic += summary_offers(
        group_id, [(hit.summary, hit.score, "near in meaning") for hit in summaries]
    )
    return stable, dynamic
