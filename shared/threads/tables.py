"""The fitted numbers of the scorer: what each feature is worth, by kind of chat.

They stand in `topics.npz` beside this file, made with `bench/fit`; docs/decisions/topics.md says
of what data. Read once a process, when the first line is scored.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from shared.threads.features import LINE_FEATURES, NEW_FEATURES
from shared.threads.pairs import Probes
from shared.threads.rejoining import FEATURES as REJOIN_FEATURES
from shared.threads.rejoining import Enough

FILE = "topics.npz"
BEST = 16
"""Lines the second layer looks at again: the true one is among so many 99 times of 100."""
ANY_MODEL = "any"
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

    of_lines: Any
    of_new: Any
    hidden: Any
    hidden_new: Any
    out: Any
    line_mean: Any
    line_spread: Any
    new_mean: Any
    new_spread: Any

    def added(self, lines: Any, new: Any) -> Any:
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
    topic: it is set where as many topics are found as there are. `votes` weighs pairs of lines.
    A line that nobody took up joins the likeliest topic from the chance `lonely` on. `rejoins`
    weighs what tells that a topic is an earlier one taken up again, `enough` says from when on it
    joins that; None: no topic ever is."""

    lines: Any
    new: Any
    votes: Any
    probes: Probes
    opens: float = 0.0
    lonely: float = 0.5
    residual: Residual | None = None
    rejoins: Any = None
    enough: Enough = field(default_factory=Enough)

    def scores(self, lines: Any, new: Any) -> Any:
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


def dumped(tables: Mapping[str, Table], provenance: Mapping[str, Any]) -> bytes:
    """As `read` takes it. Names are of a kind of chat and an embedding model."""
    arrays: dict[str, Any] = {}
    biases: dict[str, list[float]] = {}
    for name, table in tables.items():
        enough = table.enough
        biases[name] = [table.opens, table.lonely, enough.near, enough.far, enough.alone]
        found = {"lines": table.lines, "new": table.new, "votes": table.votes}
        found["rejoins"] = table.rejoins
        found |= {f"probes.{part}": values for part, values in vars(table.probes).items()}
        if table.residual is not None:
            found |= {f"residual.{part}": values for part, values in vars(table.residual).items()}
        arrays |= {f"{name}/{key}": values for key, values in found.items() if values is not None}
    meta = {
        "line_features": LINE_FEATURES,
        "new_features": NEW_FEATURES,
        "rejoin_features": REJOIN_FEATURES,
        "biases": biases,
        "provenance": dict(provenance),
    }
    out = io.BytesIO()
    packed: dict[str, Any] = {key: np.asarray(value, np.float32) for key, value in arrays.items()}
    np.savez_compressed(out, meta=np.array(json.dumps(meta)), **packed)
    return out.getvalue()


def read(content: bytes) -> dict[str, Table]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {key: file[key] for key in file.files}
    meta = json.loads(str(arrays.pop("meta")))
    known = {"line": LINE_FEATURES, "new": NEW_FEATURES, "rejoin": REJOIN_FEATURES}
    if any(tuple(meta[f"{kind}_features"]) != names for kind, names in known.items()):
        raise ValueError("the tables were fitted for other features: fit them anew (bench/fit)")
    return {name: _table(name, biases, arrays) for name, biases in meta["biases"].items()}


def _table(name: str, biases: Sequence[float], arrays: Mapping[str, Any]) -> Table:
    def part(begins: str) -> dict[str, Any]:
        whole = f"{name}/{begins}"
        return {key[len(whole) :]: one for key, one in arrays.items() if key.startswith(whole)}

    residual = part("residual.")
    return Table(
        arrays[f"{name}/lines"],
        arrays[f"{name}/new"],
        arrays[f"{name}/votes"],
        Probes(**part("probes.")),
        biases[0],
        biases[1],
        Residual(**residual) if residual else None,
        arrays.get(f"{name}/rejoins"),
        Enough(*biases[2:]),
    )


@cache
def _content() -> bytes:
    return (files(__package__) / FILE).read_bytes()


@cache
def _shipped() -> dict[str, Table]:
    return read(_content())


def tables_for(model: str) -> Tables:
    """Those that know the embedding model, or else those that know only cosines."""
    shipped = _shipped()
    known = model if f"plain {model}" in shipped else ANY_MODEL
    return Tables(*(shipped[f"{kind} {known}"] for kind in KINDS))
