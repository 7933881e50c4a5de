"""The measures of bench.quality.topics, as they are defined."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.quality.topic_scores import Tally, best_assignment, connected

GAINS = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=5
    )
)


@given(GAINS)
def test_the_best_assignment_is_the_best_of_all(gains: list[list[int]]) -> None:
    rows, columns = len(gains), len(gains[0])
    wide = gains if rows <= columns else [list(column) for column in zip(*gains, strict=True)]
    best = max(
        sum(wide[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(range(len(wide[0])), len(wide))
    )

    assert best_assignment(gains) == best


def test_links_connect_conversations() -> None:
    found = connected("abcdef", [("b", "a"), ("d", "c"), ("e", "b"), ("f", "f")])

    assert {key for key, talk in found.items() if talk == found["a"]} == {"a", "b", "e"}
    assert {key for key, talk in found.items() if talk == found["c"]} == {"c", "d"}
    assert {key for key, talk in found.items() if talk == found["f"]} == {"f"}


def test_what_is_predicted_right_reaches_a_hundred() -> None:
    gold = {("a", "a"), ("b", "a"), ("c", "c"), ("d", "c")}
    tally = Tally()
    tally.add("abcd", gold, gold, connected("abcd", gold), connected("abcd", gold))

    assert tally.scores().values == (100, 100, 100)


def test_a_conversation_of_one_counts_for_links_and_overlap_but_is_no_exact_match() -> None:
    gold = {("a", "a"), ("b", "a"), ("c", "c"), ("d", "c")}
    predicted = {("a", "a"), ("b", "a"), ("c", "c"), ("d", "d")}
    tally = Tally()
    tally.add("abcd", gold, predicted, connected("abcd", gold), connected("abcd", predicted))
    scores = tally.scores()

    assert scores.link == 75
    assert scores.exact == pytest.approx(100 * 2 / 3)
    assert scores.one_to_one == 75
