"""What is stored of an analysis: its features as plain fields, its terms beside them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from shared.domain.messages.analyser import analyse
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message


@cache
def _fields() -> TypeAdapter[Features]:
    return TypeAdapter(Features)


def analysed(message: Message) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    features = analyse(message)
    fields: dict[str, Any] = _fields().dump_python(features, exclude={"terms", "mentions"})
    return fields, features.terms
