"""A commit of several writes: all or nothing, one time, in the order they were written."""

from itertools import pairwise
from typing import Any

import pytest
from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import counted, fill, moment, where
from infra.emulators.tests.firestore.wire import Wire, raw_value, refused, value


def test_a_batch_writes_all_at_one_time(db: firestore.Client) -> None:
    db.document("b/old").set({"a": 1})
    batch = db.batch()
    batch.set(db.document("b/x"), {"a": 1})
    batch.create(db.document("b/y"), {"a": 2})
    batch.update(db.document("b/old"), {"b": 2})
    batch.delete(db.document("b/gone"))
    results = batch.commit()

    read = {snapshot.id: snapshot for snapshot in db.collection("b").stream()}
    assert {key: snapshot.to_dict() for key, snapshot in read.items()} == {
        "x": {"a": 1},
        "y": {"a": 2},
        "old": {"a": 1, "b": 2},
    }
    assert {snapshot.update_time for snapshot in read.values()} == {batch.commit_time}
    assert [bool(result.update_time) for result in results] == [True, True, True, False]


@pytest.mark.parametrize("bad_at", [0, 1, 2])
def test_one_refused_write_undoes_the_whole_batch(db: firestore.Client, bad_at: int) -> None:
    db.document("b/taken").set({"a": 1})
    batch = db.batch()
    for position in range(3):
        if position == bad_at:
            batch.create(db.document("b/taken"), {"a": 2})
        else:
            batch.set(db.document(f"b/{position}"), {"a": 2})
    with refused(StatusCode.ALREADY_EXISTS):
        batch.commit()

    assert [(s.id, s.to_dict()) for s in db.collection("b").stream()] == [("taken", {"a": 1})]


def test_a_refused_batch_undoes_deletes_and_transforms_too(db: firestore.Client) -> None:
    db.document("b/x").set({"n": 1})
    db.document("b/y").set({"n": 1})
    batch = db.batch()
    batch.update(db.document("b/x"), {"n": firestore.Increment(1)})
    batch.delete(db.document("b/y"))
    batch.update(db.document("b/missing"), {"a": 1})
    with refused(StatusCode.NOT_FOUND):
        batch.commit()

    assert {s.id: s.to_dict() for s in db.collection("b").stream()} == {
        "x": {"n": 1},
        "y": {"n": 1},
    }


def test_commit_times_only_grow(db: firestore.Client) -> None:
    times = [moment(db.document("b/x").set({"n": n}).update_time) for n in range(50)]

    assert all(earlier < later for earlier, later in pairwise(times))


def test_a_commit_that_changes_nothing_still_has_a_later_time(wire: Wire) -> None:
    first = wire.commit(wire.update("b/x", {"a": 1}))
    second = wire.commit(wire.update("b/x", {"a": 1}))
    third = wire.commit(wire.delete("b/nobody"))

    times = [moment(answer.commit_time) for answer in (first, second, third)]
    assert times[0] < times[1] < times[2]
    assert second.write_results[0].update_time == first.commit_time


def test_an_empty_commit_is_allowed(wire: Wire) -> None:
    assert not wire.commit().write_results


def test_writes_to_one_document_apply_in_order(db: firestore.Client) -> None:
    batch = db.batch()
    batch.set(db.document("b/x"), {"n": 1, "first": True})
    batch.set(db.document("b/x"), {"n": 2})
    batch.update(db.document("b/x"), {"m": 3})
    batch.update(db.document("b/x"), {"n": firestore.Increment(5)})
    batch.commit()

    assert db.document("b/x").get().to_dict() == {"n": 7, "m": 3}


def test_each_transform_of_one_document_sees_the_one_before(wire: Wire) -> None:
    step = {"field_path": "n", "increment": value(1)}
    answer = wire.commit(*(wire.transform("b/x", step) for _ in range(3)))

    counted = [result.transform_results[0].integer_value for result in answer.write_results]
    assert counted == [1, 2, 3]
    assert len({str(result.update_time) for result in answer.write_results}) == 1


