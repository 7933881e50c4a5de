"""Random documents, queries and writes give the same answer on a server as in the model."""

import itertools
import math
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
from google.cloud.firestore_v1.vector import Vector
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.contract.firestore.servers import PARAMETERS, Server, running
from tests.property.firestore_model import (
    ABSENT,
    INEQUALITIES,
    NAME,
    All,
    Condition,
    Cursor,
    Either,
    Filter,
    Model,
    Order,
    Query,
    Reference,
    filters_of,
    sort_key,
)

# Values: few of each kind, so that they meet, and the awkward ones among them.

NUMBERS = [0, -0.0, 0.0, 1, 1.0, 1.5, -2, 2**53, float(2**53), 2**53 + 1, 2**63 - 1]
NUMBERS += [-(2**63), math.inf, -math.inf, math.nan, 5e-324]
TEXTS = ["", "a", "A", "aa", "b", "é", "～", "😀", "a\0"]
TIMES = [datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, microsecond=1, tzinfo=UTC)]
POINTS = [firestore.GeoPoint(0, 0), firestore.GeoPoint(0, -5), firestore.GeoPoint(-1, 9)]
REFERENCES = [Reference("r/a"), Reference("r/a/s/b"), Reference("r/b"), Reference("r-/a")]
BLOBS = [b"", b"\0", b"a", b"\xff"]
VECTORS = [Vector([1.0]), Vector([0.5, 2.0]), Vector([0.5, 3.0])]

Values = st.SearchStrategy[Any]
FIELDS = ["a", "b", "c"]

scalars: Values = st.one_of(
    st.sampled_from([None, False, True]),
    st.sampled_from(NUMBERS),
    st.sampled_from(TEXTS),
    st.sampled_from([*TIMES, *POINTS, *REFERENCES, *BLOBS]),
)
maps: Values = st.recursive(
    st.dictionaries(st.sampled_from(FIELDS), scalars, max_size=2),
    lambda deeper: st.dictionaries(st.sampled_from(FIELDS), st.one_of(scalars, deeper), max_size=2),
    max_leaves=3,
)
arrays: Values = st.lists(st.one_of(scalars, maps), max_size=3)
values: Values = st.one_of(scalars, arrays, maps, st.sampled_from(VECTORS))
KINDS: list[Values] = [
    *(
        st.sampled_from(kind)
        for kind in (NUMBERS, TEXTS, TIMES, POINTS, REFERENCES, BLOBS, VECTORS)
    ),
    arrays,
    maps,
]


@st.composite
def palettes(draw: st.DrawFn) -> list[Any]:
    """The few values of one world: mostly of one kind, so that comparisons find something."""
    kind = draw(st.sampled_from(KINDS))
    return [
        *draw(st.lists(kind, min_size=3, max_size=4)),
        *draw(st.lists(values, min_size=2, max_size=3)),
    ]


# Documents and queries of a world.

TOP, SUB = "top", "sub"
"""A collection, and the id of the collections below its documents."""

PATHS = ["a", "a", "b", "b", "c", "m", "m.a", "m.b"]
ids = st.sampled_from(["0", "1", "2", "3", "4", "5", "a", "b", "é", "😀", "x y"])


@dataclass(frozen=True)
class Strategies:
    """What is drawn from one palette."""

    palette: list[Any]

    @property
    def value(self) -> Values:
        return st.sampled_from(self.palette)

    @property
    def element(self) -> Values:
        """What may stand in an array."""
        fit = [value for value in self.palette if not isinstance(value, list | Vector)]
        return st.sampled_from([*fit, 1])

    @property
    def document(self) -> st.SearchStrategy[dict[str, Any]]:
        value = st.one_of(self.value, self.value, self.value, st.just(ABSENT))
        inner = st.fixed_dictionaries({"a": value, "b": value}).map(_present)
        shape = {
            "a": value,
            "b": value,
            "c": st.one_of(st.lists(self.element, max_size=3), value),
            "m": st.one_of(inner, value),
        }
        return st.fixed_dictionaries(shape).map(_present)


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not ABSENT}


@st.composite
def filters(draw: st.DrawFn, drawn: Strategies) -> Filter:
    op = draw(st.sampled_from(OPERATORS))
    if op in ("array_contains", "array_contains_any"):
        path = draw(st.sampled_from(["c", "c", "c", "a"]))
        return Filter(path, op, draw(_operand(op, drawn.element)))
    path = draw(st.sampled_from([*PATHS, NAME]))
    name = ids.map(lambda key: Reference(f"{TOP}/{key}"))
    return Filter(path, op, draw(_operand(op, name if path == NAME else drawn.value)))


OPERATORS = ["==", "==", "!=", "<", "<=", ">", ">=", "in", "not-in"]
OPERATORS += ["array_contains", "array_contains_any"]


