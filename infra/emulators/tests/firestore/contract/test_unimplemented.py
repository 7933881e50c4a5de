"""What ours does not serve says so: UNIMPLEMENTED, at once, and not something half done."""

from collections.abc import Callable
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector
from grpc import StatusCode

from infra.emulators.tests.firestore.differences import differs
from infra.emulators.tests.firestore.servers import Server
from infra.emulators.tests.firestore.wire import Wire, refused, select, status_of

SERVED = "Google's emulator serves it; the SDK's calls the product makes never send it"


@differs("Google's emulator serves Listen; nothing in the product listens")
def test_listen_is_unimplemented(wire: Wire, db: firestore.Client) -> None:
    target = {"documents": {"documents": [wire.name("x/y")]}, "target_id": 1}
    asked = [{"database": wire.database, "add_target": target}]

    with refused(StatusCode.UNIMPLEMENTED):
        next(iter(wire.api.listen(requests=iter(asked), metadata=db._rpc_metadata, timeout=20)))


@differs("Google's emulator serves vector search; vectors live in Pinecone here")
def test_vector_search_is_unimplemented(db: firestore.Client) -> None:
    nearest = db.collection("x").find_nearest(
        "v", Vector([1.0]), limit=1, distance_measure=DistanceMeasure.EUCLIDEAN
    )

    with refused(StatusCode.UNIMPLEMENTED):
        list(nearest.stream())


Request = Callable[[Wire], dict[str, Any]]

CALLS: dict[str, Request] = {
    "get_document": lambda wire: {"name": wire.name("x/y")},
    "create_document": lambda wire: {
        "parent": wire.documents,
        "collection_id": "x",
        "document_id": "y",
        "document": {},
    },
    "update_document": lambda wire: {"document": {"name": wire.name("x/y")}},
    "delete_document": lambda wire: {"name": wire.name("x/y")},
}


@pytest.mark.parametrize("method", CALLS)
@differs(SERVED)
def test_calls_the_sdk_never_makes_are_unimplemented(wire: Wire, method: str) -> None:
    with refused(StatusCode.UNIMPLEMENTED):
        wire.call(method, CALLS[method](wire))


@pytest.mark.parametrize("method", ["google.firestore.v1.Firestore/Nothing", "some.Other/Service"])
def test_a_method_nobody_knows_is_unimplemented(server: Server, method: str) -> None:
    assert status_of(server.host, method, b"") == StatusCode.UNIMPLEMENTED


def test_partitions_are_unimplemented_on_both(wire: Wire) -> None:
    query = select("x", order_by=[{"field": {"field_path": "__name__"}, "direction": "ASCENDING"}])
    request = {"parent": wire.documents, "structured_query": query, "partition_count": 2}

    with refused(StatusCode.UNIMPLEMENTED):
        list(wire.call("partition_query", request))
