"""Which of the messages that were read a reply needs: scored, gated, the chain always in. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.context.fitting import Offer, is_offerable, offer_message
from shared.domain.context.relevance import Asked, Evidence, Scorer
from shared.domain.context.rendering import names_of
from shared.domain.messages.stored_message import StoredMessage
from shared.search.messages import Near

FEW = 5


@dataclass(frozen=True)
class Found:
    """What the reads brought, each by its way; a message may be in several."""

    chain: Sequence[StoredMessage] = ()
    recent: Sequence[StoredMessage] = ()
    thread: Sequence[StoredMessage] = ()
    topic: Sequence[StoredMessage] = ()
    by_words: Sequence[StoredMessage] = ()
    by_meaning: Sequence[Near] = ()


@dataclass(frozen=True)
class Selection:
    offers: list[Offer]
    factors: Mapping[str, Mapping[str, float]]
    considered: int


def select(
    group_id: str,
    asked: Asked,
    found: Found,
    scorer: Scorer,
    threshold: float,
    until: datetime,
) -> Selection:
    """Hard filter by group first; then the chain, and whatever scores at least `threshold`.

    In a quiet group little reaches it; then the best of the last messages are shown all the same:
    a bot that knows nothing answers worse than one that knows what was said last.
    """
    candidates = {
        one.message_id: one
        for one in _all(found)
        if one.group_id == group_id
        and one.create_time <= until
        and is_offerable(one, asked.message_id)
    }
    messages = sorted(candidates.values(), key=lambda one: (one.create_time, one.message_id))
    chain = frozenset(one.message_id for one in found.chain)
    live = {one.message_id for one in (*found.recent, *found.thread, *found.topic, *found.chain)}
    evidence = Evidence(
        chain=chain,
        similarity={one.message.message_id: one.similarity for one in found.by_meaning},
        found=frozenset(
            one.message_id
            for one in (*found.by_words, *(near.message for near in found.by_meaning))
            if one.message_id not in live
        ),
    )
    scored = scorer.score(asked, messages, evidence)
    names = names_of(messages)
    by_id = {one.message_id: it for one, it in zip(messages, scored, strict=True)}
    wanted = {
        message_id
        for message_id, relevance in by_id.items()
        if message_id in chain or relevance.score >= threshold
    }
    last = [one.message_id for one in found.recent if one.message_id in by_id]
    last.sort(key=lambda one: (-by_id[one].score, -candidates[one].create_time.timestamp(), one))
    for message_id in last[:FEW]:
        if len(wanted) < FEW:
            wanted.add(message_id)
    kept = [(one, by_id[one.message_id]) for one in messages if one.message_id in wanted]
    return Selection(
        offers=[
            offer_message(
                one,
                names,
                relevance.score,
                relevance.reasons or ("several weak signs",),
                is_needed=one.message_id in chain,
            )
            for one, relevance in kept
        ],
        factors={one.message_id: relevance.factors for one, relevance in kept},
        considered=len(messages),
    )


def likely_topic(
    asked: Asked, chain: Sequence[StoredMessage], recent: Sequence[StoredMessage], scorer: Scorer
) -> str | None:
    """The topic of a question that attribution has not seen yet: of what it answers, or of what it
    most probably follows."""
    if asked.topic_id:
        return asked.topic_id
    for one in reversed(chain):
        if one.topic_id:
            return one.topic_id
    before = [
        one for one in recent if is_offerable(one, asked.message_id) and one.topic_id is not None
    ]
    if not before:
        return None
    scored = scorer.score(asked, before, Evidence())
    best = max(range(len(before)), key=lambda n: (scored[n].score, before[n].create_time))
    return before[best].topic_id


def _all(found: Found) -> Iterable[StoredMessage]:
    """Ways that read from the database anew come last and win: nothing older hides an edit."""
    yield from (near.message for near in found.by_meaning)
    yield from found.by_words
    yield from found.topic
    yield from found.thread
    yield from found.chain
    yield from found.recent
