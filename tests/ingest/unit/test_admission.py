"""What is let in: ids that a path can name, times that can be; of platforms, made so."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.ids import MAX_VECTOR_NAME, checked_id, namespace, vector_name
from shared.domain.messages.admission import (
    AHEAD,
    EARLIEST,
    Delivery,
    check_ids,
    check_times,
    with_possible_times,
)
from shared.domain.messages.message import GroupEvent, Message, Recall
from shared.errors import InvalidInput
from shared.runtime.limits import check_path
from shared.stores.vectors import vector_id

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TIMES = st.datetimes(timezones=st.just(UTC))


def delivery(kind: str, at: datetime, **changes: Any) -> Delivery:
    if kind == "recall":
        return Recall(group_id="test:1", message_id="m", recalled_at=at)
    if kind == "event":
        return GroupEvent(group_id="test:1", happening="renamed", at=at)
    fields = {"message_id": "m", "user_id": "u", "content": "x", "create_time": at, **changes}
    return Message(group_id="test:1", **fields)


KINDS = st.sampled_from(["message", "recall", "event"])


@given(KINDS, TIMES)
def test_a_time_is_refused_exactly_if_it_cannot_be(kind: str, at: datetime) -> None:
    is_possible = EARLIEST <= at <= NOW + AHEAD
    try:
        check_times(delivery(kind, at), NOW)
        assert is_possible
    except InvalidInput:
        assert not is_possible


@given(KINDS, TIMES)
def test_what_a_platform_says_is_always_made_possible(kind: str, at: datetime) -> None:
    sent = delivery(kind, at)
    made = with_possible_times(sent, NOW)

    check_times(made, NOW)
    assert with_possible_times(made, NOW) is made
    if EARLIEST <= at <= NOW + AHEAD:
        assert made is sent


def test_an_edit_of_the_year_9999_is_refused_too() -> None:
    edited = delivery("message", NOW, edited_at=datetime(9999, 1, 1, tzinfo=UTC))
    with pytest.raises(InvalidInput, match="edited_at"):
        check_times(edited, NOW)
    made = with_possible_times(edited, NOW)
    assert isinstance(made, Message)
    assert made.edited_at == NOW + AHEAD


@given(st.text(max_size=600))
def test_an_id_that_is_let_in_can_be_named_by_a_path(text: str) -> None:
    try:
        checked_id("id", text)
    except InvalidInput:
        return
    assert "/" not in text
    assert text not in ("", ".", "..")
    check_path(b"", f"/topics/{text}")


@pytest.mark.parametrize("bad", ["a/b", ".", "..", "a\nb", "\x00", "\ud800", "x" * 513, ""])
def test_ids_that_no_path_can_name(bad: str) -> None:
    with pytest.raises(InvalidInput):
        checked_id("id", bad)


@pytest.mark.parametrize("name", ["message_id", "reply_message_id"])
def test_an_id_of_our_own_making_is_refused(name: str) -> None:
    check_ids(delivery("message", NOW, message_id="recalled"))
    with pytest.raises(InvalidInput, match="recalled:"):
        check_ids(delivery("message", NOW, **{name: "recalled:m1"}))


@given(st.lists(st.text(min_size=1, max_size=513), min_size=2, max_size=2, unique=True))
def test_every_name_fits_the_vector_index_and_is_nobody_elses(texts: list[str]) -> None:
    texts = [text.encode(errors="replace").decode() for text in texts]
    names = [namespace(f"lark:{text}") for text in texts]
    ids = [vector_id("message", text) for text in texts]

    assert all(len(name) <= MAX_VECTOR_NAME and name.isascii() for name in [*names, *ids])
    if texts[0] != texts[1]:
        assert names[0] != names[1]
        assert ids[0] != ids[1]


def test_long_ids_that_begin_alike_have_names_of_their_own() -> None:
    long = "群" * 500
    assert namespace(f"lark:{long}a") != namespace(f"lark:{long}b")
    assert vector_id("message", f"{long}a") != vector_id("message", f"{long}b")
    assert vector_name("lark:oc_1") == "lark:oc_1"


def test_a_day_ahead_is_a_wrong_clock_and_not_an_attack() -> None:
    check_times(delivery("message", NOW + timedelta(hours=23)), NOW)
