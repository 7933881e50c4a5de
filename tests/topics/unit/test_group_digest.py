"""A week of a group in a page."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.domain.topics.group_digest import (
    GroupDigest,
    ToldTopic,
    decide_digest,
    is_of_week,
    week_at,
    week_due_at,
)
from shared.domain.topics.topic import Summary, Topic

NOW = datetime(2026, 11, 16, 6, tzinfo=UTC)
WEEK = week_at(NOW - timedelta(days=3), UTC)
IN_WEEK = WEEK.starts_at + timedelta(days=2)


def topic(name: str, **changes: object) -> Topic:
    plain = Topic(name, "g", f"about {name}", "u1", IN_WEEK, IN_WEEK, user_ids=("u1", "u2"))
    return replace(plain, message_count=5, summary_version=1, **changes)  # type: ignore[arg-type]


def summary(name: str, version: int, at: datetime, **told: tuple[str, ...]) -> Summary:
    plain = Summary(name, "g", version, "told", "model", at, (f"{name}-{version}",), ("u1",))
    return replace(plain, **told)  # type: ignore[arg-type]


def digest(*told: ToldTopic, joined: dict[str, str] | None = None) -> GroupDigest | None:
    return decide_digest("g", WEEK, told, joined or {}, 1, NOW)


@pytest.mark.parametrize(
    ("moment", "zone", "name", "starts"),
    [
        ("2026-11-16T05:00+00:00", "UTC", "2026-W47", "2026-11-16T00:00+00:00"),
        ("2026-11-15T17:00+00:00", "Asia/Shanghai", "2026-W47", "2026-11-15T16:00+00:00"),
        ("2027-01-01T12:00+00:00", "UTC", "2026-W53", "2026-12-28T00:00+00:00"),
        ("2026-11-02T04:30+00:00", "America/New_York", "2026-W44", "2026-10-26T04:00+00:00"),
    ],
)
def test_a_week_begins_on_monday_where_the_group_is(
    moment: str, zone: str, name: str, starts: str
) -> None:
    week = week_at(datetime.fromisoformat(moment), ZoneInfo(zone))

    assert (week.name, week.starts_at) == (name, datetime.fromisoformat(starts))
    assert week_due_at(week.due_at, ZoneInfo(zone)) == week
    assert week_at(week.due_at, ZoneInfo(zone)).name != name


def test_only_what_was_decided_this_week_is_told() -> None:
    before = summary("t", 1, WEEK.starts_at - timedelta(days=1), decisions=("a boat",))
    after = summary("t", 2, IN_WEEK, decisions=("a boat", "blue paint"), open_questions=("when?",))
    after = replace(after, parent_version=1)

    made = digest(ToldTopic(topic("t"), [after, before]), joined={"u2": "Bob"})

    assert made is not None
    assert [one.text for one in made.decisions] == ["blue paint"]
    assert [one.text for one in made.open_questions] == ["when?"]
    assert "New here:\n- Bob" in made.content
    assert "a boat" not in made.content
    assert (made.topic_ids, made.message_ids) == (("t",), ("t-2", "t-1"))
    assert made.source_users == ("u1", "u2")


def test_a_version_that_is_not_shown_is_not_told_on() -> None:
    good = summary("t", 1, IN_WEEK, decisions=("blue paint",))
    bad = replace(summary("t", 2, IN_WEEK, decisions=("nonsense",)), is_shown=False)

    made = digest(ToldTopic(topic("t"), [bad, good]))

    assert made is not None
    assert [one.text for one in made.decisions] == ["blue paint"]


def test_a_week_without_a_summary_has_no_digest() -> None:
    assert digest() is None
    assert digest(ToldTopic(topic("t"), [])) is None


def test_a_topic_is_of_the_week_if_somebody_spoke_in_it() -> None:
    assert is_of_week(topic("t"), WEEK)
    assert is_of_week(topic("t", last_message_at=WEEK.ends_at + timedelta(hours=1)), WEEK)
    assert not is_of_week(topic("t", last_message_at=WEEK.starts_at - timedelta(hours=1)), WEEK)
    assert not is_of_week(topic("t", created_at=WEEK.ends_at), WEEK)


def test_a_chinese_week_is_told_in_chinese() -> None:
    made = digest(ToldTopic(topic("t"), [summary("t", 1, IN_WEEK, decisions=("周日九点西站",))]))

    assert made is not None
    assert made.content.startswith("已决定:\n- 周日九点西站")
