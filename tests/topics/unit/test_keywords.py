"""Keywords of a topic, and the title its opening line makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.topics.keywords import (
    fits_title,
    keywords_of,
    line_keywords,
    may_be_keyword,
    title_from,
)

CAMPING = [
    "周末露营还去不去啊",
    "我的帐篷借给弟弟了",
    "露营我带烧烤架",
    "帐篷我家有一顶四人的",
    "那露营早上八点地铁口见",
]


def test_what_several_lines_come_back_to_weighs_most() -> None:
    found = keywords_of(CAMPING)
    assert list(found)[:2] == ["露营", "帐篷"]
    assert next(iter(found.values())) == 1.0
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_two_spellings_of_a_word_are_one_keyword() -> None:
    found = keywords_of(["the boards are warped", "which board did you say", "any board"])
    assert [word for word in found if word.startswith("board")] == ["boards"]


def test_who_speaks_is_not_what_it_is_about() -> None:
    lines = ["Keiko sells the green bike", "Keiko said 120 for the bike"]
    assert "keiko" in keywords_of(lines)
    assert "keiko" not in keywords_of(lines, names=["Keiko"])
    assert line_keywords("Lena has the tent", ["Lena"]).keys() == {"tent"}


def test_what_every_topic_of_the_group_is_about_counts_less() -> None:
    lines = ["the server is down again", "restart the server and the printer"]
    others = [["server"], ["server", "lunch"], ["server"]]
    assert next(iter(keywords_of(lines))) == "server"
    assert next(iter(keywords_of(lines, others))) != "server"


def test_times_and_moods_are_no_keywords() -> None:
    assert not {"tomorrow", "sorry"} & keywords_of(["sorry, the tent comes tomorrow"]).keys()
    assert not {"明天", "知道"} & keywords_of(["明天帐篷就到，大家知道吧"]).keys()


@given(st.lists(st.text(max_size=60), max_size=12))
def test_keywords_are_few_and_may_be_stored_with_weights_up_to_one(lines: list[str]) -> None:
    found = keywords_of(lines)
    assert len(found) <= 10
    assert all(map(may_be_keyword, found))
    assert all(0 < weight <= 1 for weight in found.values())


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        ("the boiler is dead again, anyone know a plumber?", "the boiler is dead again"),
        ("hey all! where did we put the tent pegs?", "where did we put the tent pegs?"),
        ("@Ann [image] does this fit", "does this fit"),
        ("so, lunch tomorrow: who is in", "lunch tomorrow: who is in"),
        ("3.5 kilos of flour, 2 of sugar", "3.5 kilos of flour"),
        ("大家好，周末露营还去不去啊？我带帐篷", "周末露营还去不去啊？"),
        ("那个，电梯又坏了", "那个，电梯又坏了"),
        ("can somebody please tell me where on earth the spare key is", None),
        ("街道的人说从下星期开始要把我们门口这一整段路都挖开重新埋管子", None),
        ("https://example.com/a", "…"),
        ("  ", "…"),
    ],
)
def test_a_title_is_the_clause_that_opens_the_talk(opening: str, title: str | None) -> None:
    assert title_from(opening) == (title or title_from(opening))
    assert fits_title(title_from(opening).rstrip("…"))


def test_a_long_opening_is_cut_between_words_and_says_so() -> None:
    english = "can somebody please tell me where on earth the spare key is"
    assert title_from(english) == "can somebody please tell me where on earth…"
    chinese = "街道的人说从下星期开始要把我们门口这一整段路都挖开重新埋管子"
    assert title_from(chinese) == "街道的人说从下星期开始要把我们门口这一…"


@given(st.text(st.characters(codec="utf-8", exclude_characters="@[]"), max_size=200))
def test_a_title_is_part_of_the_opening_line(opening: str) -> None:
    title = title_from(opening).removesuffix("…")
    assert "".join(title.split()) in "".join(opening.split())
