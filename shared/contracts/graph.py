"""The knowledge graph as the API takes and shows it."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints

from shared.contracts.api import (
    Answer,
    Body,
    GroupId,
    Limit,
    ListAnswer,
    Moment,
    Showing,
    Shown,
    Words,
)
from shared.domain.knowledge.graph import Relation
from shared.domain.storable import check_storable
from shared.errors import InvalidInput


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


EntityType = Annotated[
    Literal["person", "location", "organization", "product", "event", "other"],
    BeforeValidator(_lower),
]
MAX_METADATA_BYTES = 100_000
"""Of what a caller keeps with an entity, whose own record is a few."""


def _storable(metadata: dict[str, Any]) -> dict[str, Any]:
    try:
        check_storable(metadata, "metadata", MAX_METADATA_BYTES)
    except InvalidInput as error:
        raise ValueError(error.message) from error
    return metadata


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Metadata = Annotated[dict[str, Any], Field(max_length=50), AfterValidator(_storable)]
Kinds = Annotated[list[str], Field(max_length=30)]


class GraphQuestion(BaseModel):
    group_id: GroupId
    entity: Annotated[str, Field(min_length=1, max_length=512)]
    depth: Annotated[int, Field(ge=0, le=5)] = 2
    relation_types: Kinds | None = None


class EntityQuestion(BaseModel):
    group_id: GroupId
    q: Words
    entity_types: Kinds | None = None
    limit: Limit = 10


class ShownEntity(Shown):
    entity_id: str
    group_id: str
    name: str
    entity_type: str
    aliases: list[str]
    description: str
    confidence: float
    mentions: int
    user_id: str
    sources: list[str]
    source_users: list[str]
    metadata: dict[str, Any]
    created_at: Moment
    updated_at: Moment


ShownRelation = Annotated[
    Relation,
    Showing(
        "ShownRelation",
        "relation_id source_id target_id relation_type label evidence confidence sources "
        "source_users metadata created_at updated_at",
    ),
]


class GraphAnswer(Answer):
    """`nodes` are the nearest first; both are empty if there is no such entity. `is_cut` tells
    that there was more than one answer holds."""

    group_id: str
    nodes: list[ShownEntity]
    edges: list[ShownRelation]
    is_cut: bool


class FoundEntity(ShownEntity):
    """`relevance`: 1 if it was asked for by name."""

    relevance: float


class EntityList(ListAnswer):
    entities: list[FoundEntity]


class EntityAnswer(Answer):
    entity: ShownEntity


class EntityChanges(Body):
    """What is not named stays as it is; the lists replace the former ones."""

    name: Name | None = None
    entity_type: EntityType | None = None
    aliases: Annotated[list[Name], Field(max_length=20)] | None = None
    description: Annotated[str, Field(max_length=500)] | None = None
    metadata: Metadata | None = None
