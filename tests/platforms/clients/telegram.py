"""Telegram updates as python-telegram-bot's `to_dict` and aiogram's models write them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.platforms.clients.case import ClientCase, ignored, message

PTB = "python-telegram-bot 22.8"
AIOGRAM = "aiogram 3.30.0"
ANN = {"id": 42, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "username": "ann_lee"}
BOB = {"id": 43, "is_bot": False, "first_name": "Bob"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Reading club"}
SMALL = {"id": -77, "type": "group", "title": "Reading club",
         "all_members_are_administrators": True}  # fmt: skip
CHANNEL = {"id": -1009, "type": "channel", "title": "News", "username": "news"}


def ptb(kind: str = "message", **fields: Any) -> dict[str, Any]:
    """`Message.to_dict`: what is None is left out, what is False stays."""
    said = {
        "channel_chat_created": False,
        "chat": GROUP,
        "date": 1700000000,
        "delete_chat_photo": False,
        "from": ANN,
        "group_chat_created": False,
        "message_id": 7,
        "supergroup_chat_created": False,
        **fields,
    }
    return {"update_id": 1, kind: said}


def aiogram(kind: str = "message", **fields: Any) -> dict[str, Any]:
    """`Update.model_dump(mode="json", by_alias=True)`: what is unset stands there as null."""
    said = {
        "message_id": 8,
        "date": 1700000000,
        "chat": {**GROUP, "username": None, "first_name": None, "last_name": None,
                 "is_forum": None, "is_direct_messages": None},
        "message_thread_id": None,
        "from": {**ANN, "language_code": "en", "is_premium": None},
        "sender_chat": None,
        "forward_origin": None,
        "reply_to_message": None,
        "edit_date": None,
        "text": None,
        "entities": None,
        "photo": None,
        "migrate_to_chat_id": None,
        "migrate_from_chat_id": None,
        "forward_from": None,
        "forward_from_chat": None,
        "forward_sender_name": None,
        **fields,
    }  # fmt: skip
    other = {"edited_message": None, "channel_post": None, "my_chat_member": None}
    return {"update_id": 2, **other, kind: said}


def entity(kind: str, offset: int, length: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


def replied(sender: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"message_id": 5, "date": 1699999999, "chat": GROUP, "from": sender, "text": "x", **more}


def forget(asking: dict[str, Any], of: dict[str, Any]) -> dict[str, Any]:
    update = ptb(text="/forget", entities=[entity("bot_command", 0, 7)], reply_to_message=of)
    update["message"]["from"] = asking
    return update


TAKEN_BACK = {"is": "recall", "group_id": "telegram:-1001", "message_id": "5"}
NOT_ONES_OWN = ignored("/forget of somebody else's message")
FROM_BOB = {"type": "user", "date": 1690000000, "sender_user": BOB}
FROM_HIDDEN = {"type": "hidden_user", "date": 1690000000, "sender_user_name": "Carol K"}
FROM_CHANNEL = {"type": "channel", "date": 1690000000, "chat": CHANNEL, "message_id": 9,
                "author_signature": "Ed"}  # fmt: skip
FROM_CHAT = {"type": "chat", "date": 1690000000, "sender_chat": {**GROUP, "id": -1005,
             "title": "Board"}}  # fmt: skip
BY_ANN = [{"kind": "forward", "name": "forwarded by Ann Lee"}]

PTB_CASES = [
    ("text", ptb(text="hi"), message("hi", user_id="42", user_name="Ann Lee")),
    ("a private chat", ptb(text="hi", chat={"id": 42, "type": "private", "first_name": "Ann"}),
     message("hi", audience="private", group_id="telegram:42")),
    ("an edit", ptb("edited_message", text="hi!", edit_date=1700000009),
     message("hi!", edited_at="2023-11-14T22:13:29.000001+00:00")),
    ("a reply", ptb(text="yes", reply_to_message=replied(BOB)),
     message("yes", reply_message_id="5")),
    ("a quote of a part", ptb(text="yes", reply_to_message=replied(BOB),
     quote={"text": "x", "position": 0, "is_manual": True}), message("yes", reply_message_id="5")),
    ("a photograph", ptb(caption="the bridge", photo=[{"file_id": "a", "file_unique_id": "b",
     "width": 1, "height": 1}]), message("the bridge [image]")),
    ("a mention of a bot", ptb(text="@annals_bot hi", entities=[entity("mention", 0, 11)]),
     message("@annals_bot hi", is_mention_bot=True)),
    ("a forward of a person's words", ptb(text="I am allergic to nuts", forward_origin=FROM_BOB),
     message("I am allergic to nuts", user_id="43", user_name="Bob", attachments=BY_ANN)),
    ("a forward of somebody who hides", ptb(text="I moved", forward_origin=FROM_HIDDEN),
     message("I moved", user_id="hidden:Carol K", user_name="Carol K", attachments=BY_ANN)),
    ("a forward of a channel", ptb(text="rain", forward_origin=FROM_CHANNEL),
     message("rain", user_id="-1009", user_name="News")),
    ("a forward of one's own words", ptb(text="as I said", forward_origin={**FROM_BOB,
     "sender_user": ANN}), message("as I said", user_id="42", attachments=None)),
    ("a forward addresses nobody here", ptb(text="@annals_bot hi", forward_origin=FROM_BOB,
     entities=[entity("mention", 0, 11)]), message("@annals_bot hi", is_mention_bot=None)),
    ("/forget of one's own words", forget(ANN, replied(ANN)), TAKEN_BACK),
    ("/forget of another's words", forget(ANN, replied(BOB)), NOT_ONES_OWN),
    ("/forget of what one forwarded", forget(ANN, replied(ANN, forward_origin=FROM_BOB)),
     TAKEN_BACK),
    ("/forget of one's words that another forwarded",
     forget(BOB, replied(ANN, forward_origin=FROM_BOB)), TAKEN_BACK),
    ("/forget of what two others said", forget({**BOB, "id": 44},
     replied(ANN, forward_origin=FROM_BOB)), NOT_ONES_OWN),
    ("the group becomes a supergroup", ptb(chat=SMALL, migrate_to_chat_id=-1001),
     {"is": "group_event", "group_id": "telegram:-1001", "happening": "migrated",
      "previous_group_id": "telegram:-77"}),
]  # fmt: skip

AIOGRAM_CASES = [
    ("text with nulls", aiogram(text="hi"), message("hi", message_id="8", reply_message_id=None)),
    ("a channel's post", aiogram("channel_post", text="rain", chat=CHANNEL, **{"from": None},
     sender_chat=CHANNEL), message("rain", user_id="-1009", group_id="telegram:-1009")),
    ("a channel's post in its group", aiogram(text="rain", sender_chat=CHANNEL,
     is_automatic_forward=True, forward_origin=FROM_CHANNEL),
     message("rain", user_id="-1009", attachments=None)),
    ("a forward of a group's own voice", aiogram(text="elections", forward_origin=FROM_CHAT),
     message("elections", user_id="-1005", user_name="Board")),
    ("a forward in the older form", aiogram(text="I moved", forward_from=BOB,
     forward_date=1690000000), message("I moved", user_id="43")),
    ("a hidden forward in the older form", aiogram(text="I moved", forward_sender_name="Carol K",
     forward_date=1690000000), message("I moved", user_id="hidden:Carol K")),
    ("a channel's forward in the older form", aiogram(text="rain", forward_from_chat=CHANNEL,
     forward_from_message_id=9, forward_date=1690000000), message("rain", user_id="-1009")),
    ("a forward of a bot's words", aiogram(text="18 degrees", forward_origin={**FROM_BOB,
     "sender_user": {"id": 9, "is_bot": True, "first_name": "Weather"}}),
     message("18 degrees", role="assistant", user_id="9")),
    ("the supergroup says where it came from", aiogram(migrate_from_chat_id=-77),
     {"is": "group_event", "group_id": "telegram:-1001", "happening": "migrated",
      "previous_group_id": "telegram:-77"}),
    ("a line of a forum's topic", aiogram(text="hi", message_thread_id=3, is_topic_message=True,
     reply_to_message=replied(BOB, forum_topic_created={"name": "Books", "icon_color": 1})),
     message("hi", thread_id="3", reply_message_id=None)),
    ("a dice", aiogram(dice={"emoji": "🎲", "value": 4}), message("[other: 🎲]")),
    ("a voice", aiogram(voice={"file_id": "a", "duration": 3}), message("[audio]")),
    ("a poll", aiogram(poll={"id": "1", "question": "Where?", "options": []}),
     message("[poll: Where?]")),
    ("nothing to read", aiogram(pinned_message=replied(BOB)), ignored("empty message")),
]  # fmt: skip

CASES = [
    ClientCase(client, *case)
    for client, cases in ((PTB, PTB_CASES), (AIOGRAM, AIOGRAM_CASES))
    for case in cases
]


SECRETS = {"telegram_secret_token": "development_telegram_token"}
SIGNED_HEADERS = ("X-Telegram-Bot-Api-Secret-Token",)


def signed(body: bytes, secrets: Mapping[str, str], _now: datetime) -> tuple[dict[str, str], bytes]:
    return {SIGNED_HEADERS[0]: secrets["telegram_secret_token"]}, body
