"""The first seed's score of a line: a weighted sum of five factors, each between 0 and 1. Pure."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.config import Settings
from shared.domain.bm25 import heard
from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.message import EVERYONE
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.ranking.words import compared_words

FACTORS = ("reply_chain", "time_decay", "user_continuity", "mention_relation", "keyword_overlap")
REASONS = {
    "reply_chain": "same thread or topic",
    "time_decay": "recent",
    "user_continuity": "same speakers",
    "mention_relation": "addressed",
    "keyword_overlap": "same words",
}
COUNTS = 0.5
"""A factor of at least this much is named among the reasons."""
SAME_THREAD, SAME_TOPIC, SAME_PARENT = 0.9, 0.85, 0.7
"""The platform's own thread, the topic that attribution found, two answers to one message."""
HALF_LIFE_MINUTES, HALF_LIFE_LINES = 6.0, 16.0
"""A line counts half as much after this time, or once so many others were said; both count."""
PARTNER = 0.4
"""Somebody with whom the asker spoke lately counts nearly as much as the asker."""
LATELY = 20
"""The lines in which the asker's partners are looked for."""
SAME_ADDRESSEE = 0.6
"""A line that speaks to the one whom the question speaks to."""
ENOUGH_WORDS = 0.5
"""Half of the question's words, the rare ones counting more, is all that a line needs."""
_LEADING_NAME = re.compile(r"\A\s*([^\s:,，：@]{1,32})\s?[:,，：]")


@dataclass(frozen=True)
class FiveFactors:
    score: float
    factors: Mapping[str, float]
    reasons: tuple[str, ...]


def weights_of(settings: Settings) -> dict[str, float]:
    return {name: float(getattr(settings, f"{name}_weight")) for name in FACTORS}


RANKING_PARTS = {
    "reply": "reply_chain",
    "talk": "user_continuity",
    "fresh": "time_decay",
    "speaker": "mention_relation",
    "words": "keyword_overlap",
    "nearby_words": "keyword_overlap",
}
"""Where the ranker has the same sign, the weight of a factor acts there too."""


def ranking_weights(settings: Settings) -> dict[str, float]:
    """How much more or less than usual the parts of the ranker's sum count: by the five weights,
    relative to their defaults, and by the weights of the parts themselves."""
    usual = {name: float(type(settings).model_fields[f"{name}_weight"].default) for name in FACTORS}
    now = weights_of(settings)
    own = {part: now[name] / usual[name] for part, name in RANKING_PARTS.items()}
    return own | {
        part: weight * own.get(part, 1.0) for part, weight in settings.recall_weights.items()
    }


def five_factors(
    asked: StoredMessage,
    lines: Sequence[StoredMessage],
    chain: Collection[str],
    weights: Mapping[str, float],
) -> dict[str, FiveFactors]:
    """By message id; `lines` oldest first."""
    asker = called(asked)
    addressed = {line.message_id: spoken_to(line) for line in lines}
    wanted = spoken_to(asked)
    partners = _partners(asker, lines[-LATELY:], addressed)
    overlap = _overlaps(asked.content, lines)
    topic_id = asked.topic_id or next(
        (line.topic_id for line in reversed(lines) if line.message_id == asked.reply_message_id),
        None,
    )
    found: dict[str, FiveFactors] = {}
    for back, line in enumerate(reversed(lines)):
        own = called(line)
        factors = {
            "reply_chain": _structure(asked, line, topic_id, chain),
            "time_decay": _freshness(asked, line, back),
            "user_continuity": 1.0 if own & asker else PARTNER * bool(own & partners),
            "mention_relation": _mentions(asker, wanted, own, addressed[line.message_id]),
            "keyword_overlap": min(1.0, overlap[len(lines) - 1 - back] / ENOUGH_WORDS),
        }
        score = 1.0 if line.message_id in chain else sum(weights[n] * factors[n] for n in FACTORS)
        reasons = [REASONS[name] for name in FACTORS if factors[name] >= COUNTS]
        found[line.message_id] = FiveFactors(
            round(min(1.0, score), 4),
            {name: round(value, 3) for name, value in factors.items()},
            tuple(reasons) or ("several weak signs",),
        )
    return found


def called(message: StoredMessage) -> frozenset[str]:
    """What its author answers to."""
    return frozenset({message.user_id, message.user_name.casefold()} - {""})


def spoken_to(message: StoredMessage) -> frozenset[str]:
    """Ids and names of those it speaks to, by mention or by a name it begins with."""
    found: set[str] = set()
    for mention in find_mentions(message):
        if mention != EVERYONE:
            found |= {mention.user_id, mention.user_id.lstrip("@").casefold()}
            found |= {mention.name.casefold()} - {""}
    if leading := _LEADING_NAME.match(message.content):
        found.add(leading[1].casefold())
    return frozenset(found)


def _structure(
    asked: StoredMessage, line: StoredMessage, topic_id: str | None, chain: Collection[str]
) -> float:
    if line.message_id in chain or line.message_id == asked.continues:
        return 1.0
    root = asked.root_message_id
    if asked.thread_id and asked.thread_id == line.thread_id:
        return SAME_THREAD
    if root and root in (line.root_message_id, line.message_id):
        return SAME_THREAD
    if topic_id and line.topic_id == topic_id:
        return SAME_TOPIC
    if asked.reply_message_id and asked.reply_message_id == line.reply_message_id:
        return SAME_PARENT
    return 0.0


def _freshness(asked: StoredMessage, line: StoredMessage, back: int) -> float:
    minutes = abs((asked.create_time - line.create_time).total_seconds()) / 60
    by_clock = math.exp2(-minutes / HALF_LIFE_MINUTES)
    return float((by_clock + math.exp2(-back / HALF_LIFE_LINES)) / 2)


def _partners(
    asker: frozenset[str], lines: Iterable[StoredMessage], addressed: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Who spoke to the asker lately, and to whom the asker spoke."""
    found: set[str] = set()
    for line in lines:
        own = called(line)
        if own & asker:
            found |= addressed[line.message_id]
        elif addressed[line.message_id] & asker:
            found |= own
    return frozenset(found - asker)


def _mentions(
    asker: frozenset[str], wanted: frozenset[str], own: frozenset[str], addressed: frozenset[str]
) -> float:
    if addressed & asker or own & wanted:
        return 1.0
    return SAME_ADDRESSEE * bool(addressed & wanted)


def _overlaps(text: str, lines: Sequence[StoredMessage]) -> list[float]:
    """The share of the question's words that each line has, the rare ones counting more."""
    words = [frozenset(compared_words(line.content)) for line in lines]
    known = heard(list(own) for own in words)
    rarity = {word: known.rarity(word) for word in compared_words(text)}
    whole = sum(rarity.values()) or 1.0
    return [sum(rarity[word] for word in own if word in rarity) / whole for own in words]
