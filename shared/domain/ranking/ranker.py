"""The sum that ranks a group's lines for a question. Pure.

    said  = words + nearby_words + near + rare + number
    score = said + speaker + around + answer + reply + talk + fresh + asks + to_bot

words         words that the question and "name: text" share, rare ones more
nearby_words  the same with the words of the three lines before and after, each half of the last
near          cosine of the question and the line
rare          the same less what the line gets from forty fixed questions about anything, by their
              spread: a line that is near to everything says nothing
number        the question asks how much or when, and the line has a number or a day
speaker       said by somebody whom the question names
around        `said` of the lines near by, fading with the distance; a pause is a distance too
answer        `said` of the question that stands one, two or three lines before it
reply         `said` of the line it replies to, or of the best that replies to it
talk          how surely it is of the conversation that goes on, as far as that was asked
fresh         how few lines were said since
asks          it asks something itself
to_bot        it is spoken to the bot, or by it

Every term but the yes-or-no ones is standardised over the lines at hand: how far a line stands out
of its group is the signal, and no scale of an encoder matters.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from shared.domain.ranking.lines import PreparedLines
from shared.domain.ranking.words import asks_amount, compared_words
from shared.language import named_in

if TYPE_CHECKING:
    from shared.domain.ranking.lines import Floats

WEIGHTS: Mapping[str, float] = {
    "words": 0.4,
    "nearby_words": 0.4,
    "near": 0.4,
    "rare": 0.4,
    "number": 0.8,
    "speaker": 0.8,
    "around": 0.4,
    "answer": 0.3,
    "reply": 0.4,
    "talk": 4.0,
    "fresh": 0.8,
    "asks": -0.5,
    "to_bot": -0.5,
}
"""Chosen on four sets of chats, each left out once: docs/decisions/ranking.md."""
NO_OWN_WEIGHTS: Mapping[str, float] = {}
NO_TALK: Mapping[str, float] = {}
K1 = 0.9
"""How soon a word that is said again near by says nothing new."""
NEARBY = (0.5, 0.25, 0.125)
"""What a word of the next line on either side counts, of the second, and of the third."""
FADING_LINES = 6.0
"""A line this far off counts 1/e."""
PAUSE_MINUTES, LONGEST_PAUSE = 10.0, 6.0
"""So long a silence is as far as one line, and no silence is farther than so many."""
ANSWERED_AFTER = (1.0, 0.7, 0.5)
"""How likely the next line after a question answers it, the second, the third."""
LATELY, LAST = 100, 3
"""Beyond so many lines all are equally old; the last few differ little."""
MIDDLE, SPREAD = 4.0, 2.0
"""The sum that is shown as 0.5, and how fast it goes from there to 0 and 1. Of a hundred lines at
0.5 ten answered on the development chats, of those at 0.9 twenty."""


@dataclass(frozen=True)
class RankedQuestion:
    """`vector` is of the text, without what only calls the bot; None: words alone rank."""

    text: str
    vector: Sequence[float] | None = None


@dataclass(frozen=True)
class Ranking:
    """A score a line, in the group's own units, and the weighted terms that it is the sum of."""

    lines: PreparedLines
    scores: "Floats"
    parts: Mapping[str, "Floats"]

    @cached_property
    def order(self) -> list[int]:
        """Best first; of equals the later."""
        import numpy as np

        last_first: list[int] = np.argsort(-self.scores[::-1], kind="stable").tolist()
        return [len(last_first) - 1 - n for n in last_first]

    def parts_of(self, line: int) -> dict[str, float]:
        return {name: float(part[line]) for name, part in self.parts.items()}


def rank(
    question: RankedQuestion,
    lines: PreparedLines,
    *,
    weights: Mapping[str, float] = WEIGHTS,
    own: Mapping[str, float] = NO_OWN_WEIGHTS,
    talk: Mapping[str, float] = NO_TALK,
) -> Ranking:
    """`own` is how much more or less than usual a group has some of the parts count; `talk` the
    chance of each line, by message id, to be of the conversation that the question goes on with."""
    import numpy as np

    count = len(lines)
    w = {name: weight * own.get(name, 1.0) for name, weight in weights.items()}
    words, nearby = _words(question.text, lines)
    near, rare = _meaning(question, lines)
    parts = {
        "words": w["words"] * standard(words),
        "nearby_words": w["nearby_words"] * standard(nearby),
        "near": w["near"] * near,
        "rare": w["rare"] * rare,
        "number": w["number"] * lines.amounts * asks_amount(question.text),
    }
    said = np.maximum(sum(parts.values(), np.zeros(count)), 0)
    age = np.minimum(np.arange(count, 0, -1), LATELY)
    parts |= {
        "speaker": w["speaker"] * _named(question.text, lines.speakers),
        "around": w["around"] * standard(_around(said, lines)),
        "answer": w["answer"] * _answering(said, lines),
        "reply": w["reply"] * _replying(said, lines),
        "talk": w["talk"] * np.array([talk.get(key, 0.0) for key in lines.message_ids], np.float64),
        "fresh": w["fresh"] * np.log((LATELY + LAST) / (age + LAST)),
        "asks": w["asks"] * lines.asks,
        "to_bot": w["to_bot"] * lines.to_bot,
    }
    return Ranking(lines, sum(parts.values(), np.zeros(count)), parts)


