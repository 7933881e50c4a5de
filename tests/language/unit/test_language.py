"""Guessing a language by its script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language import Language, guess_language


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
def test_any_text_has_a_language(text: str) -> None:
    assert guess_language(text) in Language