def _operand(op: str, single: Values) -> Values:
    """What the SDK lets through: null and NaN are for == and != only, lists have 1 to 4 items."""
    if op in ("in", "not-in", "array_contains_any"):
        return st.lists(single, min_size=1, max_size=4)
    if op in ("==", "!="):
        return single
    return single.map(lambda value: 1 if sort_key(value) in [(0,), (2, 0)] else value)


@st.composite
def conditions(draw: st.DrawFn, drawn: Strategies) -> Condition | None:
    simple = filters(drawn)
    several = st.lists(simple, min_size=1, max_size=3).map(tuple)
    condition: Condition | None = draw(
        st.one_of(
            st.none(),
            simple,
            simple,
            several.map(All),
            several.map(Either),
            st.lists(several.map(All), min_size=2, max_size=2).map(lambda a: Either(tuple(a))),
            st.lists(several.map(Either), min_size=2, max_size=2).map(lambda e: All(tuple(e))),
        ).filter(lambda made: made is None or _is_allowed(made))
    )
    return condition


def _is_allowed(condition: Condition) -> bool:
    """Firestore's own rules; what they refuse is the contract suite's business."""
    used = list(filters_of(condition))
    negations = [f for f in used if f.op in ("!=", "not-in")]
    has_or = any(isinstance(part, Either) for part in _parts(condition))
    if len(negations) > 1:
        return False
    if any(f.op == "not-in" for f in used) and (
        has_or or any(f.op in ("in", "array_contains_any") for f in used)
    ):
        return False
    unequal = {f.path for f in used if f.op in INEQUALITIES}
    if unequal and NAME not in unequal and any(f.path == NAME for f in used):
        return False
    branches = list(_disjunctions(condition))
    return len(branches) <= 30 and all(_array_filters(branch) <= 1 for branch in branches)


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


def _array_filters(branch: tuple[Filter, ...]) -> int:
    return sum(f.op in ("array_contains", "array_contains_any") for f in branch)


@st.composite
def queries(draw: st.DrawFn, drawn: Strategies) -> Query:
    everywhere = draw(st.booleans())
    condition = draw(conditions(drawn))
    chosen = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=2))
    orders = tuple(Order(path, draw(st.booleans())) for path in chosen)
    return Query(
        collection=SUB if everywhere else TOP,
        everywhere=everywhere,
        where=condition,
        orders=orders,
        start=draw(_cursors(drawn, len(orders))),
        end=draw(_cursors(drawn, len(orders))),
        offset=draw(st.sampled_from([0, 0, 0, 1, 3])),
        limit=draw(st.sampled_from([None, None, 1, 2, 5])),
    )


def _cursors(drawn: Strategies, orders: int) -> st.SearchStrategy[Cursor | None]:
    if not orders:
        return st.none()
    places = st.lists(drawn.value, min_size=1, max_size=orders).map(tuple)
    return st.one_of(st.none(), st.none(), st.builds(Cursor, places, st.booleans()))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Model, list[Query]]:
    """Documents, a few of them below others, and queries over them."""
    drawn = Strategies(draw(palettes()))
    model = Model()
    for key in draw(st.lists(ids, unique=True, min_size=5, max_size=9)):
        model.set(f"{TOP}/{key}", draw(drawn.document))
    for owner, key in draw(st.lists(st.tuples(ids, ids), unique=True, min_size=3, max_size=6)):
        model.set(f"{TOP}/{owner}/{SUB}/{key}", draw(drawn.document))
    return model, draw(st.lists(queries(drawn), min_size=6, max_size=6))


# From the model to the SDK.


def plain(db: firestore.Client, value: Any) -> Any:
    match value:
        case Reference():
            return db.document(value.path)
        case list():
            return [plain(db, item) for item in value]
        case dict():
            return {key: plain(db, item) for key, item in value.items()}
    return value


def modelled(value: Any) -> Any:
    match value:
        case firestore.DocumentReference():
            return Reference(value.path)
        case list():
            return [modelled(item) for item in value]
        case dict():
            return {key: modelled(item) for key, item in value.items()}
    return value


def sdk_filter(db: firestore.Client, condition: Condition) -> Any:
    match condition:
        case Filter():
            return FieldFilter(condition.path, condition.op, plain(db, condition.value))
        case All():
            return And([sdk_filter(db, part) for part in condition.parts])
        case Either():
            return Or([sdk_filter(db, part) for part in condition.parts])


