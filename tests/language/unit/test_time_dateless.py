"""No date is invented where none is named."""

from datetime import UTC, datetime

import pytest

from shared.language.times.find import time_expressions
from tests.language.unit.dateless_sentences import CHINESE, ENGLISH

NOW = datetime(2026, 11, 16, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize("sentence", [*ENGLISH.splitlines(), *CHINESE.splitlines()])
def test_nothing_is_read_into_a_sentence_that_names_no_time(sentence: str) -> None:
    found = time_expressions(sentence, NOW)
    assert [sentence[one.start : one.end] for one in found] == []


def test_there_are_two_hundred_such_sentences() -> None:
    assert len({*ENGLISH.splitlines(), *CHINESE.splitlines()}) >= 200
