"""Fits how topics are told apart in one group, from its own native replies."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.attribution.tables import tables_name
from shared.domain.attribution.tuning import Tuning, replies_of, tuned
from shared.domain.group import BEGINNING, Group, TopicScales
from shared.domain.messages.stored_message import StoredMessage
from shared.stores.groups import Groups
from shared.stores.messages import Messages

MOST_READ = 2_000
"""The newest messages: where one in thirty is a reply they hold enough, in four seconds' work."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    embedder: Embedder
    now: Callable[[], datetime]


@dataclass(frozen=True)
class Tuned:
    """`version` is that of the scales in use, 0 for none."""

    tuning: Tuning
    version: int


async def tune(group_id: str, deps: Deps) -> Tuned:
    group = await deps.groups.get(group_id)
    now, model = deps.now(), deps.embedder.model
    messages = await deps.messages.recent(group_id, since=BEGINNING, until=now, limit=MOST_READ)
    found = await asyncio.to_thread(_tuning, messages, model)
    if found.is_better:

        def take(group: Group) -> Group:
            version = group.topic_scales.version + 1 if group.topic_scales else 1
            scales = TopicScales(version, tables_name(model), found.scales, found.replies, now)
            return replace(group, topic_scales=scales)

        group = await deps.groups.change(group_id, take, now)
    log.info("topics_tuned", replies=found.replies, is_better=found.is_better)
    return Tuned(found, group.topic_scales.version if group.topic_scales else 0)


async def untune(group_id: str, deps: Deps) -> None:
    """As in every other group again."""
    await deps.groups.get(group_id)
    await deps.groups.change(group_id, lambda one: replace(one, topic_scales=None), deps.now())


def _tuning(messages: Sequence[StoredMessage], model: str) -> Tuning:
    return tuned(replies_of(messages, model))
