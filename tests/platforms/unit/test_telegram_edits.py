"""Telegram counts seconds: of two edits within one the later is kept, whichever comes first."""

from typing import Any

from shared.domain.messages.message import Message
from shared.platforms import telegram


def edit(update_id: Any, text: str) -> Message:
    said = {
        "message_id": 5, "date": 1_700_000_000, "edit_date": 1_700_000_003, "text": text,
        "chat": {"id": -5, "type": "group"}, "from": {"id": 1, "first_name": "Ann"},
    }  # fmt: skip
    (arrival,) = telegram.normalise({"update_id": update_id, "edited_message": said})
    assert isinstance(arrival, Message)
    return arrival


def test_the_later_of_two_edits_in_a_second_is_newer() -> None:
    first, second = edit(734_000_999, "ab"), edit(734_001_000, "abc")

    assert first.edited_at is not None
    assert second.edited_at is not None
    assert first.edited_at < second.edited_at
    assert int(first.edited_at.timestamp()) == int(second.edited_at.timestamp()) == 1_700_000_003


def test_an_update_without_a_number_is_still_an_edit() -> None:
    for odd in (None, "x", "²²", -1, 10**30):
        assert edit(odd, "ab").edited_at is not None
