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
    Shown,
    ShownCost,
    Words,
)
from shared.domain.messages.stored_message import MessageState
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


class ShownDiff(Shown):
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


class ShownMessage(Shown):
    """`continues` is the message that it follows, as attribution found."""

    message_id: str
    group_id: str
    user_id: str
    user_name: str
    role: str
    content: str
    create_time: Moment
    edited_at: Moment | None
    reply_message_id: str | None
    topic_id: str | None
    continues: str | None
    state: MessageState


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
    cost: ShownCost


class ShownDigestLine(Shown):
    topic_id: str
    text: str


class ShownDigest(Shown):
    """`content` is the page as it can be posted; `joined` are names; `topic_ids` are the topics it
    was made of."""

    week: str
    version: int
    starts_at: Moment
    ends_at: Moment
    content: str
    decisions: list[ShownDigestLine]
    open_questions: list[ShownDigestLine]
    joined: list[str]
    topic_ids: list[str]
    created_at: Moment


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
