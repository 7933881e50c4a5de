"""Summaries: what is new, how versions follow, and what is left without a model."""

from datetime import UTC, datetime, timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.summary import is_new_since, next_summary, segments, simple_summary
from shared.domain.topics.topic import Topic

AT = datetime(2026, 1, 1, tzinfo=UTC)
TOPIC = Topic("t1", "lark:1", "Release", "ann", AT, AT, keywords={"release": 2.0})


def said(number: int, content: str = "we ship on Friday") -> StoredMessage:
    return StoredMessage(
        group_id="lark:1",
        message_id=f"m{number}",
        user_id="ann",
        user_name="Ann",
        content=content,
        create_time=AT + timedelta(minutes=number),
        received_at=AT + timedelta(minutes=number, seconds=1),
        terms=tuple(content.split()),
    )


def test_long_talk_is_cut_into_segments_in_order() -> None:
    parts = segments([said(number) for number in range(95)])

    assert [len(part) for part in parts] == [40, 40, 15]
    assert parts[2][-1].message_id == "m94"


def test_without_a_model_the_weightiest_lines_are_kept_in_their_order() -> None:
    talk = [said(n, "ok") for n in range(8)] + [said(9, "the release moves to next week")]

    lines = simple_summary("Before this.", talk).splitlines()

    assert lines[0] == "Before this."
    assert lines[-1] == "Ann: the release moves to next week"
    assert len(lines) == 6


def test_each_version_starts_where_the_last_one_ended() -> None:
    first = next_summary(TOPIC, None, [said(1), said(2)], "one", method="model", now=AT)
    second = next_summary(TOPIC, first, [said(3)], "two", method="simple", now=AT, title="New")

    assert (first.version, second.version) == (1, 2)
    assert (first.title, second.title) == ("Release", "New")
    assert second.span == {"from": said(1).create_time, "to": said(3).create_time}
    assert second.message_ids == ("m3",)
    assert first.keywords == ("release",)
    assert not is_new_since(first, said(2))
    assert is_new_since(first, said(3))
    assert is_new_since(None, said(1))
