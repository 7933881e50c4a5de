"""How well questions find memories, through the product's own search on emulators.

`python -m bench.quality memories --in FILE --out FILE [--data DIR]`. `FILE` is a file of pairs or a
labelled chat (see `bench/recall_cases.py`); `--data` takes a folder of both. Each case's memories
are put into a group of their own by hand, and the question is asked with the default settings.
Written is one line a case, `{id, lang, ranking, confidences}`: the statements, the best first.
Printed is how often the right one is first and among five, and whether the confidences hold.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.recall_cases import Case, Held, cases_in
from bench.reliability import Told, reliability
from functions.evolve_group import handle_memory
from shared.contracts.memories import NewMemory
from shared.search.memories import MemorySearch
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand
from tests.services import Clock, all_emulators, in_process

EVERY = 100
"""More than any case has: the first five are what the default limit gives."""


@dataclass(frozen=True)
class Answered:
    """A case with the statements found for it, the best first, and their confidences."""

    case: Case
    ranking: list[str]
    confidences: list[float]

    @property
    def right(self) -> set[str]:
        return {self.case.memories[place].statement for place in self.case.right}

    @property
    def rank(self) -> int:
        """Of the first right one, from 0."""
        found = [place for place, one in enumerate(self.ranking) if one in self.right]
        return min(found, default=EVERY)


async def answered(cases: Sequence[Case], told: dict[str, str]) -> list[Answered]:
    clock = Clock()
    groups: dict[tuple[Held, ...], Evolving] = {}
    async with in_process(told, clock) as made:
        search = MemorySearch(made.memories, made.vectors, made.embedder)
        found = []
        for case in cases:
            if case.memories not in groups:
                group = Evolving(made, clock, told, f"bench:recall-{len(groups)}")
                groups[case.memories] = group
                await _remember(case.memories, group, made)
            hits = await search.find(groups[case.memories].group_id, case.query, limit=EVERY)
            found.append(
                Answered(
                    case,
                    [hit.memory.statement for hit in hits],
                    [round(hit.score, 4) for hit in hits],
                )
            )
    return found


async def _remember(memories: Sequence[Held], group: Evolving, made: Services) -> None:
    await made.embedder.embed(
        [one.statement for one in memories], group_id=group.group_id, budget_s=60
    )
    for one in dict.fromkeys(memories):
        asked = NewMemory.model_validate(
            {"statement": one.statement, "kind": one.kind, "subject": one.subject}
        )
        await handle_memory.add(group.group_id, asked, by_hand(group))


def told_of(name: str, cases: Sequence[Answered]) -> list[str]:
    """The share first and among five, each miss, and the reliability table."""
    asked = [one for one in cases if one.case.right]
    if not asked:
        return []
    first, five = (100 * sum(one.rank < k for one in asked) / len(asked) for k in (1, 5))
    told = [
        Told(confidence, statement in one.right)
        for one in cases
        for statement, confidence in zip(one.ranking, one.confidences, strict=True)
    ]
    head = f"{name}: {len(asked)} questions, right first {first:.1f} %, among five {five:.1f} %"
    return [head, *reliability(told)]


def told_by_half(cases: Sequence[Answered]) -> list[str]:
    """By source, language and half."""
    keys = sorted({(one.case.source, one.case.language, one.case.held_back) for one in cases})
    lines = []
    for source, language, held_back in keys:
        own = [
            one
            for one in cases
            if (one.case.source, one.case.language, one.case.held_back)
            == (source, language, held_back)
        ]
        half = "held back" if held_back else "fitted on"
        lines += told_of(f"{source}, {language}, {half}", own)
    return lines


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality memories", description=__doc__)
    parser.add_argument("--in", dest="file", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path, help="a folder instead of one file")
    asked = parser.parse_args(argv)
    path = asked.file or asked.data
    if path is None:
        parser.error("give --in or --data")
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        found = asyncio.run(answered(cases_in(path), running.told))
    print("\n".join(told_by_half(found)))
    if asked.out:
        with asked.out.open("w", encoding="utf-8") as file:
            for one in found:
                line = {
                    "id": one.case.case_id,
                    "lang": one.case.language,
                    "ranking": one.ranking,
                    "confidences": one.confidences,
                }
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0
