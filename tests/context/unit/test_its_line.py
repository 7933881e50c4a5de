"""Words that were stored a moment before they are asked about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from functions.build_context.question import NOBODY, Question, with_its_line
from shared.config import load
from shared.contracts.context import ContextRequest
from shared.domain.group import new_group
from shared.domain.messages.stored_message import StoredMessage

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
WORDS = StoredMessage(
    group_id="test:1", message_id=NOBODY, user_id="u1", content="who packs?", create_time=NOW
)
ASKED = Question(
    ContextRequest(group_id="test:1", message="who packs?"),
    new_group("test:1", NOW),
    load({})[0],
    WORDS,
    is_stored=False,
)
LINE = StoredMessage(
    group_id="test:1",
    message_id="m1",
    user_id="u1",
    user_name="Ann",
    content="who packs? ",
    create_time=NOW - timedelta(seconds=3),
)


def own_lines(asked: Question, *recent: StoredMessage) -> set[str]:
    return set(with_its_line(asked, recent).own_ids)


def test_the_line_is_known_by_its_words_its_speaker_and_its_time() -> None:
    assert own_lines(ASKED, LINE) == {"m1"}
    nobody = replace(ASKED, message=replace(WORDS, user_id=NOBODY))
    assert own_lines(nobody, LINE) == {"m1"}
    assert own_lines(ASKED, LINE, replace(LINE, message_id="m2")) == {"m2"}


def test_the_same_words_of_another_or_of_before_are_another_line() -> None:
    assert not own_lines(ASKED, replace(LINE, user_id="u2"))
    assert not own_lines(ASKED, replace(LINE, content="who packs the boat?"))
    assert not own_lines(ASKED, replace(LINE, create_time=NOW - timedelta(minutes=9)))
    stored = replace(ASKED, is_stored=True, own_ids=frozenset({"m7"}))
    assert with_its_line(stored, [LINE]) == stored


def test_who_asks_with_words_only_has_the_name_of_their_lines() -> None:
    assert with_its_line(ASKED, [LINE]).message.user_name == "Ann"


def test_the_line_may_still_have_the_name_by_which_the_bot_is_called() -> None:
    called = replace(LINE, content="@Robin who packs?", is_mention_bot=True)
    assert own_lines(ASKED, called) == {"m1"}


def test_the_id_that_the_bot_names_is_its_line_whatever_it_says() -> None:
    named = replace(ASKED, own_ids=frozenset({"m9"}))
    assert own_lines(named, LINE) == {"m1", "m9"}