def sdk_query(db: firestore.Client, query: Query) -> Any:
    asked: Any = (
        db.collection_group(query.collection)
        if query.everywhere
        else db.collection(query.collection)
    )
    if query.where is not None:
        asked = asked.where(filter=sdk_filter(db, query.where))
    for order in query.orders:
        direction = "DESCENDING" if order.descending else "ASCENDING"
        asked = asked.order_by(order.path, direction=direction)
    if query.start is not None:
        place = plain(db, list(query.start.values))
        asked = asked.start_at(place) if query.start.inclusive else asked.start_after(place)
    if query.end is not None:
        place = plain(db, list(query.end.values))
        asked = asked.end_at(place) if query.end.inclusive else asked.end_before(place)
    if query.offset:
        asked = asked.offset(query.offset)
    return asked if query.limit is None else asked.limit(query.limit)


# The properties.


@pytest.fixture(scope="session", params=PARAMETERS)
def server(request: pytest.FixtureRequest) -> Server:
    return running(request.config, request.param)


Worlds = Iterator[firestore.Client]


@pytest.fixture
def fresh(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worlds]:
    """Clients of one empty project after another, over one connection."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.host)
    first = firestore.Client(project="model")

    def clients() -> Worlds:
        while True:
            client = firestore.Client(project=f"model-{uuid.uuid4().hex[:12]}")
            client._firestore_api_internal = first._firestore_api
            yield client

    yield clients()
    first._firestore_api.transport.close()


def _settings(server: Server, examples: int) -> settings:
    """The same examples at every run; fewer on the referee, where shrinking would take minutes."""
    phases = [Phase.generate, Phase.shrink] if server.is_ours else [Phase.generate]
    return settings(
        max_examples=examples if server.is_ours else examples // 3,
        phases=phases,
        deadline=None,
        derandomize=True,
        database=None,
    )


def test_random_queries_find_what_the_model_finds(fresh: Worlds, server: Server) -> None:
    @given(worlds())
    def agree(world: tuple[Model, list[Query]]) -> None:
        db, (model, asked) = next(fresh), world
        batch = db.batch()
        for path, document in model.documents.items():
            batch.set(db.document(path), plain(db, document))
        batch.commit()

        for query in asked:
            found = sdk_query(db, query)
            expected = model.find(query)
            assert [snapshot.reference.path for snapshot in found.stream()] == expected, query
            assert found.count().get()[0][0].value == len(expected), query

    _settings(server, 90)(agree)()


documents = st.dictionaries(st.sampled_from([*FIELDS, "m"]), values, max_size=4)
writes: st.SearchStrategy[tuple[str, Any]] = st.one_of(
    st.tuples(st.just("set"), documents),
    st.tuples(st.just("merge"), documents),
    st.tuples(
        st.just("update"),
        st.one_of(
            st.dictionaries(st.sampled_from(["a", "b", "m"]), st.one_of(values, st.just(ABSENT))),
            st.dictionaries(
                st.sampled_from(["a", "m.a", "m.b.c", "c.a"]), st.one_of(values, st.just(ABSENT))
            ),
        ).filter(bool),
    ),
    st.tuples(st.just("delete"), st.just({})),
)


def test_random_writes_leave_what_the_model_leaves(fresh: Worlds, server: Server) -> None:
    @given(st.lists(st.tuples(st.sampled_from("xyz"), writes), min_size=1, max_size=12))
    def agree(changes: list[tuple[str, tuple[str, Any]]]) -> None:
        db, model = next(fresh), Model()
        batch = db.batch()
        for key, (kind, data) in changes:
            _write(db, model, batch, f"{TOP}/{key}", kind, data)
        batch.commit()

        read = {s.reference.path: modelled(s.to_dict()) for s in db.collection(TOP).stream()}
        assert {path: _exactly(document) for path, document in read.items()} == {
            path: _exactly(document) for path, document in model.documents.items()
        }

    _settings(server, 120)(agree)()


def _write(db: firestore.Client, model: Model, batch: Any, path: str, kind: str, data: Any) -> None:
    """One write in the model and in the batch; an update of nothing is left out of both."""
    reference = db.document(path)
    match kind:
        case "set":
            model.set(path, data)
            batch.set(reference, plain(db, data))
        case "merge":
            model.merge(path, data)
            batch.set(reference, plain(db, data), merge=True)
        case "update" if path in model.documents:
            model.update(path, data)
            gone = firestore.DELETE_FIELD
            changes = {key: gone if v is ABSENT else plain(db, v) for key, v in data.items()}
            batch.update(reference, changes)
        case "delete":
            model.delete(path)
            batch.delete(reference)


def _exactly(value: Any) -> Any:
    """Comparable with ==, and distinct where a reader could tell: 1 from 1.0, 0.0 from -0.0."""
    match value:
        case list():
            return [_exactly(item) for item in value]
        case dict():
            return {key: _exactly(item) for key, item in value.items()}
        case datetime():
            return ("time", value.timestamp(), value.microsecond)
        case firestore.GeoPoint():
            return ("point", value.latitude, value.longitude)
        case Vector():
            return ("vector", tuple(value))
    return (type(value).__name__, repr(value))
