"""What summaries of topics cost: 3, 50, 120 and 2,000 messages in Chinese, English and both.

    python -m bench.summaries [--sizes 3 50 120 2000]

Real stores and the real pipeline. Each topic is summarised as it stands, then once more after
fifty further messages. Printed: versions, parts, calls of the model and tokens of the prompts.
The lines are made up of a few sentences with other numbers in them: what they cost is that of
chat lines of their length, what is said of them measures nothing.
"""

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from bench.results import keep
from shared.domain.jobs.kinds import NO_COST, ModelCost
from tests.services import Clock, all_emulators, in_process, replaced
from tests.topics.attributing import Attributing
from tests.topics.summarizing import Summarizing, chatter

SIZES = (3, 50, 120, 2000)
LANGUAGES = ("zh", "en", "mixed")
GROWTH = 50


@dataclass(frozen=True)
class Spent:
    """By one topic until nothing is left to tell."""

    runs: int
    segments: int
    cost: ModelCost


async def told(talk: Summarizing) -> Spent:
    report = await talk.run()
    runs, parts, cost = 1, report.segments, report.cost
    while report.is_more:
        report = await talk.run(f"after version {report.version}")
        runs, parts, cost = runs + 1, parts + report.segments, cost + report.cost
    return Spent(runs, parts, cost)


async def measured(size: int, language: str, emulators: dict[str, Any]) -> str:
    clock = Clock(datetime(2026, 11, 16, 9, tzinfo=UTC))
    async with in_process(emulators, clock) as made:
        talk = Summarizing(Attributing(made, clock, emulators, f"bench:{language}-{size}"))
        talk.deps = replaced(talk.deps, settings=talk.deps.settings.replaced(quality_sample=0.0))
        await talk.say(*chatter(size, language))
        first = await told(talk)
        await talk.say(*chatter(GROWTH, language))
        grown = await told(talk)
        versions = await talk.versions()
    methods = "/".join(dict.fromkeys(one.generation_method for one in reversed(versions)))
    return f"{language:6} {size:6} {_shown(first)}   {_shown(grown)}   {len(versions)} {methods}"


def _shown(spent: Spent) -> str:
    cost = spent.cost or NO_COST
    return f"{spent.runs:4} {spent.segments:5} {cost.calls:5} {cost.prompt_tokens:7}"


async def run(sizes: list[int]) -> str:
    heads = f"{'runs':>4} {'parts':>5} {'calls':>5} {'tokens':>7}"
    lines = [f"{'talk':6} {'lines':>6} {heads}   {heads}   versions", ""]
    lines[1] = f"{'':13} {'as it stands':>24}   {f'and after {GROWTH} more':>24}"
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        for size, language in product(sizes, LANGUAGES):
            lines += [await measured(size, language, running.told)]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.summaries", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    asked = parser.parse_args(argv)
    print(keep("summaries", "python -m bench.summaries", asyncio.run(run(asked.sizes))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
