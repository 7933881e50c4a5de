"""How much of what answers a question its context holds: `python -m bench.quality context`.

Labelled chats (`--data DIR`, or `--in FILE` of the same form), line by line with attribution as it
is live; each question right after its line, with 500 tokens and default settings. `--locomo` also
long dialogues, by score order. `--out` writes a line a case: `{chat, question, lines, tokens}`.
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

from bench.quality.chats import Chat, Question, dialogues, labelled_chats
from bench.quality.playing import playing
from shared.contracts.context import ContextAnswer
from tests.services import all_emulators

TOKENS = 500
NEAR = 50
FIRST = (5, 10, 20)
AMPLE_TOKENS = 20_000
LEAST_GOLD, LEAST_NEAR, MOST_OTHERS = 65.0, 80.0, 60.0
LEAST_EVIDENCE = (70.0, 77.0, 82.0)


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
                offered = by_worth(answer)
                case = {
                    "chat": chat.name,
                    "question": question.id,
                    "lines": offered,
                    "tokens": answer.tokens["total"],
                    "mode": answer.mode,
                    "kinds": sorted({one.kind for one in answer.items} - {"message"}),
                }
                cases.append(case)
                for score in (own, whole):
                    score.add(chat, question, offered, answer.tokens["total"])
            rows.append(own.row(chat.name))
    rows.append(whole.row("all"))
    holds = (
        percent(whole.gold) >= LEAST_GOLD
        and percent(whole.near) >= LEAST_NEAR
        and percent(whole.others) <= MOST_OTHERS
    )
    return rows, cases, holds


async def of_dialogues(
    told: dict[str, Any], chats: Sequence[Chat], every: int
) -> tuple[list[str], list[dict[str, Any]], bool]:
    found: list[list[float]] = [[] for _ in FIRST]
    cases = []
    async with playing(told) as player:
        for chat in chats:
            await player.say(chat.messages)
            for question in chat.questions[::every]:
                answer = await player.ask(chat, question, max_tokens=AMPLE_TOKENS)
                offered = by_worth(answer)
                cases.append({"chat": chat.name, "question": question.id, "lines": offered})
                for into, first in zip(found, FIRST, strict=True):
                    into.append(len(question.gold & set(offered[:first])) / len(question.gold))
    reached = [percent(one) for one in found]
    row = " / ".join(f"{one:.1f}" for one in reached)
    holds = all(one >= least for one, least in zip(reached, LEAST_EVIDENCE, strict=True))
    firsts = "/".join(map(str, FIRST))
    return [f"evidence among the first {firsts}: {row} ({len(cases)} questions)"], cases, holds


def main(argv: Sequence[str]) -> int:
    arguments = argparse.ArgumentParser(prog="bench.quality context", description=__doc__)
    arguments.add_argument("--data", type=Path, default=os.environ.get("DATA"))
    arguments.add_argument("--in", dest="file", type=Path, help="a labelled chat, or dialogues")
    arguments.add_argument("--out", type=Path, help="a JSON line a case")
    arguments.add_argument("--every", type=int, default=1, help="each so many-th of the dialogues'")
    arguments.add_argument("--part", choices=("chats", "dialogues"), help="only this one")
    wanted = arguments.parse_args(argv)
    is_dialogue = bool(wanted.file and "".join(wanted.file.suffixes[-2:]).startswith(".jsonl"))
    long = wanted.file if is_dialogue else wanted.data and wanted.data / "locomo_7.jsonl.gz"
    chats = [] if is_dialogue else labelled_chats(wanted.data, wanted.file)
    cases: list[dict[str, Any]] = []
    holds = True
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        if chats and wanted.part != "dialogues":
            rows, more, good = asyncio.run(of_chats(running.told, chats))
            print("\n".join([f"labelled chats, {TOKENS} tokens", *rows, ""]), flush=True)
            cases, holds = [*cases, *more], holds and good
        if long and long.exists() and wanted.part != "chats" and not (wanted.file and chats):
            rows, more, good = asyncio.run(
                of_dialogues(running.told, dialogues(long), wanted.every)
            )
            print("\n".join(["long dialogues", *rows, ""]), flush=True)
            cases, holds = [*cases, *more], holds and good
    if wanted.out:
        wanted.out.write_text(
            "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in cases), encoding="utf-8"
        )
    print("holds" if holds else "MISSED", file=sys.stderr)
    return 0 if holds else 1
