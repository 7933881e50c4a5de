"""How well a line replies to a question by meaning, from the vectors that are stored with lines."""

from shared.domain.recall.reply_meaning import reply_scores
from shared.domain.similarity.vectors import pack_half
from tests.context.chat import said

ALIKE, OTHER = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]


def test_of_a_model_that_nobody_fitted_it_is_the_cosine() -> None:
    lines = [
        said(1, vector=pack_half([2.0, 0.0, 0.0]), vector_model="new"),
        said(2, vector=pack_half(OTHER), vector_model="new"),
    ]

    assert reply_scores(ALIKE, lines, "new") == {"m1": 1.0, "m2": 0.0}


def test_a_line_without_a_vector_of_this_model_is_left_out() -> None:
    lines = [
        said(1),
        said(2, vector=pack_half(ALIKE), vector_model="old"),
        said(3, vector=pack_half([1.0]), vector_model="new"),
    ]

    assert reply_scores(ALIKE, lines, "new") == {}
    assert reply_scores(None, lines, "new") == {}


def test_what_makes_it_a_question_is_taken_out() -> None:
    asks = said(1, vector=pack_half([0.0, 0.0, 1.0]), vector_model="new")
    answers = said(2, vector=pack_half([1.0, 0.2, 0.0]), vector_model="new")
    question, usual = [0.6, 0.0, 0.8], [[0.0, 0.1, 1.0], [0.1, 0.0, 1.0]]

    plain = reply_scores(question, [asks, answers], "new")
    found = reply_scores(question, [asks, answers], "new", usual)

    assert plain["m1"] > plain["m2"]
    assert found["m2"] > found["m1"]
    assert reply_scores(question, [asks, answers], "new", [[1.0]]) == plain
