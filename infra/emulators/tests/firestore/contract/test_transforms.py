"""Field transforms: server time, increment, maximum, minimum, array union and remove."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import types as messages
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import moment
from infra.emulators.tests.firestore.wire import Wire, refused, value

MOST, LEAST = 2**63 - 1, -(2**63)
ABSENT = object()


def same(left: Any, right: Any) -> bool:
    """Equal, of one type, signs of zeros and NaN included."""
    return repr(left) == repr(right) and type(left) is type(right)


def _transformed(db: firestore.Client, before: Any, transform: Any) -> Any:
    db.document("t/x").set({} if before is ABSENT else {"f": before})
    db.document("t/x").update({"f": transform})
    return db.document("t/x").get().get("f")


@pytest.mark.parametrize(
    ("before", "by", "after"),
    [
        pytest.param(1, 2, 3, id="integers"),
        pytest.param(1, -3, -2, id="downwards"),
        pytest.param(1, 1.5, 2.5, id="integer-by-double"),
        pytest.param(1.5, 1, 2.5, id="double-by-integer"),
        pytest.param(1, 0.0, 1.0, id="a-zero-double-makes-a-double"),
        pytest.param(ABSENT, 5, 5, id="absent-field"),
        pytest.param(None, 5, 5, id="null"),
        pytest.param("text", 5, 5, id="text-is-replaced"),
        pytest.param([1], 5, 5, id="array-is-replaced"),
        pytest.param(MOST, 1, MOST, id="saturates-upwards"),
        pytest.param(LEAST, -1, LEAST, id="saturates-downwards"),
        pytest.param(MOST, 1.0, float(2**63), id="a-double-does-not-saturate"),
        pytest.param(1.7e308, 1.7e308, math.inf, id="doubles-overflow-to-infinity"),
        pytest.param(math.nan, 1, math.nan, id="nan-stays"),
        pytest.param(1, math.nan, math.nan, id="by-nan"),
        pytest.param(math.inf, -math.inf, math.nan, id="infinities-cancel"),
        pytest.param(-0.0, 0, 0.0, id="minus-zero-and-zero"),
    ],
)
def test_increment(db: firestore.Client, before: Any, by: Any, after: Any) -> None:
    assert same(_transformed(db, before, firestore.Increment(by)), after)


@pytest.mark.parametrize(
    ("before", "operand", "after"),
    [
        pytest.param(1, 2, 2, id="greater"),
        pytest.param(5, 2, 5, id="smaller"),
        pytest.param(1, 1.5, 1.5, id="mixed-takes-the-greater-type"),
        pytest.param(2, 2.0, 2, id="equal-keeps-the-stored"),
        pytest.param(2.0, 2, 2.0, id="equal-keeps-the-stored-double"),
        pytest.param(-0.0, 0, -0.0, id="zeros-are-equal"),
        pytest.param(1, math.nan, math.nan, id="nan-operand"),
        pytest.param(math.nan, 1, math.nan, id="nan-stored"),
        pytest.param("a", 1, 1, id="text-is-replaced"),
        pytest.param(ABSENT, 3, 3, id="absent-field"),
    ],
)
def test_maximum(db: firestore.Client, before: Any, operand: Any, after: Any) -> None:
    assert same(_transformed(db, before, firestore.Maximum(operand)), after)


@pytest.mark.parametrize(
    ("before", "operand", "after"),
    [
        pytest.param(2, 1, 1, id="smaller"),
        pytest.param(1, 5, 1, id="greater"),
        pytest.param(2, 1.5, 1.5, id="mixed-takes-the-smaller-type"),
        pytest.param(2, 2.0, 2, id="equal-keeps-the-stored"),
        pytest.param(2.0, 2, 2.0, id="equal-keeps-the-stored-double"),
        pytest.param(0, -0.0, 0, id="zeros-are-equal"),
        pytest.param(0.0, -0.0, 0.0, id="zero-doubles-are-equal"),
        pytest.param(1, math.nan, math.nan, id="nan-operand"),
        pytest.param(math.nan, 1, math.nan, id="nan-stored"),
        pytest.param(None, 1, 1, id="null-is-replaced"),
        pytest.param(ABSENT, 3, 3, id="absent-field"),
    ],
)
def test_minimum(db: firestore.Client, before: Any, operand: Any, after: Any) -> None:
    assert same(_transformed(db, before, firestore.Minimum(operand)), after)


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        pytest.param([1, 2], [2, 3], [1, 2, 3], id="only-the-missing"),
        pytest.param([1, 1], [2], [1, 1, 2], id="what-was-there-twice-stays"),
        pytest.param([1], [3, 3, 3.0], [1, 3], id="the-first-of-equals"),
        pytest.param([1, 2], [2.0], [1, 2], id="integer-equals-double"),
        pytest.param([2.0], [2], [2.0], id="double-equals-integer"),
        pytest.param([0], [-0.0], [0], id="zeros-are-equal"),
        pytest.param([2**53 + 1], [float(2**53)], [2**53 + 1, float(2**53)], id="exact-numbers"),
        pytest.param([math.nan], [math.nan], [math.nan], id="nan-equals-nan"),
        pytest.param([None], [None], [None], id="null-equals-null"),
        pytest.param([{"a": 1}], [{"a": 1.0}, {"a": 2}], [{"a": 1}, {"a": 2}], id="maps"),
        pytest.param(ABSENT, [1, 2], [1, 2], id="absent-field"),
        pytest.param("text", [1], [1], id="text-is-replaced"),
        pytest.param({"a": 1}, [1], [1], id="map-is-replaced"),
    ],
)
def test_array_union(db: firestore.Client, before: Any, added: list[Any], after: Any) -> None:
    assert same(_transformed(db, before, firestore.ArrayUnion(added)), after)


@pytest.mark.parametrize(
    ("before", "removed", "after"),
    [
        pytest.param([1, 2, 1, 3], [1], [2, 3], id="every-occurrence"),
        pytest.param([1, 2], [5], [1, 2], id="nothing-to-remove"),
        pytest.param([1, 2.0, 2], [2], [1], id="integer-removes-double"),
        pytest.param([1, 2.0, 2], [2.0], [1], id="double-removes-integer"),
        pytest.param([0, 0.0, -0.0], [-0.0], [], id="zeros-are-equal"),
        pytest.param([math.nan, 1], [math.nan], [1], id="nan"),
        pytest.param([None, 1], [None], [1], id="null"),
        pytest.param([{"a": 1}, {"a": 2}], [{"a": 1.0}], [{"a": 2}], id="maps"),
        pytest.param(ABSENT, [1], [], id="absent-field"),
        pytest.param("text", [1], [], id="text-is-replaced"),
    ],
)
def test_array_remove(db: firestore.Client, before: Any, removed: list[Any], after: Any) -> None:
    assert same(_transformed(db, before, firestore.ArrayRemove(removed)), after)


def test_server_time_is_the_commit_s_to_the_millisecond(db: firestore.Client) -> None:
    before = db.document("t/before").set({})
    result = db.document("t/x").set({"at": firestore.SERVER_TIMESTAMP})

    at = db.document("t/x").get().get("at")

    assert moment(before.update_time) - timedelta(milliseconds=1) < at
    assert at <= moment(result.update_time)
    assert at.microsecond % 1000 == 0


def test_server_time_is_one_for_all_fields_of_a_commit(db: firestore.Client) -> None:
    now = firestore.SERVER_TIMESTAMP
    batch = db.batch()
    batch.set(db.document("t/x"), {"a": now, "m": {"b": now}})
    batch.set(db.document("t/y"), {"a": now})
    batch.commit()

    x, y = db.document("t/x").get(), db.document("t/y").get()

    assert x.get("a") == x.get("m.b") == y.get("a")
    assert x.get("a") > datetime(2020, 1, 1, tzinfo=UTC)


def test_transforms_work_on_a_missing_document(db: firestore.Client) -> None:
    db.document("t/x").set(
        {"n": firestore.Increment(2), "l": firestore.ArrayUnion(["a"])}, merge=True
    )

    assert db.document("t/x").get().to_dict() == {"n": 2, "l": ["a"]}


def test_transforms_join_plain_fields(db: firestore.Client) -> None:
    db.document("t/x").set({"n": 1, "m": {"n": 1, "k": 1}, "old": 1})
    db.document("t/x").update({"m.n": firestore.Increment(4), "plain": 2})

    assert db.document("t/x").get().to_dict() == {
        "n": 1,
        "m": {"n": 5, "k": 1},
        "old": 1,
        "plain": 2,
    }


def test_a_set_with_a_transform_forgets_the_old_value(db: firestore.Client) -> None:
    db.document("t/x").set({"n": 7, "z": 1})
    db.document("t/x").set({"a": 5, "n": firestore.Increment(1)})

    assert db.document("t/x").get().to_dict() == {"a": 5, "n": 1}


def test_a_merge_with_a_transform_builds_on_the_old_value(db: firestore.Client) -> None:
    db.document("t/x").set({"n": 7, "z": 1})
    db.document("t/x").set({"a": 5, "n": firestore.Increment(1)}, merge=True)

    assert db.document("t/x").get().to_dict() == {"a": 5, "n": 8, "z": 1}


def test_an_update_with_only_a_transform_keeps_the_rest(db: firestore.Client) -> None:
    db.document("t/x").set({"n": 7, "z": 1})
    db.document("t/x").update({"n": firestore.Increment(1)})

    assert db.document("t/x").get().to_dict() == {"n": 8, "z": 1}


def test_an_update_with_a_transform_needs_the_document(db: firestore.Client) -> None:
    with refused(StatusCode.NOT_FOUND):
        db.document("t/x").update({"n": firestore.Increment(1)})


def test_a_transform_below_a_number_makes_a_map(db: firestore.Client) -> None:
    db.document("t/x").set({"n": 7})
    db.document("t/x").update({"n.deep.er": firestore.Increment(1)})

    assert db.document("t/x").get().to_dict() == {"n": {"deep": {"er": 1}}}


def test_results_come_in_the_order_of_the_transforms(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"a": 1, "z": 5, "l": [1]}))

    answer = wire.commit(
        wire.transform(
            "t/x",
            {"field_path": "z", "maximum": value(3)},
            {"field_path": "l", "append_missing_elements": {"values": [value(2)]}},
            {"field_path": "a", "increment": value(1)},
            {"field_path": "t", "set_to_server_value": "REQUEST_TIME"},
            {"field_path": "b", "minimum": value(2.5)},
            {"field_path": "l", "remove_all_from_array": {"values": [value(1)]}},
        )
    )

    z, union, a, at, b, removed = answer.write_results[0].transform_results
    assert (z.integer_value, a.integer_value, b.double_value) == (5, 2, 2.5)
    for array in (union, removed):
        assert messages.Value.pb(array).WhichOneof("value_type") == "null_value"
    (stored,) = wire.get("t/x")
    assert stored.found.fields["t"] == at
    assert [item.integer_value for item in stored.found.fields["l"].array_value.values] == [2]


def test_two_transforms_of_one_field_apply_one_after_the_other(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))

    answer = wire.commit(
        wire.transform(
            "t/x",
            {"field_path": "n", "increment": value(1)},
            {"field_path": "n", "maximum": value(10)},
            {"field_path": "n", "increment": value(1)},
        )
    )

    results = answer.write_results[0].transform_results
    assert [result.integer_value for result in results] == [2, 10, 11]


def test_an_update_and_its_transforms_are_one_write(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 7, "z": 1}))
    increment = {"field_path": "n", "increment": value(1)}

    answer = wire.commit(wire.update("t/x", {"n": 5}, mask=["n"], update_transforms=[increment]))

    assert answer.write_results[0].transform_results[0].integer_value == 6
    assert len(answer.write_results) == 1


@pytest.mark.parametrize(
    "transforms",
    [
        pytest.param([{"field_path": "f", "increment": value("1")}], id="increment-by-text"),
        pytest.param([{"field_path": "f", "maximum": value(None)}], id="maximum-of-null"),
        pytest.param([{"field_path": "f", "minimum": value(True)}], id="minimum-of-a-boolean"),
        pytest.param(
            [{"field_path": "f", "set_to_server_value": 0}], id="unspecified-server-value"
        ),
        pytest.param([{"field_path": "f"}], id="no-transform"),
        pytest.param([], id="no-fields"),
        pytest.param([{"field_path": "", "increment": value(1)}], id="empty-path"),
        pytest.param([{"field_path": "a..b", "increment": value(1)}], id="broken-path"),
        pytest.param(
            [
                {"field_path": "f", "increment": value(1)},
                {"field_path": "f.g", "increment": value(1)},
            ],
            id="a-field-and-a-field-inside-it",
        ),
    ],
)
def test_a_bad_transform_is_refused(wire: Wire, transforms: list[dict[str, Any]]) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.transform("t/x", *transforms))

    assert wire.get("t/x")[0].missing
