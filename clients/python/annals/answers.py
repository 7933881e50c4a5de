"""What Annals answers. Made from the functions' OpenAPI by `generate.py`: do not edit."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """An answer; fields that a newer Annals adds are kept."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


class ShownChange(Shape):
    """A row of the change log."""

    timestamp: datetime
    action: str
    memory_id: str
    old_statement: str | None
    new_statement: str | None
    change_reason: str
    version: int
    verdict: str | None = None


class ChangeList(Shape):
    """The newest first."""

    success: Literal[True] | None = None
    group_id: str
    period: str
    changes: list[ShownChange]


class ShownEvent(Shape):
    event_id: str
    group_id: str
    canonical_text: str
    request_id: str
    end_seq: int
    timestamp_utc: datetime
    timestamp_local: str
    timezone: str
    location_abs: str
    request_type: str
    user_id: str
    sender_id: str
    message_ids: list[str]
    has_new_info: bool
    new_info: str
    is_absolute: bool
    degraded: bool
    worded_by: str
    rewrites: int
    viewpoint: str
    schema_version: str


class EventList(Shape):
    success: Literal[True] | None = None
    total: int
    events: list[ShownEvent]


class ForgetAccepted(Shape):
    success: Literal[True] | None = None
    forget_id: str


JobState = Literal["pending", "running", "committed", "done", "failed"]


class ForgetReport(Shape):
    """How many records of each sort went, and how many were made again of what is left."""

    messages: int
    topics: int
    vectors: int
    summaries: int | None = None
    memories: int | None = None
    changes: int | None = None
    conflicts: int | None = None
    events: int | None = None
    profiles: int | None = None
    snapshots: int | None = None
    entities: int | None = None
    relations: int | None = None
    contexts: int | None = None
    digests: int | None = None
    jobs: int | None = None
    mentions: int | None = None
    others: int | None = None
    rederived: dict[str, int] | None = None
    finished_at: datetime | None = None
    kind: Literal["forget"] | None = None


class ForgetAnswer(Shape):
    """`receipt` says what went, once that is committed."""

    success: Literal[True] | None = None
    forget_id: str
    state: JobState
    error: str | None
    receipt: ForgetReport | None


class FoundTopic(Shape):
    """`keyword_score` is a share of the best, `vector_score` a chance."""

    topic_id: str
    group_id: str
    title: str
    description: str
    creator_id: str
    keywords: dict[str, float]
    message_count: int
    user_ids: list[str]
    is_active: bool
    is_archived: bool
    summary_version: int
    created_at: datetime
    last_message_at: datetime
    score: float
    keyword_score: float
    vector_score: float


class FoundTopics(Shape):
    """The best first."""

    success: Literal[True] | None = None
    total: int
    query: str
    mode: str
    topics: list[FoundTopic]


class RefusedLine(Shape):
    """`line` counts from 1."""

    line: int
    reason: str


class ImportReport(Shape):
    """By kind: how many records were `taken`, and how many were there already and `kept` as they
    are. What was `refused` can be mended and sent again.
    """

    success: Literal[True] | None = None
    group_id: str
    taken: dict[str, int]
    kept: dict[str, int]
    refused: list[RefusedLine]


MemoryStatus = Literal["active", "candidate", "superseded", "deprecated", "archived"]


class ShownMemory(Shape):
    """`created_at` is when its first version was made, `updated_at` when this one was. It holds
    from `valid_from` to `valid_until` (`expires_at` is its older name), as was said. `backed`: by
    several people or by hand. `conflict` tells what somebody else says. `held_back` is why a
    candidate waits; `restore` confirms it.
    """

    memory_id: str
    group_id: str
    statement: str
    kind: str
    subject: str
    version: int
    parent_id: str | None
    superseded_by: str | None
    change_summary: str
    status: MemoryStatus
    strength: float
    core: bool
    tags: list[str]
    sources: list[str]
    source_users: list[str]
    created_at: datetime
    updated_at: datetime
    last_supported_at: datetime | None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    backed: bool | None = None
    conflict: str | None = None
    held_back: str | None = None


class MemoryAnswer(Shape):
    success: Literal[True] | None = None
    memory: ShownMemory


class Difference(Shape):
    removed: str
    added: str


class ShownVersion(Shape):
    """`diff` is what changed since the version before: what went and what came, in order."""

    memory_id: str
    group_id: str
    statement: str
    kind: str
    subject: str
    version: int
    parent_id: str | None
    superseded_by: str | None
    change_summary: str
    status: MemoryStatus
    strength: float
    core: bool
    tags: list[str]
    sources: list[str]
    source_users: list[str]
    created_at: datetime
    updated_at: datetime
    last_supported_at: datetime | None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    backed: bool | None = None
    conflict: str | None = None
    held_back: str | None = None
    diff: list[Difference]


class MemoryHistory(Shape):
    """The first version first."""

    success: Literal[True] | None = None
    memory_id: str
    current_version: int
    history: list[ShownVersion]


class ShownHit(Shape):
    """`confidence` is the chance that it answers; `score` is its older name."""

    memory_id: str
    group_id: str
    statement: str
    kind: str
    subject: str
    version: int
    parent_id: str | None
    superseded_by: str | None
    change_summary: str
    status: MemoryStatus
    strength: float
    core: bool
    tags: list[str]
    sources: list[str]
    source_users: list[str]
    created_at: datetime
    updated_at: datetime
    last_supported_at: datetime | None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    backed: bool | None = None
    conflict: str | None = None
    held_back: str | None = None
    score: float
    confidence: float


class MemoryHits(Shape):
    success: Literal[True] | None = None
    query: str
    results: list[ShownHit]


class MemoryList(Shape):
    success: Literal[True] | None = None
    total: int
    group_id: str
    memories: list[ShownMemory]


class MemoryStats(Shape):
    """`runs` are the last evolution jobs by their state; `jobs` counts jobs of every kind."""

    success: Literal[True] | None = None
    group_id: str
    total: int
    by_status: dict[str, int]
    by_kind: dict[str, int]
    mean_strength: float | None
    mean_version: float | None
    changes_7_days: dict[str, int]
    runs: dict[str, int]
    last_run_at: datetime | None
    jobs: int


class ShownTopic(Shape):
    topic_id: str
    group_id: str
    title: str
    description: str
    creator_id: str
    keywords: dict[str, float]
    message_count: int
    user_ids: list[str]
    is_active: bool
    is_archived: bool
    summary_version: int
    created_at: datetime
    last_message_at: datetime


class TopicList(Shape):
    success: Literal[True] | None = None
    total: int
    topics: list[ShownTopic]
