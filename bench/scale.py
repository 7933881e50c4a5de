"""What a million messages cost, from counted operations: `python -m bench.scale [--quick]`.

The real handlers on the emulators, some days of groups of mixed pace (nine in ten are sparse):
ingest, attribution at the slots it would be due, a context and an answer for one message in twenty,
a note for one answer in ten, and each night all that is due: closing of topics, summaries,
extraction, profiles, evolution, upkeep. Exits non-zero when a number is missed. No vector outlives
the piece of work it was made for: of thousands of groups an instance rarely sees one twice.
"""

import argparse
import asyncio
import heapq
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
from bench.scale_counting import CountedIndex, CountedModel, CountedQueue
from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.evolve_group import handle_due, handle_evolve, handle_maintain
from functions.historian_job import extraction_batch, handle_extract, handle_merge, handle_note
from functions.ingest_message import handle_attribute, handle_end, handle_messages
from functions.ingest_message.analysis import analysed
from functions.ingest_message.indexing import Indexing
from functions.summarize_topic import handle_close, handle_summarize
from shared.contracts.context import ContextRequest
from shared.domain.jobs.job import Job
from shared.domain.knowledge.event import Note
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
A_CONTEXT_EVERY = 20
"""Messages, of which one is to the bot and wants a context and an answer."""
A_NOTE_EVERY = 10
"""Answers, of which one has something to note: the others end their turn with an empty note."""
WARM_UP = 2
"""Days before the count begins: the first lines of a group are embedded as they come, and what then
waits for more is paid for later, as some of what is counted is."""
SPARSE, BUSY = 20, 200
"""Messages a day of nine groups in ten, and of the tenth."""
EACH = {
    "chat calls a message": 0.05,
    "prompt tokens a message": 150.0,
    "embed calls a message": 0.2,
}
"""Asked of sparse groups and of busy ones, each by themselves."""
LIMITS = {
    "reads a run, besides its messages": 12.0,
    "writes a run, besides its messages": 8.0,
    "reads a context": 40.0,
    "dollars a million, no chat model": 60.0,
    "dollars a million, small chat model": 100.0,
}


def _counted_index(made: Services, name: str, units: Counter[str]) -> Any:
    host = made.settings.pinecone_controller_host
    return CountedIndex(Index(api_key="local", host=host, name=name), units)


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
    """`models` are calls and tokens of both kinds; `stages` calls of the embedder by pipeline."""

    units: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    contexts: int = 0
    messages: int = 0
    run_reads: int = 0
    run_writes: int = 0
    context_reads: int = 0

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(**{name: mine + getattr(other, name) for name, mine in vars(self).items()})


@dataclass
class Group:
    name: str
    talk: Iterator[tuple[str, str]]
    dice: random.Random
    said: int = 0


