"""Counts of words by hash never fall below the truth, and stay small."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.word_index.counts import WordCounts

texts = st.lists(st.lists(st.text("abcde密码", min_size=1, max_size=3), max_size=8), max_size=40)


@given(texts, texts)
@settings(deadline=None, max_examples=60)
def test_a_count_is_never_too_low_however_it_was_folded(
    first: list[list[str]], second: list[list[str]]
) -> None:
    truth = Counter(word for text in (*first, *second) for word in set(text))
    counts = WordCounts().plus(first)
    counts = WordCounts(counts.total, counts.packed).plus(second)

    assert counts.total == len(first) + len(second)
    for word, number in truth.items():
        assert number <= counts.count(word) <= counts.total
    assert len(counts.packed) < 16_000
