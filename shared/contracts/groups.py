"""A group's settings and members, as the API takes and shows them."""

from typing import Any

from shared.contracts.api import Answer, Body, Shown


class GroupAnswer(Answer, Shown):
    """`settings` are the group's own values; what they do not name is the deployment's."""

    group_id: str
    platform: str
    name: str
    audience: str
    settings: dict[str, Any]
    opted_out: list[str]


class OptOut(Body):
    opted_out: bool = True


class OptOutAnswer(Answer):
    user_id: str
    opted_out: bool
