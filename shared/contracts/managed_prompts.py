"""Prompts as the API shows and takes them."""

from typing import Annotated

from pydantic import Field

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Shown


class ShownPrompt(Shown):
    """`version` is 0 for the file; `hash` is what is logged with each call."""

    prompt_id: str
    version: int
    hash: str
    text: str


class PromptList(ListAnswer):
    prompts: list[ShownPrompt]


class PromptAnswer(Answer):
    prompt: ShownPrompt


class ShownPromptText(Shown):
    prompt_id: str
    version: int
    text: str
    made_at: Moment
    made_by: str
    reason: str


class PromptVersions(ListAnswer):
    """The newest first."""

    prompt_id: str
    versions: list[ShownPromptText]


class NewPrompt(Body):
    """With the placeholders `$untrusted` and `$reply_shape`, no more and no less."""

    text: Annotated[str, Field(min_length=1, max_length=50_000)]
    reason: Annotated[str, Field(max_length=500)] = ""


class PromptRollback(Body):
    """To an earlier version, as a new one; to 0, the file."""

    version: Annotated[int, Field(ge=0)]
