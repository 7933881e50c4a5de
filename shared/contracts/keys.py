"""API keys and what models cost, as the API takes and shows them."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Shown
from shared.domain.key import MAX_PATTERNS, Scope
from shared.domain.usage import CallCounts, DayUsage

MAX_KEY_NAME = 200
"""What an operator would call a key; it is listed with all others."""


class NewKey(Body):
    name: Annotated[str, Field(max_length=MAX_KEY_NAME)] = ""
    scopes: Annotated[list[str], Field(max_length=10)]
    groups: Annotated[list[str], Field(max_length=MAX_PATTERNS)]


class ShownKey(Shown):
    """Without its hash."""

    key_id: str
    name: str
    scopes: Annotated[list[Scope], BeforeValidator(sorted)]
    groups: list[str]
    created_at: Moment
    revoked_at: Moment | None
    made_by: str


class KeyAnswer(Answer, ShownKey):
    pass


class NewKeyAnswer(KeyAnswer):
    """`key` is the key's text, shown this once."""

    key: str


class KeyList(ListAnswer):
    keys: list[ShownKey]


class UsageRow(Shown):
    """One day; `group_id` is null where all groups are folded into one row."""

    day: str
    group_id: str | None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    dollars: float
    by_prompt: Mapping[str, CallCounts]

    @classmethod
    def folded(cls, row: DayUsage) -> "UsageRow":
        return cls.from_record(row).model_copy(update={"group_id": None})


class UsageList(Answer):
    """Rows in order, and where the next page begins."""

    usage: list[UsageRow]
    next_cursor: str | None = None
