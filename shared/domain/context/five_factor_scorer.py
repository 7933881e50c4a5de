"""The hand-set score: a weighted sum of five factors, and the topic a question is in. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.domain.context.relevance import Asked, Evidence, Relevance
from shared.domain.context.surroundings import SAME_PARENT, Surroundings
from shared.domain.messages.stored_message import StoredMessage

COUNTS = 0.5
"""A factor of at least this much is named among the reasons."""
OTHER_TOPIC = 0.4
"""What is left of the score of a message that is known to belong to another topic."""
LINK_SHARPNESS = 14.0
"""Makes chances of scores: a link scored 0.1 higher than another is four times as probable."""
OPENS_NEW = 0.25
"""As probable as a link scored like this: that the question opens a topic of its own."""

REASONS = {
    "reply_chain": "reply chain",
    "time_decay": "recent",
    "user_continuity": "same speakers",
    "mention_relation": "addressed",
    "keyword_overlap": "same words or meaning",
}


@dataclass(frozen=True)
class Weights:
    """How much each factor counts; the settings' names."""

    reply_chain: float = 0.40
    time_decay: float = 0.20
    user_continuity: float = 0.15
    mention_relation: float = 0.15
    keyword_overlap: float = 0.10


@dataclass(frozen=True)
class FiveFactors:
    """The weighted sum of five factors, each between 0 and 1."""

    weights: Weights = Weights()

    def score(
        self, asked: Asked, candidates: Sequence[StoredMessage], evidence: Evidence
    ) -> list[Relevance]:
        around = Surroundings(asked, candidates, evidence)
        first = [self._factors(around, message) for message in candidates]
        topics = _topic_shares(asked, candidates, [self._sum(one) for one in first])
        return [
            self._relevance(around, message, factors, topics)
            for message, factors in zip(candidates, first, strict=True)
        ]

    def _factors(self, around: Surroundings, message: StoredMessage) -> dict[str, float]:
        """As far as they are known before the question's topic is."""
        return {
            "reply_chain": around.structure(message, {}),
            "time_decay": around.nearness(message),
            "user_continuity": around.continuity(message),
            "mention_relation": around.addressing(message),
            "keyword_overlap": around.likeness(message),
        }

    def _sum(self, factors: Mapping[str, float]) -> float:
        weights = vars(self.weights)
        return float(sum(weights[name] * value for name, value in factors.items()))

    def _relevance(
        self,
        around: Surroundings,
        message: StoredMessage,
        first: Mapping[str, float],
        topics: Mapping[str, float],
    ) -> Relevance:
        factors = {**first, "reply_chain": around.structure(message, topics)}
        score = self._sum(factors)
        in_thread = factors["reply_chain"] >= SAME_PARENT
        elsewhere = 1.0 - topics.get(message.topic_id or "", 0.0 if message.topic_id else 1.0)
        if topics and not in_thread:
            score *= 1.0 - (1.0 - OTHER_TOPIC) * elsewhere
        score = max(score, around.recall(message))
        reasons = [REASONS[name] for name, value in factors.items() if value >= COUNTS]
        if factors["reply_chain"] >= COUNTS and message.message_id not in around.evidence.chain:
            reasons[0] = "same thread or topic"
        return Relevance(
            round(min(score, 1.0), 4),
            {name: round(value, 3) for name, value in factors.items()},
            tuple(reasons),
        )


def _topic_shares(
    asked: Asked,
    candidates: Sequence[StoredMessage],
    scores: Sequence[float],
) -> dict[str, float]:
    """How probably the question belongs to each topic; nothing where no topic is known.

    A message is asked about before attribution has seen it: then the topics of the messages it
    most probably follows speak for it.
    """
    if asked.topic_id:
        return {asked.topic_id: 1.0}
    replied = [one for one in candidates if one.message_id == asked.reply_message_id]
    if replied and replied[0].topic_id:
        return {replied[0].topic_id: 1.0}
    shares: dict[str, float] = {}
    total = math.exp(LINK_SHARPNESS * OPENS_NEW)
    for message, score in zip(candidates, scores, strict=True):
        weight = math.exp(LINK_SHARPNESS * score)
        total += weight
        if message.topic_id:
            shares[message.topic_id] = shares.get(message.topic_id, 0.0) + weight
    return {topic: share / total for topic, share in shares.items()}
