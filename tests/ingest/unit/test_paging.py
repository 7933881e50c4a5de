"""A page's cursor comes back as it was written; anything else is refused."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.contracts.api import PagePlace, read_place, write_place
from shared.errors import InvalidInput


@given(
    st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2999, 1, 1)),  # noqa: DTZ001
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50),
)
def test_a_cursor_says_what_was_put_into_it(at: datetime, record_id: str) -> None:
    place = PagePlace(at.replace(tzinfo=UTC), record_id)

    assert read_place(write_place(place)) == place


@pytest.mark.parametrize("cursor", ["x", "é", "bnVsbA", "W10", "WyIyMDIwIiwgIiJd", "%%%", "e30"])
def test_what_no_page_gave_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        read_place(cursor)
