"""On the wire a document is, byte for byte, what the SDK would send, and is read as it would."""

from datetime import UTC
from typing import Any

from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud.firestore_v1 import (
    DELETE_FIELD,
    SERVER_TIMESTAMP,
    Increment,
    LastUpdateOption,
    _helpers,
)
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.memory import MemoryStatus
from shared.stores.firestore.encoding import (
    GONE,
    SERVER_TIME,
    Plus,
    decoded,
    merged_fields,
    named_fields,
    whole_document,
)

NAME = "projects/p/databases/(default)/documents/groups/lark:1/messages/m1"
FIELDS = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
NAMES = FIELDS | st.sampled_from(["a.b", "a b", "é", "0", "back`tick", "back\\slash"])
"""Some must be quoted where a path names them."""
TIMES = st.datetimes(timezones=st.just(UTC)).filter(lambda at: 1971 <= at.year <= 2100)
NANOSECONDS = st.builds(
    lambda at, ns: DatetimeWithNanoseconds(*at.timetuple()[:6], nanosecond=ns, tzinfo=UTC),  # type: ignore[no-untyped-call]
    TIMES,
    st.integers(0, 999_999_999),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False),
        st.text(),
        st.binary(),
        st.sampled_from(MemoryStatus),
        TIMES,
        NANOSECONDS,
    ),
    lambda inner: st.lists(inner).map(tuple) | st.lists(inner) | st.dictionaries(FIELDS, inner),
    max_leaves=12,
)


COUNTS = st.builds(Plus, st.integers(-1000, 1000) | st.floats(-10, 10))


def as_the_sdk_says_it(data: dict[str, Any]) -> dict[str, Any]:
    """With the SDK's own words for what the database works out."""

    def said(value: Any) -> Any:
        if isinstance(value, Plus):
            return Increment(value.amount)
        if isinstance(value, dict):
            return as_the_sdk_says_it(value)
        if value is SERVER_TIME:
            return SERVER_TIMESTAMP
        return DELETE_FIELD if value is GONE else value

    return {name: said(value) for name, value in data.items()}


def assert_same(sent: Any, expected: Any) -> None:
    pair = [sent, type(expected).pb(expected)]
    for one in pair:
        one.update_transforms.sort(key=lambda transform: transform.field_path)
        one.update_mask.field_paths.sort()

    assert pair[0] == pair[1]


@given(st.dictionaries(NAMES, VALUES | st.just(SERVER_TIME) | COUNTS, max_size=8), st.booleans())
def test_a_whole_document_is_what_the_sdk_would_send(data: dict[str, Any], is_new: bool) -> None:
    make = _helpers.pbs_for_create if is_new else _helpers.pbs_for_set_no_merge
    (expected,) = make(NAME, as_the_sdk_says_it(data))

    assert_same(whole_document(NAME, data, is_new=is_new), expected)


@given(st.dictionaries(FIELDS, VALUES, max_size=8))
def test_a_document_is_read_as_the_sdk_would_read_it(data: dict[str, Any]) -> None:
    (written,) = _helpers.pbs_for_set_no_merge(NAME, data)
    fields = type(written).pb(written).update.fields
    expected = _helpers.decode_dict(fields, None)

    assert decoded(fields) == expected
    assert repr(decoded(fields)) == repr(expected)


@given(
    st.dictionaries(
        FIELDS,
        VALUES | st.sampled_from([SERVER_TIME, GONE]) | COUNTS,
        min_size=1,
        max_size=8,
    ),
    st.none() | NANOSECONDS,
)
def test_named_fields_are_what_the_sdk_would_send(
    data: dict[str, Any], since: DatetimeWithNanoseconds | None
) -> None:
    option = LastUpdateOption(since.timestamp_pb()) if since else None  # type: ignore[no-untyped-call]
    (expected,) = _helpers.pbs_for_update(NAME, as_the_sdk_says_it(data), option)

    assert_same(named_fields(NAME, data, since), expected)


LEAVES = VALUES.filter(lambda value: not isinstance(value, dict)) | COUNTS
MERGED = st.recursive(
    st.dictionaries(NAMES, LEAVES | st.sampled_from([SERVER_TIME, GONE]), max_size=4),
    lambda inner: st.dictionaries(NAMES, inner | LEAVES, max_size=3),
    max_leaves=8,
)


@given(MERGED)
def test_merged_fields_are_what_the_sdk_would_send(data: dict[str, Any]) -> None:
    (expected,) = _helpers.pbs_for_set_with_merge(NAME, as_the_sdk_says_it(data), True)

    assert_same(merged_fields(NAME, data), expected)
