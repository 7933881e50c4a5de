"""What evolution itself costs, without the model: `python -m bench.evolve`.

A run over 50 memories and 200 messages with a model that answers at once, and searches over 1,000
memories in 100 groups. Time spent waiting for the model service is told apart; so is the processor
time of this process, since the machine may be busy with other things.
"""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.results import keep
from shared.clients.embedder import Embedder
from shared.clients.model import ModelAnswer
from shared.contracts.replies import Evolution
from shared.domain.jobs.kinds import EvolutionStats
from shared.domain.memories.embedded_wording import embedded_as, memory_text
from shared.domain.memories.memory import Memory
from shared.domain.similarity.vectors import pack
from shared.search.memories import MemorySearch
from shared.stores.memories import new_memory
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.memories.evolving import Evolving, reported
from tests.services import Clock, all_emulators, in_process

MEMORIES, MESSAGES, RUNS = 50, 200, 5
GROUPS, SEARCHES = 100, 300
MOST_OWN_MS, MOST_SEARCH_MS = 1000.0, 100.0
THINGS = (
    "chess", "badminton", "poems", "jazz", "tea", "maps", "bread", "clocks", "stars", "ships",
    "火锅", "爬山", "新番", "播客", "单词", "桌游", "瑜伽", "奶茶", "摄影", "钓鱼",
)  # fmt: skip
WORDS = [
    f"{first}{last}"
    for first in ("zor", "mip", "kal", "ben", "tuv", "rix", "dof", "gas", "hel", "nop")
    for last in ("vak", "lund", "mir", "tosk", "quen", "bril")
]
"""Sixty words that no two statements share."""


@dataclass
class Waiting:
    """The embedder as it is, with the time spent in it."""

    real: Embedder
    seconds: float = 0.0
    model: str = field(init=False)

    def __post_init__(self) -> None:
        self.model = self.real.model

    async def embed(self, *texts: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return await self.real.embed(*texts, **options)
        finally:
            self.seconds += time.perf_counter() - began

    async def embed_one(self, *text: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return await self.real.embed_one(*text, **options)
        finally:
            self.seconds += time.perf_counter() - began


class AtOnce:
    """A model that answers at once: most is kept, some is changed, new and gone."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        lines: list[dict[str, Any]] = [
            {"action": "keep", "old_id": one.memory_id, "sources": ["m00001"]}
            for one in memories[10:]
        ]
        lines += [
            {"action": "update", "old_id": one.memory_id, "statement": f"{one.statement}, often"}
            for one in memories[:7]
        ]
        lines += [
            {"action": "delete", "old_id": one.memory_id, "sources": [f"m{number:05}"]}
            for number, one in enumerate(memories[7:10], 1)
        ]
        lines += [
            {"action": "create", "statement": f"Members like {word}"}
            for word in WORDS[MEMORIES : MEMORIES + 5]
        ]
        self._raw = json.dumps({"lines": lines}, ensure_ascii=False)

    async def ask(self, *_: Any, **__: Any) -> ModelAnswer[Evolution]:
        reply, _problems = Evolution.read(self._raw)
        assert reply is not None
        return ModelAnswer(reply, self._raw)


async def remember(made: Services, group_id: str, statements: Sequence[str]) -> list[Memory]:
    texts = [memory_text(one, "") for one in statements]
    vectors = await made.embedder.embed(texts, group_id=group_id, budget_s=60)
    now = made.now()
    memories = [
        Memory(
            f"{group_id}-{place}",
            group_id,
            statement,
            1,
            now,
            now,
            kind="preference",
            vector=pack(vector or []),
            embedded_as=embedded_as(made.embedder.model),
            root_id=f"{group_id}-{place}",
            last_supported_at=now,
        )
        for place, (statement, vector) in enumerate(zip(statements, vectors, strict=True))
    ]
    await made.memories.apply([new_memory(one) for one in memories])
    upserts = [
        Vector("memory", one.memory_id, vector or [], 1, now)
        for one, vector in zip(memories, vectors, strict=True)
    ]
    await made.vectors.apply(group_id, VectorPlan(upserts))
    return memories


async def one_run(made: Services, clock: Clock, told: dict[str, Any], number: int) -> list[float]:
    """Milliseconds: in all, waiting for the embedder, own, and of this process's processor."""
    group = Evolving(made, clock, told, f"bench:run-{number}")
    statements = [f"Members like {word}" for word in WORDS[:MEMORIES]]
    memories = await remember(made, group.group_id, statements)
    await group.say(
        [("Ann", f"{WORDS[n % 50]} again, {number} {n}, what a day") for n in range(MESSAGES)]
    )
    waiting = Waiting(made.embedder)
    embedder: Any = waiting
    similarity = replace(group.deps.similarity, embedder=embedder, budget_s=60)
    model: Any = AtOnce(memories)
    settings = group.deps.settings.replaced(
        max_active_memories=MEMORIES + 10, hold_back_memories=False
    )
    group.deps = replace(group.deps, model=model, similarity=similarity, settings=settings)
    job = await group.start()
    began, began_cpu = time.perf_counter(), time.process_time()
    ran = await group.run(job)
    took, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    assert reported(ran).stats == EvolutionStats(kept=40, updated=7, created=5, deleted=3)
    return [1000 * one for one in (took, waiting.seconds, took - waiting.seconds, cpu)]


async def searches(made: Services) -> tuple[list[float], list[float]]:
    """Milliseconds of each search in all, and without its embedding."""
    for number in range(GROUPS):
        own = [THINGS[(number + n) % 20] for n in range(10)]
        await remember(made, f"bench:g{number}", [f"Members like {one} {number}" for one in own])
    whole, own_times = [], []
    for number in range(SEARCHES):
        waiting = Waiting(made.embedder)
        search = MemorySearch(made.memories, made.vectors, waiting)  # type: ignore[arg-type]
        began = time.perf_counter()
        hits = await search.find(
            f"bench:g{number % GROUPS}",
            f"who likes {THINGS[number % 20]}, question {number}?",
            limit=5,
            threshold=0.3,
        )
        took = time.perf_counter() - began
        assert hits
        whole.append(1000 * took)
        own_times.append(1000 * (took - waiting.seconds))
    return whole, own_times


def p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


async def measure(told: dict[str, Any]) -> tuple[list[str], bool]:
    clock = Clock()
    async with in_process(told, clock) as made:
        rows = [await one_run(made, clock, told, number) for number in range(RUNS)]
        took, waited, own, cpu = (statistics.median(column) for column in zip(*rows, strict=True))
        whole, without = await searches(made)
    lines = [
        f"a run over {MEMORIES} memories and {MESSAGES} messages, median of {RUNS}:",
        f"  in all {took:.0f} ms, of it waiting for embeddings {waited:.0f} ms",
        f"  own time {own:.0f} ms (at most {MOST_OWN_MS:.0f}), processor time {cpu:.0f} ms",
        f"a search over {10 * GROUPS} memories in {GROUPS} groups, {SEARCHES} searches:",
        f"  p50 {statistics.median(whole):.1f} ms",
        f"  p95 {p95(whole):.1f} ms (at most {MOST_SEARCH_MS:.0f})",
        f"  p95 without its embedding {p95(without):.1f} ms",
    ]
    return lines, own < MOST_OWN_MS and p95(whole) < MOST_SEARCH_MS


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        lines, holds = asyncio.run(measure(running.told))
    text = "\n".join(lines) + "\n"
    print(keep("evolve", "python -m bench.evolve", text), end="")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
