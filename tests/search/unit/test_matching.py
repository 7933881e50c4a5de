"""Scores of 0 to 1 from words and nearness, in whatever space an encoder puts its vectors."""

import itertools
from typing import Any

import numpy as np
import pytest

from shared.domain.similarity.matching import (
    UNKNOWN,
    matches,
    mixed,
    shared_words,
    usual_nearness,
)

DICE = np.random.default_rng(1)
ANCHORS: Any = DICE.normal(size=(40, 64))
VECTORS: Any = DICE.normal(size=(12, 64))
QUESTION: Any = VECTORS[3] + DICE.normal(size=64)
TEXTS = [f"record {letter}" for letter in "abcdefghijkl"]


def scores(vectors: Any, question: Any, anchors: Any) -> list[float]:
    return [one.score for one in matches("who?", TEXTS, list(vectors), question, anchors)]


def rotated(rows: Any) -> Any:
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(64, 64)))
    return rows @ turn


def squeezed(rows: Any) -> Any:
    """All cosines move towards 1, as those of some encoders do."""
    units = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.concatenate([units, np.full((*units.shape[:-1], 1), 1.5)], axis=-1)


@pytest.mark.parametrize("change", [rotated, squeezed])
def test_a_rotated_or_squeezed_space_gives_the_same_scores(change: Any) -> None:
    before = scores(VECTORS, QUESTION, ANCHORS)
    after = scores(change(VECTORS), change(QUESTION), change(ANCHORS))
    assert after == pytest.approx(before, abs=1e-6)
    assert before.index(max(before)) == 3


def test_the_chance_of_a_cosine_is_the_same_in_a_squeezed_space() -> None:
    def chance(change: Any) -> float:
        question, record = change(QUESTION), change(VECTORS[3])
        near = question @ record / np.linalg.norm(question) / np.linalg.norm(record)
        return usual_nearness(change(ANCHORS), question).chance(float(near))

    assert chance(squeezed) == pytest.approx(chance(np.asarray), abs=1e-6)


def test_nearer_is_never_less_likely() -> None:
    chances = [UNKNOWN.chance(n / 10) for n in range(-10, 11)]
    assert all(low < high for low, high in itertools.pairwise(chances))


def test_one_record_alone_is_judged_by_what_unrelated_questions_reach() -> None:
    (near,) = matches("who?", ["a"], [QUESTION], QUESTION, ANCHORS)
    (far,) = matches("who?", ["a"], [VECTORS[5]], QUESTION, ANCHORS)
    assert near.score > 0.8 > 0.2 > far.score


def test_the_score_follows_from_its_two_parts() -> None:
    found = matches("when is the regatta?", TEXTS, list(VECTORS), QUESTION, ANCHORS)
    by_sum = sorted(found, key=lambda one: one.by_words + one.by_meaning)
    assert all(low.score <= high.score for low, high in itertools.pairwise(by_sum))


def test_a_question_of_when_is_met_by_a_time() -> None:
    texts = ["Ben brings the projector to every meeting", "The meeting is on Wednesday at eight"]
    brings, meets = matches("when is the meeting", texts, [None, None], None, None)
    assert meets.by_words > brings.by_words


def test_words_are_a_share_of_the_question_and_compare_between_questions() -> None:
    texts = ["Ann rows at the club", "Ben bakes bread"]
    assert shared_words("rows club", texts) == pytest.approx([1.0, 0.0])
    assert shared_words("nothing of this", texts) == [0.0, 0.0]
    assert mixed("rows club", texts, [1.0, 0.0]) == [1.0, 0.0]


def test_without_any_vector_there_is_nothing_near() -> None:
    found = matches("who?", TEXTS, list(VECTORS), None, ANCHORS)
    assert {one.by_meaning for one in found} == {0.0}
