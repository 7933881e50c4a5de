"""The encoder in this process, for tests of rules; loaded once, and no text encoded twice."""

import os
from collections.abc import Sequence
from functools import cache

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is first imported

import numpy as np

from infra.emulators.openai.encoder import DIMENSIONS, Encoder
from infra.emulators.openai.network import Matrix
from infra.emulators.openai.rules import RULES
from infra.emulators.openai.rules.prompt_input import Given
from infra.emulators.openai.rules.similarity import Likeness


@cache
def _encoder() -> Encoder:
    encoder = Encoder()
    encoder.vectors_of(["loaded"])
    return encoder


_known: dict[str, Matrix] = {}


def encode(texts: Sequence[str]) -> Matrix:
    return _encoder().vectors_of(texts)


def _remembered(texts: Sequence[str]) -> Matrix:
    fresh = [text for text in texts if text not in _known]
    _known.update(zip(fresh, encode(fresh), strict=True))
    return np.array([_known[text] for text in texts], np.float32).reshape(-1, DIMENSIONS)


def answer(prompt: str, given: Given) -> Given:
    """What the rule of this prompt says to this input."""
    return RULES[prompt](given, Likeness(_remembered))
