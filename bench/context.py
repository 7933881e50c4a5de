"""How good and how fast contexts are: `python -m bench.context [--sizes 1000 10000 100000]`.

A noisy group of its own, with labels; with `--data DIR` (or DATA) also labelled public chat; then
the time of an answer by the size of the group, with the reads it costs, on the local emulators.
The handler runs in this process: what HTTP adds is the same for every route, see bench.ingest.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench import context_irc
from bench.context_chat import Labelled, noisy_chat
from bench.results import keep
from functions.build_context.app import context_deps
from functions.build_context.handle_context import build_context
from shared.clients.ring import OVERLAP
from shared.contracts.context import ContextRequest
from shared.domain.ids import namespace
from shared.domain.rendering import cost_of, message_line, names_of
from shared.stores.messages import new_message
from shared.stores.vectors import Vector, VectorPlan, vector_id
from shared.wiring import Services
from tests.services import DIMENSIONS, INDEX, Clock, all_emulators, in_process

NOISY_MESSAGES = 400
LAST = 20
GOLD = 10
"""The last so many of the question's own topic, and its reply chain, are what it should get."""
PATIENT_MS = 30_000
"""Quality is measured without haste: a busy machine must not turn it into a fallback."""
MOST_OTHERS = 0.10
MOST_RATIO = 1.5
MOST_P95_MS = 200.0
QUERIES = 60
COMMIT = 250
LOAD = 5_000


@dataclass
class Score:
    recall: list[float] = field(default_factory=list)
    chain: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def line(self, name: str) -> str:
        return (
            f"{name:<12} topic recall {100 * statistics.mean(self.recall):5.1f} %"
            f"  reply chain {100 * statistics.mean(self.chain):5.1f} %"
            f"  other topics {100 * statistics.mean(self.others):5.1f} %"
            f"  tokens {statistics.mean(self.tokens):5.0f}"
        )


