"""What the memory API takes and tells."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from difflib import SequenceMatcher
from statistics import fmean
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BaseModel, Field, StringConstraints

from shared.contracts.api import (
    Answer,
    AskedTime,
    Body,
    Limit,
    ListAnswer,
    Moment,
    Showing,
    Shown,
    Words,
)
from shared.domain.group import DuePage
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolutionStats, ModelCost
from shared.domain.memories.conflict import MemoryConflict
from shared.domain.memories.memory import MAX_STATEMENT, Change, Memory, MemoryStatus

Statement = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_STATEMENT)
]
Kind = Literal["habit", "view", "trait", "culture", "taboo", "fact", "preference", "project"]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=50)]], Field(max_length=20)]
Strength = Annotated[float, Field(ge=0, le=1)]
UNTIL = Field(validation_alias=AliasChoices("valid_until", "expires_at"))


class NewMemory(Body):
    """Without a kind, one is guessed from the statement's form. `expires_at` is the older name of
    `valid_until`."""

    statement: Statement
    kind: Kind | None = None
    subject: Annotated[str, Field(max_length=512)] = ""
    tags: Tags = Field(default_factory=list)
    strength: Strength = 0.7
    reason: Annotated[str, Field(max_length=500)] = "added by hand"
    valid_from: AskedTime | None = None
    valid_until: Annotated[AskedTime | None, UNTIL] = None


class NewVersion(Body):
    statement: Statement
    kind: Kind | None = None
    tags: Tags | None = None
    reason: Annotated[str, Field(max_length=500)] = "changed by hand"
    valid_from: AskedTime | None = None
    valid_until: Annotated[AskedTime | None, UNTIL] = None


class SettledConflict(Body):
    """`keep` the memory as it is, or `replace` it by the newest claim."""

    choice: Literal["keep", "replace"]
    reason: Annotated[str, Field(max_length=500)] = "settled by hand"


class NewStrength(Body):
    strength: Strength


class ShownMemory(Shown):
    """`created_at` is when its first version was made, `updated_at` when this one was. It holds
    from `valid_from` to `valid_until` (`expires_at` is its older name), as was said. `backed`: by
    several people or by hand. `conflict` tells what somebody else says. `held_back` is why a
    candidate waits; `restore` confirms it."""

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
    created_at: Moment
    updated_at: Moment
    last_supported_at: Moment | None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    expires_at: Moment | None = None
    backed: bool = False
    conflict: str | None = None
    held_back: str | None = None

    def without_text(self) -> "ShownMemory":
        """For who may manage and not read: which one it is, and nothing of what it says."""
        hidden: dict[str, Any] = {
            "statement": "",
            "change_summary": "",
            "tags": [],
            "conflict": None,
        }
        return self.model_copy(update=hidden)

    @classmethod
    def from_record(cls, record: object) -> Self:
        shown = super().from_record(record)
        first = getattr(record, "first_created_at", None)
        none = {"held_back": shown.held_back or None, "conflict": shown.conflict or None}
        shown = shown.model_copy(update={**none, "expires_at": shown.valid_until})
        return shown.model_copy(update={"created_at": first}) if first else shown


class MemoryAnswer(Answer):
    memory: ShownMemory


class MemoryList(ListAnswer):
    group_id: str
    memories: list[ShownMemory]


class ShownHit(ShownMemory):
    """`confidence` is the chance that it answers; `score` is its older name."""

    score: float
    confidence: float


class MemoryQuestion(BaseModel):
    q: Words
    limit: Limit = 5
    threshold: Strength | None = None
    as_of: AskedTime | None = None


class MemoryHits(Answer):
    query: str
    results: list[ShownHit]


ShownConflict = Annotated[
    MemoryConflict,
    Showing(
        "ShownConflict",
        "conflict_id group_id memory_id statement subject status outcome claims created_at "
        "updated_at",
    ),
]
"""What was said against a memory, too uncertainly to replace it; the newest claim last."""


class ConflictList(ListAnswer):
    group_id: str
    conflicts: list[ShownConflict]


class ConflictAnswer(Answer):
    conflict: ShownConflict


class MemoryErasure(BaseModel):
    """How many versions went so far, and how many records in all."""

    versions: int
    records: int


class MemoryForgotten(Answer):
    """`GET /forgets/{forget_id}` of the historian has the receipt."""

    memory_id: str
    forget_id: str
    forgotten: MemoryErasure


class Difference(BaseModel):
    removed: str
    added: str


class ShownVersion(ShownMemory):
    """`diff` is what changed since the version before: what went and what came, in order."""

    diff: list[Difference]


class MemoryHistory(Answer):
    """The first version first."""

    memory_id: str
    current_version: int
    history: list[ShownVersion]


def shown_history(memory_id: str, versions: list[Memory]) -> MemoryHistory:
    before = ["", *(version.statement for version in versions)]
    history = [
        ShownVersion(
            **ShownMemory.from_record(memory).model_dump(), diff=_diff(was, memory.statement)
        )
        for was, memory in zip(before, versions, strict=False)
    ]
    current = versions[-1].version
    return MemoryHistory(memory_id=memory_id, current_version=current, history=history)


def _diff(before: str, after: str) -> list[Difference]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        Difference(removed=before[i:j], added=after[k:m])
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


class ShownChange(BaseModel):
    """A row of the change log."""

    timestamp: Moment
    action: str
    memory_id: str
    old_statement: str | None
    new_statement: str | None
    change_reason: str
    version: int
    verdict: str = Field(
        default="",
        description="Do its sources say it: supported, contradicted, not_said; empty if unseen.",
    )


def shown_change(change: Change) -> ShownChange:
    return ShownChange(
        timestamp=change.created_at,
        action=change.action,
        memory_id=change.memory_id,
        old_statement=change.old_statement,
        new_statement=change.new_statement,
        change_reason=change.reason,
        version=change.version,
        verdict=change.verdict,
    )


class ChangeList(Answer):
    """The newest first."""

    group_id: str
    period: str
    changes: list[ShownChange]


class MadeChange(BaseModel):
    """A change as the evolution's own answer lists it; what it has not is left out."""

    action: str
    old_id: str | None = None
    new_id: str | None = None
    old_statement: str | None = None
    new_statement: str | None = None
    statement: str | None = None
    change_reason: str
    version: int


