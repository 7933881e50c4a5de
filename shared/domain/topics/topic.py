"""A topic: a thread of messages that belong together. A summary: its versioned digest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.domain.similarity.vectors import unpack


@dataclass(frozen=True)
class Topic:
    """`vector_sum` is packed float32, the sum over `vector_count` messages, of `embedding_model`.

    `closes_at` is when an active topic has been idle long enough, `archives_at` when a closed one
    has; `title_tries` counts the answers of the model that had no title for it. The wishes for a
    summary are counted apart from the summaries: a wish is made once, however long it takes.
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

    def sum_in(self, model: str) -> list[float]:
        """Of its messages' vectors; empty where it has none of this model."""
        return unpack(self.vector_sum) if self.embedding_model == model else []

    def mean_in(self, model: str) -> list[float]:
        """What stands in the index for the topic; empty where it has no vector of this model."""
        return [number / self.vector_count for number in self.sum_in(model)]


@dataclass(frozen=True)
class Summary:
    """`until` is the server time of the newest message in it: the next version starts there."""

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
    people: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    span: Mapping[str, Any] = field(default_factory=dict)
    quality: Mapping[str, Any] = field(default_factory=dict)
