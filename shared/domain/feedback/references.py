"""Which of the offered memories a reply refers to: by id, by rare words they share, by meaning;
and how memories grow by being used and fade by being passed over.

The words of the question count for nothing: a reply repeats them whether it knew more or not. The
three numbers were fitted on half of the labelled replies of `bench/feedback.py`. Pure.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.bm25 import heard
from shared.domain.context.record import hashed
from shared.domain.memories.embedded_wording import question_text, vector_in
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.similarity.matching import UNKNOWN, Usual
from shared.domain.similarity.vectors import cosine_table
from shared.language import matching_units

WORDS, NEAR, NEARER, REST = 3.3, 6.6, 7.7, -3.8
"""Of a logistic: the share of the memory's rare words that the reply has, the cosine of its nearest
part, how much nearer that part is to it than to the next memory, and the constant."""
LEAST = 0.5
"""The chance from which a memory counts as referred to."""
FITTED_ON = Usual(0.18, 0.13)
"""What was usual among the cosines that the numbers were fitted on."""
MOST_PARTS = 24
"""Sentences and clauses of a reply that are embedded, the whole first."""
SHORTEST_PART = 4
"""In characters: less says nothing by itself."""
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*|\n+")
_CLAUSE = re.compile(r"[,，:：;；。.!?！？\n]\s*")


@dataclass(frozen=True)
class Reference:
    """`by` is id, words or meaning: what spoke for it most."""

    memory_id: str
    chance: float
    by: str

    @property
    def is_one(self) -> bool:
        return self.chance >= LEAST


def parts_of(reply: str) -> list[str]:
    """The reply, its sentences and its clauses: a reply that uses a memory seldom does so in all
    of its sentences."""
    parts = [reply, *_SENTENCE.split(reply), *_CLAUSE.split(reply)]
    kept = [part.strip() for part in parts if len(part.strip()) >= SHORTEST_PART]
    return [question_text(part) for part in dict.fromkeys(kept)][:MOST_PARTS]


def references(
    reply: str,
    vectors: Sequence[Sequence[float]],
    memories: Sequence[Memory],
    *,
    asked: Collection[str],
    used_ids: Collection[str] = (),
    model: str,
    usual: Usual = UNKNOWN,
) -> list[Reference]:
    """One for each memory. `vectors` are of `parts_of(reply)`; without any, words alone decide.
    `asked` are the hashed words of the question, `used_ids` what the host says was used."""
    shares = _shares(reply, memories, asked)
    nearness = _nearness(vectors, memories, model, usual)
    found = []
    for memory, share in zip(memories, shares, strict=True):
        if memory.memory_id in used_ids or memory.memory_id in reply:
            found.append(Reference(memory.memory_id, 1.0, "id"))
            continue
        near, nearer = nearness.get(memory.memory_id, (0.0, 0.0))
        chance = 1 / (1 + math.exp(-(WORDS * share + NEAR * near + NEARER * nearer + REST)))
        by = "words" if WORDS * share > NEAR * near + NEARER * nearer else "meaning"
        found.append(Reference(memory.memory_id, round(chance, 4), by))
    return found


def _shares(reply: str, memories: Sequence[Memory], asked: Collection[str]) -> list[float]:
    """Of each memory's words, weighed by how rare they are among the offered, the share that the
    reply has and the question has not."""
    said = matching_units(reply)
    units = [matching_units(memory.statement) for memory in memories]
    known = heard(list(unit) for unit in units)
    shares = []
    for own in units:
        new = sorted(unit for unit in own if hashed(unit) not in asked)
        whole = sum(known.rarity(unit) for unit in new)
        shares.append(sum(known.rarity(unit) for unit in new if unit in said) / (whole or 1.0))
    return shares


def _nearness(
    vectors: Sequence[Sequence[float]], memories: Sequence[Memory], model: str, usual: Usual
) -> Mapping[str, tuple[float, float]]:
    """Of each memory that has a vector of this model: the cosine of the nearest part, and by how
    much a part is nearer to it than to any other, at best."""
    known = [
        (memory.memory_id, vector) for memory in memories if (vector := vector_in(memory, model))
    ]
    if not vectors or not known:
        return {}
    table = [
        [FITTED_ON.mean + FITTED_ON.spread * usual.above(cosine) for cosine in row]
        for row in cosine_table(vectors, [vector for _, vector in known])
    ]
    found = {}
    for at, (memory_id, _) in enumerate(known):
        near = max(row[at] for row in table)
        others = [max(row[:at] + row[at + 1 :], default=row[at]) for row in table]
        nearer = max(row[at] - other for row, other in zip(table, others, strict=True))
        found[memory_id] = (near, nearer)
    return found


ONE_FADE = timedelta(days=1)
"""A memory that is offered with every reply must not be gone by the evening."""


@dataclass(frozen=True)
class StrengthRules:
    up: float
    down: float


def weighed(
    memories: Sequence[Memory], used: Collection[str], rules: StrengthRules, now: datetime
) -> list[Memory]:
    """Those whose strength moves: used ones up to 1, others down to 0, at most once a day; core
    ones never fade. Which are core or archived follows in upkeep."""
    moved = []
    for memory in memories:
        if memory.status is not MemoryStatus.ACTIVE:
            continue
        if memory.memory_id in used:
            moved.append(replace(memory, strength=_between(memory.strength + rules.up)))
        elif not memory.core and (memory.faded_at is None or now - memory.faded_at >= ONE_FADE):
            moved.append(
                replace(memory, strength=_between(memory.strength - rules.down), faded_at=now)
            )
    return [new for new in moved if new not in memories]


def _between(strength: float) -> float:
    return round(min(1.0, max(0.0, strength)), 6)
