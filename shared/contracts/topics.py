"""Topics, their messages and their summaries, as the API shows them."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from shared.contracts.api import (
    Answer,
    GroupId,
    Id,
    Limit,
    ListAnswer,
    Moment,
    Showing,
    Shown,
    Words,
)
from shared.domain.jobs.kinds import ModelCost
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.group_digest import GroupDigest
from shared.domain.topics.topic import SearchMode, heaviest_first

Weights = Annotated[dict[str, float], AfterValidator(heaviest_first)]
"""Keywords with their weights, the heaviest first."""


class ShownTopic(Shown):
    topic_id: str
    group_id: str
    title: str
    description: str
    creator_id: str
    keywords: Weights
    message_count: int
    user_ids: list[str]
    is_active: bool
    is_archived: bool
    summary_version: int
    created_at: Moment
    last_message_at: Moment


class ShownDiff(BaseModel):
    """Sentences that a version has and its parent has not, and the other way round."""

    added: list[str]
    removed: list[str]


class ShownSummary(Shown):
    """`span` is the time it covers; `quality` each part of its mark; one that is not `is_shown` was
    much worse than its parent; `diff` stands in lists of versions."""

    topic_id: str
    version: int
    title: str
    content: str
    generation_method: str
    keywords: list[str]
    keyword_weights: Weights
    people: list[str]
    decisions: list[str]
    open_questions: list[str]
    links: list[str]
    sentiment: str
    span: dict[str, Any]
    quality: dict[str, Any]
    parent_version: int | None
    is_shown: bool
    diff: ShownDiff | None = None
    message_count: Annotated[int, BeforeValidator(len)] = Field(validation_alias="message_ids")
    created_at: Moment


ShownMessage = Annotated[
    StoredMessage,
    Showing(
        "ShownMessage",
        "message_id group_id user_id user_name role content create_time edited_at "
        "reply_message_id topic_id continues state",
    ),
]
"""`continues` is the message that it follows, as attribution found."""


class FoundTopic(ShownTopic):
    """`keyword_score` is a share of the best, `vector_score` a chance."""

    score: float
    keyword_score: float
    vector_score: float


class TopicQuestion(BaseModel):
    group_id: GroupId
    q: Words
    mode: SearchMode = "hybrid"
    user_id: Id | None = None
    limit: Limit = 5


class FoundTopics(ListAnswer):
    """The best first."""

    query: str
    mode: str
    topics: list[FoundTopic]


class TopicList(ListAnswer):
    topics: list[ShownTopic]


class TopicAnswer(Answer):
    """`summary` is the newest."""

    topic: ShownTopic
    summary: ShownSummary | None


class SummaryList(ListAnswer):
    """The newest version first."""

    summaries: list[ShownSummary]


class MessageAnswer(Answer):
    message: ShownMessage


class MessagePage(ListAnswer):
    """Newest first. `next_cursor` asks for the page behind this one; null on the last."""

    messages: list[ShownMessage]
    next_cursor: str | None


class MessageList(ListAnswer):
    """Oldest first."""

    messages: list[ShownMessage]


class SummaryAnswer(Answer):
    """`cost` is what this call asked of models: nothing if there was nothing new."""

    job_id: str
    summary: ShownSummary | None
    cost: ModelCost


ShownDigest = Annotated[
    GroupDigest,
    Showing(
        "ShownDigest",
        "week version starts_at ends_at content decisions open_questions joined topic_ids "
        "created_at",
    ),
]
"""`content` is the page as it can be posted; `joined` are names; `topic_ids` are the topics it was
made of."""


class DigestList(ListAnswer):
    """The newest week first."""

    digests: list[ShownDigest]


class ClosingPage(BaseModel):
    """The `number`th page of the closing that began at `run`; of a schedule, which says neither,
    the first."""

    run: str = ""
    number: int = 0


class ClosingAnswer(Answer):
    """How many topics were closed and archived, and how many summaries and digests were due by the
    clock; `is_more` if some had to wait."""

    total: int
    archived: int
    summaries: int
    digests: int
    is_more: bool
