"""Summaries without a model, and how a model's answer becomes the next version. Pure."""

from collections.abc import Sequence
from datetime import datetime

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.topic import Summary, Topic

SEGMENT_MESSAGES = 40
SIMPLE_LINES = 5
LINE_CHARACTERS = 160


def segments(messages: Sequence[StoredMessage]) -> list[list[StoredMessage]]:
    """Parts that a model can take in at once."""
    return [
        list(messages[start : start + SEGMENT_MESSAGES])
        for start in range(0, len(messages), SEGMENT_MESSAGES)
    ]


def simple_summary(previous: str, messages: Sequence[StoredMessage]) -> str:
    """What is left when there is no model: the lines that say most, in their order."""
    spoken = [message for message in messages if message.content.strip()]
    weightiest = sorted(spoken, key=lambda one: (-len(one.terms), one.create_time))[:SIMPLE_LINES]
    lines = [
        f"{one.user_name or one.user_id}: {one.content.strip()[:LINE_CHARACTERS]}"
        for one in sorted(weightiest, key=lambda one: one.create_time)
    ]
    return "\n".join([*([previous] if previous else []), *lines])


def next_summary(
    topic: Topic,
    previous: Summary | None,
    messages: Sequence[StoredMessage],
    content: str,
    *,
    method: str,
    now: datetime,
    title: str = "",
    keywords: Sequence[str] = (),
    people: Sequence[str] = (),
    decisions: Sequence[str] = (),
    open_questions: Sequence[str] = (),
) -> Summary:
    """The version after `previous`, from it and the messages that are new since."""
    times = [message.create_time for message in messages]
    start = previous.span.get("from") if previous else None
    return Summary(
        topic_id=topic.topic_id,
        group_id=topic.group_id,
        version=previous.version + 1 if previous else 1,
        content=content,
        generation_method=method,
        created_at=now,
        message_ids=tuple(message.message_id for message in messages),
        source_users=tuple(sorted({message.user_id for message in messages})),
        until=max((m.received_at for m in messages if m.received_at), default=None),
        title=title or topic.title,
        keywords=tuple(keywords) or tuple(topic.keywords)[:10],
        people=tuple(people),
        decisions=tuple(decisions),
        open_questions=tuple(open_questions),
        span={"from": start or min(times), "to": max(times)},
    )


def is_new_since(previous: Summary | None, message: StoredMessage) -> bool:
    """By the database's own clock: a late message is new whenever it was written."""
    if previous is None or previous.until is None or message.received_at is None:
        return True
    return message.received_at > previous.until