def score_of(total: float) -> float:
    """The sum on a scale from 0 to 1."""
    return round(1 / (1 + math.exp((MIDDLE - total) / SPREAD)), 4)


def standard(values: "Floats") -> "Floats":
    """How many standard deviations each is above the mean; zeros where all are alike."""
    import numpy as np

    spread = values.std() if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _words(text: str, lines: PreparedLines) -> "tuple[Floats, Floats]":
    """What each line has of the words, alone and together with the lines beside it."""
    import numpy as np

    count = len(lines)
    alone, together = np.zeros(count), np.zeros(count)
    for word in compared_words(text):
        often = np.zeros(count)
        for start, postings in lines.words:
            if places := postings.get(word):
                often[np.asarray(places) + start] = 1.0
        has = np.count_nonzero(often)
        if not has:
            continue
        rarity = np.log1p((count - has + 0.5) / (has + 0.5))
        alone += rarity * often
        heard = often.copy()
        for apart, share in enumerate(NEARBY, 1):
            heard[apart:] += share * often[:-apart]
            heard[:-apart] += share * often[apart:]
        together += rarity * heard / (heard + K1)
    return alone, together


def _meaning(question: RankedQuestion, lines: PreparedLines) -> "tuple[Floats, Floats]":
    """Nearness, and nearness beyond the usual; 0 for a line whose vector is not known."""
    import numpy as np

    near, rare = np.zeros(len(lines)), np.zeros(len(lines))
    asked = np.asarray(question.vector if question.vector is not None else (), np.float32)
    known = lines.vectors.any(axis=1)
    if len(asked) != lines.vectors.shape[1] or not known.any() or not asked.any():
        return near, rare
    cosines = lines.vectors @ (asked / np.linalg.norm(asked))
    cosines = cosines[known]
    near[known] = standard(cosines)
    if lines.anchored.shape[1]:
        usual, swing = lines.anchored[known].mean(axis=1), lines.anchored[known].std(axis=1)
        rare[known] = standard((cosines - usual) / np.maximum(swing + swing.mean(), 1e-6))
    return near, rare


def _named(text: str, speakers: Sequence[str]) -> "Floats":
    """Which lines are by somebody whom the question names."""
    import numpy as np

    named = named_in(text, {name: name for name in set(speakers)})
    return np.array([name in named for name in speakers], np.float64)


def _around(said: "Floats", lines: PreparedLines) -> "Floats":
    """What all other lines say for each, by their distance: once from the left, once back."""
    import numpy as np

    pauses = np.clip(np.diff(lines.minutes) / PAUSE_MINUTES, 0, LONGEST_PAUSE)
    fading = np.exp(-(1 + pauses) / FADING_LINES).tolist()
    worth = said.tolist()
    found = np.zeros(len(worth))
    before = after = 0.0
    for n in range(1, len(worth)):
        before = (before + worth[n - 1]) * fading[n - 1]
        found[n] += before
    for n in range(len(worth) - 2, -1, -1):
        after = (after + worth[n + 1]) * fading[n]
        found[n] += after
    return found


def _answering(said: "Floats", lines: PreparedLines) -> "Floats":
    import numpy as np

    asked = said * lines.asks
    found = np.zeros(len(said))
    for apart, share in enumerate(ANSWERED_AFTER, 1):
        found[apart:] = np.maximum(found[apart:], share * asked[:-apart])
    return found * (1 - lines.asks)


def _replying(said: "Floats", lines: PreparedLines) -> "Floats":
    import numpy as np

    found = np.zeros(len(said))
    place = {message_id: n for n, message_id in enumerate(lines.message_ids)}
    for n, replied in enumerate(lines.replies):
        at = place.get(replied) if replied is not None else None
        if at is not None:
            found[n], found[at] = max(found[n], said[at]), max(found[at], said[n])
    return found
