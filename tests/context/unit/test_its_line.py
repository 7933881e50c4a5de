"""Words that were stored a moment before they are asked about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.context.relevance import Asked, with_its_line
from shared.domain.messages.stored_message import StoredMessage

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ASKED = Asked(create_time=NOW, content="who packs?", user_id="u1")
LINE = StoredMessage(
    group_id="test:1",
    message_id="m1",
    user_id="u1",
    content="who packs? ",
    create_time=NOW - timedelta(seconds=3),
)


def test_the_line_is_known_by_its_words_its_speaker_and_its_time() -> None:
    assert with_its_line(ASKED, [LINE]).said_as == "m1"
    assert with_its_line(replace(ASKED, user_id=None), [LINE]).said_as == "m1"
    twice = [LINE, replace(LINE, message_id="m2")]
    assert with_its_line(ASKED, twice).said_as == "m2"


def test_the_same_words_of_another_or_of_before_are_another_line() -> None:
    assert with_its_line(ASKED, [replace(LINE, user_id="u2")]).said_as is None
    assert with_its_line(ASKED, [replace(LINE, content="who packs the boat?")]).said_as is None
    earlier = replace(LINE, create_time=NOW - timedelta(minutes=9))
    assert with_its_line(ASKED, [earlier]).said_as is None
    stored = replace(ASKED, message_id="m7")
    assert with_its_line(stored, [LINE]) == stored
