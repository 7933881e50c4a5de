"""Context: which things a reply needs, fitted into a budget and shown in two parts. Pure.

`stable` is what changes only with a version, fitted first into at most 40 % of the budget;
`dynamic` is what this one question calls for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any

from shared.domain.context.rendering import (
    HEADINGS,
    IN_UTC,
    Names,
    clipped,
    cost_of,
    message_line,
    names_of,
    one_line,
    said_by,
    sections,
)
from shared.domain.context.shown_times import ShownTimes
from shared.domain.messages.stored_message import StoredMessage

TRADITIONAL_LAST = 10
"""Without any selection the last lines are the safest guess, and older ones mostly noise."""
RECENTLY = timedelta(hours=6)
"""As long as a topic stays open: who takes up a line of before that has to find back to it."""
STABLE_SHARE = 0.4
"""What is known for long may take so much of the tokens; the rest is for what is being said."""
MOST_OF_DYNAMIC = 0.1
"""One line's share of the whole budget: a long message is cut, it never crowds out the others."""
MOST_OF_STABLE = 0.15
"""The same for one memory, summary or profile: each says more than a line of talk."""
LEAST_TOKENS = 32
"""... but a line always has room for a name and a few words."""
STATEMENTS = frozenset({"event", "memory"})
"""Sections of single sentences."""
ROUNDING = 1e-6
"""Prices are summed as floats; a sum that is over by less than this is not over."""


@dataclass(frozen=True)
class Offer:
    """One thing that may be shown. `section` is its heading, `day` a line of its own that is shown
    once for all of that day; `is_needed` comes before any score."""

    kind: str
    id: str
    section: str
    line: str
    score: float
    reasons: tuple[str, ...]
    at: datetime
    is_needed: bool = False
    message: StoredMessage | None = None
    day: str = ""

    @cached_property
    def cost(self) -> int:
        """Of its line, with the break after it."""
        return cost_of(self.line)


@dataclass(frozen=True)
class Item:
    """One thing offered to the bot, with why."""

    kind: str
    id: str
    score: float
    reasons: tuple[str, ...]
    tokens: int


@dataclass(frozen=True)
class Context:
    stable: str
    dynamic: str
    messages: tuple[Mapping[str, Any], ...]
    items: tuple[Item, ...]
    stable_tokens: int
    dynamic_tokens: int

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in (self.stable, self.dynamic) if part)


EMPTY = Context("", "", (), (), 0, 0)


def offer_message(
    message: StoredMessage,
    names: Names,
    score: float,
    reasons: Sequence[str],
    *,
    is_needed: bool = False,
    times: ShownTimes = IN_UTC,
) -> Offer:
    return Offer(
        kind="message",
        id=message.message_id,
        section="message",
        line=message_line(message, names, times),
        score=score,
        reasons=tuple(reasons),
        at=message.create_time,
        is_needed=is_needed,
        message=message,
        day=times.day(message.create_time),
    )


def traditional(
    chain: Sequence[StoredMessage],
    recent: Sequence[StoredMessage],
    *,
    exclude: str | None,
    until: datetime | None = None,
    times: ShownTimes = IN_UTC,
) -> list[Offer]:
    """The reply chain and the last messages: what is there when nothing cleverer can be had.

    `until` is when it is asked: a line of long before is among the last ones, but not recent.
    """
    readable = [one for one in (*chain, *recent) if is_offerable(one, exclude)]
    names = names_of(readable)
    links = {one.message_id for one in chain}
    offers = [
        offer_message(one, names, 1.0, ("reply chain",), is_needed=True, times=times)
        for one in readable[: len(chain)]
        if one.message_id in links
    ]
    last = [one for one in readable if one.message_id not in links][-TRADITIONAL_LAST:]
    for rank, one in enumerate(reversed(last)):
        score = round(0.5 - 0.4 * rank / TRADITIONAL_LAST, 3)
        is_recent = until is None or until - one.create_time <= RECENTLY
        reason = "recent" if is_recent else "among the last"
        offers.append(offer_message(one, names, score, (reason,), times=times))
    return offers


def is_offerable(message: StoredMessage, exclude: str | None) -> bool:
    return message.message_id != exclude and message.is_readable and bool(message.content.strip())


