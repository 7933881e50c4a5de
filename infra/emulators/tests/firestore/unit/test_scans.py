"""A query that returns 20 of 40,000 documents reads about 20: counted, for many shapes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or

from infra.emulators.firestore import index_rules
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.protobuf import CommitRequest
from infra.emulators.firestore.query import Query
from infra.emulators.firestore.structured_query import parse_query
from infra.emulators.firestore.writes import parse_write

COUNT = 40_000
PAGE = 20
RARE = 2_000
DATABASE = "projects/counted/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"
UP, DOWN = firestore.Query.ASCENDING, firestore.Query.DESCENDING

# One worker runs them all, so that the documents are written once.
pytestmark = pytest.mark.xdist_group("firestore-scans")

Ask = Callable[[firestore.Client], Any]


@pytest.fixture(scope="module")
def client() -> firestore.Client:
    """Only builds queries; it is never connected."""
    nobody = AnonymousCredentials()  # type: ignore[no-untyped-call]
    return firestore.Client(project="counted", credentials=nobody)


def _fill(engine: Engine) -> None:
    """Numbers, kinds (a tenth each), a flag on one in two thousand, tags; all shuffled."""
    for start in range(0, COUNT, 1000):
        request = CommitRequest(database=DATABASE)
        for n in range(start, start + 1000):
            shuffled = n * 7919 % COUNT
            update = request.writes.add().update
            update.name = f"{DOCUMENTS}/groups/g{n % 2}/items/i{shuffled:06}"
            update.fields["n"].integer_value = n
            update.fields["kind"].string_value = f"k{shuffled % 10}"
            if n % RARE == 0:
                update.fields["rare"].boolean_value = True
            tags = update.fields["tags"].array_value.values
            tags.add().string_value = f"t{shuffled % 100}"
            tags.add().string_value = "everybody"
        engine.commit([parse_write(write, DATABASE) for write in request.writes], None)
    engine.catch_up()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = Engine(tmp_path_factory.mktemp("counted"), index_rules.Rules())
    _fill(made)
    yield made
    made.close()


def items(client: firestore.Client) -> Any:
    return client.collection("groups/g0/items")


def group(client: firestore.Client) -> Any:
    return client.collection_group("items")


def by(path: str, op: str, value: Any) -> FieldFilter:
    return FieldFilter(path, op, value)


def parsed(ask: Ask, client: firestore.Client) -> Query:
    asked = ask(client)
    message = asked._to_protobuf()
    parent, _ = asked._parent._parent_info()
    return parse_query(parent, type(message).pb(message))


def read(engine: Engine, query: Query) -> tuple[list[bytes], int, int]:
    """What it finds, and how many index rows and documents were looked at."""
    engine.counters.reset()
    moment = engine.moment(DATABASE, None, None)
    names = [hit.name for hit in engine.reading(moment).hits(query) if hit is not None]
    return names, engine.counters.rows_scanned, engine.counters.documents_read


CASES: dict[str, Ask] = {
    "range": lambda c: items(c).where(filter=by("n", ">=", 16_000)).order_by("n"),
    "range-downwards": lambda c: items(c).where(filter=by("n", "<", 28_000)).order_by("n", DOWN),
    "order": lambda c: items(c).order_by("n"),
    "equality": lambda c: items(c).where(filter=by("kind", "==", "k4")),
    "equality-of-few": lambda c: items(c).where(filter=by("rare", "==", True)),
    "equality-and-order": lambda c: items(c).where(filter=by("kind", "==", "k4")).order_by("n"),
    "equality-of-few-and-order": lambda c: (
        items(c).where(filter=by("rare", "==", True)).order_by("n", DOWN)
    ),
    "two-equalities": lambda c: items(c).where(
        filter=And([by("kind", "==", "k4"), by("tags", "array_contains", "everybody")])
    ),
    "equality-and-range": lambda c: items(c).where(
        filter=And([by("kind", "==", "k4"), by("n", ">", 12_000)])
    ),
    "array-contains-and-order": lambda c: (
        items(c).where(filter=by("tags", "array_contains", "everybody")).order_by("n", DOWN)
    ),
    "array-contains-rarer": lambda c: (
        items(c).where(filter=by("tags", "array_contains", "t42")).order_by("n", DOWN)
    ),
    "in": lambda c: items(c).where(filter=by("n", "in", list(range(0, 60, 2)))),
    "either": lambda c: items(c).where(filter=Or([by("n", "<", 30), by("rare", "==", True)])),
    "not-equal": lambda c: items(c).where(filter=by("n", "!=", 6)),
    "names": items,
    "group": group,
    "group-range": lambda c: group(c).where(filter=by("n", ">=", 16_000)).order_by("n"),
    "group-equality-and-order": lambda c: (
        group(c).where(filter=by("kind", "==", "k4")).order_by("n", DOWN)
    ),
    "group-array-contains": lambda c: (
        group(c).where(filter=by("tags", "array_contains", "t7")).order_by("n")
    ),
    "cursor": lambda c: items(c).order_by("n").start_after({"n": 22_000}),
    "cursor-among-equals": lambda c: (
        items(c)
        .order_by("kind")
        .order_by("__name__")
        .start_after({"kind": "k4", "__name__": c.document("groups/g0/items/i020004")})
    ),
    "cursor-downwards": lambda c: items(c).order_by("n", direction=DOWN).start_at({"n": 22_000}),
    "window": lambda c: items(c).order_by("n").start_at({"n": 500}).end_before({"n": 800}),
}


@pytest.mark.parametrize("ask", CASES.values(), ids=CASES.keys())
def test_twenty_of_forty_thousand_are_found_by_looking_at_few(
    engine: Engine, client: firestore.Client, ask: Ask
) -> None:
    # Indexes of groups are built when first asked for: that is not what is counted here.
    query = parsed(lambda c: ask(c).limit(PAGE), client)
    first, _, _ = read(engine, query)

    names, rows, documents = read(engine, query)

    assert names == first
    assert 10 <= len(names) <= PAGE
    assert documents <= 250
    assert rows <= 3_500


@pytest.mark.parametrize("name", ["range", "equality-and-order", "array-contains-and-order"])
def test_an_offset_costs_index_rows_and_no_documents(
    engine: Engine, client: firestore.Client, name: str
) -> None:
    skipped = parsed(lambda c: CASES[name](c).offset(300).limit(PAGE), client)
    together = parsed(lambda c: CASES[name](c).limit(300 + PAGE), client)

    names, rows, documents = read(engine, skipped)

    assert names == read(engine, together)[0][300:]
    assert documents <= PAGE + 1
    assert rows <= 10_000


def test_pages_by_cursor_cost_the_same_all_the_way(
    engine: Engine, client: firestore.Client
) -> None:
    last = -1
    for _ in range(50):
        after = last

        def ask(c: firestore.Client, after: int = after) -> Any:
            return items(c).order_by("n").start_after({"n": after}).limit(PAGE)

        names, rows, documents = read(engine, parsed(ask, client))
        assert len(names) == PAGE
        assert rows <= PAGE + 1
        assert documents <= PAGE
        last += 2 * PAGE


def test_counting_reads_no_documents(engine: Engine, client: firestore.Client) -> None:
    query = parsed(lambda c: items(c).where(filter=by("n", "<", 4_000)), client)
    engine.counters.reset()
    moment = engine.moment(DATABASE, None, None)

    assert sum(hit is not None for hit in engine.reading(moment).hits(query)) == 2_000
    assert engine.counters.documents_read == 0


def test_a_declared_composite_index_is_read_and_nothing_else(
    engine: Engine, client: firestore.Client, tmp_path: Path
) -> None:
    """Where matches are many but lie far away in the order, only a composite index finds them."""
    fields = [
        {"fieldPath": "kind", "order": "ASCENDING"},
        {"fieldPath": "n", "order": "ASCENDING"},
    ]
    declared = {"collectionGroup": "items", "queryScope": "COLLECTION", "fields": fields}
    small = Engine(tmp_path, index_rules.parse({"indexes": [declared]}))
    for start in range(0, 6_000, 1_000):
        request = CommitRequest(database=DATABASE)
        for n in range(start, start + 1_000):
            update = request.writes.add().update
            update.name = f"{DOCUMENTS}/groups/g0/items/i{n:06}"
            update.fields["n"].integer_value = n
            update.fields["kind"].string_value = "early" if n < 3_000 else "late"
        small.commit([parse_write(write, DATABASE) for write in request.writes], None)
    late = parsed(
        lambda c: items(c).where(filter=by("kind", "==", "late")).order_by("n").limit(PAGE), client
    )
    read(small, late)

    names, rows, documents = read(small, late)

    assert names == [f"{DOCUMENTS}/groups/g0/items/i{n:06}".encode() for n in range(3_000, 3_020)]
    assert (rows, documents) == (PAGE, PAGE)
    small.close()