@dataclass
class Town:
    """Groups of one pace, and all that is counted while they talk."""

    told: dict[str, Any]
    made: Services
    queue: CountedQueue
    clock: Clock
    model: CountedModel
    units: Counter[str]
    into: Counted = field(default_factory=Counted)

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

    async def staged(self, stage: str, work: Any) -> Any:
        embedder = self.made.embedder
        embedder._cache.clear()  # noqa: SLF001  no group's next run finds the same instance
        before = embedder.counts.calls
        done = await work
        self.into.stages[stage] += embedder.counts.calls - before
        return done

    async def talk_for(self, names: list[str], a_day: int, days: int) -> Counted:
        groups = [Group(one, _talk(random.Random(one)), random.Random(one)) for one in names]
        start = self.clock.at.replace(hour=0, minute=0, second=0, microsecond=0)
        start += timedelta(days=WARM_UP)
        for day in range(-WARM_UP, days):
            if day == 0:
                self.into = Counted()
                self.units.clear()
                self.model.calls.clear()
                self.model.tokens.clear()
                reads, writes = self.documents()
                models, sent = self.models(), len(self.queue.sent)
            for group in groups:
                self.clock.at = start + timedelta(days=day)
                await self._day(group, a_day)
            self.clock.at = start + timedelta(days=day, hours=30)
            await self._night()
        ended = self.documents()
        self.into.units["reads"] += ended[0] - reads
        self.into.units["writes"] += ended[1] - writes
        self.into.units["task operations"] += 2 * (len(self.queue.sent) - sent)
        self.into.units += self.models() - models
        return self.into

    async def _day(self, group: Group, count: int) -> None:
        """Message by message; attribution when its task is due."""
        for at in _times(count, self.clock.at, group.dice):
            await self._attribute(group.name, until=at)
            self.clock.at = at
            who, what = next(group.talk)
            group.said += 1
            is_asked = group.said % A_CONTEXT_EVERY == 0
            await self._say(group.name, f"m{group.said}", who, what, is_asked=is_asked)
            if is_asked:
                await self._answer(group, who)
        await self._attribute(group.name, until=None)
        self.into.messages += count

    async def _say(
        self, group_id: str, message_id: str, who: str, what: str, *, is_asked: bool = False
    ) -> None:
        message = Message(
            group_id=group_id,
            message_id=message_id,
            user_id=who,
            user_name=who,
            content=what,
            create_time=self.clock.at,
            is_mention_bot=is_asked,
            role="assistant" if who == "bot" else "user",
        )
        deps = self.made.deps(handle_messages.Deps, analyse=analysed)
        await handle_messages.ingest(group_id, [message], deps)

    async def _answer(self, group: Group, who: str) -> None:
        message_id, before = f"m{group.said}", self.documents()[0]
        request = ContextRequest(group_id=group.name, message_id=message_id)
        await self.staged("context", build_context(request, context_deps(self.made)))
        self.into.context_reads += self.documents()[0] - before
        self.into.contexts += 1
        self.clock.turn(seconds=5)
        await self._say(
            group.name, f"{message_id}-answer", "bot", f"@{who} noted, I will see to it"
        )
        self.into.messages += 1
        if self.into.contexts % A_NOTE_EVERY:
            return
        note = Note(
            group_id=group.name,
            user_id=who,
            request_id=f"{group.name} {group.said}",
            end_seq=1,
            action_summary=f"The bot told {who} that it will see to the matter today.",
            new_info="",
            force=False,
            message_ids=(message_id,),
        )
        await handle_end.end_turn(note, self.made.deps(handle_end.Deps))

    async def _attribute(self, group_id: str, until: datetime | None) -> None:
        made, due = self.made, self.queue.due
        indexing = Indexing(made.vectors, made.word_index, made.counted_words)
        deps = made.deps(handle_attribute.Deps, indexing=indexing, model_budget_s=30, tables=None)
        while due and (until is None or due[0] <= until):
            self.clock.at = heapq.heappop(due)
            before = self.documents()
            report = await self.staged("attribution", handle_attribute.attribute(group_id, deps))
            after, waiting = self.documents(), report.attributed + report.again
            self.into.runs += 1
            self.into.run_reads += after[0] - before[0] - waiting
            self.into.run_writes += after[1] - before[1] - waiting

    async def _night(self) -> None:
        made = self.made
        closing = made.deps(handle_close.Deps)
        while (await handle_close.close_idle(closing)).is_more:
            pass
        await handle_due.send_due(made.deps(handle_due.Deps))
        while jobs := await self._pending():
            for job in jobs:
                await self.staged(job.kind, self._do(job))
        await self.staged("upkeep", handle_maintain.maintain(handle_maintain.deps_for(made)))

    async def _pending(self) -> list[Job]:
        _, jobs = await self.made.jobs.listed(state="pending", group_id=None, limit=5000, offset=0)
        sent, now = self.queue.jobs, self.clock()
        return [one for one in reversed(jobs) if one.due_at <= now or one.job_id in sent]

    async def _do(self, job: Job) -> None:
        made = self.made
        group = await made.groups.find(job.group_id)
        does: dict[str, Any] = {
            "summarize": lambda work: handle_summarize.summarize(work, summarizing(made)),
            "evolve": lambda work: handle_evolve.evolve(work, handle_evolve.deps_for(group, made)),
            "extract": lambda work: handle_extract.extract(
                work, extraction_batch.deps_for(group, made)
            ),
            "historian": lambda work: handle_note.record_note(
                work, made.deps(handle_note.Deps, model_budget_s=30)
            ),
            "profile": lambda work: handle_merge.merge_profile(
                work, made.deps(handle_merge.Deps, model_budget_s=30)
            ),
        }
        await made.worker.run(job.job_id, does[job.kind])


