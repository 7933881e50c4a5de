"""The next version of a topic's summary: what it starts from, what is new, who writes it. Pure.

A version made by the model is a base that the next one starts from. An extract of a small topic,
and one that stood in for a model that failed, are made anew from the messages themselves.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import Burst
from shared.domain.topics.extractive_summary import Extract, is_answer, says_the_same
from shared.domain.topics.keywords import UNTITLED, fits_title, title_from
from shared.domain.topics.quality import Quality
from shared.domain.topics.ranking import search_terms, telling_words
from shared.domain.topics.topic import Summary, Topic
from shared.language import Language, guess_language, terms

MODEL, EXTRACTIVE, SIMPLE = "model", "extractive", "simple"
"""Who wrote a version: the model; nobody, as the topic is small; nobody, as the model failed."""
DESCRIPTION_CHARACTERS = 200
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|[。！？]|$)", re.DOTALL)
MAX_SPEAKERS = 50
"""Bounds the record; nobody reads more names."""
FIRST_RETRY = timedelta(minutes=10)
LAST_RETRY = timedelta(hours=12)
"""A model that is away for a minute is back soon; one that is away for a day is asked twice."""
USELESS_ANSWERS = 3
"""Of one talk: what cannot be used three times cannot be used the fourth time either."""


@dataclass(frozen=True)
class Digest:
    """What is told of a talk, by whoever wrote it."""

    content: str
    method: str
    title: str = ""
    keywords: Mapping[str, float] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    sentiment: str = ""
    said: tuple[str, ...] = ()
    """Words of the talk itself, by which it is found as well."""


def base_of(versions: Sequence[Summary]) -> Summary | None:
    """The newest version that the next one may start from. `versions` are the newest first."""
    return next(
        (
            version
            for version in versions
            if version.generation_method == MODEL and version.is_shown
        ),
        None,
    )


def is_own_lines(summary: Summary) -> bool:
    """Whether it is an extract, and no stand-in for a model that failed."""
    return summary.generation_method == EXTRACTIVE


def is_overtaken(base: Summary | None, changed: Sequence[StoredMessage]) -> bool:
    """Whether the base tells something that was edited since: then nothing of it may be carried on.
    A version that tells of what was taken back goes with it.

    `changed` are stored after the base was made. When they were edited says the platform's clock,
    and an edit may be delivered late: of what was said in the base's time any edit counts.
    """
    if base is None:
        return False
    until = base.span.get("to") or base.created_at
    return any(
        message.edited_at is not None
        and (message.edited_at > base.created_at or message.create_time <= until)
        for message in changed
    )


def new_since(base: Summary | None, messages: Sequence[StoredMessage]) -> list[StoredMessage]:
    """What the base does not tell yet: received after it, or moved into the topic since."""
    told = set(base.message_ids) if base else set[str]()
    return [
        message for message in messages if message.is_readable and message.message_id not in told
    ]


def is_nothing_new(newest: Summary | None, messages: Sequence[StoredMessage]) -> bool:
    """Whether another version would say what the newest says."""
    if newest is None or not messages:
        return not messages
    if newest.generation_method == SIMPLE or newest.until is None:
        return False
    return all(
        message.updated_at is not None and message.updated_at <= newest.until
        for message in messages
    )


def needs_model(topic_messages: int, base: Summary | None, small: int) -> bool:
    """A topic of few messages is told by its own lines."""
    return base is not None or topic_messages >= small


def why_unusable(content: str, talk: Sequence[Burst]) -> str | None:
    """What is wrong with a model's summary, whatever its form: nothing said, or in a language that
    nobody spoke."""
    if not content.strip():
        return "it is empty"
    spoken = guess_language(" ".join(burst.content for burst in talk))
    told = guess_language(content)
    if {spoken, told} == {Language.CHINESE, Language.ENGLISH}:
        return f"it is in {told.value}, the talk in {spoken.value}"
    return None


def extracted(
    found: Extract, keywords: Mapping[str, float], talk: Sequence[Burst], method: str
) -> Digest:
    return Digest(
        content=found.content,
        method=method,
        title=title_from(talk[0].content if talk else ""),
        keywords=keywords,
        people=speakers(talk),
        decisions=found.decisions,
        open_questions=found.open_questions,
        links=found.links,
        said=telling_words(burst.content for burst in talk),
    )


def speakers(talk: Sequence[Burst]) -> tuple[str, ...]:
    """Who took part, by name, in the order they came in; the bot is not one of the people."""
    names = dict.fromkeys(burst.user_name for burst in talk if burst.role == "user")
    return tuple(names)[:MAX_SPEAKERS]


def next_summary(
    topic: Topic,
    newest: Summary | None,
    base: Summary | None,
    messages: Sequence[StoredMessage],
    told: Digest,
    quality: Quality,
    *,
    most_worse: float,
    now: datetime,
) -> Summary:
    """The version after `newest`, told from `base` and the messages that are new since.

    One that is worse than its base by more than `most_worse` is kept but not shown: a model has
    bad days, and what stands is better than what it says then.
    """
    times = [message.create_time for message in messages]
    start = base.span.get("from") if base else None
    before = float(base.quality.get("total", 0.0)) if base else 0.0
    return Summary(
        topic_id=topic.topic_id,
        group_id=topic.group_id,
        # A version that was forgotten does not come back as another text.
        version=max(newest.version if newest else 0, topic.summary_version) + 1,
        content=told.content,
        generation_method=told.method,
        created_at=now,
        message_ids=tuple(message.message_id for message in messages),
        source_users=tuple(sorted({message.user_id for message in messages})),
        until=max((message.updated_at for message in messages if message.updated_at), default=None),
        title=_title(topic, told),
        keywords=tuple(told.keywords),
        keyword_weights=dict(told.keywords),
        people=told.people,
        decisions=told.decisions,
        open_questions=told.open_questions,
        links=tuple(dict.fromkeys((*(base.links if base else ()), *told.links))),
        sentiment=told.sentiment,
        parent_version=base.version if base else None,
        span={"from": start or min(times), "to": max(times)},
        quality=quality.as_fields(),
        is_shown=quality.total >= before - most_worse,
    )


def topic_after(
    topic: Topic, summary: Summary, told: Digest, message_count: int, now: datetime
) -> Topic:
    """The topic once the version stands. A stand-in for the model's is wished for again, later and
    later."""
    is_stand_in = told.method == SIMPLE
    tries = topic.summary_tries + 1 if is_stand_in else 0
    shown = replace(
        topic,
        summary_version=summary.version,
        summarized_count=message_count,
        summary_tries=tries,
        summary_due_at=now + retry_after(tries) if is_stand_in else None,
    )
    if not summary.is_shown:
        return shown
    is_titled = told.method == MODEL and bool(summary.title)
    # One that goes on from another knows only the words that are new.
    said = (*told.said, *topic.search_terms) if summary.parent_version else told.said
    return replace(
        shown,
        title=topic.title if topic.is_titled and not is_titled else summary.title,
        is_titled=topic.is_titled or is_titled,
        description=_described(topic, summary),
        keywords=dict(summary.keyword_weights) or topic.keywords,
        search_terms=search_terms(summary.title, summary.keywords, summary.content, said),
    )


def _described(topic: Topic, summary: Summary) -> str:
    """In one sentence: how the model's summary begins; else what it was called before."""
    if summary.generation_method != MODEL:
        return topic.description
    first = _SENTENCE.match(summary.content.strip())
    return (first[0] if first else summary.content).strip()[:DESCRIPTION_CHARACTERS]


