"""One ranked list of lines for a question: a weighted sum of what speaks for each. Pure.

The weights are set by hand after a study of long dialogues, and chosen with some of the chats and
dialogues in sight that are measured on: docs/decisions/contexts.md says which.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from shared.domain.bm25 import K1, Heard
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.recall.people import names_any
from shared.domain.recall.question import RecallQuestion
from shared.domain.recall.same_subject import company
from shared.domain.recall.thread import Neighbours, neighbours
from shared.language import character_pairs, has_han, tells_amount, tells_time

WEIGHTS: Mapping[str, float] = {
    "words": 0.45,  # of a BM25 sum, in which a rare word is worth 3 to 6
    "own_words": -0.16,  # of the same: who repeats the question's words seldom answers it
    "meaning": 0.325,  # of a z-score
    "reply": 0.6,  # of a z-score
    "speaker": 1.56,
    "about": 0.4,
    "own": 0.15,
    "question": -1.0,
    "when": 0.85,
    "amount": 0.85,
    "day": 0.7,
    "recent": 0.65,
    "says_much": 1.4,  # of a logarithm: 0 for a reaction, 2.4 for ten words
    "company": 1.0,  # of what the lines of its matter say for it
}
AS_USUAL: Mapping[str, float] = {}
OF_A_SEARCH: Mapping[str, float] = {"meaning": 1.23, "speaker": 1.23, "company": 0.875}
"""How much more or less than in a chat these count for who searches. Chosen on half of 61 labelled
chats, see docs/decisions/finding-messages.md."""
CHINESE = 0.625
"""What a Chinese word counts in a chat: its characters and their neighbours count as pairs beside
it. Who searches wants the words searched for, and there it counts wholly."""
OF_THE_QUESTION = ("words", "own_words", "meaning", "reply", "speaker", "about")
"""Parts that say what a line has to do with the question."""
TOLD_OF_IT = 1.0
"""A time or an amount counts wholly in a line that has so much to do with the question: in a chat
every other line tells a time of something."""
PAIRS = 0.5
"""A pair of characters beside a word: many pairs are no words."""
FEW_LINES = 50
"""In a chat of fewer lines a word is as rare as in one of so many: two lines tell no frequency."""
ENOUGH_WORDS = 12
"""A line says no more for being longer: a pasted text must not come first everywhere."""
RECENT_LINES = 100
"""How far back the small bonus for what was said lately reaches."""
RECENT_HALVES = timedelta(days=4)
"""... and in how much time it halves: the last hundred lines of a sparse group are months old."""
DAY_SLACK = timedelta(days=3)
"""Of a day that is named, people also talk on the next ones."""


@dataclass(frozen=True)
class Lines:
    """What is ranked. `cosines` are of the index, also of lines that were not read; `replies` are
    of the lines' own vectors, which are of embedding `model`; `unbroken` are the ids of the last
    lines, oldest first."""

    messages: Sequence[StoredMessage]
    cosines: Mapping[str, float] = field(default_factory=dict)
    unbroken: Sequence[str] = ()
    replies: Mapping[str, float] = field(default_factory=dict)
    model: str = ""


@dataclass(frozen=True)
class Ranked:
    """`parts` are the terms of the sum, already weighted."""

    message: StoredMessage
    score: float
    parts: Mapping[str, float]


def rank(
    question: RecallQuestion, lines: Lines, own: Mapping[str, float] = AS_USUAL
) -> list[Ranked]:
    """The best first; of equals the later. `own` is how much more or less than usual a group has
    some of the parts count."""
    asked = AS_USUAL if question.is_of_the_talk else OF_A_SEARCH
    weights = {
        name: weight * asked.get(name, 1.0) * own.get(name, 1.0) for name, weight in WEIGHTS.items()
    }
    messages = sorted(lines.messages, key=lambda one: (one.create_time, one.message_id))
    near = neighbours(messages, lines.unbroken)
    found_words = _found_words(question, messages, lines.unbroken)
    worth = _words(found_words, near)
    alone = _words(found_words, [{}] * len(messages))
    meaning = _meaning(messages, lines.cosines)
    replies = _z_scores([lines.replies.get(one.message_id) for one in messages])
    age = {one: n for n, one in enumerate(reversed(lines.unbroken))}
    parts: list[dict[str, float]] = []
    for n, one in enumerate(messages):
        found = {
            "words": worth[n],
            "own_words": question.is_of_the_talk * alone[n],
            "meaning": meaning[n],
            "reply": replies[n],
            "speaker": float(one.user_id in question.about),
            "about": float(
                bool(question.named.words) and names_any(one.content, question.named.words)
            ),
            "own": float(question.asker is not None and one.user_id == question.asker),
            "question": float(is_question(one)),
            "when": float(question.asks_when and tells_time(one.content)),
            "amount": float(question.asks_amount and tells_amount(one.content)),
            "day": _day(question, one),
            "recent": question.is_of_the_talk
            * max(0.0, 1 - age.get(one.message_id, RECENT_LINES) / RECENT_LINES)
            * _freshness(question, one),
            "says_much": math.log1p(min(ENOUGH_WORDS, len(one.terms))),
        }
        weighed = {name: weights[name] * value for name, value in found.items() if value}
        about = sum(weighed.get(name, 0.0) for name in OF_THE_QUESTION)
        for name in ("when", "amount"):
            if name in weighed:
                weighed[name] *= min(1.0, max(0.0, about / TOLD_OF_IT))
        parts.append(weighed)
    others = company(messages, [sum(one.values()) for one in parts], lines.model)
    for found, share in zip(parts, others, strict=True):
        found["company"] = weights["company"] * share
    ranked = [
        Ranked(message, sum(found.values()), found)
        for message, found in zip(messages, parts, strict=True)
    ]
    return sorted(
        ranked, key=lambda one: (one.score, one.message.create_time, one.message.message_id)
    )[::-1]


WordInLines = tuple[float, Sequence[bool]]
"""What a word of the question is worth, and in which lines it stands."""


def _found_words(
    question: RecallQuestion, messages: Sequence[StoredMessage], unbroken: Sequence[str]
) -> list[WordInLines]:
    """Words of the chat's everyday, by its last lines, are left out: what a search brought is no
    sample of it."""
    chinese = CHINESE if question.is_of_the_talk else 1.0
    last = set(unbroken)
    lately = [n for n, one in enumerate(messages) if one.message_id in last]
    found: list[WordInLines] = []
    for wanted, of_line, weight in (
        (question.words, lambda one: one.terms, 1.0),
        (question.pairs, lambda one: character_pairs(one.content), PAIRS),
    ):
        said = [frozenset(of_line(one)) for one in messages] if wanted else []
        for word in wanted:
            has = [word in one for one in said]
            count = sum(has)
            everyday = Heard(len(lately), {word: sum(has[n] for n in lately)})
            if not count or everyday.is_common(word):
                continue
            rarity = Heard(max(len(messages), FEW_LINES), {word: count}).rarity(word)
            found.append((weight * rarity * (chinese if has_han(word) else 1.0), has))
    return found


def _words(found: Sequence[WordInLines], near: Neighbours) -> list[float]:
    """BM25 in which a neighbour's words count as a part of one's own, so that "on Friday" is found
    by the question it answers. Saturation is of the whole: two words beat one word twice."""
    sums = [0.0] * len(near)
    for rarity, has in found:
        for n, here in enumerate(has):
            count = here + sum(share for other, share in near[n].items() if has[other])
            if count:
                sums[n] += rarity * count * (K1 + 1) / (count + K1)
    return sums


def _meaning(messages: Sequence[StoredMessage], cosines: Mapping[str, float]) -> list[float]:
    """z-scores over all that was compared. What the index would have found if it were near is as
    far as the farthest that it found; of what is not indexed yet nothing is known."""
    if len(cosines) < 2:
        return [0.0] * len(messages)
    values = list(cosines.values())
    middle, spread, least = statistics.fmean(values), statistics.pstdev(values), min(values)
    if spread < 1e-6:
        return [0.0] * len(messages)
    return [
        (cosines.get(one.message_id, least) - middle) / spread
        if one.message_id in cosines or one.state is MessageState.ATTRIBUTED
        else 0.0
        for one in messages
    ]


def _z_scores(values: Sequence[float | None]) -> list[float]:
    """How far each is above the mean, in standard deviations; 0 for what is not known."""
    known = [one for one in values if one is not None]
    spread = statistics.pstdev(known) if len(known) > 1 else 0.0
    if spread < 1e-6:
        return [0.0] * len(values)
    middle = statistics.fmean(known)
    return [0.0 if one is None else (one - middle) / spread for one in values]


def _freshness(question: RecallQuestion, message: StoredMessage) -> float:
    """Between 0 and 1: what is left of the bonus for being recent."""
    if question.asked_at is None:
        return 1.0
    age = max(timedelta(0), question.asked_at - message.create_time)
    return float(0.5 ** (age / RECENT_HALVES))


def _day(question: RecallQuestion, message: StoredMessage) -> float:
    day = message.create_time.date()
    return float(any(first <= day <= last + DAY_SLACK for first, last in question.days))


def is_question(message: StoredMessage) -> bool:
    kind = message.message_type
    return kind == "question" if kind else message.content.rstrip().endswith(("?", "？"))
