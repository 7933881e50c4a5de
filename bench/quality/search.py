"""How much of the evidence a search of messages brings: `python -m bench.quality search`.

Long dialogues (`--data DIR`, or `--in FILE` of the same form), loaded in bulk into the product on
the emulators, and each question asked of the tool `search_messages`. Nothing is fitted on them.
`--out` writes a line a case: `{chat, question, lines}`.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.quality.chats import Chat, dialogues
from bench.quality.playing import playing
from tests.services import all_emulators

FIRST = (5, 10, 20)
LEAST = (74.0, 81.0, 86.0)


async def searched(
    told: dict[str, Any], chats: Sequence[Chat], every: int
) -> tuple[list[list[float]], list[dict[str, Any]]]:
    """For each of FIRST the shares of the evidence found, one a question; and the cases."""
    found: list[list[float]] = [[] for _ in FIRST]
    cases = []
    async with playing(told) as player:
        for chat in chats:
            await player.load(chat.messages)
            for question in chat.questions[::every]:
                lines = await player.search(chat, question.text, FIRST[-1])
                cases.append({"chat": chat.name, "question": question.id, "lines": lines})
                for into, first in zip(found, FIRST, strict=True):
                    into.append(len(question.gold & set(lines[:first])) / len(question.gold))
            print(f"{chat.name}: {len(cases)} asked so far", file=sys.stderr, flush=True)
    return found, cases


def main(argv: Sequence[str]) -> int:
    arguments = argparse.ArgumentParser(prog="bench.quality search", description=__doc__)
    arguments.add_argument("--data", type=Path, default=os.environ.get("DATA"))
    arguments.add_argument("--in", dest="file", type=Path, help="a file of dialogues")
    arguments.add_argument("--out", type=Path, help="a JSON line a case")
    arguments.add_argument("--every", type=int, default=1, help="each so many-th question")
    wanted = arguments.parse_args(argv)
    file = wanted.file or (wanted.data and wanted.data / "locomo_7.jsonl.gz")
    if file is None or not file.exists():
        arguments.error("give --in or --data")
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        found, cases = asyncio.run(searched(running.told, dialogues(file), wanted.every))
    reached = [100 * sum(one) / len(one) for one in found]
    firsts, row = "/".join(map(str, FIRST)), " / ".join(f"{one:.1f}" for one in reached)
    print(f"search_messages: evidence among the first {firsts}: {row} ({len(cases)} questions)")
    if wanted.out:
        wanted.out.write_text(
            "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in cases), encoding="utf-8"
        )
    holds = all(one >= least for one, least in zip(reached, LEAST, strict=True))
    print("holds" if holds else "MISSED", file=sys.stderr)
    return 0 if holds else 1
