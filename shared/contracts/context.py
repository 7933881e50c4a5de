"""The question before a reply, and its answer."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator

from shared.contracts.api import Body, GroupId, Id, Words
from shared.domain.messages.member_commands import MemberCommand

Section = Literal["messages", "memories", "events", "profiles", "summaries", "graph"]
DEFAULT_SECTIONS: tuple[Section, ...] = (
    "messages",
    "memories",
    "events",
    "profiles",
    "summaries",
)


class ContextRequest(Body):
    """The id of a stored message, or the text that the bot is about to answer. With both the text
    is asked, and the message, if it is stored by now, is not told as something said before."""

    group_id: GroupId
    message_id: Id | None = None
    message: Words | None = None
    user_id: Id | None = None
    max_messages: Annotated[int, Field(ge=1, le=200)] | None = None
    window_hours: Annotated[int, Field(ge=1, le=24 * 365)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=200_000)] | None = None
    deadline_ms: Annotated[int, Field(ge=50, le=30_000)] | None = None
    include: list[Section] = Field(default_factory=lambda: list(DEFAULT_SECTIONS))

    @model_validator(mode="after")
    def _any_question(self) -> "ContextRequest":
        if self.message is None and self.message_id is None:
            raise ValueError("send message, message_id or both")
        return self


class ContextItem(BaseModel):
    kind: str
    id: str
    score: float
    reasons: list[str]
    tokens: int


class ContextAnswer(BaseModel):
    success: Literal[True] = True
    context_id: str
    mode: Literal["intelligent", "traditional", "empty"]
    reason: str
    stable: str
    dynamic: str
    text: str
    messages: list[dict[str, Any]]
    items: list[ContextItem]
    tokens: dict[str, int]
    timings_ms: dict[str, float]
    command: MemberCommand | None = None
    """The message is a member's wish about their own words: the historian's `POST
    /groups/{group_id}/members/{user_id}/commands` does it and says what to send."""
