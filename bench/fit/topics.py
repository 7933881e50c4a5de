"""Fits the tables of topics: `python -m bench.fit.topics --data DIR --dialogues DIR [--write]`.

`--data` has `irc_train.jsonl.gz`, and `zh_woven_dev.jsonl.gz` whose dialogues are left out;
`--dialogues` has the public dialogues that `bench.fit.dialogues` names; natural chats are the
project's own (`bench/talks/matters`, as they are and tangled, and `bench/chats/fitted`), by the
local encoder and by the one of `--other` (lines `{text, vector}`), so that the weights suit more
than one. Everything is drawn from fixed seeds. An eighth of the public chats and a third of the
dialogues are kept back from the fit. `--only` fits one kind and keeps the others as they are.
Ten minutes of one core.
"""

import argparse
import hashlib
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit.dialogues import FILES, Dialogue, read_dialogues
from bench.fit.fitting import averaged, fit_residual, fit_weights, scaled_logistic
from bench.fit.rejoins import Beside, fit_rejoins
from bench.fit.rolling import Examples, Spoken, Stack, by_hand, roll, spoken, together
from bench.fit.sessions import woven_in_sessions
from bench.fit.tangling import tangled
from bench.fit.weaving import PACES, woven
from bench.labelled_chats import LabelledChat, chat_of_rows, read_chats
from bench.quality.topics import LocalVectors
from shared.threads import table as table_module
from shared.threads.rejoining import Enough
from shared.threads.table import FILE, KINDS, Table, Tables, dumped, shipped

BENCH = Path(__file__).parent.parent
NATURAL = (BENCH / "talks" / "matters", BENCH / "chats" / "fitted")
IRC, LEFT_OUT = "irc_train.jsonl.gz", "zh_woven_dev.jsonl.gz"
SHARES = 3
"""Dialogues are dealt into so many: two are woven and fitted on, the third is kept back."""
WOVEN, WOVEN_LINES = 20, 260
"""Chats of each pace from each share, and their lines."""
IN_SESSIONS, SESSION_LINES = {"zh": 28, "en": 14}, 230
"""Chats of people who look in now and then, from each share."""
SEEDS = {"zh": 2000, "en": 4000}
HELD_BACK = 8
"""One public chat of so many is kept back."""
ROUNDS, PART = 3, 2
"""Each round is rolled by the table of the one before, over one chat of so many; in the end all
are, for the second layer."""
PENALTY = 1.0
REJOIN_PENALTY = 1e-4
NETS = 2
"""From different beginnings, averaged: each alone is a matter of luck."""

Groups = Mapping[str, Sequence[Spoken]]


@dataclass(frozen=True)
class Recipe:
    """How much each group of chats weighs in one kind's table, the size of its second layer, and
    what was chosen on chats that nothing was fitted on: `opens`, so that as many topics are found
    as there are; `lonely`, from which chance on a line that nobody took up joins the likeliest
    topic; `enough`."""

    shares: Mapping[str, float]
    hidden_units: int
    epochs: int
    penalty: float
    dropped: float
    opens: float
    lonely: float
    enough: Enough = field(default_factory=Enough)
    is_rejoining: bool = True


RECIPES = {
    "plain": Recipe({"woven": 1.0, "natural": 0.2}, 48, 6, 3e-4, 0.2, 1.2, 0.02),
    "addressing": Recipe({"irc": 1.0}, 80, 10, 1e-4, 0.3, -0.5, 0.5, is_rejoining=False),
    "visited": Recipe(
        {"natural": 1.0, "sessions": 0.35}, 32, 6, 3e-4, 0.3, 0.0, 0.02,
        Enough(near=-1.6, far=-0.8, alone=2.0),
    ),
}  # fmt: skip


def fit(groups: Groups, recipe: Recipe) -> Table:
    table = replace(by_hand(), lonely=recipe.lonely, enough=recipe.enough)
    for number in range(ROUNDS):
        parts = _rolled(groups, recipe, table, PART)
        stack = _stack(parts)
        lines, new, loss = fit_weights(stack, PENALTY)
        print(f"  {number}: {len(stack)} examples, loss {loss:.4f}", flush=True)
        table = replace(table, lines=lines, new=new, opens=0.0)
        if table.votes is None:
            table = replace(table, votes=_votes(parts))
        if recipe.is_rejoining:
            table = replace(table, rejoins=fit_rejoins(_beside(parts), REJOIN_PENALTY))
    table = replace(_with_residual(table, stack, recipe), opens=recipe.opens)
    parts = _rolled(groups, recipe, table, 1)
    table = replace(_with_residual(table, _stack(parts), recipe), opens=recipe.opens)
    if recipe.is_rejoining:
        table = replace(table, rejoins=fit_rejoins(_beside(parts), REJOIN_PENALTY))
    return table


Part = tuple[Examples, Beside, float]
"""Of one group of chats, and its share."""


def _rolled(groups: Groups, recipe: Recipe, table: Table, every: int) -> list[Part]:
    found = []
    for group, share in recipe.shares.items():
        examples, beside = Examples(), Beside()
        for chat in groups[group][::every]:
            look = partial(beside.look, chat)
            roll(chat, table, examples, look if recipe.is_rejoining else None)
        found.append((examples, beside, share))
    return found


def _stack(parts: Sequence[Part]) -> Stack:
    return together([examples.stacked(share) for examples, _, share in parts])


