"""Words as evidence: which are searched for, and how texts are ranked by them."""

import pytest

from shared.domain.bm25 import K1, Heard, heard, rarest, scores


def test_a_word_is_counted_once_a_text() -> None:
    assert heard([["tea", "tea"], ["tea", "cup"], []]) == Heard(3, {"tea": 2, "cup": 1})


def test_words_that_everybody_uses_are_not_searched_for() -> None:
    lately = heard([["release", "today"]] * 20)

    assert rarest(["release", "kubernetes"], lately, 30) == ["kubernetes"]


def test_in_a_young_group_no_word_is_common_yet() -> None:
    assert rarest(["release"], heard([["release"]] * 2), 30) == ["release"]


def test_of_many_words_the_rarest_are_searched_for() -> None:
    lately = heard([["often"], ["often"], ["once"], *[["else"]] * 20])

    assert rarest(["often", "once", "never", "nowhere"], lately, 3) == ["nowhere", "never", "once"]


def test_a_word_asked_twice_is_searched_for_once() -> None:
    assert rarest(["tea", "tea"], Heard(), 30) == ["tea"]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    texts = [["deploy", "monday"], ["deploy", "kiwi"], ["deploy", "friday"], ["deploy", "noon"]]

    deploy, kiwi = scores(["deploy"], texts, heard(texts)), scores(["kiwi"], texts, heard(texts))
    assert 0 < deploy[0] == deploy[1] < kiwi[1]
    assert kiwi[0] == 0


def test_what_is_repeated_counts_more_but_never_much_more() -> None:
    known = heard([["tea"], ["cup"]])
    once, twice, often = scores(["tea"], [["tea"], ["tea"] * 2, ["tea"] * 1000], known)

    assert once < twice < often < once * (K1 + 1)


def test_a_long_message_is_as_good_as_a_short_one() -> None:
    known = heard([["tea"], ["cup"]])
    short, long = scores(["tea"], [["tea"], ["tea", *(f"w{n}" for n in range(50))]], known)

    assert short == long


def test_length_can_be_held_against_a_text() -> None:
    known = heard([["tea"], ["cup"]])
    texts = [["tea"], ["tea", *(f"w{n}" for n in range(50))]]
    short, long = scores(["tea"], texts, known, b=0.75)

    assert short > long


def test_the_score_is_the_known_formula() -> None:
    known = Heard(10, {"tea": 2})

    assert scores(["tea"], [["tea", "tea"]], known) == [
        pytest.approx(known.rarity("tea") * 2 * 1.9 / 2.9)
    ]
    assert known.rarity("tea") == pytest.approx(1.4816, abs=1e-4)


def test_nothing_is_ranked_without_texts() -> None:
    assert scores(["tea"], [], Heard()) == []
    assert scores(["tea"], [[]], Heard()) == [0]
