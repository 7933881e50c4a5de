"""Contexts that can be looked at, and what a bot says of them."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Showing, Shown
from shared.domain.context.record import Usage

MAX_REPLY_CHARACTERS = 16_000
"""As long as a note of a turn; a bot's reply is seldom longer than a message."""


class Feedback(Body):
    """What the bot said and used. Without `llm_response` only `used_ids` tell what was used."""

    llm_response: Annotated[str, Field(max_length=MAX_REPLY_CHARACTERS)] = ""
    used_ids: Annotated[list[str], Field(max_length=500)] = Field(default_factory=list)
    user_feedback: Annotated[str, Field(max_length=2000)] = ""
    success_indicator: Annotated[float, Field(ge=0, le=1)] | None = None
    reply_type: Annotated[str, Field(max_length=50)] = ""


ShownUsage = Annotated[
    Usage,
    Showing(
        "ShownUsage",
        "kind id was_referenced by score",
    ),
]


class FeedbackAnswer(Answer):
    """`is_new` is false if this context had its feedback before: nothing changed then."""

    context_id: str
    is_new: bool
    usage: list[ShownUsage]
    strengthened: list[str]
    faded: list[str]


class ShownContext(Shown):
    """`used` counts what the reply referred to, once feedback has come."""

    context_id: str
    group_id: str
    created_at: Moment | None
    mode: str
    reason: str
    user_id: str | None
    trigger_message_id: str | None
    tokens: dict[str, int]
    timings_ms: dict[str, float]
    variant: str
    is_labelled: bool
    offered: int
    used: int


class ContextList(ListAnswer):
    """The newest first."""

    contexts: list[ShownContext]


class OfferedItem(BaseModel):
    """`text` is as the record it names says it now; empty if that is gone."""

    kind: str
    id: str
    score: float
    reasons: list[str]
    tokens: int
    factors: dict[str, float]
    was_referenced: bool | None
    by: str
    text: str


class ItemLeftOut(BaseModel):
    """`why` is `below the threshold`, `no room` or `held back`."""

    kind: str
    id: str
    why: str
    score: float | None
    text: str


class ContextDetail(Answer):
    context: ShownContext
    items: list[OfferedItem]
    left_out: list[ItemLeftOut]
    considered: int
    threshold: float | None
    scorer: str
    llm_response: str
    user_feedback: str
    success_indicator: float | None
    reply_type: str


class ShownGroup(BaseModel):
    group_id: str
    name: str
    platform: str
    audience: str
    created_at: Moment | None
    stuck_since: Moment | None = None
    """Since when its messages get no topics though their tasks ran again and again."""


class GroupList(Answer):
    """By their ids; `next_cursor` is where the next page begins, null at the end."""

    groups: list[ShownGroup]
    next_cursor: str | None


class ExportedContext(BaseModel):
    """A line of the export: what was scored how, and what was used of it."""

    context_id: str
    group_id: str
    created_at: Moment | None
    mode: str
    variant: str
    threshold: float | None
    scorer: str
    items: list[dict[str, Any]]
    success_indicator: float | None
    user_feedback: str
    reply_type: str
