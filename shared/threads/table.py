"""The fitted numbers of the scorer: what each feature is worth.

They stand in `table.npz` beside this file, made by `bench/fit/topics.py`; docs/decisions/topics.md
says of what data. They know no embedding model. Read once a process, by the first line scored.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from shared.threads.features import LINE_FEATURES, NEW_FEATURES
from shared.threads.pairs import PAIR_FEATURES
from shared.threads.rejoining import FEATURES as REJOIN_FEATURES
from shared.threads.rejoining import Enough
from shared.threads.window import Floats

FILE = "table.npz"
BEST = 16
"""Lines the second layer looks at again: the true one is among so many 99 times of 100."""
KINDS = ("plain", "addressing", "visited")
SAY_WHOM = 0.5
"""Half way from nobody being addressed to the share at which people here say whom they mean."""
LOOK_IN = 0.5
"""Half way from talk that flows to the share of pauses where people look in now and then."""
MOST = 4.0
"""Standard deviations: what is further out was never seen when this was fitted."""


@dataclass(frozen=True)
class Residual:
    """One hidden layer whose output is added to the scores of the best lines and of `new`."""

    of_lines: Floats
    of_new: Floats
    hidden: Floats
    hidden_new: Floats
    out: Floats
    line_mean: Floats
    line_spread: Floats
    new_mean: Floats
    new_spread: Floats

    def added(self, lines: Floats, new: Floats) -> Floats:
        """One number for each of `lines`, and the last for `new`."""
        rows = np.zeros((len(lines) + 1, lines.shape[1]), np.float32)
        rows[:-1] = np.clip((lines - self.line_mean) / self.line_spread, -MOST, MOST)
        around = np.clip((new - self.new_mean) / self.new_spread, -MOST, MOST)
        hidden = rows @ self.of_lines + (around @ self.of_new + self.hidden)
        hidden[-1] += self.hidden_new
        return np.maximum(hidden, 0.0) @ self.out


@dataclass(frozen=True)
class Table:
    """What features are worth in one kind of chat. `opens` is added to the score of opening a
    topic: it is set where as many topics are found as there are. `votes` weighs pairs of lines;
    None: they have none.
    A line that nobody took up joins the likeliest topic from the chance `lonely` on. `rejoins`
    weighs what tells that a topic is an earlier one taken up again, `enough` says from when on it
    joins that; None: no topic ever is."""

    lines: Floats
    new: Floats
    votes: Floats | None = None
    opens: float = 0.0
    lonely: float = 0.5
    residual: Residual | None = None
    rejoins: Floats | None = None
    enough: Enough = field(default_factory=Enough)

    def scores(self, lines: Floats, new: Floats) -> Floats:
        """Log-weights: one for each line, the last for opening a topic."""
        scores = np.append(lines @ self.lines, new @ self.new)
        if self.residual is not None:
            count = len(lines)
            best = np.argpartition(-scores[:count], BEST)[:BEST] if count > BEST else slice(count)
            added = self.residual.added(lines[best], new)
            kept = np.full_like(scores, -np.inf)
            kept[:count][best] = scores[:count][best] + added[:-1]
            kept[count] = scores[count] + added[-1]
            scores = kept
        scores[-1] += self.opens
        return scores


@dataclass(frozen=True)
class Tables:
    """`addressing` is for chats where people say whom they talk to, `visited` for those that they
    look into now and then, `plain` for talk that flows."""

    plain: Table
    addressing: Table
    visited: Table

    def table(self, addressing: float, visiting: float) -> Table:
        """Both habits are from 0 to 1, as `pairs` tells them."""
        if addressing >= SAY_WHOM:
            return self.addressing
        return self.visited if visiting >= LOOK_IN else self.plain


def dumped(tables: Tables, provenance: Mapping[str, Any]) -> bytes:
    """As `read` takes it."""
    arrays: dict[str, Any] = {}
    biases: dict[str, list[float]] = {}
    for kind in KINDS:
        table: Table = getattr(tables, kind)
        enough = table.enough
        biases[kind] = [table.opens, table.lonely, enough.near, enough.far, enough.alone]
        found = {"lines": table.lines, "new": table.new}
        if table.votes is not None:
            found["votes"] = table.votes
        if table.rejoins is not None:
            found["rejoins"] = table.rejoins
        if table.residual is not None:
            found |= {f"residual.{part}": values for part, values in vars(table.residual).items()}
        arrays |= {f"{kind}/{key}": values for key, values in found.items()}
    meta = {"features": _features(), "biases": biases, "provenance": dict(provenance)}
    out = io.BytesIO()
    packed: dict[str, Any] = {key: np.asarray(value, np.float16) for key, value in arrays.items()}
    np.savez_compressed(out, meta=np.array(json.dumps(meta)), **packed)
    return out.getvalue()


def read(content: bytes) -> Tables:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {key: file[key] for key in file.files}
    meta = json.loads(str(arrays.pop("meta")))
    if meta["features"] != _features():
        raise ValueError("the tables were fitted for other features: fit them anew (bench/fit)")
    kinds = {kind: _table(kind, meta["biases"][kind], arrays) for kind in KINDS}
    return Tables(**kinds)


def _features() -> list[list[str]]:
    every = (LINE_FEATURES, NEW_FEATURES, PAIR_FEATURES, REJOIN_FEATURES)
    return [list(names) for names in every]


def _table(kind: str, biases: list[float], arrays: Mapping[str, Any]) -> Table:
    found = {
        key.removeprefix(f"{kind}/"): values.astype(np.float32)
        for key, values in arrays.items()
        if key.startswith(f"{kind}/")
    }
    residual = {
        key.removeprefix("residual."): values
        for key, values in found.items()
        if key.startswith("residual.")
    }
    return Table(
        lines=found["lines"],
        new=found["new"],
        votes=found.get("votes"),
        opens=biases[0],
        lonely=biases[1],
        residual=Residual(**residual) if residual else None,
        rejoins=found.get("rejoins"),
        enough=Enough(*biases[2:]),
    )


@cache
def shipped() -> Tables:
    return read((files(__package__) / FILE).read_bytes())
