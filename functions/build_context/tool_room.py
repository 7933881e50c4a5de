"""What the host binds a tool call to, and how much room its answer has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from shared.language import first_that_fit, shortened

M = TypeVar("M", bound=BaseModel)
LINES = 4
"""No single text takes more than such a share of the room: an answer shows several."""


@dataclass(frozen=True)
class Bound:
    """Set by the host: which group, who speaks, which turn, how many tokens an answer may have.
    `has_historian` is the group's own setting."""

    group_id: str
    max_tokens: int
    user_id: str | None = None
    request_id: str | None = None
    end_seq: int = 0
    message_ids: tuple[str, ...] = ()
    timezone: str = ""
    has_historian: bool = True


def line(text: str, bound: Bound) -> str:
    """One text of several."""
    return shortened(text, bound.max_tokens // LINES)


def fitted(items: Sequence[M], bound: Bound) -> list[M]:
    """The first of them, as many as have room."""
    return first_that_fit(items, lambda one: one.model_dump_json(), bound.max_tokens)
