"""What a model's tools take and tell. The group is never an argument: the host binds it.

Imported when a tool is first asked for: a context's cold start does not pay for these models.
"""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from shared.contracts.api import MAX_QUERY_CHARACTERS, AskedTime, Body, Id, Moment
from shared.contracts.memories import Kind, Statement

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_QUERY_CHARACTERS,
        description="What to look for, in the words of the chat: a question or key words.",
    ),
]
Speaker = Annotated[
    Id | None,
    Field(
        default=None,
        validation_alias=AliasChoices("user_id", "target_user_id"),
        description="Only what this member took part in, by name or id.",
    ),
]
From = Annotated[
    AskedTime | None,
    Field(default=None, description="Not earlier than this (RFC 3339; UTC without an offset)."),
]
To = Annotated[
    AskedTime | None,
    Field(default=None, description="Not later than this (RFC 3339; UTC without an offset)."),
]


def most(default: int, ceiling: int = 50) -> Any:
    return Field(
        default=default,
        ge=1,
        le=ceiling,
        validation_alias=AliasChoices("limit", "top_k"),
        description="How many at most, the best first.",
    )


class Arguments(Body):
    """Models often send null for what they leave out: that counts as left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None}


class SearchTopics(Arguments):
    query: Query
    user_id: Speaker
    limit: int = most(5)


class SearchMessages(Arguments):
    query: Query
    user_id: Speaker
    time_from: From
    time_to: To
    limit: int = most(12)


class SearchMemories(Arguments):
    query: Query
    limit: int = most(5)


class SearchEvents(Arguments):
    query: Query
    user_id: Speaker
    time_from: From
    time_to: To
    limit: int = most(12)


EntityType = Annotated[
    Literal["user", "group"], Field(description="A member, or the group itself.")
]


class SearchProfiles(Arguments):
    query: Query
    entity_type: EntityType | None = None
    entity_id: Id | None = Field(default=None, description="Only of this one, by name or id.")
    limit: int = most(8)


class GetProfile(Arguments):
    entity_type: EntityType = "user"
    entity_id: Id | None = Field(
        default=None,
        description="The member's name or id; left out, whoever is speaking or the group.",
    )


class SearchEntities(Arguments):
    query: Query
    entity_types: list[str] | None = Field(
        default=None, max_length=20, description="Only of these types: person, place, project ..."
    )
    limit: int = most(10)


class QueryGraph(Arguments):
    entity: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        validation_alias=AliasChoices("entity", "entity_name"),
        description="The name of somebody or something the group speaks of.",
    )
    depth: int = Field(
        default=2,
        ge=1,
        le=3,
        validation_alias=AliasChoices("depth", "max_depth"),
        description="How many relations away from it to look.",
    )
    relation_types: list[str] | None = Field(
        default=None, max_length=20, description="Only relations of these types."
    )


class GetContext(Arguments):
    message: Query = Field(validation_alias=AliasChoices("message", "query"))
    max_tokens: int | None = Field(
        default=None, ge=1, le=200_000, description="The most tokens that the context may have."
    )


class AddMemory(Arguments):
    statement: Statement = Field(
        description="One lasting statement that is true by itself, with names and no pronouns."
    )
    kind: Kind | None = None
    subject: str = Field(
        default="", max_length=512, description="The member it is about, by name or id, or empty."
    )


class GetMemories(Arguments):
    kind: Kind | None = None
    subject: str | None = Field(
        default=None, max_length=512, description="Only about this member, by name or id."
    )
    limit: int = most(20)


class End(Arguments):
    action_summary: str = Field(
        default="",
        max_length=16_000,
        validation_alias=AliasChoices("action_summary", "summary"),
        description="What you did in this turn, in one short sentence; empty if nothing.",
    )
    new_info: str = Field(
        default="",
        max_length=16_000,
        description="One new thing that the newest message tells and that was not known; or empty.",
    )
    force: bool = Field(
        default=False,
        description="Keep the note although it looks like an old one. Never with both texts empty.",
    )


class Told(BaseModel):
    """A tool's answer; `left_out` counts what there was no room for in its tokens, `hint` says why
    a member whom the model named is not known, or which ones may be meant."""

    model_config = ConfigDict(frozen=True)

    left_out: int = 0
    hint: str = ""


class ToolTopic(BaseModel):
    topic_id: str
    title: str
    summary: str
    keywords: list[str]
    message_count: int
    last_message_at: Moment
    score: float


class ToolTopics(Told):
    topics: list[ToolTopic]


class ToolMessage(BaseModel):
    message_id: str
    user_id: str
    user_name: str
    content: str
    create_time: Moment
    topic_id: str | None
    score: float
    reasons: list[str]


class ToolMessages(Told):
    messages: list[ToolMessage]


class ToolMemory(BaseModel):
    memory_id: str
    statement: str
    kind: str
    subject: str
    strength: float
    is_core: bool
    waits_for: str | None = Field(default=None, description="Why it is not active yet.")
    updated_at: Moment
    score: float | None = None


class ToolMemories(Told):
    memories: list[ToolMemory]


class ToolEvent(BaseModel):
    event_id: str
    text: str
    timestamp_utc: Moment
    user_id: str
    score: float


class ToolEvents(Told):
    events: list[ToolEvent]


class ToolProfile(BaseModel):
    entity_type: str
    entity_id: str
    name: str
    body: str
    tags: list[str]
    updated_at: Moment
    score: float | None = None


class ToolProfiles(Told):
    profiles: list[ToolProfile]


class OneProfile(Told):
    """`profile` is null where nothing is known of this entity yet."""

    profile: ToolProfile | None


class ToolEntity(BaseModel):
    entity_id: str
    name: str
    entity_type: str
    aliases: list[str]
    description: str
    mentions: int


class ToolEntities(Told):
    entities: list[ToolEntity]


class ToolRelation(BaseModel):
    source: str
    relation_type: str
    target: str
    evidence: str
    confidence: float


class ToolGraph(Told):
    """Relations name their entities."""

    entities: list[ToolEntity]
    relations: list[ToolRelation]


class ToolContext(Told):
    context_id: str
    mode: str
    text: str
    tokens: int


class AddedMemory(Told):
    """`is_new` is false if the group has a memory in these words already: that one is told. With
    `waits_for` it is not shown yet: a second voice or somebody in charge must confirm it."""

    is_new: bool
    memory: ToolMemory


class EndNoted(Told):
    """`job_id` is null where there was nothing to note."""

    job_id: str | None


class NoArguments(Arguments):
    """The host names the speaker, so the model has nothing to fill in."""


class ToSend(BaseModel):
    """What to tell the member, and the receipt to come, if any."""

    text: str
    forget_id: str | None = None
