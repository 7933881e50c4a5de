"""What is known of those behind statements: how long they are here, how much they said."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.talk import ModelLine, Source
from shared.domain.memories.voices import KNOWN_MESSAGES, Standing, is_well_known, standing_by
from shared.domain.messages.stored_message import StoredMessage
from shared.stores.messages import Messages


async def standings_behind(
    lines: Sequence[ModelLine],
    memories: Sequence[Memory],
    page: Sequence[StoredMessage],
    sources: Mapping[str, Source],
    messages: Messages,
    now: datetime,
) -> dict[str, Standing]:
    """Of all behind the lines and the candidates: by this page where that is enough."""
    said = Counter(
        sources[message_id].user_id
        for line in lines
        for message_id in {*line.sources, *line.agree}
        if message_id in sources
    )
    waiting = [memory for memory in memories if memory.status is MemoryStatus.CANDIDATE]
    said.update({user for memory in waiting for user in memory.source_users})
    if not said or not page:
        return {}
    known: dict[str, Standing] = {}
    for user_id in said:
        own = [message for message in page if message.user_id == user_id]
        found = standing_by([(message.create_time, message.content) for message in own])
        if found:
            known[user_id] = found
    unsure = [
        user_id
        for user_id in said
        if user_id not in known or not is_well_known(known[user_id], now, said[user_id])
    ]
    said_before = await asyncio.gather(
        *(messages.some_of(page[0].group_id, user_id, KNOWN_MESSAGES) for user_id in unsure)
    )
    looked_up = zip(unsure, map(standing_by, said_before), strict=True)
    return known | {user_id: found for user_id, found in looked_up if found}
