"""Fits how likely two lines are of one matter: `python -m bench.fit.matters --data DIR`.

The labelled chats of DIR and the first two of `bench/asked_talks` are played through the product on
the emulators, line by line; at every fourth question each two of the last lines are an example,
with the topics that attribution has found by then. Prints the numbers that stand in
`shared/domain/recall/same_subject.py`, and how well those of the others order each chat's pairs.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit.context import fitted
from bench.quality.chats import Chat, asked_talks, labelled_chats
from bench.quality.playing import Player, playing
from shared.domain.recall.same_subject import WEIGHTS, signs
from tests.services import all_emulators

EACH = 4
PENALTY = 1e-5
"""Of nine numbers on some hundred thousand pairs: only so that there is one answer."""
TALKS = 2
"""The others are held back."""

Examples = tuple[Any, Any]


async def examples(player: Player, chat: Chat) -> Examples:
    """Signs of pairs of lines, and whether they are of one thread."""
    rows, labels = [], []
    asked = 0
    async for _ in player.play(chat):
        asked += 1
        if asked % EACH:
            continue
        await player.made.recent.refresh(chat.messages[0].group_id)
        kept = player.made.recent.kept(chat.messages[0].group_id).values()
        lines = sorted(kept, key=lambda one: (one.create_time, one.message_id))
        upper = np.triu_indices(len(lines), 1)
        threads = np.array([chat.threads[one.message_id] for one in lines])
        found = signs(lines, player.made.embedder.model)
        rows.append(np.stack([found[name][upper] for name in WEIGHTS], axis=-1))
        labels.append((threads[:, None] == threads[None, :])[upper])
    return np.concatenate(rows).astype(np.float64), np.concatenate(labels).astype(np.float64)


async def played(told: dict[str, Any], chats: Sequence[Chat]) -> list[Examples]:
    async with playing(told) as player:
        return [await examples(player, chat) for chat in chats]


def joined(found: Sequence[Examples]) -> Examples:
    rows, labels = zip(*found, strict=True)
    return np.concatenate(rows), np.concatenate(labels)


def average_precision(scores: Any, labels: Any) -> float:
    right = labels[np.argsort(-scores, kind="stable")] > 0
    return float((np.cumsum(right)[right] / (np.flatnonzero(right) + 1)).mean())


def main(argv: Sequence[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    wanted = arguments.parse_args(argv)
    chats = [*labelled_chats(wanted.data, None), *asked_talks()[:TALKS]]
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        found = asyncio.run(played(running.told, chats))
    for n, chat in enumerate(chats):
        weights = fitted(*joined([one for k, one in enumerate(found) if k != n]), PENALTY)
        rows, labels = found[n]
        precision = average_precision(rows @ weights[:-1], labels)
        print(f"{chat.name:<14} by the others' numbers: average precision {precision:.3f}")
    weights = fitted(*joined(found), PENALTY)
    for name, weight in zip((*WEIGHTS, "constant"), weights, strict=True):
        print(f"{name:<16} {weight:6.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
