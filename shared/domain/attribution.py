"""Attribution: which topic each pending message belongs to. Pure; ids are derived, so a repeated
run finds the same topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shared.domain.ids import digest
from shared.domain.stored_message import StoredMessage
from shared.domain.topic import Topic
from shared.domain.vectors import pack, total, unpack

MAX_KEYWORDS = 20
TITLE_CHARACTERS = 40
MAX_TOPIC_USERS = 200


@dataclass(frozen=True)
class Assignment:
    """`continues` is the message that this one follows, if any."""

    message: StoredMessage
    topic_id: str
    continues: str | None = None


def propose(
    pending: Sequence[StoredMessage], replied: Mapping[str, StoredMessage]
) -> list[Assignment]:
    """A topic for each, in order: a reply inherits, also from one that is itself pending."""
    topics: dict[str, str] = {
        message_id: message.topic_id for message_id, message in replied.items() if message.topic_id
    }
    assignments = []
    for message in pending:
        parent = message.reply_message_id
        topic_id = topics.get(parent) if parent else None
        if topic_id is None:
            topic_id = message.topic_id or digest("topic", message.group_id, message.message_id)
            parent = None
        topics[message.message_id] = topic_id
        assignments.append(Assignment(message, topic_id, parent))
    return assignments


def grown(
    topic: Topic | None,
    topic_id: str,
    messages: Sequence[StoredMessage],
    vectors: Mapping[str, Sequence[float]],
) -> Topic:
    """The topic with the messages in it: counts, keywords, the sum of vectors, last use."""
    first = messages[0]
    if topic is None:
        topic = Topic(
            topic_id=topic_id,
            group_id=first.group_id,
            title=title_of(first),
            creator_id=first.user_id,
            created_at=first.create_time,
            last_message_at=first.create_time,
        )
    own = [vectors[one.message_id] for one in messages if one.message_id in vectors]
    known = [unpack(topic.vector_sum)] if topic.vector_sum else []
    users = dict.fromkeys((*topic.user_ids, *(message.user_id for message in messages)))
    return replace(
        topic,
        is_active=True,
        is_archived=False,
        last_message_at=max(topic.last_message_at, *(one.create_time for one in messages)),
        message_count=topic.message_count + len(messages),
        vector_sum=pack(total([*known, *own])) if own or known else b"",
        vector_count=topic.vector_count + len(own),
        keywords=_keywords(topic.keywords, messages),
        user_ids=tuple(users)[:MAX_TOPIC_USERS],
    )


def title_of(message: StoredMessage) -> str:
    """Without a model: the keywords, or the beginning of what was said."""
    words = list(message.features.get("keywords", {}))[:4]
    title = " ".join(words) or message.content.strip().replace("\n", " ")
    return title[:TITLE_CHARACTERS] or "…"


def _keywords(known: Mapping[str, float], messages: Sequence[StoredMessage]) -> dict[str, float]:
    weights = dict(known)
    for message in messages:
        for word, weight in dict(message.features.get("keywords", {})).items():
            weights[word] = round(weights.get(word, 0.0) + float(weight), 4)
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return dict(best[:MAX_KEYWORDS])
