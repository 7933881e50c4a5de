"""Random worlds for Firestore: documents whose values meet, and queries that Firestore allows.

A world is made from one number. Drawing each value from hypothesis instead leaves most documents
alike and most queries without an answer: of 31 mistakes planted in the model 90 such worlds
found 19, 150 of these (which take less time) find 30.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

from google.cloud.firestore import GeoPoint
from google.cloud.firestore_v1.vector import Vector

from infra.emulators.tests.firestore.property.model import (
    ABSENT,
    INEQUALITIES,
    NAME,
    All,
    Condition,
    Cursor,
    Either,
    Fields,
    Filter,
    Model,
    Order,
    Query,
    Reference,
    Transform,
    filters_of,
    is_nan,
)

TOP, SUB = "top", "sub"
"""A collection, and the id of the collections below its documents."""

IDS = ["0", "1", "10", "2", "A", "a", "aa", "é", "～", "😀", "x y", "-"]
FIELDS = ["a", "b", "c"]
PATHS = ["a", "b", "c", "m", "m.a", "m.b"]
OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "in", "not-in"]
ARRAY_OPERATORS = ["array_contains", "array_contains_any"]

NUMBERS = [0, -0.0, 0.0, 1, 1.0, 1.5, -2, 2**53, float(2**53), 2**53 + 1, 2**63 - 1]
NUMBERS += [float(2**63), -(2**63), math.inf, -math.inf, math.nan, 5e-324]
TEXTS = ["", "a", "A", "aa", "b", "é", "～", "😀", "a\0"]
TIMES = [datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, microsecond=1, tzinfo=UTC)]
POINTS = [GeoPoint(0, 0), GeoPoint(0, -5), GeoPoint(-1, 9)]
REFERENCES = [Reference(path) for path in ("r/a", "r/a/s/b", "r/b", "r-/a")]
BLOBS = [b"", b"\0", b"a", b"\xff"]
VECTORS = [Vector([9.0]), Vector([0.5, 2.0]), Vector([0.5, 3.0])]
FLAGS = [None, False, True]
SCALARS: list[list[Any]] = [FLAGS, NUMBERS, TEXTS, TIMES, POINTS, REFERENCES, BLOBS]


def world(number: int, queries: int) -> tuple[Model, list[Query]]:
    maker = _Maker(Random(number))
    return maker.model(), [maker.query() for _ in range(queries)]


def scalar(random: Random) -> Any:
    return random.choice(random.choice(SCALARS))


def array(random: Random) -> list[Any]:
    return [random.choice([scalar, small_map])(random) for _ in range(random.randrange(4))]


def small_map(random: Random, depth: int = 2) -> Fields:
    names = random.sample(FIELDS, random.randrange(3))
    return {
        name: small_map(random, depth - 1) if depth and random.random() < 0.3 else scalar(random)
        for name in names
    }


def anything(random: Random) -> Any:
    kind = random.randrange(6)
    if kind < 3:
        return scalar(random)
    return random.choice(VECTORS) if kind == 3 else (array if kind == 4 else small_map)(random)


def _one_of(kind: list[Any]) -> Callable[[Random], Any]:
    return lambda random: random.choice(kind)


@dataclass
class _Maker:
    """Makes everything of one world from a palette: few values, most of them of one kind."""

    random: Random

    def __post_init__(self) -> None:
        kinds: list[list[Any]] = [*[NUMBERS] * 5, *[TEXTS] * 3, *SCALARS, VECTORS]
        makers: list[Callable[[Random], Any]] = [array, small_map, *map(_one_of, kinds)]
        alike = self.random.choice(makers)
        self.palette = [alike(self.random) for _ in range(5)]
        self.palette += [anything(self.random) for _ in range(2)]
        self.palette += self.random.choice([[], [None], [math.nan], [None, math.nan]])
        self.elements = [v for v in self.palette if not isinstance(v, list | Vector)] or [1]

    def value(self) -> Any:
        return self.random.choice(self.palette)

    def some(self, values: list[Any], most: int) -> list[Any]:
        return [self.random.choice(values) for _ in range(self.random.randint(1, most))]

    # Documents.

    def model(self) -> Model:
        model = Model()
        for key in self.random.sample(IDS, 8):
            model.set(f"{TOP}/{key}", self.document())
        for _ in range(5):
            owner, key = self.random.choice(IDS), self.random.choice(IDS)
            model.set(f"{TOP}/{owner}/{SUB}/{key}", self.document())
        model.set(f"{SUB}/{self.random.choice(IDS)}", self.document())
        return model

    def document(self) -> Fields:
        return self._present(
            {
                "a": self.value(),
                "b": self.value(),
                "c": self.random.choice([self.some(self.elements, 3), self.value()]),
                "m": self.random.choice(
                    [self._present({"a": self.value(), "b": self.value()}), self.value()]
                ),
            }
        )

    def _present(self, fields: Fields) -> Fields:
        return {name: value for name, value in fields.items() if self.random.random() < 0.85}

    # Queries.

    def query(self) -> Query:
        everywhere = self.random.random() < 0.4
        paths = self.random.sample(PATHS, self.random.choice([0, 0, 1, 1, 2]))
        orders = tuple(Order(path, self.random.random() < 0.5) for path in paths)
        return Query(
            collection=SUB if everywhere else TOP,
            everywhere=everywhere,
            where=self.condition(),
            orders=orders,
            start=self.cursor(len(orders)),
            end=self.cursor(len(orders)),
            offset=self.random.choice([0, 0, 0, 0, 1, 3]),
            limit=self.random.choice([None, None, None, 1, 2, 5]),
        )

    def cursor(self, orders: int) -> Cursor | None:
        if not orders or self.random.random() < 0.6:
            return None
        return Cursor(tuple(self.some(self.palette, orders)), self.random.random() < 0.5)

    def condition(self) -> Condition | None:
        """Drawn again until Firestore allows it."""
        while True:
            made = self._any_condition()
            if made is None or is_allowed(made):
                return made

    def _any_condition(self) -> Condition | None:
        shape = self.random.randrange(10)
        if shape == 0:
            return None
        if shape <= 4:
            return self.filter()
        if shape <= 7:
            return All(self.filters()) if self.random.random() < 0.5 else Either(self.filters())
        if self.random.random() < 0.5:
            return Either((All(self.filters()), All(self.filters())))
        return All((Either(self.filters()), Either(self.filters())))

    def filters(self) -> tuple[Condition, ...]:
        return tuple(self.filter() for _ in range(self.random.randint(1, 3)))

    def filter(self) -> Filter:
        if self.random.random() < 0.2:
            op = self.random.choice(ARRAY_OPERATORS)
            return Filter(self.random.choice(["c", "c", "a"]), op, self.operand(op, self.elements))
        op, path = self.random.choice(OPERATORS), self.random.choice([*PATHS, NAME])
        names = [Reference(f"{TOP}/{key}") for key in IDS]
        return Filter(path, op, self.operand(op, names if path == NAME else self.palette))

    def operand(self, op: str, values: list[Any]) -> Any:
        """What the SDK lets through: null and NaN by themselves are for == and != only."""
        if op in ("in", "not-in", "array_contains_any"):
            return self.some(values, 3)
        if op in ("==", "!="):
            return self.random.choice(values)
        return self.random.choice([v for v in values if v is not None and not is_nan(v)] or [1])


# Firestore's own rules; what they refuse is the contract suite's business.


def is_allowed(condition: Condition) -> bool:
    used = list(filters_of(condition))
    ops = [f.op for f in used]
    if ops.count("!=") + ops.count("not-in") > 1:
        return False
    has_or = any(isinstance(part, Either) for part in _parts(condition))
    if "not-in" in ops and (has_or or "in" in ops or "array_contains_any" in ops):
        return False
    unequal = {f.path for f in used if f.op in INEQUALITIES}
    if unequal and NAME not in unequal and any(f.path == NAME for f in used):
        return False
    branches = list(_disjunctions(condition))
    return len(branches) <= 30 and all(
        sum(f.op in ARRAY_OPERATORS for f in branch) <= 1 for branch in branches
    )


def _parts(condition: Condition) -> Iterator[Condition]:
    yield condition
    if not isinstance(condition, Filter):
        for part in condition.parts:
            yield from _parts(part)


def _disjunctions(condition: Condition) -> Iterator[tuple[Filter, ...]]:
    """The condition as an or of ands, an `in` being an or of its values."""
    match condition:
        case Filter(_, "in" | "array_contains_any"):
            yield from ((condition,) for _ in condition.value)
        case Filter():
            yield (condition,)
        case Either():
            for part in condition.parts:
                yield from _disjunctions(part)
        case All():
            for chosen in itertools.product(*(list(_disjunctions(p)) for p in condition.parts)):
                yield tuple(itertools.chain.from_iterable(chosen))


# Trees.


def tree(number: int) -> Model:
    """Documents at all depths, with and without the documents above them."""
    random, model = Random(number), Model()
    for _ in range(random.randint(1, 15)):
        depth = random.randint(1, 3)
        steps = [random.choice([TOP, SUB, "top!", "t"]) + "/" + random.choice([*IDS[:5], "0!"])]
        steps += [
            random.choice([TOP, SUB]) + "/" + random.choice(IDS[:3]) for _ in range(depth - 1)
        ]
        model.set("/".join(steps), {})
    return model


# Writes.

Change = tuple[str, str, Any]
"""A document's id, what is done to it, and the data of it."""


def changes(number: int, most: int) -> list[Change]:
    random = Random(number)
    return [_change(random) for _ in range(random.randint(1, most))]


def _change(random: Random) -> Change:
    key, kind = random.choice("xyz"), random.choice(["set", "merge", *["update"] * 3, "delete"])
    if kind == "update":
        paths = random.choice([["a", "b", "m"], ["a", "m.a", "m.b.c", "c.a"]])
        chosen = random.sample(paths, random.randint(1, len(paths)))
        return key, kind, {path: _new_value(random) for path in chosen}
    names = random.sample([*FIELDS, "m"], random.randrange(5))
    return key, kind, {name: anything(random) for name in names}


def _new_value(random: Random) -> Any:
    """A plain value, a transform of the old one, or nothing more."""
    chance = random.random()
    if chance < 0.2:
        return ABSENT
    if chance < 0.4:
        kind = random.choice(["increment", "maximum", "minimum"])
        return Transform(kind, random.choice(NUMBERS))
    if chance < 0.6:
        elements = [random.choice([scalar, small_map])(random) for _ in range(3)]
        return Transform(random.choice(["union", "remove"]), elements)
    return anything(random)