async def quality(told: dict[str, Any]) -> tuple[list[str], bool]:
    """Contexts of the last third's questions against the last 20 messages, on the same gold."""
    clock = Clock()
    async with in_process(told, clock) as made:
        group = "bench:noisy"
        chat = noisy_chat(group, clock(), NOISY_MESSAGES)
        await _store(made, chat)
        await _index(made, chat)
        deps = context_deps(made)
        ours, last = Score(), Score()
        places = [n for n in range(NOISY_MESSAGES // 2, NOISY_MESSAGES) if chat[n].topic != "noise"]
        for place in places[::3]:
            wish = ContextRequest(
                group_id=group,
                message_id=chat[place].message.message_id,
                deadline_ms=PATIENT_MS,
            )
            answer = await build_context(wish, deps)
            offered = [one.id for one in answer.items if one.kind == "message"]
            _add(ours, chat, place, offered, answer.tokens["total"])
            names = names_of([one.message for one in chat])
            shown = [one.message for one in chat[place - LAST : place]]
            tokens = sum(cost_of(message_line(one, names)) for one in shown)
            _add(last, chat, place, [one.message_id for one in shown], tokens)
    lines = [f"noisy group, {NOISY_MESSAGES} messages, {len(ours.recall)} questions"]
    lines += [ours.line("context"), last.line("last 20")]
    holds = (
        statistics.mean(ours.others) <= MOST_OTHERS
        and statistics.mean(ours.recall) > statistics.mean(last.recall)
        and statistics.mean(ours.tokens) < statistics.mean(last.tokens)
        and statistics.mean(ours.chain) == 1.0
    )
    return lines, holds


def _add(score: Score, chat: list[Labelled], place: int, offered: list[str], tokens: int) -> None:
    topics = {one.message.message_id: one.topic for one in chat}
    asked = chat[place]
    own = [one.message.message_id for one in chat[:place] if one.topic == asked.topic][-GOLD:]
    chain = _chain(chat, asked)
    score.recall.append(len(set(own) & set(offered)) / max(1, len(own)))
    score.chain.append(len(set(chain) & set(offered)) / len(chain) if chain else 1.0)
    others = [one for one in offered if topics[one] != asked.topic]
    score.others.append(len(others) / max(1, len(offered)))
    score.tokens.append(tokens)


def _chain(chat: list[Labelled], asked: Labelled) -> list[str]:
    replies = {one.message.message_id: one.message.reply_message_id for one in chat}
    chain: list[str] = []
    next_id = asked.message.reply_message_id
    while next_id and len(chain) < 5:
        chain.append(next_id)
        next_id = replies[next_id]
    return chain


async def latency(told: dict[str, Any], sizes: Sequence[int]) -> tuple[list[str], bool]:
    lines = ["size      p50 ms   p95 ms   reads  rpcs  pinecone's own ms (p50 / p95)"]
    p95s: dict[int, float] = {}
    clock = Clock()
    async with in_process(told, clock, MEMORY_FIRST_ROUND_EMPTY="false") as made:
        for size in sizes:
            group = f"bench:{size}"
            chat = noisy_chat(group, clock(), size)
            await _store(made, chat[:-1])
            _load(told, group, chat)
            # A ring looks again at the last seconds of changes; in a bulk load those are all.
            await asyncio.sleep(OVERLAP.total_seconds() + 1)
            await _store(made, chat[-1:])
            times, counted, own = await _timed(told, made, chat)
            p50, p95s[size] = statistics.median(times), _p95(times)
            reads = counted["documents_read"] / QUERIES
            rpcs = sum(counted["rpcs"].values()) / QUERIES
            lines.append(
                f"{size:<8} {p50:7.1f}  {p95s[size]:7.1f}  {reads:6.1f}  {rpcs:4.1f}"
                f"  {own['median']} / {own['p95']}"
            )
    ratio = p95s[sizes[-1]] / p95s[sizes[0]]
    if len(sizes) > 1:
        lines.append(f"p95 at {sizes[-1]} to p95 at {sizes[0]}: {ratio:.2f}")
    slow = p95s.get(10_000, 0.0) > MOST_P95_MS
    return lines, ratio < MOST_RATIO and not slow


async def _timed(
    told: dict[str, Any], made: Services, chat: list[Labelled]
) -> tuple[list[float], dict[str, Any], dict[str, Any]]:
    """Warm, one after the other; counts and Pinecone's own times are of these answers alone."""
    deps = context_deps(made)
    group = chat[0].message.group_id
    asked = [one.message.message_id for one in chat[-QUERIES:]]
    for message_id in asked[:3]:
        await build_context(ContextRequest(group_id=group, message_id=message_id), deps)
    firestore, pinecone = told["admin"]["firestore"], told["admin"]["pinecone"]
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.post(f"{firestore}/counters/reset")
        await client.delete(f"{pinecone}/stats")
        times = []
        for message_id in asked:
            began = time.perf_counter()
            answer = await build_context(
                ContextRequest(group_id=group, message_id=message_id), deps
            )
            times.append((time.perf_counter() - began) * 1000)
            assert answer.mode == "intelligent", answer.reason
        counted = (await client.get(f"{firestore}/counters")).json()
        own = (await client.get(f"{pinecone}/stats")).json()["query_ms"]
    return times, counted, own


async def _store(made: Services, chat: list[Labelled]) -> None:
    for start in range(0, len(chat), COMMIT):
        some = [one.message for one in chat[start : start + COMMIT]]
        await made.database.commit([new_message(one) for one in some])


async def _index(made: Services, chat: list[Labelled]) -> None:
    """Real vectors, of what attribution would have indexed."""
    group = chat[0].message.group_id
    known = [one.message for one in chat if one.message.topic_id]
    found = await made.embedder.embed([one.content for one in known], group_id=group, budget_s=120)
    vectors = [
        Vector("message", message.message_id, values, time=message.create_time)
        for message, values in zip(known, found, strict=True)
        if values
    ]
    await made.vectors.apply(group, VectorPlan(vectors))


def _load(told: dict[str, Any], group: str, chat: list[Labelled]) -> None:
    """Seeded random vectors in bulk: the size counts here, not what they mean."""
    dice = np.random.default_rng(len(chat))
    for start in range(0, len(chat), LOAD):
        some = [one.message for one in chat[start : start + LOAD]]
        head = {
            "ids": [vector_id("message", one.message_id) for one in some],
            "metadata": [{"kind": "message", "id": one.message_id, "version": 1} for one in some],
        }
        numbers = dice.standard_normal((len(some), DIMENSIONS), dtype=np.float32)
        httpx.post(
            f"{told['admin']['pinecone']}/load",
            params={"index": INDEX, "namespace": namespace(group)},
            content=json.dumps(head).encode() + b"\n" + numbers.tobytes(),
            timeout=300,
            trust_env=False,
        ).raise_for_status()


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sizes", type=int, nargs="*", default=[1_000])
    arguments.add_argument("--data", default=os.environ.get("DATA"), help="labelled public chat")
    arguments.add_argument("--every", type=int, default=1, help="only each so many-th question")
    wanted = arguments.parse_args()
    began = datetime.now(UTC)
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        lines, holds = asyncio.run(quality(running.told))
        if wanted.sizes:
            more, is_fast = asyncio.run(latency(running.told, wanted.sizes))
            lines += ["", *more]
            holds = holds and is_fast
    file = Path(wanted.data, "irc_dev.jsonl.gz") if wanted.data else None
    if file and file.exists():
        found = context_irc.measure(file, wanted.every)
        lines += ["", f"IRC dev, 20 of 200 lines: recall {found['recall']} %,"]
        lines[-1] += f" precision {found['precision']} % ({found['questions']} questions);"
        lines[-1] += " hand-set sum {} / {}".format(*context_irc.HAND_SET)
        holds = holds and (found["recall"], found["precision"]) >= context_irc.HAND_SET
    lines += ["", f"{(datetime.now(UTC) - began).seconds} s; {'holds' if holds else 'MISSED'}"]
    sizes = " ".join(map(str, wanted.sizes))
    print(keep("context", f"python -m bench.context --sizes {sizes}", "\n".join(lines)))
    return 0 if holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
