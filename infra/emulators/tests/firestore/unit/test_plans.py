"""Whatever plan a query is run by, it finds what looking at every document would find.

Random queries run on an engine without rules, on one whose plans run out of budget at once, and on
one where every field is exempt and only the composite indexes that the query needs are declared.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.emulators.firestore import index_rules, plan, plan_reader
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.matching import place_of
from infra.emulators.firestore.names import segment_key
from infra.emulators.firestore.paths import NAME
from infra.emulators.firestore.protobuf import CommitRequest
from infra.emulators.firestore.query import BEYOND, Constraint, Cursor, Order, Query, exactly
from infra.emulators.firestore.required_index import as_json, composite_for, needed, refusal
from infra.emulators.firestore.values import FALSE, LAST, NULL, integer, string, type_bounds
from infra.emulators.firestore.writes import parse_write

DATABASE = "projects/p/databases/d"
DOCUMENTS = f"{DATABASE}/documents"
LONG = "x" * 1600
FIELDS = ("a", "b", "m.x")
PARENTS = ("", "p/1/", "p/2/", "c/d1/")

texts = ["", "s", LONG, LONG + "a", LONG + "b"]
encodings = [integer(n) for n in range(3)] + [string(text) for text in texts] + [NULL]


def _documents() -> dict[str, dict[str, Any]]:
    """Few values, so that there are many equal ones; some fields are missing."""
    out: dict[str, dict[str, Any]] = {}
    pool: list[Any] = [0, 1, 2, *texts, None]
    for number in range(45):
        fields: dict[str, Any] = {}
        if number % 7:
            fields["a"] = pool[number * 5 % len(pool)]
        if number % 5:
            fields["b"] = pool[number * 3 % len(pool)]
        if number % 3:
            fields["m"] = {"x": pool[number % len(pool)], "y": number}
        fields["tags"] = [pool[number % 4], pool[number % 8]]
        out[f"{PARENTS[number % 4]}c/d{number % 23}"] = fields
    return out


def _set(value: Any, plain: Any) -> None:
    if plain is None:
        value.null_value = 0
    elif isinstance(plain, int):
        value.integer_value = plain
    elif isinstance(plain, str):
        value.string_value = plain
    elif isinstance(plain, list):
        for element in plain:
            _set(value.array_value.values.add(), element)
    else:
        for key, item in plain.items():
            _set(value.map_value.fields[key], item)


def _fill(engine: Engine) -> None:
    request = CommitRequest(database=DATABASE)
    for path, fields in _documents().items():
        update = request.writes.add().update
        update.name = f"{DOCUMENTS}/{path}"
        for key, plain in fields.items():
            _set(update.fields[key], plain)
    engine.commit([parse_write(write, DATABASE) for write in request.writes], None)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = Engine(tmp_path_factory.mktemp("plain"), index_rules.Rules())
    _fill(made)
    yield made
    made.close()


def _path(text: str) -> tuple[str, ...]:
    return tuple(text.split("."))


equalities = st.builds(
    lambda text, value: Constraint(_path(text), text, False, (exactly(value),), value),
    st.sampled_from(FIELDS),
    st.sampled_from(encodings),
)
contained = st.builds(
    lambda value: Constraint(("tags",), "tags", True, (exactly(value),), value),
    st.sampled_from(encodings[:6]),
)


def _range(text: str, value: bytes, side: int) -> Constraint:
    low, high = type_bounds(value)
    ranges = {
        0: ((low, value),),
        1: ((value, high),),
        2: ((low, value + BEYOND),),
        3: ((FALSE, value), (value + BEYOND, LAST)) if value != NULL else ((FALSE, LAST),),
    }[side]
    kept = tuple(one for one in ranges if one[0] < one[1])
    return Constraint(_path(text), text, False, kept, is_equality=False)


inequalities = st.builds(
    _range, st.sampled_from(FIELDS), st.sampled_from(encodings), st.integers(0, 3)
)
keys = st.builds(
    lambda parent, number: b"".join(map(segment_key, f"{parent}c/d{number}".split("/"))) + b"\x00",
    st.sampled_from(PARENTS),
    st.integers(0, 25),
)
named = st.builds(
    lambda key, side: Constraint(
        (NAME,),
        NAME,
        False,
        {0: ((b"", key),), 1: ((key, BEYOND),), 2: (exactly(key),)}[side],
        is_equality=False,
    ),
    keys,
    st.integers(0, 2),
)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    unequal = draw(st.lists(inequalities, max_size=2))
    conjunctions = draw(
        st.lists(
            st.tuples(
                st.lists(equalities, max_size=2),
                st.lists(contained, max_size=1),
                st.lists(named, max_size=1),
            ).map(lambda parts: (*parts[0], *parts[1], *parts[2], *unequal)),
            min_size=1,
            max_size=2,
        )
    )
    paths = draw(st.lists(st.sampled_from(FIELDS), max_size=2, unique=True))
    orders = [Order(_path(text), text, draw(st.booleans())) for text in paths]
    down = orders[-1].descending if orders else False
    implied = sorted({one.text for one in unequal} - set(paths))
    orders += [Order(_path(text), text, down) for text in implied]
    name_down = draw(st.sampled_from([down, down, not down]))

    def cursor() -> Cursor | None:
        count = draw(st.integers(0, len(orders) + 1))
        values = [draw(st.sampled_from(encodings)) for _ in range(min(count, len(orders)))]
        if count > len(orders):
            values.append(draw(keys))
        return Cursor(tuple(values), draw(st.booleans())) if draw(st.booleans()) else None

    group = draw(st.booleans())
    parent = draw(st.sampled_from(PARENTS))
    return Query(
        database=DATABASE,
        parent=b"".join(map(segment_key, parent.split("/")[:-1])),
        collection="c",
        descendants=group,
        disjuncts=tuple(conjunctions),
        orders=tuple(orders),
        name_descending=name_down,
        start=cursor(),
        end=cursor(),
        offset=draw(st.sampled_from([0, 0, 2])),
        limit=draw(st.sampled_from([None, None, 3, 10])),
    )


def _expected(engine: Engine, query: Query) -> list[bytes]:
    """Every document looked at, one by one."""
    placed = []
    everything = Query(DATABASE, b"", "", True, ((),), (), False)
    moment = engine.moment(DATABASE, None, None)
    for hit in engine.reading(moment).hits(everything):
        assert hit is not None
        path = hit.collection.path
        own = query.parent + segment_key(query.collection)
        below = path.startswith(query.parent) and hit.collection.name == query.collection
        if not (below if query.descendants else path == own):
            continue
        place = place_of(query, hit.key, hit.message.fields)
        if place is not None:
            placed.append((place, hit.name))
    found = [name for _, name in sorted(placed)][query.offset :]
    return found if query.limit is None else found[: query.limit]


def _found(engine: Engine, query: Query) -> list[bytes]:
    moment = engine.moment(DATABASE, None, None)
    return [hit.name for hit in engine.reading(moment).hits(query) if hit is not None]


@settings(max_examples=400, deadline=None)
@given(queries())
def test_a_plan_finds_what_looking_at_everything_finds(engine: Engine, query: Query) -> None:
    assert _found(engine, query) == _expected(engine, query)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(queries())
def test_so_does_one_that_runs_out_of_budget(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, query: Query
) -> None:
    monkeypatch.setattr(plan, "FEW", -1)
    monkeypatch.setattr(plan_reader, "BUDGET", 3)

    assert _found(engine, query) == _expected(engine, query)


@settings(max_examples=60, deadline=None)
@given(queries())
def test_so_does_one_that_has_only_the_composite_indexes_it_needs(
    engine: Engine, query: Query
) -> None:
    indexes = []
    for conjunction in query.disjuncts:
        need = needed(query, conjunction)
        if need.equal or need.orders:
            indexes.append(as_json(composite_for(need)))
    exempt = {"collectionGroup": "c", "fieldPath": "*", "indexes": []}
    declared = index_rules.parse({"indexes": indexes, "fieldOverrides": [exempt]})
    assert refusal(query, declared) is None
    with tempfile.TemporaryDirectory() as folder, closing(Engine(Path(folder), declared)) as other:
        _fill(other)
        assert _found(other, query) == _expected(engine, query)
