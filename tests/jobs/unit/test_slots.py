"""Slots by need: short where the bot is asked, long where nobody waits, longer in a late queue."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.jobs.attribution_tasks import Slots, is_bot_asked, wait_of
from shared.domain.messages.message import Message

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOTS = Slots(timedelta(seconds=2), timedelta(seconds=20), timedelta(seconds=60))
IN_TIME, LATE = timedelta(seconds=30), timedelta(minutes=5)
LINE = Message(
    group_id="lark:oc_1", message_id="m", user_id="u", content="lunch at one?", create_time=NOW
)
OF_THE_BOT = replace(LINE, role="assistant")


def test_ordinary_talk_gathers_and_for_longer_while_the_queue_is_late() -> None:
    assert SLOTS.slot(is_asked=False, last_wait=IN_TIME) == SLOTS.ordinary
    assert SLOTS.slot(is_asked=False, last_wait=LATE) == SLOTS.late


def test_where_the_bot_is_asked_the_slot_is_short_however_late_the_queue() -> None:
    assert SLOTS.slot(is_asked=True, last_wait=LATE) == SLOTS.asked


def test_the_wait_that_a_late_slot_itself_causes_is_not_late() -> None:
    assert SLOTS.slot(is_asked=False, last_wait=SLOTS.late + IN_TIME) == SLOTS.ordinary


@pytest.mark.parametrize(
    "said", [replace(LINE, is_mention_bot=True), replace(LINE, audience="private"), OF_THE_BOT]
)
def test_a_mention_a_private_chat_and_a_line_of_the_bot_count_as_asked(said: Message) -> None:
    assert is_bot_asked([LINE, said], [])


def test_an_answer_to_the_bot_counts_as_asked_and_one_to_a_person_does_not() -> None:
    assert is_bot_asked([LINE], [OF_THE_BOT])
    assert not is_bot_asked([LINE], [LINE])


def test_the_wait_is_that_of_the_line_that_waited_longest() -> None:
    since = [NOW - timedelta(seconds=3), None, NOW - timedelta(seconds=40)]
    assert wait_of(since, NOW) == timedelta(seconds=40)
    assert wait_of([None], NOW) == timedelta(0)
