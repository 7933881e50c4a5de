"""The order of values: comparing encoded bytes is comparing values, by any two of them.

The comparator here knows nothing of bytes: it follows the documented rules on plain values.
"""

import math
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from google.cloud.firestore_v1 import DocumentReference, GeoPoint, _helpers
from google.cloud.firestore_v1.vector import Vector
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infra.emulators.firestore.protobuf import Message, Value
from infra.emulators.firestore.query import BEYOND, exactly, turned
from infra.emulators.firestore.values import descending, encode, type_bounds

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DATABASE = "projects/p/databases/(default)/documents"


class Name(str):
    """A reference's path within one database."""

    __slots__ = ()


def to_message(plain: Any) -> Message:
    if isinstance(plain, Name):
        return Value(reference_value=f"{DATABASE}/{plain}")
    if isinstance(plain, list):
        value = Value()
        value.array_value.values.extend(map(to_message, plain))
        value.array_value.SetInParent()
        return value
    if isinstance(plain, dict):
        value = Value()
        value.map_value.SetInParent()
        for key, item in plain.items():
            value.map_value.fields[key].CopyFrom(to_message(item))
        return value
    encoded = _helpers.encode_value(plain)
    return type(encoded).pb(encoded)


def rank(plain: Any) -> int:
    """The place of a value's type among types."""
    kinds: list[Any] = [
        lambda v: v is None,
        lambda v: v is False,
        lambda v: v is True,
        lambda v: isinstance(v, float) and math.isnan(v),
        lambda v: isinstance(v, int | float) and not isinstance(v, bool),
        lambda v: isinstance(v, datetime),
        lambda v: isinstance(v, str) and not isinstance(v, Name),
        lambda v: isinstance(v, bytes),
        lambda v: isinstance(v, Name),
        lambda v: isinstance(v, GeoPoint),
        lambda v: isinstance(v, list),
        lambda v: isinstance(v, Vector),
        lambda v: isinstance(v, dict),
    ]
    return next(place for place, is_kind in enumerate(kinds) if is_kind(plain))


def compare(left: Any, right: Any) -> int:
    """Negative, zero or positive, as the left value comes before, with or after the right."""
    if rank(left) != rank(right):
        return rank(left) - rank(right)
    if isinstance(left, Name):
        return _order(_segments(left), _segments(right))
    if isinstance(left, str):
        return _order([ord(char) for char in left], [ord(char) for char in right])
    if isinstance(left, GeoPoint):
        there = (right.latitude, right.longitude)
        return _order((left.latitude, left.longitude), there)
    if isinstance(left, list):
        return _compare_all(left, right) or len(left) - len(right)
    if isinstance(left, Vector):
        return len(left) - len(right) or _order(list(left), list(right))
    if isinstance(left, dict):
        pairs = [[item for key in sorted(one) for item in (key, one[key])] for one in (left, right)]
        return _compare_all(*pairs) or len(left) - len(right)
    if left is None or isinstance(left, bool) or rank(left) == 3:
        return 0
    if isinstance(left, int | float):
        return _order(_exact(left), _exact(right))
    return _order(left, right)


def _exact(number: float) -> Any:
    if isinstance(number, float) and math.isinf(number):
        return number
    return Fraction(number)


def _segments(path: str) -> list[Any]:
    """Numbers come before texts."""
    out: list[tuple[int, Any]] = []
    for segment in path.split("/"):
        number = segment[4:-2] if segment.startswith("__id") and segment.endswith("__") else ""
        out.append((0, int(number)) if number else (1, segment.encode()))
    return out


def _compare_all(left: list[Any], right: list[Any]) -> int:
    for one, two in zip(left, right, strict=False):
        if found := compare(one, two):
            return found
    return 0


