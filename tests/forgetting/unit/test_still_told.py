"""What is left of a statement's sources tells it, or it goes."""

import pytest

from shared.domain.forgetting.forgotten import is_still_told, is_told_in_one


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ann lives in Oslo", ["Ann I live in Oslo", "Bob hello"]),
        ("Members play badminton every Friday", ["Ann badminton on Friday?", "Bob I play too"]),
        ("群成员每周五打羽毛球", ["安 周五打羽毛球吗"]),
        ("Ann likes tea", ["Ann tea for me", "Bob " + " ".join(f"word{n}x" for n in range(200))]),
    ],
)
def test_what_others_said_as_well_stays(text: str, left: list[str]) -> None:
    assert is_still_told(text, left)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ann lives in Bergen now", ["Ann I live in Oslo now"]),
        ("Ann lives in Oslo", ["Ann my brother lives in Bergen", "Ann I live by the sea"]),
        ("The group meets at the harbour on Monday", ["Ann we meet at the harbour on Friday"]),
        ("安安住在卑尔根", ["安安 我住在奥斯陆"]),
        ("Ann's PIN is 889900", ["Ann my PIN is secret"]),
        ("Ann lives in Oslo", []),
    ],
)
def test_one_word_that_nobody_is_left_to_have_said_is_enough_to_go(
    text: str, left: list[str]
) -> None:
    assert not is_still_told(text, left)


def test_all_words_must_be_in_one_place_where_there_are_many() -> None:
    left = ["Ann I live in Oslo", "Ann my brother sails"]

    assert is_still_told("Ann sails in Oslo", left)
    assert not is_told_in_one("Ann sails in Oslo", left)
    assert is_told_in_one("Ann lives in Oslo", left)
