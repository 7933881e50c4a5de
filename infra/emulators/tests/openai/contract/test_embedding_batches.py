"""The same text has the same vector, to the bit, whatever stands beside it in a call."""

import random

import numpy as np
import pytest
from openai import OpenAI

from infra.emulators.tests.openai.asking import EMBEDDER

WORDS = (
    "harbour", "ferry", "lamp", "copper", "violin", "our", "the", "and", "港口", "渡轮",
    "台灯", "小提琴", "我们", "每周", "会", "的",
)  # fmt: skip


def texts(seed: int, count: int) -> list[str]:
    rolled = random.Random(seed)
    return [
        " ".join(rolled.choices(WORDS, k=rolled.choice((1, 2, 5, 12, 30, 80))))
        for _ in range(count)
    ]


def encoded(client: OpenAI, batch: list[str]) -> list[bytes]:
    answer = client.embeddings.create(model=EMBEDDER, input=batch)
    return [np.array(one.embedding, dtype=np.float32).tobytes() for one in answer.data]


@pytest.mark.parametrize("seed", range(4))
def test_any_batch_gives_the_vectors_of_the_texts_alone(client: OpenAI, seed: int) -> None:
    batch = texts(seed, 40)
    alone = {text: encoded(client, [text])[0] for text in batch}
    shuffled = random.Random(seed).sample(batch, len(batch))
    assert encoded(client, shuffled) == [alone[text] for text in shuffled]
    for size in (2, 3, 17):
        assert encoded(client, batch[:size]) == [alone[text] for text in batch[:size]]


def test_a_text_that_stands_twice_in_a_batch_has_one_vector(client: OpenAI) -> None:
    batch = texts(9, 20)
    found = encoded(client, [*batch, *reversed(batch)])
    assert found[:20] == list(reversed(found[20:]))
