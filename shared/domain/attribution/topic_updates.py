"""What topics are after a run: their messages counted, their vectors summed, the idle ones shut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.attribution.proposing import Basis
from shared.domain.attribution.questions import Assignment, Title
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import pack, total
from shared.domain.topics.bursts import is_noise
from shared.domain.topics.keywords import UNTITLED, line_keywords, title_from
from shared.domain.topics.topic import MAX_TOPIC_USERS, Topic
from shared.language import estimate_tokens

MAX_KEYWORDS = 20
"""More than are ever shown, so that a word may rise while the topic grows."""
GIVEN_TITLE_CHARACTERS = 100
DESCRIPTION_CHARACTERS = 500
"""Of a title and a description that a model gave: it is asked for a few words and a sentence, and
may not fill the record."""
ARCHIVE_AFTER = timedelta(days=30)
"""A closed topic that nobody took up again for so long goes to the archive."""
NOTHING: Mapping[str, str] = {}
NO_TITLES: Mapping[str, Title] = {}
WORTH_SUMMARIZING = 2
"""One message is its own summary."""


@dataclass(frozen=True)
class ClosingRules:
    """When a topic closes, and when one that goes on is summarised: after so many messages, tokens
    or hours since the last time."""

    idle: timedelta = timedelta(hours=6)
    is_summarizing: bool = True
    summary_messages: int = 50
    summary_tokens: int = 4000
    summary_every: timedelta = timedelta(hours=24)


@dataclass(frozen=True)
class Growth:
    """`changed` are topics as they are to be stored, some of them `opened` or `closed` by the run;
    `due` tells for which a summary is wished, and why; `rounds` counts answers of the bot."""

    changed: Mapping[str, Topic]
    opened: frozenset[str]
    closed: frozenset[str]
    due: Mapping[str, str]
    rounds: int


def grow(
    assignments: Sequence[Assignment],
    topics: Mapping[str, Topic],
    vectors: Mapping[str, Sequence[float]],
    rules: ClosingRules,
    *,
    embedding_model: str,
    titles: Mapping[str, Title] = NO_TITLES,
    title_wishes: Sequence[str] = (),
    roles: Mapping[str, str],
    absorbed: Mapping[str, str] = NOTHING,
) -> Growth:
    """`vectors` are of `embedding_model`; `titles` are what the model gave, `title_wishes`
    the topics it was asked to title when it did answer; `roles` are those of the messages that the
    assigned may continue; `absorbed` are topics that go, each with the one it goes into."""
    changed: dict[str, Topic] = {}
    due: dict[str, str] = {}
    gone = {source: topics[source] for source in absorbed}
    topics = {key: topic for key, topic in topics.items() if key not in absorbed}
    for source, target in absorbed.items():
        if target in topics:
            changed[target] = with_topic(changed.get(target) or topics[target], gone[source])
    for topic_id, messages in _joined(assignments).items():
        grown = with_messages(
            changed.get(topic_id) or topics.get(topic_id),
            topic_id,
            messages,
            vectors,
            embedding_model,
            rules.idle,
        )
        if rules.is_summarizing and grown.summary_due_at is None:
            # The schedule makes one if nothing else does before.
            grown = replace(grown, summary_due_at=messages[0].create_time + rules.summary_every)
        if rules.is_summarizing and _has_much_new(grown, rules):
            due[topic_id] = f"{grown.message_count} messages, {messages[-1].message_id}"
            grown = replace(
                grown,
                summary_asked_count=grown.message_count,
                summary_asked_tokens=grown.token_count,
            )
        changed[topic_id] = grown
    for source, target in absorbed.items():
        if target not in topics:  # opened just now
            changed[target] = with_topic(changed[target], gone[source])
    given = {topic_id: title for topic_id, title in titles.items() if title.title.strip()}
    for topic_id in dict.fromkeys((*given, *title_wishes)):
        topic = changed.get(topic_id) or topics.get(topic_id)
        if topic is not None and not topic.is_titled:
            changed[topic_id] = titled(topic, given.get(topic_id))
    closed = _idle(assignments, {**topics, **changed}, rules.idle)
    for topic in closed:
        changed[topic.topic_id] = shut(topic, topic.last_message_at + rules.idle)
        if rules.is_summarizing and is_worth_summarizing(topic):
            due[topic.topic_id] = closing_cause(topic)
    return Growth(
        changed=changed,
        opened=frozenset(topic_id for topic_id in changed if topic_id not in topics),
        closed=frozenset(topic.topic_id for topic in closed),
        due=due,
        rounds=sum(ends_a_round(assignment, roles) for assignment in assignments),
    )


def with_messages(
    topic: Topic | None,
    topic_id: str,
    messages: Sequence[StoredMessage],
    vectors: Mapping[str, Sequence[float]],
    embedding_model: str,
    idle: timedelta,
) -> Topic:
    """The topic with the messages in it, open: counts, keywords, the sum of vectors, last use.

    A sum of another model's vectors ends where the first of this one's comes.
    """
    first = messages[0]
    if topic is None:
        topic = Topic(
            topic_id=topic_id,
            group_id=first.group_id,
            title="",
            creator_id=first.user_id,
            created_at=first.create_time,
            last_message_at=first.create_time,
        )
    own = [vectors[message.message_id] for message in messages if message.message_id in vectors]
    if own:
        topic = summed(topic, own, embedding_model)
    users = dict.fromkeys((*topic.user_ids, *(message.user_id for message in messages)))
    last = max(messages, key=lambda message: message.create_time)
    is_latest = last.create_time >= topic.last_message_at
    last_at = max(topic.last_message_at, last.create_time)
    keywords = _keywords(topic.keywords, messages)
    return replace(
        topic,
        title=topic.title if topic.title not in ("", UNTITLED) else opening_title(messages),
        is_active=True,
        is_archived=False,
        last_message_at=last_at,
        last_message_id=last.message_id if is_latest else topic.last_message_id,
        closes_at=last_at + idle,
        archives_at=None,
        message_count=topic.message_count + len(messages),
        token_count=topic.token_count
        + sum(estimate_tokens(message.content) for message in messages),
        keywords=keywords,
        user_ids=tuple(users)[:MAX_TOPIC_USERS],
    )


def with_topic(topic: Topic, other: Topic) -> Topic:
    """The topic with all that was said in the other one, which is no more: counts, words, people
    and the sum of vectors, where both are of one embedding model."""
    model = topic.embedding_model or other.embedding_model
    sums = [vector for vector in (topic.sum_in(model), other.sum_in(model)) if vector]
    counted = sum(part.vector_count for part in (topic, other) if part.sum_in(model))
    is_latest = other.last_message_at > topic.last_message_at
    last = other if is_latest else topic
    return replace(
        topic,
        is_active=topic.is_active or other.is_active,
        is_archived=topic.is_archived and other.is_archived,
        archives_at=None if topic.is_active or other.is_active else topic.archives_at,
        last_message_at=last.last_message_at,
        last_message_id=last.last_message_id,
        closes_at=max((at for at in (topic.closes_at, other.closes_at) if at), default=None),
        message_count=topic.message_count + other.message_count,
        token_count=topic.token_count + other.token_count,
        keywords=_best({**topic.keywords}, other.keywords),
        user_ids=tuple(dict.fromkeys((*topic.user_ids, *other.user_ids)))[:MAX_TOPIC_USERS],
        vector_sum=pack(total(sums)) if sums else b"",
        vector_count=counted,
        embedding_model=model,
    )


def fewer(
    topic: Topic,
    gone: Sequence[StoredMessage],
    left: Sequence[StoredMessage],
    idle: timedelta,
) -> Topic:
    """The topic without messages of which it has no vector yet: they are to be placed anew. `left`
    are those of it that are at hand; of those that are not, the first that go tell the time. A
    title that was given for more that go than stay goes with them."""
    weights = dict(topic.keywords)
    for message in gone:
        said = line_keywords(message.content)
        weights = _added(weights, {key: -weight for key, weight in said.items()})
    weights = {key: weight for key, weight in weights.items() if weight > 0}
    before_these = min(message.create_time for message in gone)
    last = max(left, key=lambda message: message.create_time, default=None)
    last_at = last.create_time if last else min(topic.last_message_at, before_these)
    tokens = sum(estimate_tokens(message.content) for message in gone)
    is_titled = topic.is_titled and 2 * len(gone) <= topic.message_count
    return replace(
        topic,
        message_count=max(0, topic.message_count - len(gone)),
        token_count=max(0, topic.token_count - tokens),
        keywords=_best(weights, {}),
        title=topic.title if is_titled else opening_title(left),
        description=topic.description if is_titled else "",
        is_titled=is_titled,
        last_message_at=last_at,
        last_message_id=last.message_id if last else "",
        closes_at=last_at + idle,
    )


def summed(topic: Topic, own: Sequence[Sequence[float]], model: str) -> Topic:
    known = topic.sum_in(model)
    return replace(
        topic,
        vector_sum=pack(total([known, *own] if known else own)),
        vector_count=len(own) + (topic.vector_count if known else 0),
        embedding_model=model,
    )


def titled(topic: Topic, title: Title | None) -> Topic:
    """By the model's title; without one, tried once more."""
    if title is None:
        return replace(topic, title_tries=topic.title_tries + 1)
    return replace(
        topic,
        title=" ".join(title.title.split())[:GIVEN_TITLE_CHARACTERS],
        description=title.description.strip()[:DESCRIPTION_CHARACTERS],
        is_titled=True,
    )


