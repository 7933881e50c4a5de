"""On the wire a document is, byte for byte, what the SDK would send, and is read as it would."""

from datetime import UTC
from typing import Any

import pytest
from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud.firestore_v1 import (
    DELETE_FIELD,
    SERVER_TIMESTAMP,
    ArrayUnion,
    Increment,
    LastUpdateOption,
    _helpers,
)
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.memory import MemoryStatus
from shared.stores.firestore_encoding import decoded, named_fields, whole_document

NAME = "projects/p/databases/(default)/documents/groups/lark:1/messages/m1"
FIELDS = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
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


@given(st.dictionaries(FIELDS, VALUES | st.just(SERVER_TIMESTAMP), max_size=8), st.booleans())
def test_a_whole_document_is_what_the_sdk_would_send(data: dict[str, Any], is_new: bool) -> None:
    make = _helpers.pbs_for_create if is_new else _helpers.pbs_for_set_no_merge
    (expected,) = make(NAME, data)
    sent = type(expected).pb(whole_document(NAME, data, is_new=is_new))
    pair = [sent, type(expected).pb(expected)]
    for one in pair:
        one.update_transforms.sort(key=lambda transform: transform.field_path)

    assert pair[0] == pair[1]


@given(st.dictionaries(FIELDS, VALUES, max_size=8))
def test_a_document_is_read_as_the_sdk_would_read_it(data: dict[str, Any]) -> None:
    (written,) = _helpers.pbs_for_set_no_merge(NAME, data)
    fields = type(written).pb(written).update.fields
    expected = _helpers.decode_dict(fields, None)

    assert decoded(fields) == expected
    assert repr(decoded(fields)) == repr(expected)


@given(
    st.dictionaries(
        FIELDS, VALUES | st.sampled_from([SERVER_TIMESTAMP, DELETE_FIELD]), min_size=1, max_size=8
    ),
    st.none() | NANOSECONDS,
)
def test_named_fields_are_what_the_sdk_would_send(
    data: dict[str, Any], since: DatetimeWithNanoseconds | None
) -> None:
    option = LastUpdateOption(since.timestamp_pb()) if since else None  # type: ignore[no-untyped-call]
    (expected,) = _helpers.pbs_for_update(NAME, data, option)
    sent = type(expected).pb(named_fields(NAME, data, since))
    pair = [sent, type(expected).pb(expected)]
    for one in pair:
        one.update_transforms.sort(key=lambda transform: transform.field_path)
        one.update_mask.field_paths.sort()

    assert pair[0] == pair[1]


@pytest.mark.parametrize(
    "data", [{"a.b": 1}, {"a b": 1}, {"é": 1}, {"n": Increment(1)}, {"n": ArrayUnion([1])}]
)
def test_what_only_the_sdk_can_send_is_left_to_it(data: dict[str, Any]) -> None:
    assert named_fields(NAME, data, None) is None
