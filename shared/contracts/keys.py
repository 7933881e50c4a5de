"""API keys, as the API takes and shows them."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Shown
from shared.domain.key import MAX_PATTERNS, Scope

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