def retry_after(tries: int) -> timedelta:
    """Twice as long each time, up to half a day."""
    doublings: int = min(max(0, tries - 1), 10)
    return min(FIRST_RETRY * (1 << doublings), LAST_RETRY)


def asked_in_vain(topic: Topic) -> bool:
    """Whether a model that answers, but never so that it can be used, was asked often enough: the
    talk's own lines stay. One that is away is asked until it is back."""
    return topic.summary_tries >= USELESS_ANSWERS


def is_judged(topic_id: str, version: int, share: float) -> bool:
    """Whether the model judges this version: the same every time it is decided."""
    return int(digest("quality", topic_id, str(version))[:8], 16) < share * 2**32


def _title(topic: Topic, told: Digest) -> str:
    """What the model calls it if that is a title, a sentence is none; else what it was called."""
    if told.method == MODEL and told.title and fits_title(told.title):
        return told.title
    if topic.title not in ("", UNTITLED):
        return topic.title
    return title_from(told.title)


MOST_CARRIED = 10
"""Decisions of a topic, and questions; the older ones stand in the text if they still matter."""
TAKEN_UP = 0.5
WORDS_TAKEN_UP = 2
"""Of a question's words: who says so large a share of them, and so many if it has them, says
something to it."""


def carried_on(base: Summary | None, told: Digest, talk: Sequence[Burst]) -> Digest:
    """Everybody who took part, what was decided and nobody decided anew, and what was asked and
    nobody has answered in the new `talk`."""
    if base is None:
        return told
    questions = [
        open_question
        for open_question in base.open_questions
        if not _is_settled(open_question, told, talk)
    ]
    return replace(
        told,
        people=tuple(dict.fromkeys((*base.people, *told.people)))[:MAX_SPEAKERS],
        decisions=_with_new(base.decisions, told.decisions),
        open_questions=_with_new(questions, told.open_questions),
    )


def _with_new(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The newest last; of two on the same matter the newer."""
    words = [set(terms(line)) for line in new]
    kept = [line for line in old if not any(says_the_same(set(terms(line)), its) for its in words)]
    return tuple(dict.fromkeys((*kept, *new)))[-MOST_CARRIED:]


def _is_settled(question: str, told: Digest, talk: Sequence[Burst]) -> bool:
    words = terms(question.partition(": ")[2] or question)
    # One character is seldom cut the same way twice: 带 in the question, 我带 in its answer.
    asked = {word for word in words if len(word) > 1} or set(words)
    said = [
        burst.terms
        for burst in talk
        if burst.message_type != "question" and is_answer(burst.content)
    ]
    return any(_takes_up(asked, words) for words in (*said, *map(terms, told.decisions)))


def _takes_up(asked: Collection[str], said: Collection[str]) -> bool:
    least = max(min(WORDS_TAKEN_UP, len(asked)), TAKEN_UP * len(asked))
    return bool(asked) and len(set(asked) & set(said)) >= least