Kinds = tuple[str, str]


def _write(wire: Wire, kind: str) -> dict[str, Any]:
    return {
        "set": wire.update("b/x", {"s": 1}),
        "merge": wire.update("b/x", {"m": 1}, mask=["m"]),
        "create": wire.create("b/x", {"c": 1}),
        "update": wire.patch("b/x", {"u": 1}),
        "delete": wire.delete("b/x"),
        "delete-existing": wire.delete("b/x", current_document={"exists": True}),
        "increment": wire.transform("b/x", {"field_path": "i", "increment": value(1)}),
    }[kind]


@pytest.mark.parametrize(
    ("first", "second", "fields"),
    [
        ("set", "update", {"s", "u"}),
        ("set", "delete", None),
        ("set", "delete-existing", None),
        ("create", "set", {"s"}),
        ("create", "update", {"c", "u"}),
        ("create", "delete-existing", None),
        ("merge", "increment", {"m", "i"}),
        ("increment", "set", {"s"}),
        ("increment", "update", {"i", "u"}),
        ("delete", "set", {"s"}),
        ("delete", "create", {"c"}),
        ("delete", "merge", {"m"}),
        ("delete", "increment", {"i"}),
        ("delete", "delete", None),
    ],
)
def test_a_document_may_be_written_twice_in_a_commit(
    wire: Wire, first: str, second: str, fields: set[str] | None
) -> None:
    answer = wire.commit(_write(wire, first), _write(wire, second))

    (read,) = wire.get("b/x")
    assert (set(read.found.fields) if read.found.name else None) == fields
    # Both results tell what became of the document in the end.
    times = [bool(result.update_time) for result in answer.write_results]
    assert times == [fields is not None] * 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("create", "create"),
        ("set", "create"),
        ("merge", "create"),
        ("increment", "create"),
        ("delete", "update"),
        ("delete", "delete-existing"),
    ],
)
def test_a_commit_that_contradicts_itself_is_refused(wire: Wire, first: str, second: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "in the same request"):
        wire.commit(_write(wire, first), _write(wire, second))

    assert wire.get("b/x")[0].missing


def test_a_document_deleted_and_made_again_in_one_commit_is_new(wire: Wire) -> None:
    wire.commit(wire.update("b/x", {"old": 1}))
    answer = wire.commit(wire.delete("b/x"), wire.create("b/x", {"new": 1}))

    (read,) = wire.get("b/x")
    assert read.found.create_time == read.found.update_time == answer.commit_time
    assert set(read.found.fields) == {"new"}


def test_a_precondition_in_a_batch_looks_at_the_time_before_it(wire: Wire) -> None:
    first = wire.commit(wire.update("b/x", {"a": 1}))
    asked: dict[str, Any] = {"current_document": {"update_time": first.commit_time}}
    wire.commit(wire.update("b/x", {"a": 2}, **asked), wire.update("b/x", {"a": 3}, **asked))

    assert wire.get("b/x")[0].found.fields["a"].integer_value == 3


def test_five_hundred_writes_fit_in_a_commit(db: firestore.Client) -> None:
    batch = db.batch()
    for n in range(500):
        batch.set(db.document(f"b/{n:03}"), {"n": n})
    batch.commit()

    assert counted(db.collection("b")) == 500


def test_a_large_commit_is_found_by_its_fields_at_once(db: firestore.Client) -> None:
    group, numbers = db.collection("b"), range(500)
    high, gone = where("n", ">=", 490), where("tags", "array_contains", "gone")
    for step in (0, 1000):
        fill(db, {f"b/{n:03}": {"n": n + step, "tags": [f"t{n % 7}"]} for n in numbers})
        assert counted(group.where(filter=where("n", ">=", step + 490))) == 10
        assert counted(group.where(filter=where("tags", "array_contains", "t3"))) == 71
    fill(db, {f"b/{n:03}": {"n": -1, "tags": ["gone"]} for n in numbers[100:]})
    assert [s.id for s in group.where(filter=high).limit(2).stream()] == ["000", "001"]
    assert counted(group.where(filter=gone)) == 400

    batch = db.batch()
    for n in numbers[100:]:
        batch.delete(db.document(f"b/{n:03}"))
    batch.commit()

    assert counted(group.where(filter=gone)) == 0
    assert counted(group.order_by("n")) == counted(group) == 100


