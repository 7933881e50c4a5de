"""What two short texts have in common by words."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.similarity.matching import shared_words
from shared.language import matching_units


def test_chinese_matches_by_characters_and_pairs_and_english_by_stems() -> None:
    assert {"考", "研", "考研"} <= matching_units("他考研了")
    assert matching_units("running dogs") == matching_units("the dog runs")
    assert not matching_units("是什么？")
    assert not matching_units("群里大家")


def test_what_few_texts_have_counts_more() -> None:
    low, high = shared_words("猫吃鱼", ["猫睡觉", "猫吃鱼"])
    assert 0 < low < high
    assert shared_words("dogs", ["cats", "birds"]) == [0, 0]


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_there_is_a_number_for_each_text_and_none_is_negative(asked: str, texts: list[str]) -> None:
    found = shared_words(asked, texts)
    assert len(found) == len(texts)
    assert all(place >= 0 for place in found)
