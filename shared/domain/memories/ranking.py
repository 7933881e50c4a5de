"""Memories ranked for a question: words and meaning in one sum, with a confidence that holds. Pure.

The sum orders; the confidence also looks at the other memories: near a question that nothing
answers everything is equally far, and near one that two memories might answer neither is sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.bm25 import shared_rarity
from shared.domain.memories.embedded_wording import memory_text, vector_in
from shared.domain.memories.memory import Memory
from shared.domain.similarity.answering import answering
from shared.domain.similarity.vectors import cosines
from shared.language import guess_language


@dataclass(frozen=True)
class RankedMemory:
    """`confidence` is the chance that this memory answers the question, as counted on questions
    nothing was fitted on: of those at 0.8, eight in ten do. Below 0.1 it is weak: one such in
    twenty answers, so offer it only where nothing else is there to offer. `by_words` and
    `by_meaning` tell what spoke for it, in the same unit."""

    memory: Memory
    confidence: float
    by_words: float
    by_meaning: float

    @property
    def reason(self) -> str:
        """In words for an owner."""
        return "same words" if self.by_words > self.by_meaning else "near in meaning"


def ranked_memories(
    memories: Sequence[Memory], text: str, vector: Sequence[float] | None, model: str
) -> list[RankedMemory]:
    """All of them, the best first. `vector` is of its `question_text`, or
    nearly as well of the text as it stands; without one, and for a
    memory that has none of this model, words decide and its meaning counts as usual."""
    row = answering(model, guess_language(text))
    own = [vector_in(one, model) if vector else None for one in memories]
    near = iter(cosines(vector or (), [one for one in own if one]))
    by_meaning = [row.meaning * (next(near) - row.usual) if one else 0.0 for one in own]
    texts = [compared_words(one.statement, one.subject, one.kind) for one in memories]
    by_words = [row.words * shared for shared in shared_rarity(text, texts)]
    sums = [words + meaning for words, meaning in zip(by_words, by_meaning, strict=True)]
    found = [
        RankedMemory(memory, confidence, words, meaning)
        for memory, confidence, words, meaning in zip(
            memories, row.confidences(sums), by_words, by_meaning, strict=True
        )
    ]
    order = sorted(range(len(found)), key=lambda at: (-sums[at], memories[at].memory_id))
    return [found[at] for at in order]


def compared_words(statement: str, subject: str, kind: str) -> str:
    """The text whose words are compared with a question's: what is embedded, and about whom. A
    member's name needs no rule of its own: the more memories name it, the less it counts."""
    return f"{subject} {memory_text(statement, kind)}"
