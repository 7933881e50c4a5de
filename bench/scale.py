"""What a million messages cost, from counted operations: `python -m bench.scale [--quick]`.

The real handlers on the emulators, a day of groups of mixed pace (nine in ten are sparse): ingest,
attribution at the slots it would be due, a context for one message in twenty, and at the end of the
day the closing of topics with their summaries, evolution and upkeep. Exits non-zero when a number
is missed. All groups say lines of the same eight talks, and one process embeds for all of them: its
cache flatters the count of embeddings, and only that.
"""

import argparse
import asyncio
import heapq
import math
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from bench.results import keep
from functions.build_context.app import context_deps
from functions.build_context.handle_context import build_context
from functions.evolve_group import handle_evolve, handle_maintain
from functions.ingest_message import handle_attribute, handle_messages
from functions.ingest_message.analysis import analysed
from functions.ingest_message.indexing import Indexing
from functions.summarize_topic import handle_close, handle_summarize
from shared.contracts.context import ContextRequest
from shared.contracts.jobs import evolve_job
from shared.domain.messages.message import Message
from shared.stores.vectors import Index, Vectors
from shared.stores.word_index import WordIndex
from shared.wiring import Services
from tests.services import INDEX, WORDS_INDEX, Clock, all_emulators, in_process
from tests.topics.summarizing import summarizing

PRICES = {
    # Dollars a million, entered 2026-11-17. Firestore Standard in one region of the United States,
    # from memory (a multi-region costs twice that); Cloud Tasks, from memory; Pinecone serverless
    # Standard on AWS us-east-1 as of 2026-11-04; a small embedding model and a small chat model as
    # OpenAI sells them, from memory. Storage, network and processor time are not in it.
    "reads": 0.30,
    "writes": 0.90,
    "task operations": 0.40,
    "vector write units": 4.0,
    "vector read units": 16.0,
    "embedded tokens": 0.02,
    "prompt tokens": 0.15,
    "completion tokens": 0.60,
}
CHAT = ("prompt tokens", "completion tokens")
LEAST_WRITE_UNITS = 5
"""Pinecone bills at least so many a request."""
LEAST_QUERY_UNITS = 0.25
"""... and so many a query of a small namespace."""
A_CONTEXT_EVERY = 20
"""Messages, of which one is to the bot and wants a context."""
SPARSE, BUSY = 20, 200
"""Messages a day of nine groups in ten, and of the tenth."""
LIMITS = {
    "chat calls a message": 0.05,
    "prompt tokens a message": 150.0,
    "embed calls a message": 0.2,
    "reads a run, besides its messages": 12.0,
    "writes a run, besides its messages": 8.0,
    "reads a context": 40.0,
    "dollars a million, no chat model": 60.0,
    "dollars a million, small chat model": 100.0,
}


@dataclass
class CountedQueue:
    """Takes every task: one operation to send it, one to deliver it. `due` are the runs of
    attribution that are to come, for one group at a time."""

    sent: set[str] = field(default_factory=set)
    due: list[datetime] = field(default_factory=list)

    async def send(
        self, queue: str, task_id: str, *_: Any, at: datetime | None = None, **__: Any
    ) -> None:
        name = f"{queue} {task_id}"
        if queue == "attribute" and at and name not in self.sent:
            heapq.heappush(self.due, at)
        self.sent.add(name)

    async def is_waiting(self, *_: Any) -> bool:
        return False


