"""Profiles as the API shows them."""

from typing import Annotated, Self

from pydantic import Field

from shared.contracts.api import Answer, Body, ListAnswer, Moment, Shown
from shared.domain.knowledge.profile import EntityType, Preference, Profile, Trait, markdown_of


class ShownProfile(Shown):
    """`markdown` is the whole file, front matter and body."""

    entity_type: EntityType
    entity_id: str
    group_id: str
    name: str
    tags: list[str]
    preferences: list[Preference]
    traits: list[Trait]
    body: str
    version: int
    merged_by: str
    updated_at: Moment
    source_event_id: str
    sources: list[str]
    markdown: str

    @classmethod
    def from_record(cls, record: object) -> Self:
        assert isinstance(record, Profile)
        fields = {name: getattr(record, name) for name in cls.model_fields if name != "markdown"}
        return cls(**fields, markdown=markdown_of(record))


class ProfileAnswer(Answer):
    profile: ShownProfile


class ShownSnapshot(Shown):
    version: int
    taken_at: Moment
    updated_at: Moment
    markdown: str


class SnapshotList(ListAnswer):
    """The newest first."""

    snapshots: list[ShownSnapshot]


class Rollback(Body):
    """Without a version: to the newest one that is kept."""

    version: Annotated[int, Field(ge=1)] | None = None
