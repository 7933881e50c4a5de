"""Projects and named databases keep their documents to themselves."""

import uuid

import pytest
from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import fill, ids
from infra.emulators.tests.firestore.wire import Wire, refused


def test_a_named_database_is_another_world(
    db: firestore.Client, second_db: firestore.Client
) -> None:
    db.document("d/x").set({"in": "default"})
    second_db.document("d/y").set({"in": "second"})

    assert ids(db.collection("d")) == ["x"]
    assert ids(second_db.collection("d")) == ["y"]
    assert ids(second_db.collection_group("d")) == ["y"]
    assert not second_db.document("d/x").get().exists


def test_the_same_name_in_two_databases_is_two_documents(
    db: firestore.Client, second_db: firestore.Client
) -> None:
    fill(db, {"d/x": {"n": 1}, "only-here/x": {}})
    fill(second_db, {"d/x": {"n": 2}})
    second_db.document("d/x").delete()

    assert db.document("d/x").get().to_dict() == {"n": 1}
    assert list(second_db.collections()) == []


def test_a_transaction_belongs_to_its_database(wire: Wire, second_db: firestore.Client) -> None:
    transaction = wire.begin()

    with refused(StatusCode.INVALID_ARGUMENT):
        Wire(second_db).get("d/x", transaction=transaction)


def test_projects_do_not_see_each_other(db: firestore.Client) -> None:
    db.document("d/x").set({"n": 1})
    other = firestore.Client(project=f"other-{uuid.uuid4().hex[:12]}")

    try:
        assert list(other.collections()) == []
        assert not other.document("d/x").get().exists
    finally:
        other._firestore_api.transport.close()


@pytest.mark.parametrize("database", ["", "projects/p", "projects/p/databases", "nonsense"])
def test_a_broken_database_name_is_refused(wire: Wire, database: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "atabase"):
        wire.call("commit", {"database": database})
    with refused(StatusCode.INVALID_ARGUMENT, "atabase"):
        wire.call("begin_transaction", {"database": database})
