"""A week of a group in a page: what was decided, what is open, who came. Pure.

It is put together from the topics' summaries, which a model or the topics' own lines have told
already: it costs no call and says nothing that no summary says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from shared.domain.topics.topic import Summary, Topic
from shared.language import Language, guess_language, matching_units

SETTLES = timedelta(hours=6)
"""After a week's end: by then what was talked of on Sunday night is closed and told."""
MOST_TOPICS = 12
"""Named in one digest, the largest; decisions and questions are taken from all."""
SAME_SHARE = 0.8
"""Of the words of a decision: one that has so many of an older one is that one."""
MOST_LINES = 20
"""Of decisions, and of questions: a page."""
_HEADINGS = {
    Language.CHINESE: ("已决定", "未解决", "新成员", "聊过"),
    Language.ENGLISH: ("Decided", "Open", "New here", "Talked of"),
}


@dataclass(frozen=True)
class Week:
    """A calendar week from Monday to Monday where the group is."""

    name: str
    starts_at: datetime
    ends_at: datetime

    @property
    def due_at(self) -> datetime:
        return self.ends_at + SETTLES


@dataclass(frozen=True)
class DigestLine:
    topic_id: str
    text: str


@dataclass(frozen=True)
class GroupDigest:
    """The digest of one week; one that is made again is the next version. `topic_ids`,
    `message_ids` and `source_users` are what it was made of, for forgetting."""

    group_id: str
    week: str
    version: int
    starts_at: datetime
    ends_at: datetime
    content: str
    decisions: tuple[DigestLine, ...]
    open_questions: tuple[DigestLine, ...]
    joined: tuple[str, ...]
    topic_ids: tuple[str, ...]
    message_ids: tuple[str, ...]
    source_users: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True)
class ToldTopic:
    """A topic of the week and its summaries, the newest first."""

    topic: Topic
    versions: Sequence[Summary]

    def told_by(self, moment: datetime | None = None) -> Summary | None:
        """The newest version that is shown, of those made before `moment`."""
        return next(
            (
                version
                for version in self.versions
                if version.is_shown and (moment is None or version.created_at < moment)
            ),
            None,
        )

    def sources(self) -> list[Summary]:
        """The version that is told and those it started from."""
        by_version = {version.version: version for version in self.versions}
        found, at = list[Summary](), self.told_by()
        while at is not None:
            found.append(at)
            at = by_version.get(at.parent_version) if at.parent_version else None
        return found


def week_at(moment: datetime, zone: tzinfo) -> Week:
    day = moment.astimezone(zone).date()
    first = day - timedelta(days=day.weekday())
    year, number, _ = first.isocalendar()
    monday, next_monday = (
        datetime.combine(day, time(), zone).astimezone(UTC)
        for day in (first, first + timedelta(days=7))
    )
    return Week(f"{year}-W{number:02d}", monday, next_monday)


def week_due_at(due_at: datetime, zone: tzinfo) -> Week:
    """The week whose digest was due then. Looked for in its middle: the group may have told of
    another zone meanwhile."""
    return week_at(due_at - SETTLES - timedelta(days=3.5), zone)


def is_of_week(topic: Topic, week: Week) -> bool:
    """Somebody spoke in it."""
    return topic.last_message_at >= week.starts_at and topic.created_at < week.ends_at


def decide_digest(
    group_id: str,
    week: Week,
    told: Sequence[ToldTopic],
    joined: Mapping[str, str],
    version: int,
    now: datetime,
) -> GroupDigest | None:
    """None for a week of which nothing was told. `joined` are names by id."""
    summaries = {topic.topic.topic_id: topic.told_by() for topic in told}
    largest = sorted(told, key=lambda topic: (-topic.topic.message_count, topic.topic.topic_id))
    told_topics = [topic for topic in largest if summaries[topic.topic.topic_id] is not None]
    if not told_topics:
        return None
    decisions, questions = list[DigestLine](), list[DigestLine]()
    for told_topic in told_topics:
        newest, before = summaries[told_topic.topic.topic_id], told_topic.told_by(week.starts_at)
        assert newest is not None
        known = before.decisions if before else ()
        topic_id = told_topic.topic.topic_id
        decisions += [
            DigestLine(topic_id, text)
            for text in newest.decisions
            if not any(_is_same(text, old) for old in known)
        ]
        questions += [DigestLine(topic_id, text) for text in newest.open_questions]
    decisions, questions = decisions[:MOST_LINES], questions[:MOST_LINES]
    versions = [summary for each in told_topics for summary in each.sources()]
    users = {user for topic in told_topics for user in topic.topic.user_ids}
    users |= {user for summary in versions for user in summary.source_users} | set(joined)
    titles = [topic.topic.title for topic in told_topics[:MOST_TOPICS] if topic.topic.title]
    return GroupDigest(
        group_id=group_id,
        week=week.name,
        version=version,
        starts_at=week.starts_at,
        ends_at=week.ends_at,
        content=_written(decisions, questions, tuple(joined.values()), titles),
        decisions=tuple(decisions),
        open_questions=tuple(questions),
        joined=tuple(joined.values()),
        topic_ids=tuple(topic.topic.topic_id for topic in told_topics),
        message_ids=tuple(
            dict.fromkeys(key for summary in versions for key in summary.message_ids)
        ),
        source_users=tuple(sorted(users)),
        created_at=now,
    )


def _is_same(text: str, old: str) -> bool:
    """A later version words a decision a little differently."""
    own = matching_units(text)
    return len(own & matching_units(old)) >= SAME_SHARE * len(own)


def _written(
    decisions: Sequence[DigestLine],
    questions: Sequence[DigestLine],
    joined: Sequence[str],
    titles: Sequence[str],
) -> str:
    parts = [
        [decision.text for decision in decisions],
        [question.text for question in questions],
        list(joined),
        list(titles),
    ]
    spoken = guess_language(" ".join(text for part in parts for text in part))
    headings = _HEADINGS.get(spoken, _HEADINGS[Language.ENGLISH])
    sections = [
        f"{heading}:\n" + "\n".join(f"- {text}" for text in part)
        for heading, part in zip(headings, parts, strict=True)
        if part
    ]
    return "\n\n".join(sections)
