"""What a million messages cost, from counted operations: `python -m bench.scale [--quick]`, or of
other sizes, groups by days: `--sparse 8x50 --busy 4x4`; of several lengths: `--sparse 30x1,2x9`.

The real handlers on the emulators, some days of groups of two paces (nine groups in ten say twenty
messages a day), a context and an answer for one message in twenty, notes, and all that follows:
attribution, closing of topics, summaries, extraction, profiles, evolution, upkeep. Each piece of
work is booked to the group it was done for, and whatever still waits after the last day is done and
paid too. Exits non-zero when a number is missed, or when the books do not add up.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.results import keep
from bench.scale_counting import Billed, CountedIndex, CountedQueue, CountedSpending, Meter
from bench.scale_town import PACES, Book, Life, Town
from infra.tables import tables
from shared.stores.vectors import Index, Vectors
from shared.stores.word_index import WordIndex
from shared.wiring import Services
from tests.services import INDEX, WORDS_INDEX, Clock, all_emulators, in_process

PRICES = {
    # Dollars a million. Firestore Standard in one region of the United States: 0.03 and 0.09 a
    # hundred thousand (as quoted 2026-11-18 from cloud.google.com/firestore/pricing; a multi-region
    # costs twice that, deletes are cheaper than the writes they are counted as). Cloud Tasks, API
    # calls and deliveries alike (cloud.google.com/tasks/docs/pricing, a stored copy, 2026-11-18).
    # Pinecone serverless Standard on AWS us-east-1 (2026-11-04). text-embedding-3-small and
    # gpt-4o-mini of OpenAI (as quoted 2026-11-18 by those who resell them). Storage, network and
    # processor time are not in it.
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
GROUPS = {"sparse": 9, "busy": 1}
"""Of ten. What is said is mixed in this proportion, however many of each were played."""
WHOLE = {"sparse": "1770x1,30x20", "busy": "190x0.2,10x2"}
"""Groups by days: two thousand groups, nine in ten of them sparse, 60,000 messages. Most began that
day; some have been there for long enough to tell what a settled one costs."""
QUICK = {"sparse": "2x25", "busy": "2x4"}
"""About as many messages of either pace, as few as show every kind of work."""
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


async def played(told: dict[str, Any], lives: Mapping[str, Sequence[Life]]) -> Town:
    clock, units = Clock(), Counter[str]()
    queue = CountedQueue(clock)
    patient = {"MEMORY_EMBEDDING_TIMEOUT_SECONDS": "100"}
    async with in_process(told, clock, **patient) as made:
        paid = CountedSpending(made.spending)
        made.__dict__ |= {
            "task_queue": queue,
            "spending": paid,
            "vectors": Vectors(_counted_index(made, INDEX, units)),
            "word_index": WordIndex(_counted_index(made, WORDS_INDEX, units)),
        }
        meter = Meter(told, units, queue)
        town = Town(made, clock, queue, meter, paid)
        await town.lives(lives)
        meter.close()
    return town


def mixed(town: Town, books: Mapping[str, Book]) -> Billed:
    """Of one message, of what groups of both paces say together; upkeep and the schedule are shared
    by them as they were played."""
    a_day = {pace: GROUPS[pace] * PACES[pace] for pace in PACES}
    each: Billed = Counter()
    settled = {pace: book for pace, book in books.items() if book.messages}
    for pace, book in settled.items():
        share = a_day[pace] / sum(a_day[one] for one in settled)
        for name, value in book.all.items():
            each[name] += value / book.messages * share  # type: ignore[assignment]
    messages = sum(book.messages for book in all_books(town).values())
    for name, value in town.schedule.all.items():
        each[name] += value / messages  # type: ignore[assignment]
    return each


def all_books(town: Town) -> dict[str, Book]:
    """Of each pace, the first messages of its groups counted in."""
    return {pace: book.with_(town.firsts[pace]) for pace, book in town.books.items()}


def dollars(each: Billed) -> tuple[float, float]:
    """A million messages: without a chat model, and with a small one."""
    costs = {name: each[name] * price for name, price in PRICES.items()}
    return sum(cost for name, cost in costs.items() if name not in CHAT), sum(costs.values())


def numbers(town: Town) -> list[tuple[str, float, float]]:
    found = []
    for pace, book in town.books.items():
        billed = book.all
        for name, most in EACH.items() if book.messages else ():
            value = billed[name.removesuffix(" a message")] / book.messages
            found.append((f"{pace}: {name}", value, most))
    both = list(all_books(town).values())
    runs = sum(one.done["attribute"] for one in both)
    contexts = sum(one.done["context"] for one in both)
    placed = sum(one.placed for one in both)

    def of(stage: str, name: str) -> int:
        return sum(one.billed[stage][name] for one in both)

    without, small = dollars(mixed(town, town.books))
    values = {
        "reads a run, besides its messages": (of("attribute", "reads") - placed) / runs,
        "writes a run, besides its messages": (of("attribute", "writes") - placed) / runs,
        "reads a context": of("context", "reads") / contexts,
        "dollars a million, no chat model": without,
        "dollars a million, small chat model": small,
    }
    return found + [(name, values[name], most) for name, most in LIMITS.items()]


def problems(town: Town) -> list[str]:
    """Models were paid for by group and counted by their server: both must say the same."""
    books = (*all_books(town).values(), town.schedule)
    served: Billed = sum((one.all for one in books), Counter())
    paid: Billed = Counter()
    for prompts in town.paid.by_group.values():
        for prompt, one in prompts.items():
            paid["embed calls" if prompt == "embedding" else "chat calls"] += one["calls"]
    return [
        f"{name}: {served[name]} were served, {paid[name]} booked"
        for name in ("chat calls", "embed calls")
        if served[name] != paid[name]
    ]


def page(town: Town) -> tuple[str, list[str]]:
    each, found = mixed(town, town.books), numbers(town)
    every = all_books(town)
    said = ", ".join(f"{one.messages} in {pace} groups" for pace, one in every.items())
    done: Counter[str] = sum((one.done for one in every.values()), Counter())
    rows = [
        f"messages: {said}; {done['attribute']} runs, {done['context']} contexts",
        "",
        f"{'counted':<22}{'a message':>12}{'$ a million':>14}",
        *(f"{name:<22}{each[name]:>12.3f}{each[name] * PRICES[name]:>14.2f}" for name in PRICES),
        f"{'index entries':<22}{each['index entries']:>12.3f}",
        "",
        *(
            f"{name:<38}{value:>10.{4 if most < 1 else 3}f}  (at most {most:g})"
            + ("" if value <= most else "  MISSED")
            for name, value, most in found
        ),
        "",
        *_counted_in(every, mixed(town, every)),
        "",
        f"a deployment's schedule with nothing to do: {_looks(town):,.0f} reads a day",
    ]
    for pace, book in town.books.items():
        if not book.messages:
            continue
        rows += ["", f"{pace}, {PACES[pace]} messages a day", *_by_stage(book, book.messages)]
        rows += ["", *_by_prompt(town, pace)]
    for pace, book in town.firsts.items():
        rows += ["", f"{pace}, the first messages of groups ({book.messages}), booked apart"]
        rows += _by_stage(book, book.messages)
    messages = sum(book.messages for book in every.values())
    rows += [
        "",
        "the schedule, besides what it reads for nobody",
        *_by_stage(town.schedule, messages),
    ]
    rows += _work(town)
    missed = [name for name, value, most in found if value > most]
    return "\n".join(rows), missed + problems(town)


def _counted_in(every: Mapping[str, Book], each: Billed) -> list[str]:
    rows = ["with the first messages of every group counted in"]
    for pace, book in every.items():
        cells = [
            f"{book.all[one] / book.messages:.3f} {one}" for one in ("chat calls", "embed calls")
        ]
        rows.append(f"  {pace}, a message: {', '.join(cells)}")
    without, small = dollars(each)
    return [*rows, f"  dollars a million: {without:.2f}, with a small chat model {small:.2f}"]


def _looks(town: Town) -> float:
    """Reads a day: each look as often as a deployment looks."""
    a_day = {"* * * * *": 1440, "*/15 * * * *": 96, "30 * * * *": 24, "0 3 * * *": 1}
    crons = {one["route"]: one["cron"] for one in tables()["schedules"]}
    return sum(reads * a_day[crons[f"/cron/{name}"]] for name, reads in town.looks.items())


def _by_stage(book: Book, messages: int) -> list[str]:
    names = {
        "reads": "reads",
        "writes": "writes",
        "vector write units": "WU",
        "embed calls": "embed",
    }
    rows = [f"  {'a message':<14}{'times':>8}" + "".join(f"{one:>9}" for one in names.values())]
    for stage, billed in book.billed.items():
        cells = "".join(f"{billed[name] / messages:>9.3f}" for name in names)
        rows.append(f"  {stage:<14}{book.done[stage] / messages:>8.4f}{cells}")
    return rows


def _by_prompt(town: Town, pace: str) -> list[str]:
    sums: dict[str, Billed] = {}
    for group, prompts in town.paid.by_group.items():
        if town.pace_of(group) == pace:
            first = town.paid_first.get(group, prompts)
            for prompt, one in prompts.items():
                sums.setdefault(prompt, Counter()).update(one - first.get(prompt, Counter()))
    messages = town.books[pace].messages
    rows = [f"  {'a message':<20}{'calls':>8}{'prompt':>9}{'completion tokens':>20}"]
    for prompt, one in sorted(sums.items()):
        cells = (
            f"{one['prompt_tokens'] / messages:>9.1f}{one['completion_tokens'] / messages:>20.1f}"
        )
        rows.append(f"  {prompt:<20}{one['calls'] / messages:>8.4f}{cells}")
    return rows


WORK = ("ingest", "attribute", "context", "summarize", "evolve", "historian", "profile")


def _work(town: Town) -> list[str]:
    """What one piece of work takes, for `infra/capacity.toml`: processor of this process alone, and
    calls of each service."""
    calls = ("firestore calls", "embed calls", "chat calls", "pinecone calls", "task operations")
    heads = ("firestore", "embeddings", "chat", "pinecone", "tasks")
    rows = [f"  {'':<14}{'times':>8}{'cpu_s':>9}" + "".join(f"{one:>12}" for one in heads)]
    books = list(all_books(town).values())
    for stage in WORK:
        times = sum(one.done[stage] for one in books)
        if times:
            sums: Billed = sum((one.billed[stage] for one in books), Counter())
            each = [sums[name] / times / (2 if name == "task operations" else 1) for name in calls]
            cells = "".join(f"{one:>12.2f}" for one in each)
            rows.append(f"  {stage:<14}{times:>8}{sums['cpu ms'] / times / 1000:>9.3f}{cells}")
    return ["", "one piece of work", *rows]


def _lives(text: str) -> tuple[Life, ...]:
    pairs = (one.split("x") for one in text.split(","))
    return tuple(Life(int(groups), float(days)) for groups, days in pairs)


def took(began: float, messages: int) -> str:
    """What the run itself cost, so that it is known what a larger one would."""
    used = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    return (
        f"this run: {time.monotonic() - began:.0f} s, {seconds:.0f} s of processor with the "
        f"emulators, {1000 * seconds / messages:.0f} ms a message"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="four groups, under five minutes")
    for pace, size in WHOLE.items():
        parser.add_argument(f"--{pace}", default=size, metavar="GROUPSxDAYS,...")
    asked = parser.parse_args()
    sizes = QUICK if asked.quick else {pace: getattr(asked, pace) for pace in PACES}
    options = " --quick" if asked.quick else "".join(f" --{one} {sizes[one]}" for one in PACES)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        town = asyncio.run(played(running.told, {one: _lives(sizes[one]) for one in PACES}))
    text, missed = page(town)
    said = sum(one.messages for one in all_books(town).values())
    name = "scale" if asked.quick else "scale_" + "_".join(sizes[one] for one in PACES)
    name = "scale_whole" if sizes == WHOLE else name
    print(keep(name, f"python -m bench.scale{options}", f"{text}\n\n{took(began, said)}"))
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