def _beside(parts: Sequence[Part]) -> list[tuple[Beside, float]]:
    return [(beside, share) for _, beside, share in parts]


def _votes(parts: Sequence[Part]) -> Any:
    rows, labels, weight = [], [], []
    for examples, _, share in parts:
        pairs, same = (np.concatenate(part) for part in zip(*examples.votes, strict=True))
        rows.append(pairs[:, :-1])
        labels.append(same)
        weight.append(np.full(len(same), share / len(same)))
    return scaled_logistic(
        np.concatenate(rows), np.concatenate(labels), 1e-6, np.concatenate(weight)
    )


def _with_residual(table: Table, stack: Stack, recipe: Recipe) -> Table:
    nets = [
        fit_residual(
            stack,
            table.lines,
            table.new,
            hidden_units=recipe.hidden_units,
            epochs=recipe.epochs,
            penalty=recipe.penalty,
            dropped=recipe.dropped,
            seed=seed,
        )
        for seed in range(NETS)
    ]
    return replace(table, residual=averaged(nets))


def groups_of(data: Path, dialogues: Path) -> dict[str, list[LabelledChat]]:
    found = read_dialogues(dialogues, left_out(data / LEFT_OUT))
    natural = [chat for folder in NATURAL for chat in read_chats(folder)]
    talks = {chat.name for chat in read_chats(NATURAL[0])}
    return {
        "woven": list(_woven(found)),
        "sessions": list(_in_sessions(found)),
        "natural": [*natural, *(tangled(chat, 0) for chat in natural if chat.name in talks)],
        "irc": [chat for chat in read_chats(data / IRC) if not _is_held_back(chat)],
    }


def _woven(dialogues: Sequence[Dialogue]) -> Iterator[LabelledChat]:
    for share in range(SHARES - 1):
        dealt = _dealt(dialogues, "zh", share)
        for n in range(WOVEN):
            for pace in PACES:
                name = f"woven-{pace}-{share}-{n}"
                rows = woven(dealt, PACES[pace], name, WOVEN_LINES, 1000 * share + n)
                yield chat_of_rows(name, rows)


def _in_sessions(dialogues: Sequence[Dialogue]) -> Iterator[LabelledChat]:
    for share in range(SHARES - 1):
        for language, chats in IN_SESSIONS.items():
            dealt = _dealt(dialogues, language, share)
            for n in range(chats):
                seed = SEEDS[language] + 1000 * share + n
                name = f"sessions-{language}-{seed}"
                rows = woven_in_sessions(dealt, name, SESSION_LINES, seed)
                yield chat_of_rows(name, rows)


def _dealt(dialogues: Sequence[Dialogue], language: str, share: int) -> list[Dialogue]:
    shuffled = list(dialogues)
    random.Random(7).shuffle(shuffled)
    return [chosen for chosen in shuffled if chosen.language == language][share::SHARES]


def _is_held_back(chat: LabelledChat) -> bool:
    return zlib.crc32(chat.name.encode()) % HELD_BACK == 0


def left_out(path: Path) -> frozenset[str]:
    """The texts of woven chats, without whom they address."""
    texts = [message.content for chat in read_chats(path) for message in chat.messages]
    return frozenset(_unaddressed(text) for text in texts)


def _unaddressed(text: str) -> str:
    return text.partition(" ")[2] or text if text.startswith("@") else text


def written(tables: Tables, paths: Sequence[Path]) -> bytes:
    return dumped(
        tables,
        {
            "addressing": "Ubuntu IRC, training half (Kummerfeld et al., ACL 2019, CC BY 4.0), "
            "an eighth kept back",
            "plain, visited": "KdConv and CPED (Apache-2.0) and Topical-Chat "
            "(CDLA-Sharing-1.0), woven at three paces and in sessions, a third kept back; talks "
            "and chats written for this project (bench/talks/matters, bench/chats/fitted)",
            "command": "python -m bench.fit.topics",
            "files": {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths
            },
        },
    )


def main(argv: list[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(prog="bench.fit.topics", description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--dialogues", type=Path, required=True)
    arguments.add_argument("--other", default="", help="vectors of the natural chats")
    arguments.add_argument("--only", choices=KINDS)
    arguments.add_argument("--write", action="store_true", help="into the shipped file")
    arguments.add_argument("--out", type=Path, help="into another file")
    wanted = arguments.parse_args(argv)
    groups = groups_of(wanted.data, wanted.dialogues)
    kinds = (wanted.only,) if wanted.only else KINDS
    used = {group for kind in kinds for group in RECIPES[kind].shares}
    vectors = LocalVectors()
    ready: dict[str, list[Spoken]] = {}
    for group in used:
        vectors.learn(line for chat in groups[group] for line in chat.messages)
        ready[group] = [spoken(chat, vectors.text) for chat in groups[group]]
    vectors.close()
    if wanted.other and "natural" in ready:
        other = LocalVectors(wanted.other)
        ready["natural"] += [spoken(chat, other.text) for chat in groups["natural"]]
        other.close()
    tables = replace(shipped(), **{kind: fit(ready, RECIPES[kind]) for kind in kinds})
    paths = [wanted.dialogues / name for name in FILES]
    paths += [wanted.data / IRC, wanted.data / LEFT_OUT]
    paths += sorted(file for folder in NATURAL for file in folder.iterdir())
    content = written(tables, paths)
    if wanted.write:
        Path(table_module.__file__).with_name(FILE).write_bytes(content)
    if wanted.out:
        wanted.out.write_bytes(content)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
