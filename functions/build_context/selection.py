"""Which of the messages that were read a reply needs: scored, gated, the chain always in. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.domain.context.fitting import Offer, is_offerable, offer_message
from shared.domain.context.relevance import Asked, Evidence, Relevance, Scorer
from shared.domain.context.rendering import IN_UTC, names_of
from shared.domain.context.shown_times import ShownTimes
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.passages import after_questions
from shared.domain.recall.ranking import Ranked
from shared.domain.recall.reasons import reasons_of

LEAST_LIFTED, MOST_LIFTED = 8, 20
"""So many lines at most are offered for what they say alone, by the room there is for them."""
TOKENS_A_LINE = 30
"""For each so many of the budget one line is lifted: 16 of 500, which is what has room there. With
12 the labelled chats lost six points of what answers among the last fifty lines."""
SOFTNESS = 4.6
"""A line this much below the best is worth 1/e of it, so a threshold of 0.3 keeps what is at most
5.5 below. Every rule that was tried (a number of lines, a share of the sum of chances, a spread of
the scores) gave the same trade of what answers for what is of other matters, or a worse one."""
ANSWERS = "said after a question that fits"
SURE = 4.0
"""What of a plain answer's score comes of the question itself, not of the line alone; where the
best has less, fewer lines are lifted."""
FEW, LEAST = 2, 0.5
"""So many lines are lifted however little they say, and what the best of them is worth then."""
LEAST_FIRST, FIRST_WORTH = 5, 0.3
"""So many of the lines that are lifted are worth at least this share of the best: one line with the
question's rarest word must not stand alone in the answer. On thirty chats by people who saw no code
five of them found 1.1 points more of what answers, at two points more of other matters."""
FIRST_FROM = 3.0
"""... if the question itself has so much to do with their score."""
TOKENS_A_FIRST_LINE = 400
"""... and one more for each so many of the budget: who has room for more wants more."""
OF_THE_LINE = ("says_much", "recent", "question")
"""Parts of a score that a line has whatever is asked."""
NEAR_LINES = 30
"""So many lines at most are of the talk that goes on, the nearest. On public IRC (each sixth line
of the development file) 30 keep 86.1 % of the conversation in 12.3 lines a message, all of them
87.1 % in 13.5."""
ALL_READ = 200
"""More than a context reads: with five factors their scores alone decide."""
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
    near_lines: int = NEAR_LINES
    lifted: int = 12
    first: int = LEAST_FIRST


def lifted_for(max_tokens: int) -> int:
    """How many lines are lifted at most; never fewer for a larger budget."""
    return min(MOST_LIFTED, max(LEAST_LIFTED, max_tokens // TOKENS_A_LINE))


def first_for(max_tokens: int) -> int:
    """How many of them are lifted however far they are behind the best."""
    return min(MOST_LIFTED, max(LEAST_FIRST, max_tokens // TOKENS_A_FIRST_LINE))


EVEN = Trust()
ASKS = Trust(near=0.0)
"""A question mostly asks for something else than the talk that goes on around it: none of the lines
before a question were ever what answered it, in four labelled chats."""
ASKS_ON = Trust(near=0.45, near_lines=2)
"""... but a question that surely goes on with the talk is shown its last lines."""
SURELY_GOES_ON = 0.1
"""The chance of opening something new, below which a question goes on with the talk."""
SPEAKS_TO_BOT = Trust(near_lines=4)
"""A remark to the bot may ask for something without the form of a question."""
GOES_ON = Trust(recall=0.0)
"""Who speaks to another member, or says no word that tells anything ("why?"), goes on with the talk
and asks for nothing else that was said before."""


def trust_in(
    opens: float,
    *,
    is_question: bool,
    speaks_to_member: bool,
    speaks_to_bot: bool = False,
    names_something: bool = True,
) -> Trust:
    """`opens` is the chance that the message opens something new."""
    if speaks_to_member or not names_something:
        return GOES_ON
    if is_question:
        return ASKS_ON if opens < SURELY_GOES_ON else ASKS
    return SPEAKS_TO_BOT if speaks_to_bot else Trust(recall=opens)


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
    times: ShownTimes = IN_UTC,
) -> Selection:
    """Hard filter by group first; then the chain, what the question goes on with, and the lines
    that answer it, wherever they lie. `threshold` is on a score, and for what was recalled it is
    the share of the best. Nothing is offered only because it is new."""
    candidates = {
        one.message_id: one
        for one in _all(found)
        if one.group_id == group_id
        and one.create_time <= until
        and is_offerable(one, asked.message_id or asked.said_as)
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
    lifted = _lifted([one for one in found.recalled if one.message.message_id in candidates], trust)
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
            times=times,
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


def _lifted(recalled: Sequence[Ranked], trust: Trust) -> dict[str, Relevance]:
    """Scores as shares of the best, or of a plain answer where the best is none."""
    if not recalled:
        return {}
    best = recalled[0]
    sure = min(1.0, max(0.0, _asked_for(best) / SURE))
    shown = max(FEW, round(sure * trust.lifted))
    lifted = {
        one.message.message_id: Relevance(
            round(max(LEAST, sure) * _share(one, best, is_first=n < trust.first), 4),
            {name: round(part, 3) for name, part in one.parts.items()},
            reasons_of(one),
        )
        for n, one in enumerate(recalled[:shown])
    }
    return _with_answers(lifted, recalled)


def _asked_for(one: Ranked) -> float:
    """What of a line's score comes of the question."""
    return one.score - sum(one.parts.get(part, 0.0) for part in OF_THE_LINE)


def _share(one: Ranked, best: Ranked, *, is_first: bool) -> float:
    """What a line is worth of the best."""
    share = math.exp((one.score - best.score) / SOFTNESS)
    if is_first and _asked_for(one) >= FIRST_FROM:
        return max(share, FIRST_WORTH + share / 10)
    return share


def _with_answers(
    lifted: Mapping[str, Relevance], recalled: Sequence[Ranked]
) -> dict[str, Relevance]:
    """Also what was said after the questions among them."""
    made = dict(lifted)
    for question, following in after_questions(recalled).items():
        if question not in lifted:
            continue
        for key, share in following:
            worth = round(share * lifted[question].score, 4)
            if key not in made or made[key].score < worth:
                factors = made[key].factors if key in made else {}
                made[key] = Relevance(worth, factors, (ANSWERS,))
    return made


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