def _order(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["", "\0", "\0\0", "\x01", "a\0", "a\x01", "a", "b", "é", "字", "\U0001f600", "\uffff"]
)
large = st.integers(2**53 - 3, 2**53 + 3) | st.integers(2**63 - 1030, 2**63 - 1)
integers = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3) | large | large.map(lambda n: -n)
doubles = st.floats() | integers.map(float) | st.sampled_from([-0.0, 5e-324, -5e-324, 2.0**63])
ids = st.from_regex(r"[a-z]{1,3}", fullmatch=True) | st.integers(-3, 3).map(lambda n: f"__id{n}__")
plain = st.one_of(
    st.none(),
    st.booleans(),
    integers,
    doubles,
    st.integers(-(10**12), 10**12).map(lambda n: EPOCH + timedelta(microseconds=n)),
    texts,
    st.binary(max_size=6) | st.sampled_from([b"\0", b"\0\1", b"\1", b"\xff"]),
    st.lists(st.tuples(ids, ids), min_size=1, max_size=2).map(
        lambda parts: Name("/".join(segment for pair in parts for segment in pair))
    ),
    st.builds(GeoPoint, st.floats(-90, 90), st.floats(-180, 180)),
)
values = st.one_of(
    plain,
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=3).map(Vector),
    st.lists(plain, max_size=3),
    st.dictionaries(texts, plain, max_size=3),
    st.dictionaries(texts, st.lists(plain, max_size=2) | st.dictionaries(texts, plain, max_size=2)),
)


@settings(deadline=None)
@given(values, values)
@example(2**53, 2.0**53)
@example(2**53 + 1, 2.0**53)
@example(2**63 - 1, 2.0**63)
@example(-0.0, 0)
@example({"a": 1}, {"a": 1, "b": 0})
@example({"b": 0}, {"a": 1, "b": 0})
@example("a", "a\0")
@example([1], [1, None])
@example(Vector([9.0]), Vector([1.0, 1.0]))
def test_bytes_compare_as_values_do(left: Any, right: Any) -> None:
    one, two = encode(to_message(left)), encode(to_message(right))

    assert _order(one, two) == _order(compare(left, right), 0)
    assert _order(descending(two), descending(one)) == _order(one, two)


@settings(deadline=None)
@given(values, values, values)
def test_one_after_another_they_compare_one_after_another(a: Any, b: Any, c: Any) -> None:
    """No encoding is the beginning of another, so that several can stand in one index key."""
    one, two, three = (encode(to_message(value)) for value in (a, b, c))

    if one != two:
        assert not two.startswith(one)
        assert _order(one + three, two) == _order(one, two)
        assert _order(descending(one) + three, descending(two)) == _order(two, one)


@settings(deadline=None)
@given(values, values)
def test_a_boundary_splits_the_same_values_in_either_direction(a: Any, b: Any) -> None:
    value, other = encode(to_message(a)), encode(to_message(b))

    for boundary in exactly(value):
        assert (other < boundary) is not (descending(other) < turned(boundary))
    assert not value.endswith(BEYOND)


@settings(deadline=None)
@given(values, values)
def test_a_type_has_its_values_between_its_bounds(a: Any, b: Any) -> None:
    low, high = type_bounds(encode(to_message(a)))
    kinds = (rank(a), rank(b))

    inside = low <= encode(to_message(b)) < high
    assert inside is (kinds[0] == kinds[1] or set(kinds) == {1, 2})


@pytest.mark.parametrize("number", [0, 1, -1, 2**53, -(2**53), 2**62])
def test_an_integer_and_the_double_of_the_same_worth_are_equal(number: int) -> None:
    assert encode(to_message(number)) == encode(to_message(float(number)))


def test_references_of_other_databases_do_not_mix() -> None:
    names = [
        "projects/a/databases/(default)/documents/x/y",
        "projects/a/databases/other/documents/b/b",
        "projects/b/databases/(default)/documents/a/a",
    ]
    encoded = [encode(Value(reference_value=name)) for name in names]

    assert encoded == sorted(encoded)
    assert DocumentReference("x", "y").path == "x/y"
