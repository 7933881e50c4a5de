"""How a budget is spent on ranked lines."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.ranking.spending import LONG, cut_around, spend
from shared.language import estimate_tokens


def test_whole_lines_are_taken_best_first_and_smaller_ones_fill_what_is_left() -> None:
    spent = spend([2, 0, 1], [50, 30, 60], 100)
    assert [(one.line, one.tokens) for one in spent] == [(2, 60), (1, 30)]


def test_the_reply_chain_comes_first() -> None:
    assert spend([0, 1, 2], [50, 50, 50], 100, needed=[2])[0].line == 2


def test_a_paste_leaves_half_of_the_budget_to_the_others() -> None:
    spent = spend([0, 1, 2], [5_000, 80, 80], 500)
    assert [(one.line, one.tokens) for one in spent] == [(0, 250), (1, 80), (2, 80)]


def test_the_first_line_of_a_day_pays_for_naming_the_day() -> None:
    spent = spend([0, 1, 2], [40, 40, 40], 100, days=["mon", "mon", "tue"], day_cost=10)
    assert [one.line for one in spent] == [0, 1]


def test_a_long_line_is_cut_around_the_words_that_match() -> None:
    text = "padding word " * 200 + "the door code is 4711 " + "more padding " * 200
    cut = cut_around(text, ["code", "door"], 40)
    assert "door code is 4711" in cut
    assert estimate_tokens(cut) <= 40


def test_a_line_with_room_is_left_as_it_is() -> None:
    assert cut_around("short enough", ["enough"], 40) == "short enough"


@given(
    st.lists(st.integers(1, 900), max_size=30),
    st.integers(0, 3_000),
    st.integers(0, 12),
)
def test_the_budget_is_never_exceeded_and_only_long_lines_are_cut(
    costs: list[int], budget: int, day_cost: int
) -> None:
    days = [str(n % 4) for n in range(len(costs))]
    spent = spend(range(len(costs)), costs, budget, days=days, day_cost=day_cost)
    shown = {days[one.line] for one in spent}
    assert sum(one.tokens for one in spent) + day_cost * len(shown) <= budget
    assert len({one.line for one in spent}) == len(spent)
    assert all(one.tokens == costs[one.line] or costs[one.line] > LONG for one in spent)


@given(st.text(max_size=600), st.lists(st.text(min_size=1, max_size=6)), st.integers(5, 80))
def test_a_cut_text_never_costs_more_than_its_room(text: str, words: list[str], room: int) -> None:
    assert estimate_tokens(cut_around(text, words, room)) <= room
