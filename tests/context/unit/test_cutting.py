"""Long lines cut around the words that match."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.context.cutting import cut_around
from shared.language import estimate_tokens


def test_a_long_line_is_cut_around_the_words_that_match() -> None:
    text = "padding word " * 200 + "the door code is 4711 " + "more padding " * 200
    cut = cut_around(text, ["code", "door"], 40)
    assert "door code is 4711" in cut
    assert estimate_tokens(cut) <= 40


def test_a_line_with_room_is_left_as_it_is() -> None:
    assert cut_around("short enough", ["enough"], 40) == "short enough"


@given(st.text(max_size=600), st.lists(st.text(min_size=1, max_size=6)), st.integers(5, 80))
def test_a_cut_text_never_costs_more_than_its_room(text: str, words: list[str], room: int) -> None:
    assert estimate_tokens(cut_around(text, words, room)) <= room
