"""API keys, as the API takes and shows them."""

from typing import Annotated

from pydantic import BeforeValidator

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Shown
from shared.domain.key import Scope


class NewKey(Body):
    name: str = ""
    scopes: list[str]
    groups: list[str]


class ShownKey(Shown):
    """Without its hash."""

    key_id: str
    name: str
    scopes: Annotated[list[Scope], BeforeValidator(sorted)]
    groups: list[str]
    created_at: Moment
    revoked_at: Moment | None


class KeyAnswer(Answer, ShownKey):
    pass


class NewKeyAnswer(KeyAnswer):
    """`key` is the key's text, shown this once."""

    key: str


class KeyList(ListAnswer):
    keys: list[ShownKey]
