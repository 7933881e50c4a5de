"""Processor seconds and calls of one run of each kind of work: whole handlers in process, on the
emulators, which are other processes and so not counted."""

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.evolve_group import handle_evolve
from functions.ingest_message import handle_messages
from functions.summarize_topic import handle_summarize
from shared.contracts.context import ContextRequest
from shared.contracts.jobs import evolve_job, summarize_job
from shared.wiring import Services
from tests.services import Clock, all_emulators, in_process
from tests.topics.attributing import Attributing, ingesting
from tests.topics.summarizing import summarizing

GROUPS, ROUNDS, LINES = 6, 5, 6
"""So many groups, each with so many runs of so many messages."""
TALK = (
    "does anybody have the key of the bicycle shed?",
    "it hangs behind the door of the kitchen, next to the calendar",
    "the train at eight is late again, i will be there at nine",
    "who brings the cake on sunday? i made one last time",
    "i can look at the printer after lunch if nobody else does",
    "我周五晚上八点到，别忘了带伞",
)


class Counting:
    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self.runs: Counter[str] = Counter()
        self.sums: dict[str, Counter[str]] = {}

    def _calls(self) -> Counter[str]:
        admin = self._told["admin"]
        rpcs = httpx.get(f"{admin['firestore']}/counters", trust_env=False).json()["rpcs"]
        models = httpx.get(f"{admin['openai']}/counts", trust_env=False).json()["endpoints"]
        found: Counter[str] = Counter(firestore=sum(rpcs.values()))
        for name, one in models.items():
            found["embeddings" if "embed" in name else "chat"] += one.get("calls", 0)
        return found

    async def of(self, kind: str, work: Callable[[], Awaitable[Any]]) -> None:
        before, cpu = self._calls(), time.process_time()
        await work()
        took = time.process_time() - cpu
        own = self.sums.setdefault(kind, Counter())
        own.update(self._calls() - before)
        own["cpu_ms"] += round(1000 * took)
        self.runs[kind] += 1

    def page(self) -> str:
        rows = [
            f"{'work':<12}{'runs':>6}{'cpu_s':>8}{'firestore':>11}{'embeddings':>12}{'chat':>7}"
        ]
        for kind, own in self.sums.items():
            n = self.runs[kind]
            rows.append(
                f"{kind:<12}{n:>6}{own['cpu_ms'] / n / 1000:>8.3f}{own['firestore'] / n:>11.1f}"
                f"{own['embeddings'] / n:>12.2f}{own['chat'] / n:>7.2f}"
            )
        return "\n".join(rows)


def measured() -> str:
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        return asyncio.run(_measured(running.told))


async def _measured(told: dict[str, Any]) -> str:
    clock, counting = Clock(), Counting(told)
    async with in_process(told, clock, MEMORY_EMBEDDING_TIMEOUT_SECONDS="100") as made:
        groups = [_patient(made, clock, told, f"bench:{n}") for n in range(GROUPS)]
        await _warm(_patient(made, clock, told, "bench:warm"), made)
        for turn in range(ROUNDS):
            for group in groups:
                await _a_run(group, turn, made, counting)
            clock.turn(minutes=10)
        for group in groups:
            await _nightly(group, made, clock, counting)
    return counting.page()


def _patient(made: Services, clock: Clock, told: dict[str, Any], group_id: str) -> Attributing:
    """However busy the machine is: only the processor's time counts."""
    group = Attributing(made, clock, told, group_id)
    group.deps = replace(group.deps, model_budget_s=300, settings=made.settings)
    return group


async def _warm(group: Attributing, made: Services) -> None:
    """What only the first of a process pays for."""
    await group.say(group.message(1, "Ann", TALK[0]))
    await group.attribute()
    asked = ContextRequest(group_id=group.group_id, message="where is the key?")
    await build_context(asked, context_deps(made))


async def _a_run(group: Attributing, turn: int, made: Services, counting: Counting) -> None:
    for n in range(LINES):
        number = turn * LINES + n
        message = group.message(number, f"U{n % 3}", f"{TALK[n]} {number}", at=group.clock())
        await counting.of(
            "ingest",
            lambda one=message: handle_messages.ingest(  # type: ignore[misc]
                group.group_id, [one], ingesting(made)
            ),
        )
    await counting.of("attribute", group.attribute)
    asked = ContextRequest(group_id=group.group_id, message="where is the key of the shed?")
    await counting.of("context", lambda: build_context(asked, context_deps(made)))


async def _nightly(group: Attributing, made: Services, clock: Clock, counting: Counting) -> None:
    topics = await group.topics()
    largest = max(topics, key=lambda one: one.message_count)
    job = await made.jobs.ensure(
        summarize_job(group.group_id, largest.topic_id, "measured", clock())
    )
    deps = summarizing(made)
    await counting.of(
        "summarize",
        lambda: made.worker.run(job.job_id, lambda work: handle_summarize.summarize(work, deps)),
    )
    found = await made.groups.get(group.group_id)
    evolving = handle_evolve.deps_for(found, made)
    again = await made.jobs.ensure(evolve_job(group.group_id, "measured", clock()))
    await counting.of(
        "evolve",
        lambda: made.worker.run(again.job_id, lambda work: handle_evolve.evolve(work, evolving)),
    )
