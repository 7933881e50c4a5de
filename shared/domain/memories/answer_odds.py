"""How probably each memory is what a text asks for: by its meaning, and by its kind. Pure."""

from collections.abc import Callable, Sequence

from shared.domain.memories.asked_kinds import agreement, asked_kinds
from shared.domain.memories.embedded_wording import vector_in
from shared.domain.memories.memory import Memory
from shared.domain.similarity.vectors import cosines
from shared.domain.text.language import Language, guess_language

Chance = Callable[[str, Language, float, int], float]
"""Of the calibration: model, language, cosine and agreement of kind to a chance."""


def chances(
    memories: Sequence[Memory], text: str, vector: Sequence[float], model: str, chance: Chance
) -> dict[str, float]:
    """By memory; those without a vector of this model (not made anew yet) are left out."""
    comparable = [(one, own) for one in memories if (own := vector_in(one, model))]
    near = cosines(vector, [own for _, own in comparable])
    language, asked = guess_language(text), asked_kinds(text)
    return {
        one.memory_id: chance(model, language, cosine, agreement(asked, one.kind))
        for (one, _), cosine in zip(comparable, near, strict=True)
    }
