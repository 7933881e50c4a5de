"""Tools that look for what was said and what became of it. Each reads one group only."""

import asyncio
from datetime import datetime, timedelta

from functions.build_context.tool_room import Bound, fitted, line
from shared.clients.embedder import Embedder
from shared.contracts.tools import (
    GetMemories,
    SearchEvents,
    SearchMemories,
    SearchMessages,
    SearchTopics,
    ToolEvent,
    ToolEvents,
    ToolMemories,
    ToolMemory,
    ToolMessage,
    ToolMessages,
    ToolTopic,
    ToolTopics,
)
from shared.domain.memories.memory import Memory
from shared.domain.topics.topic import heaviest_first
from shared.search.asked import embedded_question
from shared.search.events import EventSearch
from shared.search.memories import MemorySearch
from shared.search.messages import MessageSearch
from shared.search.topics import TopicSearch
from shared.stores.groups import Groups
from shared.stores.memories import Memories

EMBED_BUDGET_S = 5.0
"""As long as other searches wait; without a vector words alone rank."""
SPARE = 3
"""Found before a member's or a time's are picked: others' lines go."""
AHEAD = timedelta(minutes=5)
"""How far a platform's clock may be ahead of ours."""
KEYWORDS = 8
"""Of a topic: the weightiest say what it is about."""
MOST_MEMORIES = 500
"""Many times what a group may have active: all of them, in practice."""


async def search_topics(asked: SearchTopics, bound: Bound, search: TopicSearch) -> ToolTopics:
    """Hybrid, 0.4 words and 0.6 meaning, each with its newest summary."""
    found = await search.find(
        bound.group_id, asked.query, mode="hybrid", limit=asked.limit, user_id=asked.user_id
    )
    summaries = await asyncio.gather(
        *(search.topics.shown_summary(bound.group_id, one.topic.topic_id) for one in found)
    )
    topics = [
        ToolTopic(
            topic_id=one.topic.topic_id,
            title=one.topic.title,
            summary=line(summary.content if summary else one.topic.description, bound),
            keywords=list(heaviest_first(one.topic.keywords))[:KEYWORDS],
            message_count=one.topic.message_count,
            last_message_at=one.topic.last_message_at,
            score=one.score,
        )
        for one, summary in zip(found, summaries, strict=True)
    ]
    kept = fitted(topics, bound)
    return ToolTopics(topics=kept, left_out=len(topics) - len(kept))


async def search_messages(
    asked: SearchMessages, bound: Bound, search: MessageSearch, groups: Groups, now: datetime
) -> ToolMessages:
    """Over all that was said, whether it has a topic yet or not."""
    until = min(asked.time_to or now + AHEAD, now + AHEAD)
    group = await groups.find(bound.group_id)
    if group is None:
        return ToolMessages(messages=[])
    narrows = asked.user_id or asked.time_from
    found = await search.find(
        bound.group_id,
        asked.query,
        until=until,
        epoch=group.epoch,
        lines_said=group.attributed_messages,
        limit=asked.limit * SPARE if narrows else asked.limit,
        budget_s=EMBED_BUDGET_S,
        leave_out=set(bound.message_ids),
    )
    chosen = [
        hit
        for hit in found
        if asked.user_id in (None, hit.message.user_id)
        and (asked.time_from is None or hit.message.create_time >= asked.time_from)
    ][: asked.limit]
    messages = [
        ToolMessage(
            message_id=hit.message.message_id,
            user_id=hit.message.user_id,
            user_name=hit.message.user_name,
            content=line(hit.message.content, bound),
            create_time=hit.message.create_time,
            topic_id=hit.message.topic_id,
            score=hit.score,
            reasons=list(hit.reasons),
        )
        for hit in chosen
    ]
    kept = fitted(messages, bound)
    return ToolMessages(messages=kept, left_out=len(messages) - len(kept))


async def search_memories(
    asked: SearchMemories, bound: Bound, search: MemorySearch
) -> ToolMemories:
    found = await search.find(bound.group_id, asked.query, limit=asked.limit)
    return _told([shown_memory(one.memory, one.score) for one in found], bound)


async def get_memories(
    asked: GetMemories, bound: Bound, memories: Memories, now: datetime
) -> ToolMemories:
    """The strongest first."""
    active = await memories.holding(bound.group_id, now, MOST_MEMORIES)
    chosen = [
        one
        for one in active
        if asked.kind in (None, one.kind) and asked.subject in (None, one.subject)
    ][: asked.limit]
    return _told([shown_memory(one) for one in chosen], bound)


async def search_events(
    asked: SearchEvents, bound: Bound, search: EventSearch, embedder: Embedder
) -> ToolEvents:
    question = await embedded_question(
        embedder, asked.query, group_id=bound.group_id, budget_s=EMBED_BUDGET_S
    )
    found = await search.find(
        bound.group_id,
        asked.query,
        question,
        user_id=asked.user_id,
        time_from=asked.time_from,
        time_to=asked.time_to,
        limit=asked.limit,
    )
    events = [
        ToolEvent(
            event_id=one.event.event_id,
            text=line(one.event.canonical_text, bound),
            timestamp_utc=one.event.timestamp_utc,
            user_id=one.event.user_id,
            score=one.score,
        )
        for one in found
    ]
    kept = fitted(events, bound)
    return ToolEvents(events=kept, left_out=len(events) - len(kept))


def shown_memory(memory: Memory, confidence: float | None = None) -> ToolMemory:
    return ToolMemory(
        memory_id=memory.memory_id,
        statement=memory.statement,
        kind=memory.kind,
        subject=memory.subject,
        strength=round(memory.strength, 4),
        is_core=memory.core,
        waits_for=memory.held_back or None,
        updated_at=memory.updated_at,
        score=None if confidence is None else round(confidence, 4),
    )


def _told(memories: list[ToolMemory], bound: Bound) -> ToolMemories:
    kept = fitted(memories, bound)
    return ToolMemories(memories=kept, left_out=len(memories) - len(kept))
