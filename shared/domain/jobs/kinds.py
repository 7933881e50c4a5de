"""What each kind of job is asked to do, and what it reports when that is done.

Each payload and each report has a `kind`, by which it is read again from the database.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Discriminator

from shared.domain.group import Cursor
from shared.domain.knowledge.event import Note
from shared.domain.knowledge.profile import News
from shared.domain.memories.memory import NONE_JUDGED, Judged


@dataclass(frozen=True)
class SummarizeTopic:
    """The next version of a topic's summary. `cause` tells two wishes apart: a count of messages, a
    closing, a request."""

    topic_id: str
    cause: str
    kind: Literal["summarize"] = "summarize"


@dataclass(frozen=True)
class ModelCost:
    """What was asked of chat models for one piece of work."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "ModelCost") -> "ModelCost":
        return ModelCost(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


NO_COST = ModelCost()


@dataclass(frozen=True)
class SummaryReport:
    """`is_more`: the topic has more that is new than one run takes. `waits`: the model tells it
    later, together with others. `masked` counts the passages that had a secret."""

    topic_id: str
    version: int
    unchanged: bool
    generation_method: str = ""
    segments: int = 0
    is_more: bool = False
    cost: ModelCost = NO_COST
    waits: bool = False
    masked: int = 0
    kind: Literal["summarize"] = "summarize"


@dataclass(frozen=True)
class TellWeek:
    """The digest of a week that is over. It was due at `digest_due_at`."""

    digest_due_at: datetime
    kind: Literal["digest"] = "digest"


@dataclass(frozen=True)
class DigestReport:
    """`digest_version` is 0 for a week of which nothing was told."""

    week: str
    digest_version: int
    kind: Literal["digest"] = "digest"


@dataclass(frozen=True)
class SkippedPage:
    """What came after `since`, up to the message `until`."""

    since: Cursor | None
    until: str


@dataclass(frozen=True)
class EvolveGroup:
    """One page of a group's news becomes memories. `days` asks for a window instead of the cursor;
    `after` is where its last page ended. What nobody asked for, `by_schedule`, leaves a small rest
    for the next time. `skipped` is a page that was stepped over: only that is read, and the cursor
    stays where it is."""

    days: int | None
    after: str | None = None
    by_schedule: bool = False
    skipped: SkippedPage | None = None
    kind: Literal["evolve"] = "evolve"


@dataclass(frozen=True)
class EvolutionStats:
    kept: int
    updated: int
    created: int
    deleted: int


@dataclass(frozen=True)
class EvolutionReport:
    """`touched` and `entities_touched` are those whose vectors follow the commit; `next_job` takes
    the page that begins behind the message `after`; `profile_jobs` take what members said of
    themselves into their profiles. `refused` counts what the model said and was left out, `masked`
    the statements that had a secret."""

    evolution_time: datetime
    stats: EvolutionStats
    message: str
    touched: tuple[str, ...]
    next_job: str | None
    after: str | None
    candidates: int = 0
    conflicts: int = 0
    refused: int = 0
    masked: int = 0
    entities: int = 0
    relations: int = 0
    entities_touched: tuple[str, ...] = ()
    profile_jobs: tuple[str, ...] = ()
    cost: ModelCost = NO_COST
    judged: Judged = NONE_JUDGED
    kind: Literal["evolve"] = "evolve"


@dataclass(frozen=True)
class RecordNote:
    """Makes an event of an end-of-turn note."""

    note: Note
    kind: Literal["note"] = "note"


@dataclass(frozen=True)
class NoteReport:
    """`rewrites` counts the model's answers that could not be used; `profile_jobs` take what is new
    into profiles. Without an event id nothing was stored: the historian is switched off, or the
    member opted out."""

    event_id: str
    is_absolute: bool
    rewrites: int = 0
    profile_jobs: tuple[str, ...] = ()
    masked: int = 0
    kind: Literal["note"] = "note"


@dataclass(frozen=True)
class MergeProfile:
    """Merges what was learnt of an entity into its profile."""

    news: News
    kind: Literal["profile"] = "profile"


@dataclass(frozen=True)
class ProfileReport:
    """`version` is 0 where nothing was to be kept. `held_back` counts the model's merges that were
    not used."""

    profile_id: str
    version: int
    merged_by: str
    held_back: int = 0
    masked: int = 0
    kind: Literal["profile"] = "profile"


@dataclass(frozen=True)
class ForgetMessage:
    """Removes what came of a message that is blank already. `topic_id` is where it was."""

    message_id: str
    topic_id: str | None
    kind: Literal["message"] = "message"


@dataclass(frozen=True)
class ForgetMember:
    """All that a member said, and all that is kept of them. When it is done the id is hashed."""

    member_id: str
    kind: Literal["member"] = "member"


@dataclass(frozen=True)
class ForgetMemory:
    """All versions of a memory, by the id of the first, and its words wherever they stand."""

    memory_root_id: str
    kind: Literal["memory"] = "memory"


@dataclass(frozen=True)
class ForgetGroup:
    """All of a group. It is a tombstone already."""

    deleted_group_id: str
    kind: Literal["group"] = "group"


@dataclass(frozen=True)
class ForgetReport:
    """How many records of each sort went, and how many were made again of what is left."""

    messages: int
    topics: int
    vectors: int
    summaries: int = 0
    memories: int = 0
    changes: int = 0
    conflicts: int = 0
    events: int = 0
    profiles: int = 0
    snapshots: int = 0
    entities: int = 0
    relations: int = 0
    contexts: int = 0
    digests: int = 0
    jobs: int = 0
    mentions: int = 0
    others: int = 0
    rederived: dict[str, int] = field(default_factory=dict)
    finished_at: datetime | None = None
    kind: Literal["forget"] = "forget"


@dataclass(frozen=True)
class MoveGroup:
    """Brings what a group said and learnt to the id that the platform calls it by now. `after` is
    where the last page of it ended."""

    previous_group_id: str
    after: str | None = None
    kind: Literal["move"] = "move"


@dataclass(frozen=True)
class MoveReport:
    """`next_job` takes the page after this one; without it the old group is forgotten."""

    moved: int
    next_job: str | None
    kind: Literal["move"] = "move"


Forgetting = ForgetMessage | ForgetMember | ForgetMemory | ForgetGroup

Payload = Annotated[
    SummarizeTopic
    | TellWeek
    | EvolveGroup
    | RecordNote
    | MergeProfile
    | ForgetMessage
    | ForgetMember
    | ForgetMemory
    | ForgetGroup
    | MoveGroup,
    Discriminator("kind"),
]
Report = Annotated[
    SummaryReport
    | DigestReport
    | EvolutionReport
    | NoteReport
    | ProfileReport
    | ForgetReport
    | MoveReport,
    Discriminator("kind"),
]


def without_words(payload: Payload) -> Payload:
    """The payload of a finished job without the text that it quoted: the records have it."""
    if isinstance(payload, RecordNote):
        silent = replace(payload.note, action_summary="", new_info="", location="")
        return replace(payload, note=silent)
    if isinstance(payload, MergeProfile):
        return replace(payload, news=replace(payload.news, new_info=(), name=""))
    return payload
