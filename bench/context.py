"""How good and how fast contexts are: `python -m bench.context [--sizes 1000 10000 100000]`.

A noisy group of its own, with labels: is the reply chain whole, is little of other talk shown, in
fewer tokens than the last 20 lines take (which lines answer is judged by `bench.quality`). With
`--data DIR` (or DATA) also labelled public chat. Then the time of an answer by the size of the
group, with the reads it costs, on the local emulators. The handler runs in this process: what HTTP
adds is the same for every route, see bench.ingest.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import context_growth
from bench.context_chat import Labelled, noisy_chat
from bench.context_irc import HAND_SET, found_topics, measure
from bench.context_load import store
from bench.results import keep
from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from shared.contracts.context import ContextRequest
from shared.domain.context.rendering import cost_of, message_line, names_of
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.services import Clock, all_emulators, in_process

NOISY_MESSAGES = 400
LAST = 20
GOLD = 10
"""The last so many of the question's own topic, and its reply chain, are what it should get."""
PATIENT_MS = 30_000
"""Quality is measured without haste: a busy machine must not turn it into a fallback."""
A_LARGE_GROUP = 1_000_000
MOST_OTHERS = 0.10


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
        await store(made, chat)
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
    lines = [
        f"noisy group, {NOISY_MESSAGES} messages, {len(ours.recall)} asked of",
        "(recall is told, not judged: lines are drawn at random, only replies answer each other)",
        ours.line("context"),
        last.line("last 20"),
    ]
    holds = (
        statistics.mean(ours.others) <= MOST_OTHERS
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


def irc(file: Path, every: int) -> tuple[list[str], bool]:
    lines = ["IRC dev, 20 of 200 lines: recall, precision; hand-set sum {} / {}".format(*HAND_SET)]
    holds = True
    for name, topics in (("the lines alone", None), ("with their topics", found_topics(file))):
        found = measure(file, every, topics=topics)
        lines.append(f"{name:<18} {found['recall']} / {found['precision']} ({found['questions']})")
        holds = holds and found["recall"] >= HAND_SET[0] and found["precision"] >= HAND_SET[1]
    return lines, holds


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
            more, is_fast = asyncio.run(context_growth.measure(running.told, wanted.sizes))
            print("\n".join(more), file=sys.stderr)  # stopping large emulators takes its time
            lines += ["", *more]
            holds = holds and is_fast
    file = Path(wanted.data, "irc_dev.jsonl.gz") if wanted.data else None
    if file and file.exists():
        more, is_good = irc(file, wanted.every)
        lines += ["", *more]
        holds = holds and is_good
    lines += ["", f"{(datetime.now(UTC) - began).seconds} s; {'holds' if holds else 'MISSED'}"]
    sizes = " ".join(map(str, wanted.sizes))
    command = f"python -m bench.context --sizes {sizes}"
    command += f" --data {wanted.data}" if wanted.data else ""
    name = "context_growth" if max(wanted.sizes, default=0) >= A_LARGE_GROUP else "context"
    print(keep(name, command, "\n".join(lines)))
    return 0 if holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
