"""Reading documents by name: get, get_all, field masks, read times."""

from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import fill, paths
from infra.emulators.tests.firestore.wire import Wire, refused


def test_a_missing_document_is_told_to_be_missing(db: firestore.Client) -> None:
    snapshot = db.document("r/x").get()

    assert not snapshot.exists
    assert snapshot.to_dict() is None
    assert snapshot.read_time is not None


def test_get_all_brings_the_found_and_the_missing(db: firestore.Client) -> None:
    fill(db, {"r/a": {"n": 1}, "s/b": {"n": 2}, "r/a/t/c": {"n": 3}})
    wanted = ["r/a", "s/b", "r/a/t/c", "r/nobody", "never/was"]

    read = {s.reference.path: s.to_dict() for s in db.get_all([db.document(p) for p in wanted])}

    assert read == {
        "r/a": {"n": 1},
        "s/b": {"n": 2},
        "r/a/t/c": {"n": 3},
        "r/nobody": None,
        "never/was": None,
    }


def test_get_all_answers_once_for_a_document_named_twice(db: firestore.Client) -> None:
    fill(db, {"r/a": {}, "r/b": {}})
    wanted = [db.document(path) for path in ("r/a", "r/b", "r/a")]

    assert sorted(paths(db.get_all(wanted))) == ["r/a", "r/b"]


def test_get_all_is_of_one_moment(db: firestore.Client) -> None:
    fill(db, {f"r/{n}": {"n": n} for n in range(5)})

    snapshots = list(db.get_all([db.document(f"r/{n}") for n in range(6)]))

    assert len({snapshot.read_time for snapshot in snapshots}) == 1


def test_get_all_takes_field_paths(db: firestore.Client) -> None:
    fill(db, {"r/a": {"n": 1, "m": {"x": 1, "y": 2}, "o": 3, "p.q": 4}})

    (snapshot,) = db.get_all([db.document("r/a")], field_paths=["n", "m.y", "zip", "`p.q`"])

    assert snapshot.to_dict() == {"n": 1, "m": {"y": 2}, "p.q": 4}


def test_get_takes_field_paths(db: firestore.Client) -> None:
    fill(db, {"r/a": {"n": 1, "m": 2}})

    assert db.document("r/a").get(["m"]).to_dict() == {"m": 2}
    assert db.document("r/a").get(["none"]).to_dict() == {}


def test_an_empty_mask_brings_no_field(wire: Wire) -> None:
    wire.commit(wire.update("r/a", {"n": 1}))

    (answer,) = wire.get("r/a", mask={"field_paths": []})

    assert answer.found.name == wire.name("r/a")
    assert not answer.found.fields
    assert answer.found.update_time


def test_a_hundred_documents_are_read_at_once(db: firestore.Client) -> None:
    fill(db, {f"r/{n:03}": {"n": n} for n in range(100)})

    snapshots = db.get_all([db.document(f"r/{n:03}") for n in range(100)])

    assert sorted(snapshot.get("n") for snapshot in snapshots) == list(range(100))


def test_read_times_do_not_go_back(db: firestore.Client) -> None:
    written = db.document("r/a").set({"n": 1})
    first = db.document("r/a").get()
    (second,) = db.collection("r").stream()

    assert written.update_time <= first.read_time <= second.read_time


def test_a_read_may_ask_for_the_past(db: firestore.Client) -> None:
    db.document("r/a").set({"n": 1})
    then = db.document("r/a").get().read_time
    db.document("r/a").set({"n": 2})
    db.document("r/b").set({"n": 2})

    assert db.document("r/a").get(read_time=then).get("n") == 1
    assert not db.document("r/b").get(read_time=then).exists
    assert [s.id for s in db.collection("r").stream(read_time=then)] == ["a"]


def test_a_read_may_not_ask_for_the_future(wire: Wire) -> None:
    far = {"seconds": 4_000_000_000}

    with refused(StatusCode.INVALID_ARGUMENT, "future"):
        wire.get("r/a", read_time=far)


def test_a_query_that_finds_nothing_still_has_a_read_time(wire: Wire) -> None:
    (answer,) = wire.query({"from_": [{"collection_id": "none"}]})

    assert answer.read_time
    assert not answer.document.name
