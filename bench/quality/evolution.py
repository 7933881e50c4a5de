"""What is remembered of natural talk, through the product's own evolution on emulators.

`python -m bench.quality evolution [--in FILE] [--data DIR] [--all] [--fresh] [--out FILE]`: the
talks of `bench/talks` (the second half only with `--all`, `fresh/` only with `--fresh`), a labelled
chat (`--in`), or a folder's chats (`--data`), played day by day with an extraction and an evolution
at the end of each. A label counts as held if an active memory is about the same subject and shares
a message with it; an active memory is right if it holds a label. Printed are precision and recall,
every miss, every wrong one, and every one that rests on what must not be remembered (`--closed`:
the totals alone); `--out` writes one line a memory. With the address of a real model in
`OPENAI_BASE_URL` and `--model` the same is asked of it.
"""

import argparse
import asyncio
import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from functions.ingest_message import handle_messages
from shared.domain.memories.memory import Memory
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from tests.memories.evolving import Evolving, nobody
from tests.services import Clock, all_emulators, in_process

TALKS = Path(__file__).parents[1] / "talks"
GROUP = "group"
KINDS = {"plan": "project", "role": "fact"}
"""What labelled chats call otherwise than the product does."""
_LINE = re.compile(r"(?:\[(?P<labels>\w+)\] )?(?P<name>[^:]+): (?P<text>.+)")


@dataclass(frozen=True)
class Label:
    """What should be remembered: about whom, from which messages, in whatever words."""

    statement: str
    about: str
    sources: frozenset[str]
    kind: str = ""
    """As the product names it, where the label has one."""


@dataclass(frozen=True)
class Said:
    message_id: str
    user_id: str
    user_name: str
    text: str
    time: datetime
    is_bot: bool = False
    reply_to: str | None = None


@dataclass
class Talk:
    """Days of messages with labels. `refused` must not be remembered; those without sources are
    printed to be looked for by eye."""

    name: str
    days: list[list[Said]]
    labels: list[Label]
    refused: list[Label] = field(default_factory=list)


@dataclass
class Remembered:
    """A talk with what is active at its end."""

    talk: Talk
    memories: list[tuple[Memory, frozenset[str]]]

    def holds(self, label: Label, memory: Memory, sources: frozenset[str]) -> bool:
        return (memory.subject or GROUP) == label.about and bool(sources & label.sources)

    @property
    def held(self) -> list[Label]:
        return [
            label
            for label in self.talk.labels
            if any(self.holds(label, *one) for one in self.memories)
        ]

    @property
    def right(self) -> list[Memory]:
        return [
            memory
            for memory, sources in self.memories
            if any(self.holds(label, memory, sources) for label in self.talk.labels)
        ]

    @property
    def of_kind(self) -> list[bool]:
        """Of each right one that holds labels with kinds: whether its own is one of them."""
        wanted = [
            (
                memory,
                {one.kind for one in self.talk.labels if self.holds(one, memory, sources)} - {""},
            )
            for memory, sources in self.memories
        ]
        return [memory.kind in kinds for memory, kinds in wanted if kinds]

    @property
    def forbidden(self) -> list[Memory]:
        """Rest on what must not be remembered, and hold nothing that must."""
        return [
            memory
            for memory, sources in self.memories
            if memory not in self.right
            and any(sources & refused.sources for refused in self.talk.refused)
        ]


def read_talk(path: Path) -> Talk:
    """The form of `bench/talks`: `[labels] name: text`, days apart, then the labels; after a
    `!` what must not be remembered."""
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    spoken, _, labels = rest.partition("\n--\n")
    days: list[list[Said]] = []
    marked: dict[str, set[str]] = {}
    start = datetime(2026, 3, 2, 11, tzinfo=UTC)
    for line in spoken.splitlines():
        if line.startswith("== "):
            days.append([])
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"{path.name}: {line}")
        at = start + timedelta(days=len(days) - 1, minutes=2 * len(days[-1]))
        message_id = f"d{len(days)}m{len(days[-1])}"
        name = found["name"]
        days[-1].append(Said(message_id, name, name, found["text"], at))
        for letter in found["labels"] or "":
            marked.setdefault(letter, set()).add(message_id)
    wanted: list[Label] = []
    refused: list[Label] = []
    for line in labels.splitlines():
        letter, about, statement = line.removeprefix("! ").split(" ", 2)
        label = Label(statement, about, frozenset(marked[letter]))
        (refused if line.startswith("! ") else wanted).append(label)
    return Talk(f"{path.stem} ({head})", days, wanted, refused)


def read_chat(path: Path) -> Talk:
    """A labelled chat (see the README beside the data)."""
    chat = json.loads(path.read_text(encoding="utf-8"))
    names = {one["user_id"]: one["name"] for one in (*chat["members"], chat["bot"])}
    days: dict[str, list[Said]] = {}
    for one in chat["messages"]:
        said = Said(
            one["message_id"],
            one["user_id"],
            names[one["user_id"]],
            one["text"],
            datetime.fromisoformat(one["time"]).astimezone(UTC),
            one["user_id"] == chat["bot"]["user_id"],
            one.get("reply_to"),
        )
        days.setdefault(one["time"][:10], []).append(said)
    labels = [
        Label(
            one["statement"],
            one["about"],
            frozenset(one["sources"]),
            KINDS.get(one["kind"], one["kind"]),
        )
        for one in chat["memories"]
    ]
    refused = [
        Label(one["statement"], "", frozenset(one.get("sources", ())))
        for one in chat["not_memories"]
    ]
    return Talk(path.stem, list(days.values()), labels, refused)


