"""The estimate of tokens against counts that tokenizers are publicly known to give."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language import estimate_tokens
from tests.project import ROOT

# The first is counted by Llama 3; the next four are the pairs printed with the announcement of
# o200k, each with its old count; then the examples of the tokenizer's own cookbook; then code and
# mixed lines, counted by hand with the encoding's published rules, whose cuts are common tokens.
KNOWN = [
    ("你好，我的名字是GPT-4o。我是一种新型的语言模型，很高兴见到你!", 27),
    ("Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!", 27),
    ("こんにちわ、私の名前はGPT−4oです。私は新しいタイプの言語モデルです、初めまして", 37),
    ("Привет, меня зовут GPT-4o. Я — новая языковая модель, приятно познакомиться!", 39),
    (
        "Hola, me llamo GPT-4o. Soy un nuevo tipo de modelo de lenguaje, ¡es un placer conocerte!",
        29,
    ),
    ("tiktoken is great!", 6),
    ("antidisestablishmentarianism", 6),
    ("2 + 2 = 4", 7),
    ("お誕生日おめでとう", 9),
    ("hello world", 2),
    ("You miss 100% of the shots you don't take", 11),
    ("你好，世界", 4),
    ("The quick brown fox jumps over the lazy dog.", 10),
    ('print("Hello, world!")', 6),
    ("for i in range(10):", 7),
    ("import numpy as np", 4),
]


@pytest.mark.parametrize(("text", "tokens"), KNOWN, ids=[text[:20] for text, _ in KNOWN])
def test_a_known_count_is_reached_and_hardly_passed(text: str, tokens: int) -> None:
    assert 0.9 * tokens - 1 <= estimate_tokens(text) <= 1.4 * tokens + 2


# As the dearest of the five tokenizers that `shared/language/tokens.py` names counts them.
CHATS = {
    "D4_zh_gonghui.json": 1560,
    "D5_en_wedding.json": 1703,
    "held_back/e1_zh_hiking.json": 2287,
    "held_back/f4_zh_compound.json": 1960,
    "held_back/f5_en_theatre.json": 1975,
    "fitted/b5_en_fishlab.json": 1998,
}


@pytest.mark.parametrize(("file", "tokens"), CHATS.items())
def test_a_chat_is_never_cheaper_than_a_common_tokenizer_counts_it(file: str, tokens: int) -> None:
    chat = json.loads((ROOT / "bench" / "chats" / file).read_text("utf-8"))
    text = "\n".join(message["text"] for message in chat["messages"])
    assert tokens <= estimate_tokens(text) <= 1.2 * tokens


@given(st.text(max_size=300))
def test_any_text_costs_something_and_not_more_than_three_tokens_a_character(text: str) -> None:
    assert (estimate_tokens(text) == 0) == (text == "")
    assert estimate_tokens(text) <= max(1, 3 * len(text))


@given(st.lists(st.text(max_size=60), max_size=6))
def test_lines_together_cost_at_most_their_sum_and_a_break_each(lines: list[str]) -> None:
    """That is why a budget can be kept line by line."""
    lines = ["> " + " ".join(line.split()) for line in lines]
    apart = sum(estimate_tokens(line) + 1 for line in lines)
    assert estimate_tokens("\n".join(lines)) <= apart