def test_batch_write_takes_each_write_by_itself(wire: Wire) -> None:
    wire.commit(wire.update("b/taken", {"a": 1}))

    answer = wire.batch_write(
        wire.update("b/x", {"a": 1}),
        wire.create("b/taken", {"a": 2}),
        wire.patch("b/missing", {"a": 2}),
        wire.update("b/stale", {"a": 2}, current_document={"update_time": {"seconds": 1}}),
        wire.delete("b/gone"),
        wire.transform("b/n", {"field_path": "n", "increment": value(3)}),
    )

    assert [status.code for status in answer.status] == [
        StatusCode.OK.value[0],
        StatusCode.ALREADY_EXISTS.value[0],
        StatusCode.NOT_FOUND.value[0],
        StatusCode.FAILED_PRECONDITION.value[0],
        StatusCode.OK.value[0],
        StatusCode.OK.value[0],
    ]
    assert [bool(result.update_time) for result in answer.write_results] == [
        True,
        False,
        False,
        False,
        False,
        True,
    ]
    assert answer.write_results[5].transform_results[0].integer_value == 3
    assert [bool(read.found.name) for read in wire.get("b/x", "b/missing", "b/stale", "b/n")] == [
        True,
        False,
        False,
        True,
    ]


def test_batch_write_says_what_went_wrong(wire: Wire) -> None:
    wire.commit(wire.update("b/taken", {"a": 1}))

    answer = wire.batch_write(wire.create("b/taken", {"a": 2}))

    assert answer.status[0].message


def test_batch_write_takes_a_document_once(wire: Wire) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "more than once"):
        wire.batch_write(wire.update("b/x", {"a": 1}), wire.delete("b/x"))

    assert wire.get("b/x")[0].missing


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param({}, id="empty-write"),
        pytest.param(
            {"update": {"name": "b/x", "fields": {}}},
            id="broken-name",
        ),
        pytest.param(None, id="unset-value"),
    ],
)
def test_batch_write_of_an_invalid_write_writes_nothing(
    wire: Wire, bad: dict[str, Any] | None
) -> None:
    if bad is None:
        bad = {"update": {"name": wire.name("b/y"), "fields": {"v": raw_value()}}}

    with refused(StatusCode.INVALID_ARGUMENT):
        wire.batch_write(wire.update("b/x", {"a": 1}), bad)

    assert wire.get("b/x")[0].missing


def test_a_bulk_writer_writes_everything(db: firestore.Client) -> None:
    writer = db.bulk_writer()
    for n in range(45):
        writer.create(db.document(f"b/{n:02}"), {"n": n})
    writer.close()  # type: ignore[no-untyped-call]

    assert [s.get("n") for s in db.collection("b").stream()] == list(range(45))


def test_a_bulk_writer_reports_each_failure(db: firestore.Client) -> None:
    db.document("b/taken").set({"a": 1})
    failed: list[tuple[str, int]] = []
    written: list[str] = []

    def note(error: Any, _: Any) -> bool:
        failed.append((error.operation.reference.id, error.code))
        return False

    writer = db.bulk_writer()
    writer.on_write_error(note)
    writer.on_write_result(lambda reference, result, _: written.append(reference.id))
    writer.create(db.document("b/x"), {"a": 1})
    writer.create(db.document("b/taken"), {"a": 2})
    writer.update(db.document("b/missing"), {"a": 2})
    writer.delete(db.document("b/gone"))
    writer.close()  # type: ignore[no-untyped-call]

    assert sorted(failed) == [
        ("missing", StatusCode.NOT_FOUND.value[0]),
        ("taken", StatusCode.ALREADY_EXISTS.value[0]),
    ]
    assert sorted(written) == ["gone", "x"]
