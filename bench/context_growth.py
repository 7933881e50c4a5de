"""The time of a context by the size of its group, and what it reads.

All groups are loaded first and asked in turn, so that whatever else the machine does meanwhile
hits every size alike.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx

from bench.context_chat import Labelled
from bench.context_load import load_group, store
from functions.build_context.deps import Deps, context_deps
from functions.build_context.handle_context import build_context
from shared.contracts.context import ContextRequest
from shared.stores.firestore import Database
from shared.stores.messages import Messages
from shared.wiring import Services
from tests.services import Clock, in_process

MOST_RATIO = 1.5
PATIENCE_S = 280.0
MOST_P95_MS = 200.0
WARM_UP = 3
QUESTIONS = 60


@dataclass
class Times:
    """Of one size. `index` is the longest query of Pinecone in each answer."""

    whole: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    index: list[float] = field(default_factory=list)
    reads: int = 0
    calls: int = 0

    @property
    def apart(self) -> list[float]:
        """What is left without the index; its queries run side by side, so the longest counts."""
        return [whole - index for whole, index in zip(self.whole, self.index, strict=True)]


async def measure(told: dict[str, Any], sizes: Sequence[int]) -> tuple[list[str], bool]:
    clock = Clock()
    times = {size: Times() for size in sizes}
    async with in_process(told, clock, MEMORY_FIRST_ROUND_EMPTY="false") as made:
        chats: dict[int, list[Labelled]] = {}
        for size in sizes:
            began = time.monotonic()
            newest = QUESTIONS + WARM_UP
            chats[size] = await load_group(told, made, f"bench:{size}", clock(), size, newest)
            print(f"loaded {size} in {time.monotonic() - began:.0f} s", file=sys.stderr)
            await _make_indexes(made, f"bench:{size}", clock())
            print(f"indexed {size} after {time.monotonic() - began:.0f} s", file=sys.stderr)
        for chat in chats.values():
            await store(made, chat[-1:])
        deps = context_deps(made)
        async with httpx.AsyncClient(trust_env=False, timeout=60) as admin:
            for number in range(WARM_UP + QUESTIONS):
                for size in sizes:
                    into = times[size] if number >= WARM_UP else Times()
                    await _ask(told, admin, deps, chats[size][number], into)
    lines = ["size      p50 ms  p95 ms   without the index p50, p95   processor ms   reads  rpcs"]
    for size, one in times.items():
        lines.append(
            f"{size:<8} {statistics.median(one.whole):7.1f} {p95(one.whole):7.1f}"
            f"  {statistics.median(one.apart):18.1f} {p95(one.apart):7.1f}"
            f"  {statistics.median(one.processor):13.1f}"
            f"  {one.reads / QUESTIONS:6.1f}  {one.calls / QUESTIONS:4.1f}"
        )
    first, last = times[sizes[0]], times[sizes[-1]]
    ratio = p95(last.apart) / p95(first.apart)
    if len(sizes) > 1:
        middle = statistics.median(last.apart) / statistics.median(first.apart)
        lines.append(
            f"{sizes[-1]} to {sizes[0]} without the index: p95 {ratio:.2f}, p50 {middle:.2f}"
        )
    slow = 10_000 in times and p95(times[10_000].whole) > MOST_P95_MS
    return lines, ratio < MOST_RATIO and not slow


async def _make_indexes(made: Services, group_id: str, now: datetime) -> None:
    """The emulator makes an index at the first query that needs it, and of a million messages that
    takes longer than any read may: so each is asked for once, with patience."""
    messages = Messages(Database(made.database.firestore, timeout_s=PATIENCE_S))
    long_ago = now - timedelta(days=36_500)
    await messages.recent(group_id, since=long_ago, until=now, limit=1)
    await messages.of_topic(group_id, "none", limit=1, until=now)
    await messages.with_any_term(group_id, ["none"], until=now, limit=1)
    await messages.newest_pending(group_id, 1)


async def _ask(
    told: dict[str, Any], admin: httpx.AsyncClient, deps: Deps, asked: Labelled, into: Times
) -> None:
    """One answer; counts and Pinecone's own times are of this one alone."""
    firestore, pinecone = told["admin"]["firestore"], told["admin"]["pinecone"]
    await admin.post(f"{firestore}/counters/reset")
    await admin.delete(f"{pinecone}/stats")
    message = asked.message
    wish = ContextRequest(group_id=message.group_id, message_id=message.message_id)
    began, worked = time.perf_counter(), time.process_time()
    answer = await build_context(wish, deps)
    into.processor.append((time.process_time() - worked) * 1000)
    into.whole.append((time.perf_counter() - began) * 1000)
    assert answer.mode == "intelligent", answer.reason
    counted = (await admin.get(f"{firestore}/counters")).json()
    own = (await admin.get(f"{pinecone}/stats")).json()["query_ms"]
    into.index.append(float(own["longest"] or 0.0))
    into.reads += int(counted["documents_read"])
    into.calls += sum(counted["rpcs"].values())


def p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]
