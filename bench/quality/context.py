"""How much of what answers a question its context holds: `python -m bench.quality context`.

Labelled chats (`--data DIR`, or `--in FILE` of the same form) and the project's own
(`bench/asked_talks`), line by line with attribution as it is live; each question right after its
line, with 500 tokens and default settings. Long dialogues, by score order. Public IRC: of the last
200 lines, what of a message's conversation is chosen by nearness. `--part` takes one of them.
`--out` writes a line a case: `{chat, question, lines, tokens}`.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.quality.chats import Chat, Question, asked_talks, dialogues, labelled_chats
from bench.quality.irc import MODEL, Vectors, rooms
from bench.quality.irc import cases as irc_cases
from bench.quality.over_http import a_bot
from bench.quality.playing import playing
from shared.contracts.context import ContextAnswer
from shared.domain.attribution.lines import follow
from shared.domain.similarity.vectors import unpack_half
from tests.services import all_emulators

TOKENS = 500
NEAR = 50
LIKELY = 0.4
"""A line of a conversation this likely to go on is taken for a part of it."""
FIRST = (5, 10, 20)
AMPLE_TOKENS = 20_000
LEAST_GOLD, LEAST_NEAR, MOST_OTHERS = 65.0, 80.0, 60.0
LEAST_EVIDENCE = (70.0, 77.0, 82.0)
LEAST_IRC = (82.0, 75.0)
PARTS = ("chats", "talks", "dialogues", "irc")


@dataclass
class Score:
    """In shares, one number a question; `near` of those whose gold is among the last lines."""

    gold: list[float] = field(default_factory=list)
    near: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def row(self, name: str) -> str:
        return (
            f"{name:<16} gold {percent(self.gold):5.1f} %  of the last {NEAR}"
            f" {percent(self.near):5.1f} %  other threads {percent(self.others):5.1f} %"
            f"  lines {statistics.mean(self.lines):4.1f} tokens {statistics.mean(self.tokens):4.0f}"
        )

    @property
    def holds(self) -> bool:
        return (
            percent(self.gold) >= LEAST_GOLD
            and percent(self.near) >= LEAST_NEAR
            and percent(self.others) <= MOST_OTHERS
        )

    def add(self, chat: Chat, question: Question, offered: Sequence[str], tokens: int) -> None:
        last = chat.place(question.after)
        near = {one.message_id for one in chat.messages[max(0, last + 1 - NEAR) : last + 1]}
        self.gold.append(len(question.gold & set(offered)) / len(question.gold))
        if wanted := question.gold & near:
            self.near.append(len(wanted & set(offered)) / len(wanted))
        threads = {chat.threads[one] for one in question.gold}
        if offered:
            others = [one for one in offered if chat.threads[one] not in threads]
            self.others.append(len(others) / len(offered))
        self.lines.append(len(offered))
        self.tokens.append(tokens)


def percent(shares: Sequence[float]) -> float:
    return 100 * statistics.mean(shares) if shares else 0.0


def by_worth(answer: ContextAnswer) -> list[str]:
    """The messages offered, the best first."""
    talk = [one for one in answer.items if one.kind == "message"]
    return [one.id for one in sorted(talk, key=lambda one: -one.score)]


async def of_chats(
    told: dict[str, Any], chats: Sequence[Chat]
) -> tuple[list[str], list[dict[str, Any]], bool]:
    whole = Score()
    rows, cases = [], []
    async with playing(told) as player:
        for chat in chats:
            own = Score()
            async for question in player.play(chat):
                answer = await player.ask(chat, question, max_tokens=TOKENS)
                cases.append(_add(chat, question, answer, (own, whole)))
            rows.append(own.row(chat.name))
    return [*rows, whole.row("all")], cases, whole.holds


def _add(
    chat: Chat, question: Question, answer: ContextAnswer, scores: Sequence[Score]
) -> dict[str, Any]:
    offered = by_worth(answer)
    for score in scores:
        score.add(chat, question, offered, answer.tokens["total"])
    return {
        "chat": chat.name,
        "question": question.id,
        "lines": offered,
        "tokens": answer.tokens["total"],
        "mode": answer.mode,
        "kinds": sorted({one.kind for one in answer.items} - {"message"}),
    }


def over_http(chats: Sequence[Chat], port: int) -> tuple[list[str], list[dict[str, Any]], bool]:
    whole = Score()
    rows, cases = [], []
    with a_bot(port) as bot:
        for chat in chats:
            own = Score()
            for question in bot.play(chat):
                answer = bot.ask(chat, question, TOKENS)
                cases.append(_add(chat, question, answer, (own, whole)))
            rows.append(own.row(chat.name))
            print(rows[-1], file=sys.stderr, flush=True)
    return [*rows, whole.row("all")], cases, whole.holds


async def of_dialogues(
    told: dict[str, Any], chats: Sequence[Chat], every: int
) -> tuple[list[str], list[dict[str, Any]], bool]:
    found: list[list[float]] = [[] for _ in FIRST]
    cases = []
    async with playing(told) as player:
        for chat in chats:
            await player.load(chat.messages)
            for question in chat.questions[::every]:
                answer = await player.ask(chat, question, max_tokens=AMPLE_TOKENS)
                offered = by_worth(answer)
                cases.append({"chat": chat.name, "question": question.id, "lines": offered})
                for into, first in zip(found, FIRST, strict=True):
                    into.append(len(question.gold & set(offered[:first])) / len(question.gold))
            print(f"{chat.name}: {len(cases)} asked so far", file=sys.stderr, flush=True)
    reached = [percent(one) for one in found]
    row = " / ".join(f"{one:.1f}" for one in reached)
    holds = all(one >= least for one, least in zip(reached, LEAST_EVIDENCE, strict=True))
    firsts = "/".join(map(str, FIRST))
    return [f"evidence among the first {firsts}: {row} ({len(cases)} questions)"], cases, holds


def of_irc(path: Path, every: int) -> tuple[list[str], list[dict[str, Any]], bool]:
    """Each message with the lines before it: which of them are taken for its conversation."""
    recalls, precisions, lines, cases = [], [], [], []
    vectors = Vectors()
    for room in rooms(path):
        for case in irc_cases(room, vectors, every):
            following = follow(case.asked, unpack_half(case.asked.vector), case.before, model=MODEL)
            taken = {key for key, mass in following.masses.items() if mass >= LIKELY}
            recalls.append(len(taken & case.gold) / len(case.gold))
            precisions.append(len(taken & case.gold) / len(taken) if taken else 0.0)
            lines.append(len(taken))
            cases.append(
                {"chat": room.name, "question": case.asked.message_id, "lines": sorted(taken)}
            )
    vectors.close()
    recall, precision, count = percent(recalls), percent(precisions), statistics.mean(lines)
    row = f"recall {recall:.1f} %  precision {precision:.1f} %  lines {count:.1f} ({len(cases)})"
    holds = recall >= LEAST_IRC[0] and precision >= LEAST_IRC[1]
    return [row], cases, holds


def main(argv: Sequence[str]) -> int:
    arguments = argparse.ArgumentParser(prog="bench.quality context", description=__doc__)
    arguments.add_argument("--data", type=Path, default=os.environ.get("DATA"))
    arguments.add_argument("--in", dest="file", type=Path, help="a labelled chat, or dialogues")
    arguments.add_argument("--out", type=Path, help="a JSON line a case")
    arguments.add_argument("--every", type=int, default=1, help="each so many-th of the dialogues'")
    arguments.add_argument("--part", choices=PARTS, help="only this one")
    arguments.add_argument("--http", type=int, metavar="PORT", help="chats over HTTP, on this port")
    wanted = arguments.parse_args(argv)
    is_dialogue = bool(wanted.file and "".join(wanted.file.suffixes[-2:]).startswith(".jsonl"))
    long = wanted.file if is_dialogue else wanted.data and wanted.data / "locomo_7.jsonl.gz"
    chats = [] if is_dialogue else labelled_chats(wanted.data, wanted.file)
    irc = None if wanted.file else wanted.data and wanted.data / "irc_dev.jsonl.gz"
    parts = {wanted.part} if wanted.part else {*PARTS}
    cases: list[dict[str, Any]] = []
    holds = True

    def told(title: str, found: tuple[list[str], list[dict[str, Any]], bool]) -> None:
        nonlocal holds
        rows, more, good = found
        print("\n".join([title, *rows, ""]), flush=True)
        cases.extend(more)
        holds = holds and good

    if wanted.http:
        talks = [] if wanted.file else asked_talks()
        told(f"over HTTP, {TOKENS} tokens", over_http([*chats, *talks], wanted.http))
        parts = set()
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        if chats and "chats" in parts:
            found = asyncio.run(of_chats(running.told, chats))
            told(f"labelled chats, {TOKENS} tokens", found)
        if not wanted.file and "talks" in parts:
            found = asyncio.run(of_chats(running.told, asked_talks()))
            told(f"the project's own chats, {TOKENS} tokens; 5 and 6 were held back", found)
        if long and long.exists() and "dialogues" in parts and not (wanted.file and chats):
            found = asyncio.run(of_dialogues(running.told, dialogues(long), wanted.every))
            told("long dialogues", found)
    if irc and irc.exists() and "irc" in parts:
        told("IRC, of the last 200 lines", of_irc(irc, wanted.every))
    if wanted.out:
        wanted.out.write_text(
            "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in cases), encoding="utf-8"
        )
    print("holds" if holds else "MISSED", file=sys.stderr)
    return 0 if holds else 1
