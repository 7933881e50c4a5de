"""Whether anything that was said answers a question, or it asks for something else. Pure.

A greeting, a sum or a wish for a poem is near to some line of any talk. What is taken as a sign is
how far the best line stands above what the fixed questions about anything find in the same talk.
"""

from typing import TYPE_CHECKING

from shared.domain.ranking.anchors import OF_A_GROUP
from shared.domain.ranking.lines import unit_rows
from shared.domain.ranking.ranker import RankedQuestion, Ranking
from shared.domain.ranking.words import compared_words
from shared.language import named_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STANDS_OUT, WORDS, SMALL_TALK, NAMES = 1.0, 2.0, -1.5, 1.5
"""Chosen on the development halves of four sets of chats: at a quarter of a point of what answers
lost, unrelated questions cost 143 of 500 tokens of lines. Who names a member asks of the group."""
NOTHING, PLENTY = -1.0, 1.0
"""The sum below which nothing answers, and above which the whole budget is worth spending."""
FEW_LINES = 8
"""In so short a talk all of it is shown anyway."""


def worth_spending(
    ranking: Ranking, question: RankedQuestion, anchors: "NDArray[np.float32] | None"
) -> float:
    """The share of the budget that lines are likely to be worth: 1 where something surely answers,
    or where nothing can be told (no vectors, few lines)."""
    import numpy as np

    lines = ranking.lines
    if anchors is None or question.vector is None or len(lines) < FEW_LINES:
        return 1.0
    known = lines.vectors.any(axis=1)
    if lines.vectors.shape[1] != len(question.vector) or known.sum() < FEW_LINES:
        return 1.0
    asked = np.asarray(question.vector, np.float32)
    asked = asked / np.linalg.norm(asked)
    anchored = lines.anchored[known]
    usual, swing = anchored.mean(axis=1), anchored.std(axis=1)
    swing = swing + swing.mean()
    best = float(((lines.vectors[known] @ asked - usual) / swing).max())
    bests = ((anchored - usual[:, None]) / swing[:, None]).max(axis=0)
    total = (
        STANDS_OUT * (best - float(bests.mean())) / (float(bests.std()) or 1.0)
        + WORDS * _share_of_words(question.text, ranking)
        + SMALL_TALK * _is_small_talk(asked, unit_rows(anchors))
        + NAMES * bool(named_in(question.text, {name: name for name in set(lines.speakers)}))
    )
    return float(np.clip((total - NOTHING) / (PLENTY - NOTHING), 0.0, 1.0))


def _is_small_talk(asked: "NDArray[np.float32]", anchors: "NDArray[np.float32]") -> float:
    """How much nearer it is to greetings and sums than to questions about a group, in the usual
    differences between the fixed questions."""
    near = anchors @ asked
    among = anchors @ anchors.T
    count = len(anchors)
    spread = float(among[~_diagonal(count)].std()) or 1.0
    of_a_group = len(OF_A_GROUP)
    return float(near[of_a_group:].max() - near[:of_a_group].max()) / spread


def _diagonal(count: int) -> "NDArray[np.bool_]":
    import numpy as np

    found: NDArray[np.bool_] = np.eye(count, dtype=bool)
    return found


def _share_of_words(text: str, ranking: Ranking) -> float:
    """How much of the question's words the best line has, the rare ones counting more."""
    import numpy as np

    lines = ranking.lines
    found = np.zeros(len(lines))
    whole = 0.0
    for word in compared_words(text):
        has = np.zeros(len(lines))
        for start, postings in lines.words:
            if places := postings.get(word):
                has[np.asarray(places) + start] = 1.0
        often = has.sum()
        rarity = float(np.log1p((len(lines) - often + 0.5) / (often + 0.5)))
        whole += rarity
        found += rarity * has
    return float(found.max() / whole) if whole else 0.0