def opening_title(messages: Sequence[StoredMessage]) -> str:
    """Until a model gives one: by the first line that is more than a greeting or a laugh."""
    return title_from(next((message.content for message in messages if not is_noise(message)), ""))


def shut(topic: Topic, at: datetime) -> Topic:
    """Closed; only a reply opens it again."""
    is_owed = topic.summary_tries > 0
    return replace(
        topic,
        is_active=False,
        closes_at=None,
        archives_at=at + ARCHIVE_AFTER,
        summary_due_at=topic.summary_due_at if is_owed else None,
    )


def is_worth_summarizing(topic: Topic) -> bool:
    return topic.message_count >= WORTH_SUMMARIZING and topic.message_count > topic.summarized_count


def closing_cause(topic: Topic) -> str:
    """The same for one closing, however often and by whom it is decided."""
    return f"closed, {topic.message_count} messages, {topic.last_message_id}"


def idle_since(
    waiting: Sequence[StoredMessage], topics: Mapping[str, Topic], idle: timedelta
) -> set[str]:
    """Active topics that were silent for so long when the last of these was said."""
    newest = max(message.create_time for message in waiting)
    return {
        topic.topic_id
        for topic in topics.values()
        if topic.is_active and newest - topic.last_message_at > idle
    }


def _joined(assignments: Sequence[Assignment]) -> dict[str, list[StoredMessage]]:
    """The new messages of each topic; an edited one is in its topic already."""
    joined: dict[str, list[StoredMessage]] = {}
    for assignment in assignments:
        if assignment.basis is not Basis.STAYS:
            joined.setdefault(assignment.topic_id, []).append(assignment.message)
    return joined