def made_change(change: Change) -> MadeChange:
    is_new = change.action == "create"
    return MadeChange(
        action=change.action,
        old_id=change.old_id,
        new_id=None if change.action == "delete" else change.memory_id,
        old_statement=change.old_statement,
        new_statement=None if is_new else change.new_statement,
        statement=change.new_statement if is_new else None,
        change_reason=change.reason,
        version=change.version,
    )


class EvolutionAnswer(Answer):
    """`cost` is what this run asked of models: nothing if there was nothing new."""

    group_id: str
    job_id: str
    evolution_time: Moment
    stats: EvolutionStats
    candidates: int
    message: str
    cost: ModelCost
    changes: list[MadeChange]


class MemoryStats(Answer):
    """`runs` are the last evolution jobs by their state; `jobs` counts jobs of every kind."""

    group_id: str
    total: int
    by_status: dict[str, int]
    by_kind: dict[str, int]
    mean_strength: float | None
    mean_version: float | None
    changes_7_days: dict[str, int]
    runs: dict[str, int]
    last_run_at: Moment | None
    jobs: int


def memory_stats(
    group_id: str,
    *,
    counts: dict[str, int],
    active: Sequence[Memory],
    week: Sequence[Change],
    runs: Sequence[Job],
    jobs: int,
) -> MemoryStats:
    return MemoryStats(
        group_id=group_id,
        total=sum(counts.values()),
        by_status=counts,
        by_kind=Counter(memory.kind for memory in active),
        mean_strength=round(fmean(memory.strength for memory in active), 4) if active else None,
        mean_version=round(fmean(memory.version for memory in active), 2) if active else None,
        changes_7_days=Counter(change.action for change in week),
        runs=Counter(run.state.value for run in runs),
        last_run_at=max((run.created_at for run in runs), default=None),
        jobs=jobs,
    )


class DueGroups(Answer):
    """How many groups had a job made."""

    total: int


class GroupsDue(BaseModel):
    """Where a fan-out goes on; of a schedule, which says nothing, where it begins."""

    kind: Literal["news", "silent"] | None = None
    due_at: datetime | None = None
    group_id: str | None = None

    @classmethod
    def after(cls, page: DuePage) -> "GroupsDue":
        return cls(kind=page.kind, due_at=page.due_at, group_id=page.group_id)

    def page(self) -> DuePage | None:
        return DuePage(self.kind, self.due_at, self.group_id) if self.kind else None


class UpkeepPage(BaseModel):
    """The `number`th page of the upkeep that began in the hour `run`; of a schedule, which says
    neither, the first."""

    run: str = ""
    number: int = 0


class UpkeepAnswer(Answer, Shown):
    """What upkeep did, over all groups of the call."""

    groups: int
    archived: int
    purged: int
    core_moved: int
    embedded: int
    indexed: int
    words: int
    expired: int
    failed: int
    is_more: bool