async def measured(told: dict[str, Any], groups: int, days: int) -> tuple[str, list[str]]:
    clock, queue, units = Clock(), CountedQueue(), Counter[str]()
    busy = max(1, groups // 10)
    names = [f"bench:{number}" for number in range(groups)]
    found: dict[str, Counted] = {}
    async with in_process(told, clock) as made:
        model = CountedModel(made.model)
        made.__dict__ |= {
            "task_queue": queue,
            "model": model,
            "vectors": Vectors(_counted_index(made, INDEX, units)),
            "word_index": WordIndex(_counted_index(made, WORDS_INDEX, units)),
        }
        rows = []
        for pace, those, a_day in (
            ("sparse", names[busy:], SPARSE),
            ("busy", names[:busy], BUSY),
        ):
            town = Town(told, made, queue, clock, model, units)
            counted = await town.talk_for(those, a_day, days)
            counted.units += units
            found[pace] = counted
            rows += ["", f"{pace}, {a_day} messages a day:", *_by_prompt(counted, model), ""]
        del made.__dict__["task_queue"]
    text, missed = _page(found, days)
    return "\n".join([text, *rows]), missed


def _by_prompt(counted: Counted, model: CountedModel) -> list[str]:
    said = counted.messages
    chats = [
        f"  {name:<20}{calls / said:>8.4f} calls{model.tokens[name] / said:>10.1f} prompt tokens"
        for name, calls in model.calls.most_common()
    ]
    embeds = [
        f"  embedder, {name:<12}{calls / said:>6.4f} calls"
        for name, calls in counted.stages.most_common()
        if calls
    ]
    return [*chats, *embeds]


def _page(found: dict[str, Counted], days: int) -> tuple[str, list[str]]:
    numbers: list[tuple[str, float, float]] = []
    for pace, one in found.items():
        each = {name: one.units[name.removesuffix(" a message")] / one.messages for name in EACH}
        numbers += [(f"{pace}: {name}", each[name], most) for name, most in EACH.items()]
    into = found["sparse"] + found["busy"]
    each = {name: into.units[name] / into.messages for name in PRICES}
    dollars = {name: each[name] * price for name, price in PRICES.items()}
    values = {
        "reads a run, besides its messages": into.run_reads / into.runs,
        "writes a run, besides its messages": into.run_writes / into.runs,
        "reads a context": into.context_reads / max(1, into.contexts),
        "dollars a million, no chat model": sum(
            cost for name, cost in dollars.items() if name not in CHAT
        ),
        "dollars a million, small chat model": sum(dollars.values()),
    }
    numbers += [(name, values[name], most) for name, most in LIMITS.items()]
    rows = [
        f"{into.messages} messages in {days} days, {into.runs} runs, {into.contexts} contexts",
        "",
        f"{'counted':<22}{'a message':>12}{'$ a million':>14}",
        *(f"{name:<22}{each[name]:>12.3f}{dollars[name]:>14.2f}" for name in PRICES),
        "",
        *(
            f"{name:<38}{value:>10.3f}  (at most {most:g})" + ("" if value <= most else "  MISSED")
            for name, value, most in numbers
        ),
    ]
    return "\n".join(rows), [name for name, value, most in numbers if value > most]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="ten groups, some minutes")
    parser.add_argument("--groups", type=int, default=2000)
    parser.add_argument("--days", type=int, default=3)
    asked = parser.parse_args()
    groups = 10 if asked.quick else asked.groups
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        text, missed = asyncio.run(measured(running.told, groups, asked.days))
    options = " --quick" if asked.quick else f" --groups {groups} --days {asked.days}"
    print(keep("scale", f"python -m bench.scale{options}", text))
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
