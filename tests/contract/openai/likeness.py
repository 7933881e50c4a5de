"""The encoder in this process, for tests of rules; loaded once."""

from collections.abc import Sequence
from functools import cache

from infra.emulators.openai.encoder import Encoder
from infra.emulators.openai.network import Matrix
from infra.emulators.openai.rules import RULES
from infra.emulators.openai.rules.given import Given
from infra.emulators.openai.rules.likeness import Likeness


@cache
def _encoder() -> Encoder:
    encoder = Encoder()
    encoder.vectors_of(["loaded"])
    return encoder


def encode(texts: Sequence[str]) -> Matrix:
    return _encoder().vectors_of(texts)


def answer(prompt: str, given: Given) -> Given:
    """What the rule of this prompt says to this input."""
    return RULES[prompt](given, Likeness(_encoder().vectors_of))