def fit(
    stable: Sequence[Offer],
    dynamic: Sequence[Offer],
    *,
    max_messages: int,
    max_tokens: int,
) -> Context:
    """The best that fit: never over the budget, and a smaller budget never adds an item.

    Lines are taken in their order of worth until the first that has no room. Each costs at most a
    fixed share of the budget, and what the stable part is granted depends on its whole size, not
    on what of it fitted: so everything that fits a budget also fits any larger one.
    """
    most = max(LEAST_TOKENS, MOST_OF_STABLE * max_tokens)
    wanted = sum(min(one.cost, most) for one in stable) + _headings(stable)
    granted = min(STABLE_SHARE * max_tokens, wanted)
    kept = _taken(stable, most, granted)
    ranked = _ranked(dynamic, max_messages)
    most = max(LEAST_TOKENS, MOST_OF_DYNAMIC * max_tokens)
    chosen = _whole_where_there_is_room(
        ranked, _taken(ranked, most, max_tokens - granted), max_tokens - granted
    )
    names = names_of([one.message for one in dynamic if one.message])
    return _shown(kept, _in_order(chosen), names)


def _ranked(offers: Sequence[Offer], max_messages: int) -> list[Offer]:
    def worth(one: Offer) -> tuple[bool, float, float, str]:
        return (not one.is_needed, -one.score, -one.at.timestamp(), one.id)

    ranked: list[Offer] = []
    messages = 0
    for one in sorted(offers, key=worth):
        messages += one.message is not None
        if one.message is None or messages <= max_messages:
            ranked.append(one)
    return ranked


def _taken(offers: Sequence[Offer], most: float, budget: float) -> list[Offer]:
    left = budget
    begun: set[tuple[str, str]] = set()
    taken: list[Offer] = []
    for one in offers:
        opens = _opened_by(one) - begun
        price = min(one.cost, most) + sum(_opening(*opening) for opening in opens)
        if price > left + ROUNDING:
            break
        left -= price
        begun |= opens
        taken.append(one if one.cost <= most else replace(one, line=clipped(one.line, most)))
    return taken


def _whole_where_there_is_room(
    offers: Sequence[Offer], taken: Sequence[Offer], budget: float
) -> list[Offer]:
    """Half an event or a memory says nothing: what is left of the budget once everything has its
    place makes them whole, the best first."""
    left = budget - _tokens(taken)
    whole = []
    for one, shown in zip(offers, taken, strict=False):
        more = one.cost - shown.cost
        is_room = one.section in STATEMENTS and 0 < more <= left + ROUNDING
        left -= more if is_room else 0
        whole.append(one if is_room else shown)
    return whole


def _opened_by(offer: Offer) -> set[tuple[str, str]]:
    """The heading, and the day's own line, that the first of them needs."""
    return {(offer.section, ""), (offer.section, offer.day)}


@cache
def _opening(section: str, day: str) -> int:
    """A heading has an empty line before it."""
    return cost_of(day) if day else cost_of(HEADINGS[section]) + 1


def _headings(offers: Sequence[Offer]) -> int:
    opened = set[tuple[str, str]]().union(*map(_opened_by, offers))
    return sum(_opening(*opening) for opening in opened)


def _in_order(offers: Sequence[Offer]) -> list[Offer]:
    """Sections in the order of their headings, and each oldest first."""
    order = list(HEADINGS)
    return sorted(offers, key=lambda one: (order.index(one.section), one.at, one.id))


def _shown(stable: Sequence[Offer], dynamic: Sequence[Offer], names: Names) -> Context:
    talk = [one for one in dynamic if one.message]
    memory = [one for one in dynamic if not one.message]
    messages: list[Mapping[str, Any]] = [
        {"role": "user", "content": _text(part)} for part in (stable, memory) if part
    ]
    messages += [_turn(one, names) for one in talk]
    return Context(
        stable=_text(stable),
        dynamic=_text(dynamic),
        messages=tuple(messages),
        items=tuple(
            Item(one.kind, one.id, one.score, one.reasons, one.cost) for one in (*stable, *dynamic)
        ),
        stable_tokens=_tokens(stable),
        dynamic_tokens=_tokens(dynamic),
    )


def _tokens(offers: Sequence[Offer]) -> int:
    return sum(one.cost for one in offers) + _headings(offers)


def _text(offers: Sequence[Offer]) -> str:
    lines: dict[str, list[str]] = {}
    day = ""
    for one in offers:
        shown = lines.setdefault(one.section, [])
        if one.day and one.day != day:
            shown.append(one.day)
            day = one.day
        shown.append(one.line)
    return sections(lines)


def _turn(offer: Offer, names: Names) -> dict[str, Any]:
    """A turn of the talk on one line, as in the text; a user's begins with who speaks."""
    message = offer.message
    assert message is not None
    if message.role == "assistant":
        return {"role": "assistant", "content": clipped(one_line(message.content), offer.cost)}
    text = f"{said_by(message, names)}: {one_line(message.content)}"
    return {"role": "user", "content": clipped(text, offer.cost)}
