"""Memories ranked for a question, by words and meaning in one sum. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.domain.memories.embedded_wording import memory_text, vector_in
from shared.domain.memories.memory import Memory
from shared.domain.similarity.matching import matches

if TYPE_CHECKING:
    from shared.domain.ranking.lines import Matrix


@dataclass(frozen=True)
class RankedMemory:
    """`score` is between 0 and 1 and follows from the two parts. Below 0.15 a memory is weak: offer
    it only where nothing else is there to offer."""

    memory: Memory
    score: float
    by_words: float
    by_meaning: float

    @property
    def reason(self) -> str:
        """In words for an owner."""
        return "same words" if self.by_words > self.by_meaning else "near in meaning"


def ranked_memories(
    memories: Sequence[Memory],
    text: str,
    vector: Sequence[float] | None,
    model: str,
    anchors: "Matrix | None" = None,
) -> list[RankedMemory]:
    """All of them, the best first. `vector` is of its `question_text`, or nearly as well of the
    text as it stands; without one, and for a memory that has none of this model, words decide.
    `anchors` are the vectors of the fixed questions."""
    texts = [words_of_memory(one.statement, one.subject, one.kind) for one in memories]
    vectors = [vector_in(one, model) if vector else None for one in memories]
    found = [
        RankedMemory(memory, match.score, match.by_words, match.by_meaning)
        for memory, match in zip(
            memories, matches(text, texts, vectors, vector, anchors), strict=True
        )
    ]
    return sorted(found, key=lambda one: (-one.score, one.memory.memory_id))


def words_of_memory(statement: str, subject: str, kind: str) -> str:
    """The text whose words are compared with a question's: what is embedded, and about whom. A
    member's name needs no rule of its own: the more memories name it, the less it counts."""
    return f"{subject} {memory_text(statement, kind)}"
