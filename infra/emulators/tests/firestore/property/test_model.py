"""Random documents, queries and writes give the same answer on a server as in the model."""

import os
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
from google.cloud.firestore_v1.vector import Vector
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from infra.emulators.tests.firestore.property.model import (
    ABSENT,
    All,
    Condition,
    Either,
    Filter,
    Model,
    Query,
    Reference,
    Transform,
)
from infra.emulators.tests.firestore.property.worlds import SUB, TOP, changes, tree, world
from infra.emulators.tests.firestore.servers import PARAMETERS, Server, running

# From the model to the SDK.


TRANSFORMS: dict[str, Any] = {
    "increment": firestore.Increment,
    "maximum": firestore.Maximum,
    "minimum": firestore.Minimum,
    "union": firestore.ArrayUnion,
    "remove": firestore.ArrayRemove,
}


def sdk_value(db: firestore.Client, value: Any) -> Any:
    match value:
        case Reference():
            return db.document(value.path)
        case Transform():
            return TRANSFORMS[value.kind](sdk_value(db, value.operand))
        case list():
            return [sdk_value(db, item) for item in value]
        case dict():
            return {key: sdk_value(db, item) for key, item in value.items()}
    return firestore.DELETE_FIELD if value is ABSENT else value


def sdk_filter(db: firestore.Client, condition: Condition) -> Any:
    match condition:
        case Filter():
            return FieldFilter(condition.path, condition.op, sdk_value(db, condition.value))
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
        place = sdk_value(db, list(query.start.values))
        asked = asked.start_at(place) if query.start.inclusive else asked.start_after(place)
    if query.end is not None:
        place = sdk_value(db, list(query.end.values))
        asked = asked.end_at(place) if query.end.inclusive else asked.end_before(place)
    if query.offset:
        asked = asked.offset(query.offset)
    return asked if query.limit is None else asked.limit(query.limit)


# The properties.


@pytest.fixture(scope="session", params=PARAMETERS)
def server(request: pytest.FixtureRequest) -> Server:
    return running(request.config, request.param)


Clients = Iterator[firestore.Client]


@pytest.fixture
def fresh(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clients]:
    """Clients of one empty project after another, over one connection."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.host)
    first = firestore.Client(project="model")

    def clients() -> Clients:
        while True:
            client = firestore.Client(project=f"model-{uuid.uuid4().hex[:12]}")
            client._firestore_api_internal = first._firestore_api
            yield client

    yield clients()
    first._firestore_api.transport.close()


def _settings(server: Server, examples: int) -> settings:
    """The same examples at every run, fewer on the referee.

    A failing one is not shrunk: over a network that takes minutes, and its query is shown anyway.
    """
    return settings(
        max_examples=examples if server.is_ours else examples // 4,
        phases=[Phase.generate],
        deadline=None,
        derandomize=True,
        database=None,
    )


EXAMPLES = int(os.environ.get("EXAMPLES", "60"))
"""Of worlds with ten queries each; `make faults` has more."""
numbers = st.integers(min_value=0, max_value=2**32 - 1)


def test_random_queries_find_what_the_model_finds(fresh: Clients, server: Server) -> None:
    @given(numbers)
    def agree(number: int) -> None:
        model, queries = world(number, queries=10)
        db = next(fresh)
        batch = db.batch()
        for path, document in model.documents.items():
            batch.set(db.document(path), sdk_value(db, document))
        batch.commit()

        for query in queries:
            asked, expected = sdk_query(db, query), model.find(query)
            assert [found.reference.path for found in asked.stream()] == expected, query
            assert asked.count().get()[0][0].value == len(expected), query

    _settings(server, EXAMPLES)(agree)()


def test_random_writes_leave_what_the_model_leaves(fresh: Clients, server: Server) -> None:
    @given(numbers)
    def agree(number: int) -> None:
        db, model = next(fresh), Model()
        batch = db.batch()
        for key, kind, data in changes(number, most=15):
            _write(db, model, batch, f"{TOP}/{key}", kind, data)
        batch.commit()

        read = {s.reference.path: s.to_dict() for s in db.collection(TOP).stream()}
        assert _exactly(read) == _exactly(model.documents)

    _settings(server, EXAMPLES)(agree)()


def test_random_trees_list_as_the_model_lists(fresh: Clients, server: Server) -> None:
    @given(numbers)
    def agree(number: int) -> None:
        db, model = next(fresh), tree(number)
        batch = db.batch()
        for path in model.documents:
            batch.set(db.document(path), {})
        batch.commit()

        for collection in (TOP, f"{TOP}/0/{SUB}", f"{TOP}/0/{TOP}", SUB):
            reference = db.collection(collection)
            listed = [child.id for child in reference.list_documents(page_size=2)]
            assert listed == model.children(collection)
            below = [found.reference.path for found in reference.recursive().stream()]
            assert below == model.below(collection)
        for parent in (f"{TOP}/0", f"{TOP}/0/{SUB}/0"):
            found = [collection.id for collection in db.document(parent).collections()]
            assert found == model.children(parent)
        assert [collection.id for collection in db.collections()] == model.children("")

        gone = db.document(f"{TOP}/0")
        db.recursive_delete(gone)
        left = [p for p in model.documents if not f"{p}/".startswith(f"{gone.path}/")]
        groups = {path.split("/")[-2] for path in model.documents}
        found = [s.reference.path for g in groups for s in db.collection_group(g).stream()]
        assert sorted(found) == sorted(left)

    _settings(server, 45)(agree)()


def _write(db: firestore.Client, model: Model, batch: Any, path: str, kind: str, data: Any) -> None:
    """One write in the model and in the batch; an update of nothing is left out of both."""
    reference, plain = db.document(path), sdk_value(db, data)
    match kind:
        case "set":
            model.set(path, data)
            batch.set(reference, plain)
        case "merge":
            model.merge(path, data)
            batch.set(reference, plain, merge=True)
        case "update" if path in model.documents:
            model.update(path, data)
            batch.update(reference, plain)
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
        case Reference() | firestore.DocumentReference():
            return ("reference", value.path)
    return (type(value).__name__, repr(value))
