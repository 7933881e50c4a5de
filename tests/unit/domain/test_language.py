"""Guessing a language by its script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.language import Language, guess_language
from shared.domain.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我们周五晚上讨论新番", Language.CHINESE),
        ("帮我看一下 Kubernetes 的 pod 为什么起不来", Language.CHINESE),
        ("Let's meet on Friday at the usual place", Language.ENGLISH),
        ("the word 火锅 means hotpot, and everybody in here likes it a lot", Language.ENGLISH),
        ("今日はとても寒いですね", Language.OTHER),
        ("오늘은 정말 추워요", Language.OTHER),
        ("Сегодня очень холодно", Language.OTHER),
        ("12345 !!! 👍", Language.OTHER),
        ("", Language.OTHER),
    ],
)
def test_the_language_is_that_of_most_of_the_words(text: str, language: Language) -> None:
    assert guess_language(text) is language


@given(st.text())
def test_any_text_has_a_language_and_a_cost(text: str) -> None:
    assert guess_language(text) in Language
    assert 0 <= estimate_tokens(text) <= len(text)
    assert (estimate_tokens(text) == 0) == (text == "")


def test_chinese_costs_about_a_token_a_character_and_english_a_quarter() -> None:
    assert estimate_tokens("我们周五晚上讨论新番") == 10
    assert estimate_tokens("a" * 400) == 100
