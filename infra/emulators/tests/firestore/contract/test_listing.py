"""Listing documents and collections, and deleting whole trees."""

from typing import Any

import pytest
from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import fill, ids
from infra.emulators.tests.firestore.wire import Wire, refused

TREE: dict[str, dict[str, Any]] = {
    "l/a": {"n": 3},
    "l/b": {"n": 1},
    "l/d": {"n": 2},
    "l/c/s/1": {"n": 1},
    "l/e/s/t/u/v": {"n": 1},
    "l/a/z/1": {"n": 1},
    "l/a/s/1": {"n": 1},
    "other/o": {"n": 1},
}


@pytest.fixture
def tree(db: firestore.Client) -> firestore.Client:
    fill(db, TREE)
    return db


def _pages(wire: Wire, collection: str = "l", **more: Any) -> list[list[str]]:
    request = {"parent": wire.documents, "collection_id": collection, **more}
    pages = wire.call("list_documents", request).pages
    return [[doc.name.rpartition("/")[2] for doc in page.documents] for page in pages]


def _collections(wire: Wire, parent: str, **more: Any) -> list[list[str]]:
    pages = wire.call("list_collection_ids", {"parent": parent, **more}).pages
    return [list(page.collection_ids) for page in pages]


def test_list_documents_names_missing_parents_too(tree: firestore.Client) -> None:
    listed = [reference.id for reference in tree.collection("l").list_documents()]

    assert listed == ["a", "b", "c", "d", "e"]


def test_list_documents_pages(tree: firestore.Client) -> None:
    listed = [reference.id for reference in tree.collection("l").list_documents(page_size=2)]

    assert listed == ["a", "b", "c", "d", "e"]


def test_list_documents_of_an_empty_collection(tree: firestore.Client) -> None:
    assert list(tree.collection("none").list_documents()) == []


def test_list_documents_of_a_subcollection(tree: firestore.Client) -> None:
    listed = [reference.path for reference in tree.collection("l/c/s").list_documents()]

    assert listed == ["l/c/s/1"]


def test_a_list_without_missing_ones(wire: Wire, tree: firestore.Client) -> None:
    assert _pages(wire) == [["a", "b", "d"]]
    assert _pages(wire, page_size=2) == [["a", "b"], ["d"]]


def test_a_list_with_missing_ones_pages(wire: Wire, tree: firestore.Client) -> None:
    assert _pages(wire, page_size=2, show_missing=True) == [["a", "b"], ["c", "d"], ["e"]]


def test_a_missing_document_in_a_list_has_no_times(wire: Wire, tree: firestore.Client) -> None:
    request = {"parent": wire.documents, "collection_id": "l", "show_missing": True}
    listed = {doc.name: doc for doc in wire.call("list_documents", request)}

    assert listed[wire.name("l/a")].create_time
    assert not listed[wire.name("l/c")].create_time
    assert not listed[wire.name("l/c")].fields


def test_a_list_can_be_ordered(wire: Wire, tree: firestore.Client) -> None:
    assert _pages(wire, order_by="n") == [["b", "d", "a"]]


def test_a_list_can_be_masked(wire: Wire, tree: firestore.Client) -> None:
    fill(tree, {"l/a": {"n": 1, "m": 2}})
    request = {"parent": wire.documents, "collection_id": "l", "mask": {"field_paths": ["m"]}}
    listed = list(wire.call("list_documents", request))

    assert [set(doc.fields) for doc in listed] == [{"m"}, set(), set()]


def test_a_list_by_names_downwards_needs_an_index_of_its_own(wire: Wire) -> None:
    with refused(StatusCode.FAILED_PRECONDITION):
        _pages(wire, order_by="__name__ desc")


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"page_size": -1}, id="negative-page-size"),
        pytest.param({"page_token": "zzz"}, id="page-token-of-nobody"),
        pytest.param({"order_by": "n sideways"}, id="broken-order"),
        pytest.param({"order_by": "n", "show_missing": True}, id="order-with-missing-ones"),
        pytest.param({"collection_id": "__x__"}, id="reserved-collection"),
        pytest.param({"parent": "nowhere"}, id="broken-parent"),
        pytest.param({"collection_id": "", "show_missing": True}, id="missing-ones-of-everything"),
    ],
)
def test_a_bad_list_is_refused(wire: Wire, tree: firestore.Client, more: dict[str, Any]) -> None:
    request = {"parent": wire.documents, "collection_id": "l", **more}

    with refused(StatusCode.INVALID_ARGUMENT):
        list(wire.call("list_documents", request))


def test_collections_of_the_root(tree: firestore.Client) -> None:
    assert [collection.id for collection in tree.collections()] == ["l", "other"]


def test_collections_of_a_document(tree: firestore.Client) -> None:
    assert [collection.id for collection in tree.document("l/a").collections()] == ["s", "z"]


def test_collections_of_a_missing_document(tree: firestore.Client) -> None:
    assert [collection.id for collection in tree.document("l/e").collections()] == ["s"]
    assert [collection.id for collection in tree.document("l/e/s/t").collections()] == ["u"]
    assert list(tree.document("never/was").collections()) == []


def test_a_collection_is_gone_with_its_last_document(tree: firestore.Client) -> None:
    tree.document("other/o").delete()

    assert [collection.id for collection in tree.collections()] == ["l"]


def test_collection_ids_page(wire: Wire, tree: firestore.Client) -> None:
    pages = _collections(wire, wire.documents, page_size=1)

    assert [name for page in pages for name in page] == ["l", "other"]
    assert max(len(page) for page in pages) == 1


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"page_size": -1}, id="negative-page-size"),
        pytest.param({"page_token": "zzz"}, id="page-token-of-nobody"),
        pytest.param({"parent": "nowhere"}, id="broken-parent"),
    ],
)
def test_a_bad_list_of_collections_is_refused(wire: Wire, more: dict[str, Any]) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        list(wire.call("list_collection_ids", {"parent": wire.documents, **more}))


def test_recursive_delete_of_a_document(tree: firestore.Client) -> None:
    deleted = tree.recursive_delete(tree.document("l/a"))

    assert deleted == 3
    assert ids(tree.collection("l")) == ["b", "d"]
    assert ids(tree.collection_group("s")) == ["1"]
    assert list(tree.document("l/a").collections()) == []


def test_recursive_delete_of_a_collection(tree: firestore.Client) -> None:
    tree.recursive_delete(tree.collection("l"))

    assert [collection.id for collection in tree.collections()] == ["other"]
    assert ids(tree.collection_group("s")) == []
    assert ids(tree.collection_group("u")) == []


def test_recursive_delete_works_in_chunks(db: firestore.Client) -> None:
    fill(db, {f"l/{n:02}": {} for n in range(30)} | {f"l/{n:02}/s/x": {} for n in range(30)})

    deleted = db.recursive_delete(db.collection("l"), chunk_size=7)

    assert deleted == 60
    assert list(db.collections()) == []


def test_recursive_delete_spares_neighbours_with_a_longer_name(db: firestore.Client) -> None:
    fill(db, {"l/a": {}, "l/a/s/1": {}, "l/a!": {}, "l/a0/s/1": {}, "l!/x": {}, "la/x": {}})

    db.recursive_delete(db.document("l/a"))
    assert [r.id for r in db.collection("l").list_documents()] == ["a!", "a0"]

    db.recursive_delete(db.collection("l"))
    assert [collection.id for collection in db.collections()] == ["l!", "la"]
