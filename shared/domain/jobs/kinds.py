"""What each kind of job is asked to do, and what it reports when that is done.

A kind is told from the others by its fields alone, so those that tell it apart have no defaults.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.domain.knowledge.event import Note


@dataclass(frozen=True)
class SummarizeTopic:
    """`cause` tells two wishes apart: a count of messages, a closing, a request."""

    topic_id: str
    cause: str


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
    """`is_more`: the topic has more that is new than one run takes."""

    topic_id: str
    version: int
    unchanged: bool
    generation_method: str = ""
    segments: int = 0
    is_more: bool = False
    cost: ModelCost = NO_COST


@dataclass(frozen=True)
class EvolveGroup:
    """`days` asks for a window instead of the cursor; `after` is where its last page ended."""

    days: int | None
    after: str | None = None


@dataclass(frozen=True)
class EvolutionStats:
    kept: int
    updated: int
    created: int
    deleted: int


@dataclass(frozen=True)
class EvolutionReport:
    """`touched` are the memories whose vectors follow the commit; `next_job` takes the page that
    begins behind the message `after`."""

    evolution_time: datetime
    stats: EvolutionStats
    message: str
    touched: tuple[str, ...]
    next_job: str | None
    after: str | None
    candidates: int = 0


@dataclass(frozen=True)
class RecordNote:
    note: Note


@dataclass(frozen=True)
class RewriteNote:
    """A note whose event a model's outage left relative, for the `tries`th time."""

    note: Note
    tries: int


@dataclass(frozen=True)
class NoteReport:
    """`rewrites` counts the model's answers that the gate refused; `next_job` tries again after an
    outage. Without an event id the group has the historian switched off."""

    event_id: str
    is_absolute: bool
    rewrites: int = 0
    next_job: str | None = None


@dataclass(frozen=True)
class ForgetMessage:
    """`topic_id` is where the message was."""

    message_id: str
    topic_id: str | None


@dataclass(frozen=True)
class ForgetReport:
    """How many records of each sort went."""

    messages: int
    topics: int
    vectors: int


Payload = SummarizeTopic | EvolveGroup | RewriteNote | RecordNote | ForgetMessage
Report = SummaryReport | EvolutionReport | NoteReport | ForgetReport
