"""The record of one context: what was offered and why, what was left out, what the reply used.

It names messages and memories by their ids; the only words in it are the bot's reply and what its
host said of that, and they go with what they may quote. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.domain.context.fitting import Context, Item, Offer
from shared.domain.ids import digest
from shared.language import matching_units

NO_ROOM = "no room"
BELOW = "below the threshold"
HELD_BACK = "held back"
LEFT_OUT = 20
"""Of the messages that ranked best."""
MOST_LEFT_OUT = 40
"""Kept in the record, the best first: a look at one context needs no more."""
MOST_UNITS = 64
"""Of the question's words: as many as an index entry of a message takes."""


@dataclass(frozen=True)
class Usage:
    """Whether the reply referred to one offered thing, and by what that was seen."""

    kind: str
    id: str
    was_referenced: bool
    by: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class LeftOut:
    kind: str
    id: str
    why: str
    score: float | None = None


@dataclass(frozen=True)
class ContextRecord:
    """`asked` are hashes of the question's words: a reply that repeats them has used nothing yet.
    `stats` are the numbers that metrics add up; every record has all of them. `offered` names the
    items as `kind:id`, to be found by; `epoch` is the group's when it was built: if that moved,
    something was forgotten, and a reply that comes later may quote it."""

    context_id: str
    group_id: str
    mode: str
    reason: str
    user_id: str | None = None
    trigger_message_id: str | None = None
    items: tuple[Item, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: Mapping[str, int] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)
    message_ids: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    epoch: int = 0
    asked: tuple[str, ...] = ()
    stats: Mapping[str, float] = field(default_factory=dict)
    variant: str = ""
    created_at: datetime | None = None
    expires_at: datetime | None = None
    is_labelled: bool = False
    labelled_at: datetime | None = None
    usage: tuple[Usage, ...] = ()
    llm_response: str = ""
    user_feedback: str = ""
    success_indicator: float | None = None
    reply_type: str = ""


def asked_units(question: str) -> tuple[str, ...]:
    """What is kept of a question: enough to tell its words again, not to read them."""
    return tuple(sorted(hashed(unit) for unit in matching_units(question)))[:MOST_UNITS]


def hashed(unit: str) -> str:
    return digest("asked", unit)[:10]


def left_out(
    ranked: Mapping[str, float],
    offers: Sequence[Offer],
    context: Context,
    memory_ids: Iterable[str] = (),
) -> tuple[LeftOut, ...]:
    """What was considered and is not in the context, and why: `ranked` are the best messages
    by their score, `memory_ids` those that were read."""
    shown = {(one.kind, one.id) for one in context.items}
    offered = {(one.kind, one.id): one for one in offers}
    no_room = [
        LeftOut(one.kind, one.id, NO_ROOM, one.score)
        for key, one in offered.items()
        if key not in shown
    ]
    no_room.sort(key=lambda one: -(one.score or 0.0))
    messages = [
        LeftOut("message", key, NO_ROOM, score)
        for key, score in ranked.items()
        if ("message", key) not in shown
    ][:LEFT_OUT]
    memories = [
        LeftOut("memory", one, BELOW) for one in memory_ids if ("memory", one) not in offered
    ]
    return (*no_room, *messages, *memories)[:MOST_LEFT_OUT]