async def played(talk: Talk, told: dict[str, Any]) -> Remembered:
    clock = Clock(talk.days[0][0].time)
    async with in_process(told, clock) as made:
        group = Evolving(made, clock, told, f"bench:{talk.name.split()[0]}")
        ingest = handle_messages.IngestDeps(
            made.groups, made.messages, nobody(), analysed, made.now
        )
        for day in talk.days:
            clock.at = day[-1].time + timedelta(minutes=1)
            messages = [_message(group.group_id, one) for one in day]
            await handle_messages.ingest(group.group_id, messages, ingest)
            await group.evolve()
        active = await group.memories()
        found = []
        for memory in active:
            versions = [one.memory for one in await made.memories.history(memory)]
            found.append((memory, frozenset(id_ for one in versions for id_ in one.sources)))
    return Remembered(talk, found)


def _message(group_id: str, one: Said) -> Message:
    message = Message(
        group_id=group_id,
        message_id=one.message_id,
        user_id=one.user_id,
        user_name=one.user_name,
        content=one.text,
        create_time=one.time,
        reply_message_id=one.reply_to,
    )
    return replace(message, role="assistant") if one.is_bot else message


def told_of(found: Remembered) -> list[str]:
    labels, memories = found.talk.labels, found.memories
    lines = [
        (
            f"== {found.talk.name}: {len(memories)} active, precision "
            f"{len(found.right) / max(1, len(memories)):.2f} ({len(found.right)}/{len(memories)}), "
            f"recall {len(found.held) / len(labels):.2f} ({len(found.held)}/{len(labels)})"
        )
    ]
    for memory, sources in memories:
        mark = "right" if memory in found.right else "WRONG"
        mark = "FORBIDDEN" if memory in found.forbidden else mark
        about = memory.subject or GROUP
        line = f"  {mark}: v{memory.version} {memory.strength:.1f} [{about}] {memory.statement}"
        lines.append(f"{line}  <- {' '.join(sorted(sources))}")
    missed = [label for label in labels if label not in found.held]
    lines += [f"  missed: [{one.about}] {one.statement}" for one in missed]
    looked_for = [one for one in found.talk.refused if not one.sources]
    return lines + [f"  must not be there: {one.statement}" for one in looked_for]


def totals(name: str, found: Sequence[Remembered]) -> str:
    active = sum(len(one.memories) for one in found)
    right = sum(len(one.right) for one in found)
    held = sum(len(one.held) for one in found)
    wanted = sum(len(one.talk.labels) for one in found)
    of_group = [(one, memory) for one in found for memory, _ in one.memories if not memory.subject]
    right_of_group = sum(memory in one.right for one, memory in of_group)
    kinds = [is_so for one in found for is_so in one.of_kind]
    named = f", {sum(kinds)} of {len(kinds)} of the labelled kind" if kinds else ""
    return (
        f"{name}: precision {right / max(1, active):.2f} ({right}/{active}), "
        f"recall {held / max(1, wanted):.2f} ({held}/{wanted}), "
        f"forbidden {sum(len(one.forbidden) for one in found)}, "
        f"of the group {right_of_group} of {len(of_group)} right{named}"
    )


def talks(asked: argparse.Namespace) -> dict[str, list[Talk]]:
    if asked.file:
        return {asked.file.name: [read_chat(asked.file)]}
    if asked.data:
        chats = sorted(asked.data.rglob("*.json"))
        return {"labelled chats": [read_chat(one) for one in chats]}
    paths = sorted(TALKS.glob("*.txt"), key=lambda one: int(one.stem.partition("_")[0]))
    every = [read_talk(one) for one in paths]
    half = len(every) // 2
    parts = {"worked on": every[:half]}
    parts |= {"held back": every[half:]} if asked.all else {}
    fresh = [read_talk(one) for one in sorted((TALKS / "fresh").glob("*.txt"))]
    return parts | ({"fresh": fresh} if asked.fresh else {})


async def measured(
    parts: dict[str, list[Talk]], told: dict[str, Any], *, closed: bool = False
) -> list[Remembered]:
    found: list[Remembered] = []
    for name, own in parts.items():
        played_ = [await played(one, told) for one in own]
        for one in played_:
            print("\n".join([totals(one.talk.name, [one])] if closed else told_of(one)))
        print(totals(name, played_))
        found += played_
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality evolution", description=__doc__)
    parser.add_argument("--in", dest="file", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--all", action="store_true", help="the talks that are held back too")
    parser.add_argument("--fresh", action="store_true", help="the talks of `fresh/` too")
    parser.add_argument("--closed", action="store_true", help="totals only: nothing to tune on")
    parser.add_argument("--model", action="store_true", help="ask the model of OPENAI_BASE_URL")
    asked = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        told = dict(running.told)
        if asked.model:
            told["OPENAI_BASE_URL"] = os.environ["OPENAI_BASE_URL"]
        found = asyncio.run(measured(talks(asked), told, closed=asked.closed))
    if asked.out:
        with asked.out.open("w", encoding="utf-8") as file:
            for one in found:
                for memory, sources in one.memories:
                    line = {
                        "talk": one.talk.name,
                        "statement": memory.statement,
                        "subject": memory.subject or GROUP,
                        "sources": sorted(sources),
                    }
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0
