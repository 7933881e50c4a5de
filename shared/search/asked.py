"""A question as the searches compare it: its vector, and those of the fixed questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.clients.embedder import Embedder
from shared.domain.ranking.anchors import ANCHORS
from shared.domain.similarity.matching import Usual, usual_nearness

if TYPE_CHECKING:
    from shared.domain.ranking.lines import Matrix


@dataclass(frozen=True)
class EmbeddedQuestion:
    """`vector` is of the question, `anchors` have a row for each fixed question; None where the
    service did not answer."""

    vector: Sequence[float] | None = None
    anchors: "Matrix | None" = None

    @property
    def usual(self) -> Usual:
        return usual_nearness(self.anchors, self.vector)


NOT_EMBEDDED = EmbeddedQuestion()


async def embedded_question(
    embedder: Embedder, text: str, *, group_id: str, budget_s: float
) -> EmbeddedQuestion:
    """In one call; the fixed questions are paid for once in the life of a process."""
    found = await embedder.embed([text, *ANCHORS], group_id=group_id, budget_s=budget_s)
    return EmbeddedQuestion(found[0], anchors_of(found[1:]))


async def fixed_vectors(embedder: Embedder, *, group_id: str, budget_s: float) -> "Matrix | None":
    return anchors_of(await embedder.embed(ANCHORS, group_id=group_id, budget_s=budget_s))


def anchors_of(found: Sequence[Sequence[float] | None]) -> "Matrix | None":
    import numpy as np

    known = [row for row in found if row is not None]
    return np.array(known, np.float32) if known and len(known) == len(found) else None