def _has_much_new(topic: Topic, rules: ClosingRules) -> bool:
    messages = topic.message_count - max(topic.summarized_count, topic.summary_asked_count)
    tokens = topic.token_count - topic.summary_asked_tokens
    return messages >= rules.summary_messages or (
        tokens >= rules.summary_tokens and messages >= WORTH_SUMMARIZING
    )


def _idle(
    assignments: Sequence[Assignment], topics: Mapping[str, Topic], idle: timedelta
) -> list[Topic]:
    """By the time of the words themselves: history that is imported closes as it did then."""
    if not assignments:
        return []
    newest = max(assignment.message.create_time for assignment in assignments)
    return [
        topic
        for topic in topics.values()
        if topic.is_active and newest - topic.last_message_at > idle
    ]


def ends_a_round(assignment: Assignment, roles: Mapping[str, str]) -> bool:
    """A round is a user's message that the bot answered; a second answer ends no other."""
    if assignment.message.role != "assistant" or assignment.basis is Basis.STAYS:
        return False
    return assignment.continues is not None and roles.get(assignment.continues) == "user"


def _keywords(known: Mapping[str, float], messages: Sequence[StoredMessage]) -> dict[str, float]:
    weights = dict(known)
    names = {message.user_name for message in messages if message.user_name}
    for message in messages:
        weights = _added(weights, line_keywords(message.content, names))
    return _best(weights, {})


def _added(weights: dict[str, float], more: Mapping[str, float]) -> dict[str, float]:
    for word, weight in more.items():
        weights[word] = round(weights.get(word, 0.0) + float(weight), 4)
    return weights


def _best(weights: dict[str, float], more: Mapping[str, float]) -> dict[str, float]:
    best = sorted(_added(weights, more).items(), key=lambda item: (-item[1], item[0]))
    return dict(best[:MAX_KEYWORDS])
