"""A topic: a thread of messages that belong together. A summary: its versioned digest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from shared.domain.similarity.vectors import unpack

SearchMode = Literal["keyword", "vector", "hybrid"]
"""How topics are searched: by words, by meaning, by both."""
MAX_TOPIC_USERS = 200
"""Bounds the record of a topic in a very large group."""


@dataclass(frozen=True)
class Topic:
    """`vector_sum` is packed float32, the sum over `vector_count` messages, of `embedding_model`.

    `closes_at` is when an active topic has been idle long enough, `archives_at` when a closed one
    has; `title_tries` counts the answers of the model that had no title for it. The wishes for a
    summary are counted apart from the summaries: a wish is made once, however long it takes;
    `summary_due_at` is when the schedule makes one all the same. A summary is stale when a message
    it tells of was taken back or edited.
    """

    topic_id: str
    group_id: str
    title: str
    creator_id: str
    created_at: datetime
    last_message_at: datetime
    description: str = ""
    is_titled: bool = False
    keywords: Mapping[str, float] = field(default_factory=dict)
    vector_sum: bytes = b""
    vector_count: int = 0
    embedding_model: str = ""
    message_count: int = 0
    user_ids: tuple[str, ...] = ()
    is_active: bool = True
    is_archived: bool = False
    summary_version: int = 0
    summarized_count: int = 0
    last_message_id: str = ""
    closes_at: datetime | None = None
    archives_at: datetime | None = None
    title_tries: int = 0
    token_count: int = 0
    summary_asked_count: int = 0
    summary_asked_tokens: int = 0
    summary_due_at: datetime | None = None
    summary_tries: int = 0
    search_terms: tuple[str, ...] = ()

    def sum_in(self, model: str) -> list[float]:
        """Of its messages' vectors; empty where it has none of this model."""
        return unpack(self.vector_sum) if self.embedding_model == model else []

    def mean_in(self, model: str) -> list[float]:
        """What stands in the index for the topic; empty where it has no vector of this model."""
        return [number / self.vector_count for number in self.sum_in(model)]


@dataclass(frozen=True)
class Summary:
    """`message_ids` are those that are new in it since its parent; `until` is the server time of
    the last change of these: the next version starts there. One that is not `is_shown` was worse
    than its parent."""

    topic_id: str
    group_id: str
    version: int
    content: str
    generation_method: str
    created_at: datetime
    message_ids: tuple[str, ...]
    source_users: tuple[str, ...]
    until: datetime | None = None
    title: str = ""
    keywords: tuple[str, ...] = ()
    keyword_weights: Mapping[str, float] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    span: Mapping[str, Any] = field(default_factory=dict)
    quality: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    sentiment: str = ""
    parent_version: int | None = None
    is_shown: bool = True


def heaviest_first(weights: Mapping[str, float]) -> dict[str, float]:
    """Keywords by weight: a stored map has no order of its own."""
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))
