"""Fit what similarity means for one embedding model: `python -m bench.fit.calibration --data FILE`.

`FILE` holds questions with the memory that answers and some that do not, a line each:
`{"id", "lang", "query", "positive", "distractors"}`; a folder of such files and of labelled chats
works too, and `--data` may be given several times. The model is the one of the settings
(`OPENAI_BASE_URL`, `MEMORY_EMBEDDING_MODEL`); with `--local` it is the local encoder. Printed are
the rows, fitted on one half of the cases, and how they do on the other; `--write` puts them into
`shared/domain/similarity/fitted.py`, from where the product reads them. `--part` fits one of the
two tables alone.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit.fitted_file import FILE, write
from bench.fit.logistic import fitted_logistic, fitted_order
from bench.recall_cases import Case, cases_in, written
from bench.reliability import Told, reliability
from shared.domain.bm25 import shared_rarity
from shared.domain.memories.embedded_wording import memory_text, question_text
from shared.domain.memories.ranking import compared_words
from shared.domain.similarity.answering import Answering
from shared.domain.similarity.calibration import ALL
from shared.domain.similarity.fitted import ANSWERING, TOGETHER, Numbers
from shared.domain.similarity.vectors import cosines
from shared.wiring import Services, services
from tests.services import Clock, all_emulators, in_process

SIZES = (2, 5, 10)
"""Each question is also asked of so few of its memories, once with and once without the right
one: groups are of all sizes, and about one question in four has no answer in memory."""
NOTHINGS = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
"""Tried for `nothing`; the likeliest is taken."""
PLENTY = 25
"""Fewer questions of a language fit no row of their own."""


@dataclass(frozen=True)
class Compared:
    """A case with what is known of each of its memories."""

    case: Case
    bare: list[float]
    cosine: list[float]
    words: list[float]


async def compared(cases: Sequence[Case], made: Services) -> list[Compared]:
    texts: dict[str, None] = {}
    for case in cases:
        texts |= dict.fromkeys((case.query, question_text(case.query)))
        for held in case.memories:
            texts |= dict.fromkeys((held.statement, memory_text(held.statement, held.kind)))
    embedded = await made.embedder.embed(list(texts), group_id="bench:fit", budget_s=600)
    vectors = {text: vector or [] for text, vector in zip(texts, embedded, strict=True)}

    def one(case: Case) -> Compared:
        asked, memories = vectors[question_text(case.query)], case.memories
        return Compared(
            case,
            cosines(vectors[case.query], [vectors[held.statement] for held in memories]),
            cosines(asked, [vectors[memory_text(held.statement, held.kind)] for held in memories]),
            shared_rarity(
                case.query,
                [compared_words(held.statement, held.subject, held.kind) for held in memories],
            ),
        )

    return [one(case) for case in cases]


def together(cases: Sequence[Compared]) -> tuple[float, float]:
    rows = [(cosine, 1.0) for one in cases for cosine in one.bare]
    labels = [place in one.case.right for one in cases for place in range(len(one.bare))]
    a, b = fitted_logistic(np.array(rows), np.array(labels, dtype=float))
    return round(a, 2), round(b, 2)


def answering(cases: Sequence[Compared]) -> Answering:
    """First the order, by the weights of meaning and words; then what a sum among others means."""
    usual = round(float(np.mean([cosine for one in cases for cosine in one.cosine])), 3)
    asked = [one for one in cases if one.case.right]
    columns = [np.column_stack([one.cosine, one.words]) for one in asked]
    meaning, words = fitted_order(columns, [sorted(one.case.right) for one in asked])
    best: tuple[float, Answering] | None = None
    for nothing in NOTHINGS:
        row = Answering(round(meaning, 2), round(words, 3), usual, nothing, 1.0, 1.0, 0.0)
        rows, labels = _among_others(cases, row)
        own, others, constant = fitted_logistic(rows, labels)
        loss = _loss(rows @ (own, others, constant), labels)
        fits = own > 0 and others < 0
        if fits and (best is None or loss < best[0]):
            numbers = (round(own, 3), round(-others, 3), round(constant, 3))
            best = loss, Answering(row.meaning, row.words, usual, nothing, *numbers)
    if best is None:
        raise SystemExit("the data says that nearer memories answer less: is it labelled rightly?")
    return best[1]


def _among_others(cases: Sequence[Compared], row: Answering) -> tuple[Any, Any]:
    rows, labels = [], []
    for one in cases:
        sums = sums_of(one, row)
        for places in _parts(one.case):
            grown = np.exp(sums[places])
            rest = np.log(np.exp(row.nothing) + grown.sum() - grown)
            rows += list(zip(sums[places], rest, np.ones(len(places)), strict=True))
            labels += [place in one.case.right for place in places]
    return np.array(rows), np.array(labels, dtype=float)


def sums_of(one: Compared, row: Answering) -> Any:
    meaning = row.meaning * (np.array(one.cosine) - row.usual)
    return meaning + row.words * np.array(one.words)


def _parts(case: Case) -> list[list[int]]:
    """All memories, and some with and without the right ones; always the same for one case."""
    chance = np.random.default_rng(len(case.query) + len(case.memories))
    wrong = [place for place in range(len(case.memories)) if place not in case.right]
    parts = [list(range(len(case.memories)))]
    for size in SIZES:
        few = [int(one) for one in chance.permutation(wrong)[:size]]
        parts.append(few if size == SIZES[1] else [*few, *case.right])
    return [part for part in parts if part]


def _loss(exponents: Any, labels: Any) -> float:
    return float(np.mean(np.logaddexp(0, exponents) - labels * exponents))


def judged(name: str, cases: Sequence[Compared], row: Answering) -> list[str]:
    """How often the right one is first and among five, and whether the confidences hold."""
    ranks, told = [], []
    for one in cases:
        sums = sums_of(one, row)
        order = [int(place) for place in np.argsort(-sums, kind="stable")]
        if one.case.right:
            ranks.append(min(order.index(place) for place in one.case.right))
        told += [
            Told(confidence, place in one.case.right)
            for place, confidence in enumerate(row.confidences(list(map(float, sums))))
        ]
    if not ranks:
        return []
    first, five = (100 * sum(rank < k for rank in ranks) / len(ranks) for k in (1, 5))
    head = f"{name}: {len(ranks)} questions, first {first:.0f} %, among five {five:.0f} %"
    return [head, *reliability(told)]


@dataclass
class Fitted:
    """The rows by language, and how they do."""

    model: str
    together: dict[str, tuple[float, float]]
    answering: dict[str, Numbers]
    lines: list[str]


def fitted_rows(model: str, cases: Sequence[Compared]) -> Fitted:
    found = Fitted(model, {}, {}, [f"model {model}"])
    languages = sorted({one.case.language for one in cases})
    for language in (ALL, *languages):
        own = [one for one in cases if language in (ALL, one.case.language)]
        fit = [one for one in own if not one.case.held_back]
        if len(fit) < PLENTY:
            found.lines.append(f"{language}: {len(fit)} questions to fit on are too few")
            continue
        row = answering(fit)
        found.together[language], found.answering[language] = together(fit), astuple(row)
        found.lines.append(f"{language}: together {together(fit)}, answering {astuple(row)}")
        for source in sorted({one.case.source for one in own}):
            for name, held_back in (("fitted on", False), ("held back", True)):
                some = [
                    one
                    for one in own
                    if one.case.source == source and one.case.held_back is held_back
                ]
                found.lines += judged(f"  {language}, {source}, {name}", some, row)
    return found


async def fit(environment: dict[str, str], cases: Sequence[Case]) -> Fitted:
    async with in_process(environment, Clock()) as made:
        return fitted_rows(made.embedder.model, await compared(cases, made))


async def fit_own(cases: Sequence[Case]) -> Fitted:
    """With the deployment's own settings."""
    made = services()
    return fitted_rows(made.embedder.model, await compared(cases, made))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fit.calibration", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--with-written", action="store_true", help="the bench's own groups too")
    parser.add_argument("--part", choices=("together", "answering"), action="append")
    parser.add_argument("--local", action="store_true", help="the local encoder")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    cases = [case for path in asked.data for case in cases_in(path)]
    cases += written() if asked.with_written else []
    if asked.local:
        with (
            tempfile.TemporaryDirectory(prefix="annals-fit-") as folder,
            all_emulators(Path(folder)) as running,
        ):
            found = asyncio.run(fit(running.told, cases))
    else:
        found = asyncio.run(fit_own(cases))
    print("\n".join(found.lines))
    if asked.write:
        parts = asked.part or ("together", "answering")
        pairs = {found.model: found.together} if "together" in parts else {}
        answers = {found.model: found.answering} if "answering" in parts else {}
        write({**TOGETHER, **pairs}, {**ANSWERING, **answers})
        print(f"written to {FILE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
