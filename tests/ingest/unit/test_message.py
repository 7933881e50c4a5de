"""What always holds of a message and of the other things a platform can bring."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from shared.domain.messages.message import (
    ATTACHMENT_KINDS,
    Attachment,
    GroupEvent,
    Message,
    Recall,
    without_placeholders,
)
from shared.errors import InvalidInput, TooLarge

NOW = datetime(2024, 5, 1, tzinfo=UTC)


def _message(**fields: Any) -> Message:
    given = {"group_id": "lark:g", "message_id": "m", "user_id": "u", "content": "hi"}
    return Message(**{**given, "create_time": NOW, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"group_id": "g"},
        {"group_id": "lark:a/b"},
        {"group_id": "lark:"},
        {"message_id": ""},
        {"user_id": ""},
        {"message_id": "m" * 513},
        {"reply_message_id": ""},
        {"reply_native_id": ""},
        {"thread_id": "t" * 513},
        {"user_name": "n" * 513},
        {"group_name": "n" * 513},
        {"create_time": datetime(2024, 5, 1)},  # noqa: DTZ001
        {"create_time": datetime(2024, 5, 1, tzinfo=timezone(timedelta(hours=8)))},
        {"edited_at": datetime(2024, 5, 1)},  # noqa: DTZ001
    ],
)
def test_a_message_that_breaks_a_rule_cannot_be_made(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        _message(**fields)


def test_content_is_bounded_in_bytes() -> None:
    assert _message(content="x" * 65_536)
    with pytest.raises(TooLarge):
        _message(content="é" * 32_769)


def test_a_recall_names_one_message() -> None:
    assert Recall(group_id="lark:g", message_id="m")
    assert Recall(group_id="onebot:9", native_id="7", recalled_at=NOW)
    with pytest.raises(InvalidInput, match="either"):
        Recall(group_id="lark:g")
    with pytest.raises(InvalidInput, match="either"):
        Recall(group_id="lark:g", message_id="m", native_id="7")


def test_a_group_event_is_of_a_group() -> None:
    with pytest.raises(InvalidInput):
        GroupEvent(group_id="g", happening="renamed")


def test_placeholders_can_be_taken_out_again() -> None:
    for kind in ATTACHMENT_KINDS:
        assert without_placeholders(f"a {Attachment(kind).placeholder} b") == "a  b"
        assert without_placeholders(Attachment(kind, "x [1]").placeholder) == "x (1)"


def test_what_only_looks_like_a_placeholder_stays() -> None:
    assert (
        without_placeholders("[1] and [todo: call] and [images]")
        == "[1] and [todo: call] and [images]"
    )
