"""Surroundings of a question: who talks with whom, how fast, and which words are rare. Pure.

Each factor of a message's relevance is read off them, between 0 and 1.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from shared.domain.context.antecedents import SpokenLine, antecedent
from shared.domain.context.relevance import Asked, Evidence, addressed, called
from shared.domain.messages.stored_message import StoredMessage

HALF_LIFE_MINUTES = 6.0
"""A line counts half as much after this time ..."""
HALF_LIFE_GAPS = 4.0
"""... or, where people talk more slowly, so many times the usual gap between two messages."""
HALF_LIFE_MESSAGES = 16.0
"""... and as little once so many others were said since; the two count the same."""
PACE_MESSAGES = 20
"""The last lines that tell the usual gap."""
SAME_THREAD = 0.9
"""The platform itself says that they belong together; only a direct reply says more."""
SAME_TOPIC = 0.85
OLD_TOPIC = 0.3
"""... when it was said, and what is left of that much later."""
SAME_PARENT = 0.7
"""Two answers to one message."""
SAME_TALK = 0.2
"""Linked by who addresses whom and who speaks on, where the platform says nothing."""
PARTNER = 0.4
"""Somebody the speaker is talking with counts nearly as much as the speaker."""
SAME_ADDRESSEE = 0.6
"""Of a line within the asker's talk that is not between the same two people."""
FRESH_MESSAGES = 40.0
"""So many lines later, who was talked with and what about speaks half as strongly ..."""
OLD_WORDS = 0.1
"""... but what the asker said before never counts less than this."""
HALF = 0.5
"""Close enough to be talked with; and what a line of the person addressed counts if it speaks to
another."""
TURNED_AWAY = 0.35
"""What is left of a message of the right person that speaks to somebody else."""
RECALL = 0.5
RECALLED = 5
"""So many messages from outside the live talk at most are lifted by words and meaning alone."""


