"""Calibrated similarity: the measured rows, and what holds for every row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.similarity.calibration import calibrated
from shared.domain.similarity.fitted import TOGETHER
from shared.language import Language

models = st.sampled_from([*TOGETHER, "text-embedding-3-small", "nobody-measured-this"])
languages = st.sampled_from(Language)


@pytest.mark.parametrize(
    ("language", "at_half"),
    [
        (Language.OTHER, 5.55 / 20.7),
        (Language.CHINESE, 6.07 / 20.5),
        (Language.ENGLISH, 5.55 / 26.5),
    ],
)
def test_usem3_is_even_where_it_was_measured_to_be(language: Language, at_half: float) -> None:
    assert calibrated("usem3", language, at_half) == pytest.approx(0.5)


def test_usem3_reaches_the_join_threshold_at_a_cosine_of_031() -> None:
    assert calibrated("usem3", Language.OTHER, 0.31) == pytest.approx(0.7, abs=0.01)


@given(models, languages, st.floats(-1, 1), st.floats(-1, 1))
def test_closer_never_means_less_likely(
    model: str, language: Language, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= calibrated(model, language, low) <= calibrated(model, language, high) <= 1.0


def test_an_unknown_model_is_even_at_a_half() -> None:
    assert calibrated("nobody-measured-this", Language.ENGLISH, 0.5) == 0.5


def test_a_cosine_far_out_of_range_does_not_overflow() -> None:
    assert calibrated("usem3", Language.OTHER, -1e9) == pytest.approx(0.0)
    assert calibrated("usem3", Language.OTHER, 1e9) == pytest.approx(1.0)
