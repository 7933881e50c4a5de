"""A payload may have any shape at all: it is normalised or refused, and never half of either."""

import copy
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.messages.analyser import analyse
from shared.domain.messages.message import MAX_CONTENT_BYTES, Message
from shared.errors import InvalidInput
from tests.platforms.clients import MODULES
from tests.platforms.fixtures import Case, cases

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)

CASES = {platform: cases(platform) for platform in MODULES}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += _paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += _paths(inner, (*path, index))
    return found


@st.composite
def damaged(draw: st.DrawFn, case: Case) -> dict[str, Any]:
    """The payload with one to three of its values replaced by anything, or gone."""
    payload = copy.deepcopy(case.payload)
    for _ in range(draw(st.integers(1, 3))):
        paths = _paths(payload)
        if not paths:
            break
        *way, last = draw(st.sampled_from(paths))
        place: Any = payload
        for step in way:
            place = place[step]
        if draw(st.booleans()):
            place[last] = draw(ANYTHING)
        else:
            del place[last]
    return payload


def _check(platform: str, payload: dict[str, Any]) -> None:
    try:
        arrivals = MODULES[platform].normalise(payload)
    except InvalidInput:
        return
    assert arrivals
    for arrival in arrivals:
        if isinstance(arrival, Message):
            assert arrival.group_id.startswith(f"{platform}:")
            assert "/" not in arrival.group_id
            assert 0 < len(arrival.content.encode()) <= MAX_CONTENT_BYTES
            assert arrival.create_time.utcoffset() == timedelta(0)
            analyse(arrival)


@pytest.mark.parametrize("platform", MODULES)
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_a_damaged_payload_is_normalised_or_refused(platform: str, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(CASES[platform]))

    _check(platform, data.draw(damaged(case)))


@pytest.mark.parametrize("platform", MODULES)
@given(payload=st.dictionaries(st.text(max_size=8), ANYTHING, max_size=4))
@settings(deadline=None)
def test_any_object_at_all_is_normalised_or_refused(platform: str, payload: dict[str, Any]) -> None:
    _check(platform, payload)
