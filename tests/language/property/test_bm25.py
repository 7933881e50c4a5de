"""Ranking by words: what holds for any words and texts."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.bm25 import heard, rarest, scores

WORDS = st.sampled_from([f"w{n}" for n in range(12)])
TEXTS = st.lists(st.lists(WORDS, max_size=8), max_size=10)


@given(st.lists(WORDS, max_size=6), TEXTS, st.randoms())
def test_neither_the_order_of_words_nor_of_texts_matters(
    asked: list[str], texts: list[list[str]], dice: Random
) -> None:
    known = heard(texts)
    places = list(range(len(texts)))
    dice.shuffle(places)
    mixed = [dice.sample(texts[place], len(texts[place])) for place in places]

    found = scores(asked, texts, known)
    again = scores(dice.sample(asked, len(asked)), mixed, known)
    assert all(abs(found[place] - again[n]) < 1e-9 for n, place in enumerate(places))


@given(st.lists(WORDS, min_size=1, max_size=6), TEXTS)
def test_only_a_text_with_one_of_the_words_scores_above_nothing(
    asked: list[str], texts: list[list[str]]
) -> None:
    found = scores(asked, texts, heard(texts))

    assert [score > 0 for score in found] == [bool(set(asked) & set(text)) for text in texts]


@given(st.lists(WORDS, min_size=1, max_size=6), st.lists(WORDS, max_size=8), TEXTS, st.data())
def test_one_more_of_the_words_never_makes_a_text_worse(
    asked: list[str], text: list[str], others: list[list[str]], data: st.DataObject
) -> None:
    known = heard(others)
    more = data.draw(st.sampled_from(asked))
    before, after = scores(asked, [text, [*text, more]], known)

    assert after > before


@given(st.lists(WORDS, max_size=12), TEXTS, st.integers(0, 5))
def test_the_words_searched_for_are_asked_uncommon_and_no_rarer_one_is_left_out(
    asked: list[str], texts: list[list[str]], limit: int
) -> None:
    lately = heard(texts)
    found = rarest(asked, lately, limit)
    left = [word for word in asked if word not in found and not lately.is_common(word)]

    assert len(found) == len(set(found)) <= limit
    assert set(found) <= set(asked)
    assert not any(lately.is_common(word) for word in found)
    least = min((lately.rarity(word) for word in found), default=float("inf"))
    assert len(found) == limit or not left
    assert all(lately.rarity(word) <= least for word in left) or not found
