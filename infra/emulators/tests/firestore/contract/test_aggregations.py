"""Count, sum and average."""

import math
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import types as messages
from grpc import StatusCode

from infra.emulators.tests.firestore.differences import differs
from infra.emulators.tests.firestore.documents import counted, fill, where
from infra.emulators.tests.firestore.wire import Message, Wire, order, refused, select

ABSENT = object()
MOST, LEAST = 2**63 - 1, -(2**63)


def _sum(path: str, alias: str = "s") -> Message:
    return {"alias": alias, "sum": {"field": {"field_path": path}}}


def _average(path: str, alias: str = "a") -> Message:
    return {"alias": alias, "avg": {"field": {"field_path": path}}}


def _count(alias: str = "c", **more: Any) -> Message:
    return {"alias": alias, "count": more}


def _plain(value: messages.Value) -> Any:
    """The value with its type: 3 and 3.0 are not the same answer."""
    raw = messages.Value.pb(value)
    kind = raw.WhichOneof("value_type")
    return None if kind == "null_value" else getattr(raw, kind)


def _summed(query: Any, path: str) -> Any:
    return query.sum(path).get()[0][0].value


def _fill(db: firestore.Client, values: list[Any]) -> None:
    fill(
        db,
        {
            f"n/{i}": {"i": i} if value is ABSENT else {"i": i, "v": value}
            for i, value in enumerate(values)
        },
    )


@pytest.mark.parametrize(
    ("values", "total", "mean"),
    [
        pytest.param([1, 2, 3], 6, 2.0, id="integers"),
        pytest.param([1.5, 2, 3], 6.5, 6.5 / 3, id="a-double-makes-a-double"),
        pytest.param([1.0, 2.0], 3.0, 1.5, id="whole-doubles"),
        pytest.param([1, "x", None, True, [1]], 1, 1.0, id="only-numbers-count"),
        pytest.param([1, ABSENT, 3], 4, 2.0, id="absent-fields"),
        pytest.param(["x", None], 0, None, id="no-numbers"),
        pytest.param([], 0, None, id="no-documents"),
        pytest.param([1, math.nan], math.nan, math.nan, id="nan"),
        pytest.param([math.inf, 1], math.inf, math.inf, id="infinity"),
        pytest.param([math.inf, -math.inf], math.nan, math.nan, id="infinities-cancel"),
        pytest.param([MOST, MOST], float(2**64), float(2**63), id="overflow-makes-a-double"),
        pytest.param([LEAST, -1], -float(2**63), -float(2**62), id="overflow-downwards"),
        pytest.param([MOST, 1, -5], MOST - 4, MOST / 3, id="overflow-on-the-way-only"),
        pytest.param([2**53, 1], 2**53 + 1, float(2**52), id="integers-are-summed-exactly"),
    ],
)
def test_sum_and_average(
    wire: Wire, db: firestore.Client, values: list[Any], total: Any, mean: Any
) -> None:
    _fill(db, values)

    found = wire.aggregate(select("n"), _sum("v"), _average("v"))

    s, a = _plain(found["s"]), _plain(found["a"])
    assert type(s) is type(total)
    assert s == pytest.approx(total, nan_ok=True) if isinstance(total, float) else s == total
    assert a is None if mean is None else a == pytest.approx(mean, nan_ok=True)


def test_the_sdk_counts_sums_and_averages_together(db: firestore.Client) -> None:
    _fill(db, [1, 2, 3.5])
    rows: Any = db.collection("n")
    query = rows.count(alias="all").sum("v", alias="sum").avg("v", alias="mean")

    found = {result.alias: result.value for result in query.get()[0]}

    assert found == {"all": 3, "sum": 6.5, "mean": pytest.approx(6.5 / 3)}


def test_count_of_an_empty_collection(db: firestore.Client) -> None:
    assert counted(db.collection("none")) == 0


def test_count_of_a_filtered_query(db: firestore.Client) -> None:
    _fill(db, [1, 2, 3, "x", None, ABSENT])

    assert counted(db.collection("n").where(filter=where("v", ">", 1))) == 2


def test_count_of_a_collection_group(db: firestore.Client) -> None:
    fill(db, {"a/1/n/1": {}, "a/2/n/1": {}, "n/1": {}, "m/1": {}})

    assert counted(db.collection_group("n")) == 3


def test_count_leaves_out_who_has_no_place_in_the_order(db: firestore.Client) -> None:
    _fill(db, [1, None, ABSENT])

    assert counted(db.collection("n").order_by("v")) == 2


