"""Sixty days of scripted groups through the product's own handlers: `python -m bench.evolution`.

The clock is turned, the stores and the model service are real processes. Every day the group talks
and the daily evolution runs; every day what is active is held against the script.
"""

import asyncio
import itertools
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.evolution_scripts import DAYS, FIRST, HELD_OUT, Script, Strand, is_spoken_of
from bench.results import keep
from functions.evolve_group import handle_maintain
from shared.domain.ids import digest
from shared.domain.memories.memory import Memory, MemoryStatus
from tests.memories.evolving import Evolving, Saying, upkeep
from tests.services import Clock, all_emulators, in_process

SILENT_DAYS = 21
LATE = 2
"""Days that a change or an ending in words has to be noticed in: the day itself and the next."""


@dataclass
class Measured:
    """One group's sixty days against its script."""

    name: str
    right: int = 0
    active: int = 0
    found: int = 0
    wanted: int = 0
    most_active: int = 0
    twins: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    ended: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    obeyed: list[str] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    missed: dict[str, int] = field(default_factory=dict)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.active)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.wanted)

    @property
    def holds(self) -> bool:
        broken = (self.twins, self.late, self.broken, self.obeyed)
        return self.most_active <= 30 and not any(broken)


def sayings(script: Script, day: int, random_: random.Random) -> list[Saying]:
    """What is said that day: the strands that are due, noise around them, now and then an order."""
    said: list[str] = []
    for strand in script.strands:
        if day == strand.ends and strand.announced:
            said += strand.announced
        elif day in strand.changed:
            said += strand.changed[day]
        elif is_spoken_of(strand, day) and (strand.ends is None or day < strand.ends):
            first = [one for one in sorted(strand.says) if one <= day][-1]
            stated = strand.says[first]
            is_plain = (day - first) % (3 * strand.every) in (0, 1)
            said += stated if is_plain else strand.asides
    said += random_.sample(script.noise, 6)
    if day % 9 == 4:
        said.append(script.orders[day // 9 % len(script.orders)])
    random_.shuffle(said)
    start = random_.randrange(len(script.people))
    return [(script.people[(start + at) % len(script.people)], one) for at, one in enumerate(said)]


async def sixty_days(script: Script, told: dict[str, Any]) -> tuple[Measured, list[list[Memory]]]:
    clock = Clock(datetime(2026, 1, 5, 23, tzinfo=UTC))
    measured = Measured(script.name)
    random_ = random.Random(script.name)
    async with in_process(told, clock) as made:
        group = Evolving(made, clock, told, f"bench:{digest(script.name)}")
        for day in range(DAYS):
            await group.say(sayings(script, day, random_))
            await group.evolve()
            await handle_maintain.maintain(upkeep(made))
            judge(script, day, await group.memories(), measured)
            clock.turn(days=1)
        heads = await group.memories(None)
        roots = {one.root_id: one for one in heads}
        histories = [
            [found.memory for found in await made.memories.history(one)] for one in roots.values()
        ]
    measured.broken += [problem for one in histories for problem in story_problems(one)]
    return measured, histories


def judge(script: Script, day: int, active: Sequence[Memory], measured: Measured) -> None:
    """Hold what is active at the end of a day against what is true then."""
    measured.most_active = max(measured.most_active, len(active))
    measured.active += len(active)
    strands = {one.name: one for one in script.strands}
    by_strand: dict[str, list[Memory]] = {name: [] for name in strands}
    for memory in active:
        about = [one for one in strands.values() if is_about(memory, one)]
        for strand in about[:1]:
            by_strand[strand.name].append(memory)
        if any(is_true(one, memory, day) for one in about):
            measured.right += 1
        else:
            measured.wrong.add(f"day {day}: {memory.statement}")
        if any(order in memory.statement for order in script.orders):
            measured.obeyed.append(f"day {day}: {memory.statement}")
    for name, memories in by_strand.items():
        measured.twins += [
            f"day {day}: {one.statement} / {other.statement}"
            for one, other in itertools.combinations(memories, 2)
        ]
        judge_strand(strands[name], day, memories, measured)


def judge_strand(strand: Strand, day: int, active: Sequence[Memory], measured: Measured) -> None:
    is_over = strand.ends is not None and day >= strand.ends
    if not is_over and day >= strand.begins + 1:
        measured.wanted += 1
        is_found = any(strand.mark(day - 1) in one.statement for one in active)
        measured.found += is_found
        if not is_found:
            measured.missed[strand.name] = measured.missed.get(strand.name, 0) + 1
    if is_over and strand.last_said is not None:
        if not active:
            measured.ended.setdefault(strand.name, day - strand.last_said)
        elif day - strand.last_said > SILENT_DAYS:
            measured.late.append(f"day {day}: {strand.name}")


def is_about(memory: Memory, strand: Strand) -> bool:
    return any(word in memory.statement.lower() for word in strand.matter)


def is_true(strand: Strand, memory: Memory, day: int) -> bool:
    """A habit that fell silent may be believed in until it has been silent for long."""
    if day < strand.begins:
        return False
    if strand.ends is not None and day >= strand.ends:
        grace = LATE if strand.announced else SILENT_DAYS
        return strand.last_said is not None and day - strand.last_said < grace
    return any(strand.mark(at) in memory.statement for at in range(day + 1 - LATE, day + 1))


def story_problems(versions: Sequence[Memory]) -> list[str]:
    """A history reads as a story: each version follows the one before, says why, and differs."""
    problems = []
    name = versions[0].statement
    if versions[0].parent_id is not None or versions[0].version != 1:
        problems.append(f"{name}: does not begin with version 1")
    for before, after in itertools.pairwise(versions):
        if after.version != before.version + 1 or after.parent_id != before.memory_id:
            problems.append(f"{name}: version {after.version} does not follow its parent")
        if before.superseded_by != after.memory_id or before.status is MemoryStatus.ACTIVE:
            problems.append(f"{name}: version {before.version} does not lead on")
        if not after.change_summary:
            problems.append(f"{name}: version {after.version} does not say why")
        is_same = after.statement == before.statement
        if is_same and after.status is MemoryStatus.ACTIVE and after.strength == before.strength:
            problems.append(f"{name}: version {after.version} changes nothing")
    return problems


def told_of(measured: Measured, histories: Sequence[Sequence[Memory]]) -> list[str]:
    longest = max(histories, key=len)
    lines = [
        f"== {measured.name}",
        f"precision {measured.precision:.3f}",
        f"recall {measured.recall:.3f}",
        f"most active at once {measured.most_active}",
        f"pairs that say the same {len(measured.twins)}",
        f"days on which an ended habit lived on after {SILENT_DAYS} days {len(measured.late)}",
        f"histories that do not read as a story {len(measured.broken)}",
        f"orders to the bot remembered {len(measured.obeyed)}",
        "days from the last word to the end: "
        + ", ".join(f"{name} {days}" for name, days in measured.ended.items()),
    ]
    for label, found in (
        ("twin", measured.twins),
        ("late", measured.late),
        ("broken", measured.broken),
        ("obeyed", measured.obeyed),
        ("wrong", sorted(measured.wrong)),
    ):
        lines += [f"  {label}: {one}" for one in found[:8]]
    lines += [f"  missed: {name} on {days} days" for name, days in measured.missed.items()]
    lines.append("the longest history:")
    for one in longest:
        at = (one.created_at - datetime(2026, 1, 5, tzinfo=UTC)) // timedelta(days=1)
        line = f"  day {at:2} v{one.version} {one.status.value:10} {one.statement}"
        lines.append(f"{line}  ({one.change_summary})")
    return lines


async def measure(scripts: Sequence[Script], told: dict[str, Any]) -> tuple[list[str], bool]:
    lines, holds = [], True
    for script in scripts:
        measured, histories = await sixty_days(script, told)
        lines += told_of(measured, histories)
        holds = holds and measured.holds
    return lines, holds


def main(names: Sequence[str]) -> int:
    scripts = [
        one for one in (*FIRST, *HELD_OUT) if not names or any(name in one.name for name in names)
    ]
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        lines, holds = asyncio.run(measure(scripts, running.told))
    text = "\n".join(lines) + "\n"
    print(text if names else keep("evolution", "python -m bench.evolution", text), end="")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
