"""Texts and lists cut to a number of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from shared.language import CUT, estimate_tokens, first_that_fit, shortened


@given(st.text(max_size=300), st.integers(1, 80))
def test_a_shortened_text_has_room_and_begins_as_the_whole(text: str, room: int) -> None:
    short = shortened(text, room)

    assert estimate_tokens(short) <= room
    assert short == text or text.startswith(short.removesuffix(CUT))


@given(st.lists(st.text(min_size=1, max_size=40)), st.integers(0, 60))
def test_the_list_ends_with_the_first_that_has_no_room(texts: list[str], room: int) -> None:
    kept = first_that_fit(texts, str, room)

    assert texts[: len(kept)] == kept
    assert sum(map(estimate_tokens, kept)) <= room
    if len(kept) < len(texts):
        more = estimate_tokens(texts[len(kept)])
        assert sum(map(estimate_tokens, kept)) + more > room
