"""The confidence that a text answers a question, among the others that might."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.similarity.answering import UNKNOWN, Answering, answering
from shared.domain.similarity.fitted import ANSWERING
from shared.language import Language

rows = [Answering(*numbers) for own in ANSWERING.values() for numbers in own.values()]
sums = st.lists(st.floats(-50, 1000), min_size=1, max_size=10)


@pytest.mark.parametrize("row", [*rows, UNKNOWN])
@given(sums)
def test_a_higher_sum_never_has_the_lower_confidence(row: Answering, given: list[float]) -> None:
    told = row.confidences(given)
    by_sum = sorted(zip(given, told, strict=True))
    assert all(0 <= one <= 1 for one in told)
    assert all(low[1] <= high[1] + 1e-9 for low, high in itertools.pairwise(by_sum))


@pytest.mark.parametrize("row", [*rows, UNKNOWN])
def test_a_rival_takes_from_what_is_sure(row: Answering) -> None:
    alone, with_rival = row.confidences([4.0]), row.confidences([4.0, 3.9])
    assert with_rival[0] < alone[0]


def test_every_fitted_row_weighs_words_and_meaning_for_an_answer() -> None:
    assert rows
    assert all(min(one.meaning, one.words, one.own, one.others) > 0 for one in rows)


def test_a_language_without_a_row_has_that_of_all_and_a_model_without_any_the_unknown_one() -> None:
    assert answering("usem3", Language.OTHER) == Answering(*ANSWERING["usem3"]["all"])
    assert answering("usem3", Language.CHINESE) == Answering(*ANSWERING["usem3"]["zh"])
    assert answering("nobody-measured-this", Language.ENGLISH) is UNKNOWN
