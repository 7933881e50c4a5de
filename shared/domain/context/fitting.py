"""Context: which things a reply needs, fitted into a budget and shown in two parts. Pure.

`stable` is what changes only with a version, fitted first into at most 40 % of the budget;
`dynamic` is what this one question calls for: records, and the lines that spend the rest.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any

from shared.domain.context.cutting import cut_around
from shared.domain.context.rendering import (
    HEADINGS,
    IN_UTC,
    Names,
    clipped,
    cost_of,
    message_line,
    one_line,
    said_by,
    sections,
    with_clock,
)
from shared.domain.context.shown_times import ShownTimes
from shared.domain.messages.stored_message import StoredMessage

TRADITIONAL_LAST = 10
"""Without any selection the last lines are the safest guess, and older ones mostly noise."""
RECENTLY = timedelta(hours=6)
"""Older lines are not called recent. The default of `topic_idle_hours`, not a group's own value."""
STABLE_SHARE = 0.4
"""What is known for long may take so much of the tokens; the rest is for what is being said."""
MOST_OF_STABLE = 0.15
"""One memory's or profile's share of the budget."""
LEAST_TOKENS = 32
"""... but each has room for a name and a few words."""
RECORD_SHARE, SUMMARY_SHARE, RECORDS_SHARE = 0.1, 0.05, 0.2
"""Of the budget, what one memory or event may cost, what one summary, and all of them together: the
lines that answer are worth more. With 500 tokens hardly a summary is short enough; each that was
took four lines from the answer."""
MOST_OF_LEFT = 0.5
"""A line that alone would take more than this share of what is left is cut to that."""
LONG_LINE = 120
"""Tokens. A shorter line is shown whole or not at all: a piece of it says too little."""
LEAST_LINE = 12
"""Tokens of a time, a name and a word: with less left nothing more fits."""
MOST_PASSED = 60
"""So many lines may be passed over for want of room before the search for a shorter one ends."""
LEAST_QUOTED = 8
"""Characters of a line below which a summary has the same words by chance."""


CLOCK_TOKENS = 5
"""Of a time of the day and a space: four by the count, and what rounding may add."""

Opening = tuple[str, str, str]
"""A heading (its section), a day's line (and the day), or a clock (and the quarter of an hour)."""


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
    message: StoredMessage | None = None
    day: str = ""
    quarter: str = ""
    clock: str = ""

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
    times: ShownTimes = IN_UTC,
) -> Offer:
    return Offer(
        kind="message",
        id=message.message_id,
        section="message",
        line=message_line(message, names),
        score=score,
        reasons=tuple(reasons),
        at=message.create_time,
        message=message,
        day=times.day(message.create_time),
        quarter=times.quarter(message.create_time),
        clock=times.clock(message.create_time),
    )


def traditional(
    chain: Sequence[StoredMessage],
    recent: Sequence[StoredMessage],
    names: Names,
    *,
    leave_out: Collection[str],
    until: datetime | None = None,
    times: ShownTimes = IN_UTC,
) -> list[Offer]:
    """The reply chain and the last messages, best first: what is there when nothing cleverer can
    be had.

    `until` is when it is asked: a line of long before is among the last ones, but not recent.
    """
    linked = [line for line in chain if is_offerable(line, leave_out)]
    known = {line.message_id for line in linked} | {*leave_out}
    offers = [offer_message(line, names, 1.0, ("reply chain",), times=times) for line in linked]
    last = [line for line in recent if is_offerable(line, known)][-TRADITIONAL_LAST:]
    for place, line in enumerate(reversed(last)):
        score = round(0.5 - 0.4 * place / TRADITIONAL_LAST, 3)
        is_recent = until is None or until - line.create_time <= RECENTLY
        reason = "recent" if is_recent else "among the last"
        offers.append(offer_message(line, names, score, (reason,), times=times))
    return offers


def is_offerable(message: StoredMessage, leave_out: Collection[str]) -> bool:
    is_own = message.message_id in leave_out
    return not is_own and message.is_readable and bool(message.content.strip())


def fit(
    stable: Sequence[Offer],
    records: Sequence[Offer],
    lines: Iterable[Offer],
    *,
    names: Names,
    max_tokens: int,
    max_messages: int | None = None,
    lines_share: float = 1.0,
    words: Sequence[str] = (),
) -> Context:
    """What has room, never over the budget: what is known for long, the best records (memories,
    events, summaries), and then whole lines, best first, until nothing more fits.

    `lines` come best first, the reply chain before all others; a line is cut only if it alone
    would take more than half of what is left, around the `words` that match; all of them may take
    `lines_share` of the tokens. A summary that quotes a line that is shown gives way to more lines.
    """
    kept = _fitted_stable(stable, max_tokens)
    room = _Room(max_tokens - _tokens(kept))
    left_for_records = RECORDS_SHARE * max_tokens
    chosen: list[Offer] = []
    for offer in sorted(records, key=_worth):
        price = room.price(offer)
        share = SUMMARY_SHARE if offer.kind == "summary" else RECORD_SHARE
        is_short = offer.cost <= share * max_tokens
        if is_short and price <= left_for_records and room.take(offer):
            left_for_records -= price
            chosen.append(offer)
    best_first = iter(lines)
    for_lines = lines_share * max_tokens
    room.tokens = min(room.tokens, for_lines)
    shown = _spent(best_first, room, max_messages, words)
    said = [offer.message.content for offer in shown if offer.message]
    repeated = [offer for offer in chosen if offer.kind == "summary" and _quotes(offer.line, said)]
    if repeated:
        chosen = [offer for offer in chosen if offer not in repeated]
        left_over = max_tokens - _tokens([*kept, *chosen, *shown])
        room = _Room(min(left_over, for_lines - _tokens(shown)), [*chosen, *shown])
        left = None if max_messages is None else max_messages - len(shown)
        shown += _spent(best_first, room, left, words)
    return _shown(kept, _in_order([*chosen, *shown]), names)


