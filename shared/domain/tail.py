"""The last lines of a group in one record: what attribution and contexts would else read singly.

Attribution rewrites it in its own commit. What is not in it still waits for its topic, so the tail
and the pending messages together are all that was said lately. Lines leave it a page at a time.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import (
    CUT_AT,
    PAGE_LINES,
    Page,
    PageOutline,
    chunks,
    listed,
    new_page,
    said_at,
)
from shared.domain.topics.topic import Topic

LINES = 100
"""As many as a message may follow: at least so many stay when a page of older ones leaves."""
PAGE_AFTER = 2 * LINES
"""More lines than that, and the oldest hundred leave as a page."""
TOPICS = 50
"""Active topics that a run may close or dissolve: the most recently used."""


@dataclass(frozen=True)
class UnindexedLine:
    """A line that has not reached the index yet; `vector` is packed in half precision and is of the
    line and what it follows. Empty: only its words are indexed."""

    message_id: str
    vector: bytes = b""


@dataclass(frozen=True)
class Tail:
    """`lines` are attributed or passed over, oldest first; no line since `reaches_back_to` is
    missing. `pages` are the newest of those with older lines. `topics` are outlines of the active
    ones: enough to tell which of them must be read. `unindexed` lines and topics have not reached
    the vector index yet."""

    epoch: int
    reaches_back_to: datetime
    lines: tuple[StoredMessage, ...] = ()
    topics: tuple[Topic, ...] = ()
    pages: tuple[PageOutline, ...] = ()
    unindexed: tuple[UnindexedLine, ...] = ()
    unindexed_topics: tuple[str, ...] = ()


@dataclass(frozen=True)
class TailChange:
    """What a run did: lines placed or moved, topics as they are now, topics that are no more."""

    placed: Sequence[StoredMessage] = ()
    moved: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    topics: Iterable[Topic] = ()
    gone: Collection[str] = ()
    unindexed: Sequence[UnindexedLine] = ()
    unindexed_topics: Collection[str] = ()


def new_tail(
    epoch: int, lines: Iterable[StoredMessage], topics: Iterable[Topic], reaches_back_to: datetime
) -> Tail:
    in_order = tuple(sorted(map(_shortened, lines), key=said_at))
    return _trimmed(Tail(epoch, reaches_back_to, in_order, tuple(map(outline, topics))))


def after_run(tail: Tail, change: TailChange, not_before: datetime | None = None) -> Tail:
    """The tail after a run. Lines older than it reaches are history: they are not in it; nor are
    those from before `not_before`, which retention takes away."""
    lines = {line.message_id: _placed_anew(line, change.moved) for line in tail.lines}
    lines |= {
        message.message_id: _shortened(message)
        for message in change.placed
        if message.create_time >= tail.reaches_back_to
    }
    if not_before is not None:
        lines = {
            key: message for key, message in lines.items() if message.create_time >= not_before
        }
    topics = {topic.topic_id: topic for topic in tail.topics}
    topics |= {topic.topic_id: outline(topic) for topic in change.topics}
    active = [topic for key, topic in topics.items() if topic.is_active and key not in change.gone]
    unindexed = {line.message_id: line for line in (*tail.unindexed, *change.unindexed)}
    owed = dict.fromkeys((*tail.unindexed_topics, *change.unindexed_topics))
    return _trimmed(
        replace(
            tail,
            lines=tuple(sorted(lines.values(), key=said_at)),
            topics=tuple(active),
            unindexed=tuple(unindexed.values()),
            unindexed_topics=tuple(topic_id for topic_id in owed if topic_id not in change.gone),
        )
    )


def without_lines(tail: Tail, gone: Collection[str]) -> Tail:
    """Forgotten: neither shown nor indexed."""
    return replace(
        tail,
        lines=tuple(line for line in tail.lines if line.message_id not in gone),
        unindexed=tuple(line for line in tail.unindexed if line.message_id not in gone),
    )


def indexed(tail: Tail) -> Tail:
    """All that it owed has reached the index."""
    return replace(tail, unindexed=(), unindexed_topics=())


def outline(topic: Topic) -> Topic:
    """What tells whether a topic must be read: how large, how long ago, whether it has a title or
    a summary. No text and no vector."""
    return Topic(
        topic_id=topic.topic_id,
        group_id=topic.group_id,
        title="",
        creator_id="",
        created_at=topic.last_message_at,
        last_message_at=topic.last_message_at,
        is_titled=topic.is_titled,
        title_tries=topic.title_tries,
        message_count=topic.message_count,
        is_active=topic.is_active,
        summary_version=topic.summary_version,
        summary_asked_count=topic.summary_asked_count,
    )


def _placed_anew(line: StoredMessage, moved: Mapping[str, tuple[str, str | None]]) -> StoredMessage:
    if line.message_id not in moved:
        return line
    topic_id, continues = moved[line.message_id]
    return replace(line, topic_id=topic_id, continues=continues)


def paged(tail: Tail, *, is_full: bool = False) -> tuple[Tail, list[Page]]:
    """Without the lines that leave, and the pages they leave in; `is_full`: it has no room for more
    though it has few lines."""
    if len(tail.lines) <= (1 if is_full else PAGE_AFTER):
        return tail, []
    leaving = len(tail.lines) // 2 if is_full else len(tail.lines) - LINES
    some = chunks(tail.lines[:leaving])
    if len(some) > 1 and len(some[-1]) < PAGE_LINES:  # what fills no page stays for the next
        some = some[:-1]
    pages = [new_page(messages) for messages in some]
    gone = {line.message_id for page in pages for line in page.lines}
    left = without_lines(tail, gone)
    left = replace(left, reaches_back_to=left.lines[0].create_time)
    return replace(left, pages=listed(tail.pages, pages)), pages


def _trimmed(tail: Tail) -> Tail:
    kept = {line.message_id for line in tail.lines}
    topics = sorted(tail.topics, key=lambda topic: topic.last_message_at)[-TOPICS:]
    return replace(
        tail,
        topics=tuple(topics),
        unindexed=tuple(line for line in tail.unindexed if line.message_id in kept),
    )


def _shortened(line: StoredMessage) -> StoredMessage:
    return line if len(line.content) <= CUT_AT else replace(line, content=line.content[:CUT_AT])
