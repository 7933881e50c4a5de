"""`POST /messages` takes a normalised message and says of a bad one what to fix."""

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.contracts.messages import MessageBody, read_message
from shared.domain.messages.message import Attachment, Mention, Message
from shared.errors import InvalidInput, TooLarge

LEAST = {
    "group_id": "lark:oc_1",
    "message_id": "om_1",
    "user_id": "ou_1",
    "content": "hi",
    "create_time": "2024-05-01T09:30:00Z",
}
NINE_THIRTY = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)


def test_the_least_message_has_every_default() -> None:
    assert read_message(LEAST) == Message(
        group_id="lark:oc_1",
        message_id="om_1",
        user_id="ou_1",
        content="hi",
        create_time=NINE_THIRTY,
    )


def test_every_field_arrives() -> None:
    every = {
        **LEAST,
        "user_name": "Ann",
        "role": "assistant",
        "native_id": "7",
        "reply_message_id": "om_0",
        "reply_native_id": "6",
        "root_message_id": "om_r",
        "thread_id": "omt_1",
        "mentions": [{"user_id": "ou_2", "name": "Bo"}, {"user_id": "ou_3"}],
        "is_mention_bot": True,
        "attachments": [{"kind": "file", "name": "a.pdf"}],
        "group_name": "Club",
        "audience": "private",
        "edited_at": 1714556400123,
        "recalled": True,
    }

    assert read_message(every) == Message(
        group_id="lark:oc_1",
        message_id="om_1",
        user_id="ou_1",
        content="hi",
        create_time=NINE_THIRTY,
        user_name="Ann",
        role="assistant",
        native_id="7",
        reply_message_id="om_0",
        reply_native_id="6",
        root_message_id="om_r",
        thread_id="omt_1",
        mentions=(Mention("ou_2", "Bo"), Mention("ou_3")),
        is_mention_bot=True,
        attachments=(Attachment("file", "a.pdf"),),
        group_name="Club",
        audience="private",
        edited_at=datetime(2024, 5, 1, 9, 40, 0, 123_000, tzinfo=UTC),
        recalled=True,
    )
    assert set(every) == set(MessageBody.model_fields)


@pytest.mark.parametrize(
    "time", ["2024-05-01T09:30:00Z", "2024-05-01T17:30:00+08:00", 1714555800000]
)
def test_a_time_is_rfc_3339_or_milliseconds(time: str | int) -> None:
    message = read_message({**LEAST, "create_time": time})

    assert message.create_time == NINE_THIRTY
    assert message.create_time.tzinfo is UTC


@pytest.mark.parametrize(
    "time",
    [
        "2024-05-01T09:30:00",
        "yesterday",
        1714555800,
        10**20,
        -1,
        1.5,
        True,
        None,
        [],
        "9999999999999",
    ],
)
def test_any_other_time_is_refused(time: Any) -> None:
    with pytest.raises(InvalidInput, match=r"create_time: .*RFC 3339 with an offset.*milliseconds"):
        read_message({**LEAST, "create_time": time})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"colour": "red"}, "colour: Extra inputs"),
        ({"message_id": ""}, "message_id: .*empty"),
        ({"message_id": 7}, "message_id: .*string"),
        ({"user_id": "u" * 513}, "user_id: .*more than 512"),
        ({"user_name": "u" * 513}, "user_name: .*at most 512"),
        ({"group_id": "oc:"}, "group_id: .*platform:native_id"),
        ({"group_id": "lark:a/b"}, "group_id: .*slash"),
        ({"role": "system"}, "role: .*'user' or 'assistant'"),
        ({"audience": "public"}, "audience: .*'group' or 'private'"),
        ({"recalled": "yes"}, "recalled: .*boolean"),
        ({"mentions": [{"name": "Bo"}]}, "mentions.0.user_id: Field required"),
        ({"mentions": [{"user_id": "u"}] * 201}, "mentions: .*at most 200"),
        ({"attachments": [{"kind": "zip"}]}, "attachments.0.kind: is one of image, audio"),
        ({"content": "  "}, "content is empty"),
        ({"content": "\ud800"}, "content: is not valid Unicode"),
        ({"user_name": "\udfff"}, "user_name: is not valid Unicode"),
    ],
)
def test_a_bad_field_is_named_with_what_to_fix(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read_message({**LEAST, **change})


@pytest.mark.parametrize("value", [None, 5, "x", [], {}])
def test_what_is_no_message_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        read_message(value)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_message({**LEAST, "role": "x", "message_id": ""})

    assert len(caught.value.detail["fields"]) == 2


def test_64_kib_fit_and_a_byte_more_does_not() -> None:
    fits = "字" * (64 * 1024 // 3)

    assert read_message({**LEAST, "content": fits + "x"}).content == fits + "x"
    with pytest.raises(TooLarge, match="65536 bytes"):
        read_message({**LEAST, "content": fits + "xy"})


def test_attachments_alone_become_the_content() -> None:
    attached = {"content": "", "attachments": [{"kind": "image"}, {"kind": "file", "name": "a]b"}]}

    assert read_message({**LEAST, **attached}).content == "[image] [file: a)b]"


def test_a_recall_needs_no_content() -> None:
    recall = {key: value for key, value in LEAST.items() if key != "content"}

    assert read_message({**recall, "recalled": True}).recalled
