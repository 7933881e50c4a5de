"""Which lines are of one matter, and what they say for each other."""

import numpy as np
import pytest

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.same_subject import chances, company, signs
from shared.domain.similarity.vectors import pack_half
from tests.context.chat import said

ROOF, CAT, BREAD = [1.0, 0.1, 0.0], [0.0, 0.1, 1.0], [0.2, 1.0, 0.2]


def line(n: int, meaning: list[float], text: str = "hello there", **more: object) -> StoredMessage:
    return said(n, text, vector=pack_half(meaning), vector_model="m", **more)


LINES = [
    line(1, ROOF, "the roof leaks again", topic_id="a"),
    line(2, CAT, "who takes the cat", topic_id="b"),
    line(3, ROOF, "roofer comes on monday", topic_id="a", continues="m1"),
    line(4, BREAD, "bread is out", topic_id="c"),
    line(300, ROOF, "how is the roof", topic_id="d"),
    line(301, CAT, "cat is asleep", topic_id="e"),
]


def chance(one: int, other: int) -> float:
    return float(chances(LINES, "m")[one, other])


def test_lines_of_one_topic_are_likelier_of_one_matter_than_the_line_between_them() -> None:
    assert chance(0, 2) > chance(0, 1)


def test_a_matter_taken_up_again_in_another_topic_is_known_by_words_and_meaning() -> None:
    assert chance(0, 4) > 2 * chance(0, 5)


def test_a_line_goes_with_the_lines_of_its_matter() -> None:
    quiet = company(LINES, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "m")
    told = company(LINES, [4.0, 0.1, 0.0, 0.0, 0.0, 0.1], "m")

    assert quiet == pytest.approx([0.0] * 6)
    assert told[0] == max(told)
    assert min(told[2], told[4]) > max(told[1], told[3], told[5])


def test_vectors_of_another_model_tell_nothing_and_break_nothing() -> None:

    assert not signs(LINES, "other")["nearness"].any()
    mixed = [*LINES, line(302, [1.0], "short"), said(303, "none")]
    assert np.isfinite(chances(mixed, "m")).all()


def test_one_line_and_no_line_have_no_company() -> None:
    assert company([], [], "m") == []
    assert company(LINES[:1], [3.0], "m") == [0.0]