class _Room:
    """What is left of the budget, and which headings and days are already paid for."""

    def __init__(self, tokens: float, shown: Sequence[Offer] = ()) -> None:
        self.tokens = tokens
        self._opened = set[Opening]().union(*map(_opened_by, shown))

    def price(self, offer: Offer) -> int:
        return offer.cost + sum(_opening(*opening) for opening in self._unopened(offer))

    def take(self, offer: Offer) -> bool:
        """Whether there was room for it."""
        price = self.price(offer)
        if price > self.tokens:
            return False
        self.tokens -= price
        self._opened |= _opened_by(offer)
        return True

    def _unopened(self, offer: Offer) -> set[Opening]:
        return _opened_by(offer) - self._opened


def _fitted_stable(stable: Sequence[Offer], max_tokens: int) -> list[Offer]:
    """In their order, each cut to its share, until the first that has no room."""
    most = max(LEAST_TOKENS, MOST_OF_STABLE * max_tokens)
    room = _Room(STABLE_SHARE * max_tokens)
    kept: list[Offer] = []
    for offer in stable:
        short = offer if offer.cost <= most else replace(offer, line=clipped(offer.line, most))
        if not room.take(short):
            break
        kept.append(short)
    return kept


def _spent(
    best_first: Iterator[Offer], room: _Room, max_messages: int | None, words: Sequence[str]
) -> list[Offer]:
    taken: list[Offer] = []
    passed = 0
    while room.tokens >= LEAST_LINE and passed < MOST_PASSED:
        if max_messages is not None and len(taken) >= max_messages:
            break
        offer = next(best_first, None)
        if offer is None:
            break
        if offer.cost > max(LONG_LINE, MOST_OF_LEFT * room.tokens):
            offer = _cut(offer, max(LONG_LINE, int(MOST_OF_LEFT * room.tokens)), words)
        if room.take(offer):
            taken.append(offer)
        else:
            passed += 1
    return taken


def _cut(offer: Offer, max_tokens: int, words: Sequence[str]) -> Offer:
    """A long line around the words that match; its turn in `messages` has the same words."""
    message = offer.message
    if message is None:
        return replace(offer, line=clipped(offer.line, max_tokens))
    text = one_line(message.content)
    around = max(1, max_tokens - (cost_of(offer.line) - cost_of(text)) - 2)
    content = cut_around(text, words, around)
    place = offer.line.rfind(text)
    line = clipped(offer.line[:place] + content, max_tokens)
    return replace(offer, line=line, message=replace(message, content=content))


def _quotes(summary: str, said: Iterable[str]) -> bool:
    text = summary.casefold()
    return any(len(line) >= LEAST_QUOTED and one_line(line).casefold() in text for line in said)


def _worth(offer: Offer) -> tuple[float, float, str]:
    return -offer.score, -offer.at.timestamp(), offer.id


def _opened_by(offer: Offer) -> set[Opening]:
    """The heading, the day's own line and the clock, that the first of them needs."""
    opened = {(offer.section, "", "")}
    if offer.day:
        opened.add((offer.section, offer.day, ""))
    if offer.quarter:
        opened.add((offer.section, offer.day, offer.quarter))
    return opened


@cache
def _opening(section: str, day: str, quarter: str) -> int:
    """A heading has an empty line before it."""
    if quarter:
        return CLOCK_TOKENS
    return cost_of(day) if day else cost_of(HEADINGS[section]) + 1


def _headings(offers: Sequence[Offer]) -> int:
    opened = set[Opening]().union(*map(_opened_by, offers))
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
    opened = set[Opening]()
    for offer in offers:
        shown = lines.setdefault(offer.section, [])
        new = _opened_by(offer) - opened
        opened |= new
        if offer.day and (offer.section, offer.day, "") in new:
            shown.append(offer.day)
        is_first = bool(offer.quarter) and (offer.section, offer.day, offer.quarter) in new
        shown.append(with_clock(offer.line, offer.clock) if is_first else offer.line)
    return sections(lines)


def _turn(offer: Offer, names: Names) -> dict[str, Any]:
    """A turn of the talk on one line, as in the text; a user's begins with who speaks."""
    message = offer.message
    assert message is not None
    text = one_line(message.content)
    if message.role == "assistant":
        return {"role": "assistant", "content": text}
    return {"role": "user", "content": f"{said_by(message, names)}: {text}"}