def test_count_respects_limit_offset_and_cursors(db: firestore.Client) -> None:
    _fill(db, [1, 2, 3, 4, 5])
    query = db.collection("n").order_by("v")

    assert counted(query.limit(2)) == 2
    assert counted(query.offset(4)) == 1
    assert counted(query.offset(3).limit(9)) == 2
    assert counted(query.start_after({"v": 2}).end_at({"v": 4})) == 2


def test_count_stops_at_up_to(wire: Wire, db: firestore.Client) -> None:
    _fill(db, [1, 2, 3])

    assert _plain(wire.aggregate(select("n"), _count(up_to=2))["c"]) == 2
    assert _plain(wire.aggregate(select("n"), _count(up_to=9))["c"]) == 3


def test_a_sum_beside_a_count_counts_who_has_the_field(wire: Wire, db: firestore.Client) -> None:
    _fill(db, [1, 2, "x", ABSENT, None])

    alone = wire.aggregate(select("n"), _count())
    beside = wire.aggregate(select("n"), _count(), _sum("v"))

    assert _plain(alone["c"]) == 5
    assert (_plain(beside["c"]), _plain(beside["s"])) == (4, 3)


def test_sums_of_two_fields_need_both(wire: Wire, db: firestore.Client) -> None:
    fill(db, {"n/1": {"v": 1, "w": 10}, "n/2": {"v": 2}, "n/3": {"w": 30}})

    found = wire.aggregate(select("n"), _sum("v"), _sum("w", "t"))

    assert (_plain(found["s"]), _plain(found["t"])) == (1, 10)


def test_sum_reaches_into_maps(db: firestore.Client) -> None:
    fill(db, {"n/1": {"m": {"x": 1}}, "n/2": {"m": {"x": 2.5}}, "n/3": {"m": 9}})

    assert _summed(db.collection("n"), "m.x") == 3.5


def test_sum_of_a_limited_query(db: firestore.Client) -> None:
    _fill(db, [1, 2, 3, 4])

    query = db.collection("n").order_by("i", direction="DESCENDING").limit(2)

    assert _summed(query, "v") == 7


def test_a_limited_sum_leaves_out_who_lacks_the_field_first(
    wire: Wire, db: firestore.Client
) -> None:
    _fill(db, [1, 2, ABSENT, ABSENT, 5])
    last = {"order_by": [order("i", "DESCENDING")], "limit": 2}

    found = wire.aggregate(select("n", **last), _sum("v"), _count())

    assert (_plain(found["s"]), _plain(found["c"])) == (7, 2)


def test_a_limited_sum_without_an_order_takes_the_smallest(
    wire: Wire, db: firestore.Client
) -> None:
    _fill(db, [5, 1, 3, None, ABSENT])

    found = wire.aggregate(select("n", limit=3), _sum("v"), _count())

    # The summed field is an order nobody wrote, as an inequality's is: null, 1, 3.
    assert (_plain(found["s"]), _plain(found["c"])) == (4, 3)


def test_a_sum_cannot_follow_an_order_by_name(wire: Wire, db: firestore.Client) -> None:
    _fill(db, [1, 2])

    with refused(StatusCode.INVALID_ARGUMENT, "__name__"):
        wire.aggregate(select("n", order_by=[order("__name__")]), _sum("v"))


def test_aggregations_without_an_alias_are_numbered(wire: Wire, db: firestore.Client) -> None:
    _fill(db, [1, 2])

    found = wire.aggregate(select("n"), {"count": {}}, {"sum": {"field": {"field_path": "v"}}})

    assert {alias: _plain(value) for alias, value in found.items()} == {"field_1": 2, "field_2": 3}


@pytest.mark.parametrize(
    ("aggregations", "fragment"),
    [
        pytest.param([], "", id="none"),
        pytest.param([{"alias": "x"}], "", id="no-operator"),
        pytest.param([_count(), _count()], "duplicate", id="an-alias-twice"),
        pytest.param([_count("__x__")], "reserved", id="reserved-alias"),
        pytest.param([_count(up_to=-1)], "up_to", id="negative-up-to"),
        pytest.param([_sum("a..b")], "property path", id="broken-path"),
        pytest.param([_sum("__name__")], "", id="sum-of-names"),
        pytest.param(
            [_count(str(n)) for n in range(6)],
            "",
            id="more-than-five",
            marks=differs("Google's emulator answers UNKNOWN with no message"),
        ),
    ],
)
def test_a_bad_aggregation_is_refused(
    wire: Wire, aggregations: list[Message], fragment: str
) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.aggregate(select("n"), *aggregations)
