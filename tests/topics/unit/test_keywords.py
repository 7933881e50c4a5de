"""Keywords and the titles they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.topics.keywords import (
    fits_title,
    keywords_of,
    phrase_weights,
    strongest,
    title_from,
)
from shared.language import Language, guess_language
from shared.language.phrases import phrases

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


def test_who_speaks_is_not_what_it_is_about() -> None:
    lines = ["Keiko sells the green bike", "Keiko said 120 for the bike"]
    assert "Keiko" in keywords_of(lines)
    assert "Keiko" not in keywords_of(lines, names=["Keiko"])


def test_what_every_topic_of_the_group_is_about_counts_less() -> None:
    lines = ["the server is down again", "restart the server and the printer"]
    others = [["server"], ["server", "lunch"], ["server"]]
    assert next(iter(keywords_of(lines))) == "server"
    assert next(iter(keywords_of(lines, others))) != "server"


def test_a_phrase_takes_the_place_of_the_words_inside_it() -> None:
    lines = ["实验室门锁坏了", "实验室门锁谁报修", "实验室门锁好了"]
    assert list(keywords_of(lines)) == ["实验室门锁"] or "实验室门锁" in keywords_of(lines)


def test_a_title_is_the_strongest_keywords_and_short() -> None:
    assert title_from(keywords_of(CAMPING)).startswith("露营、帐篷")
    assert title_from({"projector": 1.0, "film vote": 0.8}) == "projector, film vote"
    assert title_from({"一" * 12: 1.0, "二" * 12: 0.9}) == "一" * 12


def test_without_keywords_a_short_first_line_is_the_title_and_a_long_one_is_not_cut() -> None:
    assert title_from({}, "走不走") == "走不走"
    assert title_from({}, "a b c d e f g h i j") == "…"
    assert title_from({}, "  ") == "…"


@given(st.lists(st.text(max_size=60), max_size=12))
def test_every_keyword_is_a_phrase_of_the_talk_with_a_weight_up_to_one(lines: list[str]) -> None:
    there = {one.written for line in lines for one in phrases(line)}
    found = keywords_of(lines)
    assert set(found) <= there
    assert len(found) <= 10
    assert all(0 < weight <= 1 for weight in found.values())
    assert len(found) < 2 or fits_title(title_from(found)) or len(next(iter(found))) > 20


@pytest.mark.parametrize(
    "line",
    ["太好了", "跟我走", "congratulations!!", "thats", "shes", "在周五之前"],
)
def test_sayings_cries_and_run_together_words_are_no_name_beside_a_thing(line: str) -> None:
    thing = "帐篷" if guess_language(line) is Language.CHINESE else "the tent"
    weights = {**phrase_weights(f"{thing}"), **phrase_weights(line)}
    assert strongest(weights, 3) == [thing.removeprefix("the ")]


def test_what_is_surely_a_thing_comes_before_what_is_also_done() -> None:
    assert strongest(phrase_weights("walk past the stove in march"), 3)[0] == "stove"


def test_a_thing_is_named_in_its_longer_form_once_that_is_sure() -> None:
    weights = {"club": 2.0, "surf club": 1.35, "clubs": 0.6, "power": 1.0}
    assert strongest(weights, 3) == ["surf club", "power"]


def test_who_speaks_adds_no_name_to_a_topic_that_grows() -> None:
    assert phrase_weights("Lena has the tent", ["Lena"]).keys() == {"tent"}


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["谁家电梯坏了", "配件发错了，再等配件", "膝盖受不了", "配件到了没"], "电梯"),
        (["the boiler is dead again", "try the dial", "the dial is stuck", "tea first"], "boiler"),
    ],
)
def test_what_a_talk_opens_with_comes_before_what_it_strays_to(
    lines: list[str], title: str
) -> None:
    assert next(iter(keywords_of(lines))) == title