class CountedIndex:
    """The index as it is; what each request would be billed is added up."""

    def __init__(self, real: Any, units: Counter[str]) -> None:
        self._real = real
        self._units = units

    async def __call__(self) -> Any:
        self._index = await self._real()
        return self

    async def close(self) -> None:
        await self._real.close()

    async def upsert(self, *, vectors: list[dict[str, Any]], namespace: str) -> Any:
        size = sum(math.ceil(_record_bytes(one) / 1024) for one in vectors)
        self._units["vector write units"] += max(LEAST_WRITE_UNITS, size)
        return await self._index.upsert(vectors=vectors, namespace=namespace)

    async def delete(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector write units"] += max(LEAST_WRITE_UNITS, len(ids))
        return await self._index.delete(ids=ids, namespace=namespace)

    async def query(self, **asked: Any) -> Any:
        self._units["vector read units"] += LEAST_QUERY_UNITS  # type: ignore[assignment]
        return await self._index.query(**asked)

    async def fetch(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector read units"] += math.ceil(len(ids) / 10)
        return await self._index.fetch(ids=ids, namespace=namespace)


def _counted_index(made: Services, name: str, into: "Counted") -> Any:
    host = made.settings.pinecone_controller_host
    return CountedIndex(Index(api_key="local", host=host, name=name), into.units)


def _record_bytes(record: dict[str, Any]) -> int:
    sparse = record.get("sparse_values", {"indices": []})
    return 4 * len(record.get("values", ())) + 8 * len(sparse["indices"]) + 200


def _talk(dice: random.Random) -> Iterator[tuple[str, str]]:
    """Who says what, from the talks that were written from life, round and round."""
    lines = []
    for path in sorted((Path(__file__).parent / "talks").glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            who, colon, what = line.partition(": ")
            if colon and not line.startswith(("#", "==", ">")):
                lines.append((who.rpartition("] ")[2], what))
    start = dice.randrange(len(lines))
    while True:
        yield from lines[start:]
        start = 0


def _times(count: int, day: datetime, dice: random.Random) -> list[datetime]:
    """Bursts: people answer within a minute or so, and come back hours later."""
    times, at = [], day + timedelta(hours=8 + 2 * dice.random())
    for _ in range(count):
        pause = dice.expovariate(1 / 40) if dice.random() < 0.75 else dice.expovariate(1 / 5400)
        at += timedelta(seconds=pause * (SPARSE / count if count > SPARSE else 1))
        times.append(at)
    return times


@dataclass
class Counted:
    told: dict[str, Any]
    units: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    contexts: int = 0
    messages: int = 0
    run_reads: int = 0
    run_writes: int = 0
    context_reads: int = 0

    def documents(self) -> tuple[int, int]:
        found = httpx.get(f"{self.told['admin']['firestore']}/counters", trust_env=False).json()
        return found["documents_read"], found["documents_written"] + found["documents_deleted"]

    def models(self) -> Counter[str]:
        found = httpx.get(f"{self.told['admin']['openai']}/counts", trust_env=False).json()
        sums: Counter[str] = Counter()
        for name, one in found["endpoints"].items():
            kind = "embed" if "embed" in name else "chat"
            sums[f"{kind} calls"] += one.get("calls", 0)
            tokens = "embedded tokens" if kind == "embed" else "prompt tokens"
            sums[tokens] += one.get("prompt_tokens", 0)
            sums["completion tokens"] += one.get("completion_tokens", 0)
        return sums


async def _day(
    group_id: str,
    count: int,
    made: Services,
    queue: CountedQueue,
    clock: Clock,
    into: Counted,
) -> None:
    """One group's day, message by message; attribution when its task is due."""
    dice = random.Random(group_id)
    ingesting = made.deps(handle_messages.Deps, analyse=analysed)
    attributing = made.deps(
        handle_attribute.Deps,
        indexing=Indexing(made.vectors, made.word_index, made.counted_words),
        model_budget_s=30,
        tables=None,
    )
    asking = context_deps(made)
    talk = _talk(dice)
    day = clock.at.replace(hour=0, minute=0, second=0, microsecond=0)
    waiting = 0
    for number, at in enumerate(_times(count, day, dice)):
        while queue.due and at >= queue.due[0]:
            await _run(group_id, heapq.heappop(queue.due), waiting, attributing, clock, into)
            waiting = 0
        clock.at = at
        who, what = next(talk)
        message = Message(
            group_id=group_id,
            message_id=f"m{number}",
            user_id=who,
            user_name=who,
            content=what,
            create_time=at,
            is_mention_bot=_is_to_the_bot(number),
        )
        await handle_messages.ingest(group_id, [message], ingesting)
        waiting += 1
        if _is_to_the_bot(number):
            before, _ = into.documents()
            await build_context(ContextRequest(group_id=group_id, message_id=f"m{number}"), asking)
            into.context_reads += into.documents()[0] - before
            into.contexts += 1
    while queue.due:
        await _run(group_id, heapq.heappop(queue.due), waiting, attributing, clock, into)
        waiting = 0
    into.messages += count


def _is_to_the_bot(number: int) -> bool:
    return number % A_CONTEXT_EVERY == A_CONTEXT_EVERY - 1


async def _run(
    group_id: str,
    due: datetime,
    waiting: int,
    deps: handle_attribute.Deps,
    clock: Clock,
    into: Counted,
) -> None:
    clock.at = due
    reads, writes = into.documents()
    await handle_attribute.attribute(group_id, deps)
    after = into.documents()
    into.runs += 1
    into.run_reads += after[0] - reads - waiting
    into.run_writes += after[1] - writes - waiting


async def _night(groups: list[str], made: Services, clock: Clock) -> None:
    clock.turn(hours=12)
    closing = made.deps(handle_close.Deps)
    while (await handle_close.close_idle(closing)).is_more:
        pass
    summaries = summarizing(made)
    _, jobs = await made.jobs.listed(state="pending", group_id=None, limit=10_000, offset=0)
    for job in jobs:
        if job.kind == "summarize":
            await made.worker.run(
                job.job_id, lambda work: handle_summarize.summarize(work, summaries)
            )
    for group_id in groups:
        found = await made.groups.get(group_id)
        evolving = handle_evolve.deps_for(found, made)
        job = await made.jobs.ensure(evolve_job(group_id, "nightly", clock()))
        await made.worker.run(job.job_id, lambda work: handle_evolve.evolve(work, evolving))  # noqa: B023
    clock.turn(hours=12)
    await handle_maintain.maintain(handle_maintain.deps_for(made))


async def measured(told: dict[str, Any], groups: int) -> tuple[str, list[str]]:
    clock, into = Clock(), Counted(told)
    names = [f"bench:{number}" for number in range(groups)]
    async with in_process(told, clock) as made:
        queue = CountedQueue()
        made.__dict__["task_queue"] = queue
        made.__dict__["vectors"] = Vectors(_counted_index(made, INDEX, into))
        made.__dict__["word_index"] = WordIndex(_counted_index(made, WORDS_INDEX, into))
        began, models = into.documents(), into.models()
        start = clock.at
        for number, name in enumerate(names):
            clock.at = start
            await _day(name, BUSY if number % 10 == 9 else SPARSE, made, queue, clock, into)
        await _night(names, made, clock)
        ended, asked = into.documents(), into.models() - models
        del made.__dict__["task_queue"]
    into.units["reads"] = ended[0] - began[0]
    into.units["writes"] = ended[1] - began[1]
    into.units["task operations"] = 2 * len(queue.sent)
    into.units += asked
    return _page(into)


def _page(into: Counted) -> tuple[str, list[str]]:
    counted = (*PRICES, "chat calls", "embed calls")
    each = {name: into.units[name] / into.messages for name in counted}
    dollars = {name: each[name] * price for name, price in PRICES.items()}
    without = sum(cost for name, cost in dollars.items() if name not in CHAT)
    numbers = {
        "chat calls a message": each["chat calls"],
        "prompt tokens a message": each["prompt tokens"],
        "embed calls a message": each["embed calls"],
        "reads a run, besides its messages": into.run_reads / into.runs,
        "writes a run, besides its messages": into.run_writes / into.runs,
        "reads a context": into.context_reads / max(1, into.contexts),
        "dollars a million, no chat model": without,
        "dollars a million, small chat model": sum(dollars.values()),
    }
    rows = [
        f"{into.messages} messages, {into.runs} runs of attribution, {into.contexts} contexts",
        "",
        f"{'counted':<22}{'a message':>12}{'$ a million':>14}",
        *(f"{name:<22}{each[name]:>12.3f}{dollars[name]:>14.2f}" for name in PRICES),
        "",
        *(
            f"{name:<38}{value:>10.3f}  (at most {LIMITS[name]:g})"
            + ("" if value <= LIMITS[name] else "  MISSED")
            for name, value in numbers.items()
        ),
    ]
    return "\n".join(rows), [name for name, value in numbers.items() if value > LIMITS[name]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="twenty groups, some minutes")
    parser.add_argument("--groups", type=int, default=2000)
    asked = parser.parse_args()
    groups = 20 if asked.quick else asked.groups
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        text, missed = asyncio.run(measured(running.told, groups))
    command = f"python -m bench.scale{' --quick' if asked.quick else f' --groups {groups}'}"
    print(keep("scale", command, text))
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