class Surroundings:
    """The candidates around a question: who talks with whom, which words are rare."""

    def __init__(
        self, asked: Asked, candidates: Sequence[StoredMessage], evidence: Evidence
    ) -> None:
        self.asked = asked
        self.evidence = evidence
        self.candidates = candidates
        self._addressed = {one.message_id: addressed(one) for one in candidates}
        ordered = sorted(candidates, key=lambda one: (one.create_time, one.message_id))
        self._before = [one for one in ordered if one.create_time <= asked.create_time]
        self._distance = {one.message_id: n for n, one in enumerate(reversed(self._before))}

    @cached_property
    def names(self) -> frozenset[str]:
        """What the one who asks answers to."""
        known = {self.asked.user_id or "", self.asked.user_name.casefold()}
        return frozenset(known - {""})

    @cached_property
    def people(self) -> frozenset[str]:
        """All who speak here: only they can be addressed by a leading word."""
        return self.names.union(*(called(one) for one in self.candidates))

    @cached_property
    def partners(self) -> Mapping[str, float]:
        """Who the speaker addressed or was addressed by, the longer ago the less; whoever is
        addressed now, wholly."""
        if now := (self.asked.addressed & self.people) - self.names:
            return dict.fromkeys(now, 1.0)
        # The bot is about to answer, so whoever asks is talking with it.
        bots = [one for one in self.candidates if one.role == "assistant"]
        found = {name: 1.0 for one in bots for name in called(one)}
        for one in self._before:
            spoken_to = self._addressed[one.message_id] & self.people
            if called(one) & self.names:
                met = spoken_to
            elif spoken_to & self.names:
                met = called(one)
            else:
                continue
            freshness = self._freshness(one)
            found |= dict.fromkeys(met - self.names, freshness)
        return found

    def _freshness(self, message: StoredMessage) -> float:
        distance = self._distance.get(message.message_id, 0)
        return float(math.exp2(-distance / FRESH_MESSAGES))

    def _closeness(self, names: frozenset[str]) -> float:
        return max((self.partners.get(name, 0.0) for name in names), default=0.0)

    @cached_property
    def talk(self) -> frozenset[str]:
        """The talk that the question goes on with, as far as addressing and turns tell."""
        of: dict[str, str] = {}
        lines: list[SpokenLine] = []
        for one in self._before:
            line = SpokenLine(
                one.message_id,
                called(one),
                self._addressed[one.message_id] & self.people,
                one.create_time,
                one.reply_message_id or one.continues,
            )
            link = antecedent(line, lines, of)
            of[line.id] = of[link] if link else line.id
            lines.append(line)
        own = SpokenLine(
            "",
            self.names,
            self.asked.addressed & self.people,
            self.asked.create_time,
            self.asked.reply_message_id or self.asked.continues,
        )
        link = antecedent(own, lines, of)
        return frozenset(one for one, talk in of.items() if link and talk == of[link])

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        counts = Counter(term for one in self.candidates for term in set(one.terms))
        total = len(self.candidates) + 1
        return {
            term: math.log(1 + total / (1 + counts[term])) for term in {*counts, *self.asked.terms}
        }

    def structure(self, message: StoredMessage, topics: Mapping[str, float]) -> float:
        asked = self.asked
        if message.message_id in self.evidence.chain or message.message_id == asked.continues:
            return 1.0
        root = asked.root_message_id
        if asked.thread_id and asked.thread_id == message.thread_id:
            return SAME_THREAD
        if root and root in (message.root_message_id, message.message_id):
            return SAME_THREAD
        if asked.reply_message_id and asked.reply_message_id == message.reply_message_id:
            return SAME_PARENT
        talk = SAME_TALK if message.message_id in self.talk else 0.0
        share = topics.get(message.topic_id or "", 0.0)
        return max(talk, share * (OLD_TOPIC + (SAME_TOPIC - OLD_TOPIC) * self._freshness(message)))

    @cached_property
    def half_life(self) -> float:
        """In minutes, at the pace of this chat."""
        last = self._before[-PACE_MESSAGES:]
        if not last:
            return HALF_LIFE_MINUTES
        span = (self.asked.create_time - last[0].create_time).total_seconds() / 60
        return max(HALF_LIFE_MINUTES, HALF_LIFE_GAPS * span / len(last))

    def nearness(self, message: StoredMessage) -> float:
        """By the clock and by how many messages came in between."""
        minutes = abs((self.asked.create_time - message.create_time).total_seconds()) / 60
        distance = self._distance.get(message.message_id, 0)
        by_clock = math.exp2(-minutes / self.half_life)
        by_distance = math.exp2(-distance / HALF_LIFE_MESSAGES)
        return float(0.5 * by_clock + 0.5 * by_distance)

    def continuity(self, message: StoredMessage) -> float:
        own = called(message)
        spoken_to = self._addressed[message.message_id] & self.people
        if own & self.names:
            away = spoken_to and self.partners and self._closeness(spoken_to) < HALF
            return (TURNED_AWAY if away else 1.0) * max(OLD_WORDS, self._freshness(message))
        away = spoken_to and not spoken_to & self.names and not self._closeness(spoken_to)
        return PARTNER * self._closeness(own) * (TURNED_AWAY if away else 1.0)

    def addressing(self, message: StoredMessage) -> float:
        own, spoken_to = called(message), self._addressed[message.message_id] & self.people
        speaks_to_somebody = bool(self.asked.addressed & self.people)
        if spoken_to & self.names:
            return SAME_ADDRESSEE if speaks_to_somebody and not own & self.asked.addressed else 1.0
        if own & self.asked.addressed:
            return HALF if spoken_to else 1.0
        return self._closeness(spoken_to) * (1.0 if own & self.names else SAME_ADDRESSEE)

    def likeness(self, message: StoredMessage) -> float:
        near = self.evidence.similarity.get(message.message_id, 0.0)
        return max(near, min(1.0, 2 * self._overlap(message)))

    def recall(self, message: StoredMessage) -> float:
        """What words and meaning are worth together, when nothing else links the two."""
        return self._recalled.get(message.message_id, 0.0)

    @cached_property
    def _recalled(self) -> Mapping[str, float]:
        near = self.evidence.similarity
        worth = {
            one.message_id: RECALL * (near.get(one.message_id, 0.0) + self._overlap(one)) / 2
            for one in self.candidates
            if one.message_id in self.evidence.found
        }
        best = sorted(worth, key=lambda one: (-worth[one], one))[:RECALLED]
        return {one: worth[one] for one in best}

    def _overlap(self, message: StoredMessage) -> float:
        """The share of the question's words that it has, the rare ones counting more."""
        shared = self.asked.terms & set(message.terms)
        if not shared:
            return 0.0
        whole = sum(self.rarity[term] for term in self.asked.terms)
        return sum(self.rarity[term] for term in shared) / whole
