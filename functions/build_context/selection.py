"""Which of the messages that were read a reply needs: scored, gated, the chain always in. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.domain.context.fitting import Offer, is_offerable, offer_message
from shared.domain.context.relevance import Asked, Evidence, Relevance, Scorer
from shared.domain.context.rendering import names_of
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.ranking import Ranked
from shared.domain.recall.reasons import reasons_of

LIFTED = 20
"""So many lines at most are offered for what they say alone."""
SURE = 3.5
"""The score of a line that plainly answers; where the best has less, fewer lines are lifted."""
LEFT_OUT = 20
"""So many of what was considered and not offered are kept in the record."""


@dataclass(frozen=True)
class Found:
    """What the reads brought, each by its way; a message may be in several."""

    chain: Sequence[StoredMessage] = ()
    recent: Sequence[StoredMessage] = ()
    thread: Sequence[StoredMessage] = ()
    topic: Sequence[StoredMessage] = ()
    recalled: Sequence[Ranked] = ()


@dataclass(frozen=True)
class Trust:
    """How much counts what is near, in how many lines at most, and how much what was recalled."""

    near: float = 1.0
    recall: float = 1.0
    near_lines: int = 200


EVEN = Trust()
ASKS = Trust(near=0.45, near_lines=4)
"""A question to the bot mostly asks for something else than the talk that goes on around it: of
that only what surely belongs to it is shown, in a few lines."""
SPEAKS_TO_SOMEBODY = Trust(recall=0.0)
"""Who speaks to another member goes on with their talk and asks for nothing said before."""


def trust_in(opens: float, *, is_question: bool, speaks_to_member: bool) -> Trust:
    """`opens` is the chance that the message opens something new."""
    if speaks_to_member:
        return SPEAKS_TO_SOMEBODY
    if not is_question:
        return Trust(recall=opens)
    return ASKS


@dataclass(frozen=True)
class Selection:
    offers: list[Offer]
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    left_out: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    considered: int = 0


def select(
    group_id: str,
    asked: Asked,
    found: Found,
    scorer: Scorer,
    threshold: float,
    until: datetime,
    trust: Trust = EVEN,
) -> Selection:
    """Hard filter by group first; then the chain, what the question goes on with, and the lines
    that answer it, wherever they lie. `threshold` is on a score, and for what was recalled it is
    the share of the best. Nothing is offered only because it is new."""
    candidates = {
        one.message_id: one
        for one in _all(found)
        if one.group_id == group_id
        and one.create_time <= until
        and is_offerable(one, asked.message_id)
    }
    messages = sorted(candidates.values(), key=lambda one: (one.create_time, one.message_id))
    chain = frozenset(one.message_id for one in found.chain)
    near = dict(
        zip(
            (one.message_id for one in messages),
            scorer.score(asked, messages, Evidence(chain=chain)),
            strict=True,
        )
    )
    lifted = _lifted([one for one in found.recalled if one.message.message_id in candidates])
    fixed = {one.message_id for one in (*found.chain, *found.thread)}
    loose = sorted((one for one in near if one not in fixed), key=lambda n: -near[n].score)
    far = set(loose[trust.near_lines :])
    scored = {
        key: _better(
            one if key in fixed else _times(one, 0.0 if key in far else trust.near),
            _times(lifted[key], trust.recall) if key in lifted else None,
        )
        for key, one in near.items()
    }
    names = names_of(messages)
    kept = [
        one
        for one in messages
        if one.message_id in chain or scored[one.message_id].score >= threshold
    ]
    offers = [
        offer_message(
            one,
            names,
            scored[one.message_id].score,
            scored[one.message_id].reasons or ("several weak signs",),
            is_needed=one.message_id in chain,
        )
        for one in kept
    ]
    wanted = {one.message_id for one in kept}
    others = sorted((one for one in scored if one not in wanted), key=lambda n: -scored[n].score)
    return Selection(
        offers=offers,
        factors={one.message_id: scored[one.message_id].factors for one in kept},
        left_out={
            one: {"score": scored[one].score, "why": "below the threshold"}
            for one in others[:LEFT_OUT]
        },
        considered=len(messages),
    )


def _times(one: Relevance, share: float) -> Relevance:
    return Relevance(round(share * one.score, 4), one.factors, one.reasons)


def _lifted(recalled: Sequence[Ranked]) -> dict[str, Relevance]:
    """Scores as shares of the best, or of a plain answer where the best is none."""
    if not recalled:
        return {}
    best = max(recalled[0].score, SURE)
    return {
        one.message.message_id: Relevance(
            round(min(1.0, max(0.0, one.score / best)), 4),
            {name: round(part, 3) for name, part in one.parts.items()},
            reasons_of(one),
        )
        for one in recalled[:LIFTED]
    }


def _better(near: Relevance, lifted: Relevance | None) -> Relevance:
    """The higher score with its reasons, and all factors."""
    if lifted is None:
        return near
    factors = {**near.factors, **lifted.factors}
    best = max((lifted, near), key=lambda one: one.score)
    return Relevance(best.score, factors, best.reasons)


def _all(found: Found) -> Iterable[StoredMessage]:
    """Ways that read from the database anew come last and win: nothing older hides an edit."""
    yield from (one.message for one in found.recalled)
    yield from found.topic
    yield from found.thread
    yield from found.chain
    yield from found.recent
