"""Discord's gateway events as a relay on discord.py or discord.js passes them on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.platforms.clients.case import ClientCase, ignored, message

PY = "discord.py 2.7.1"
JS = "discord-api-types 0.38.50"
ANN = {"id": "42", "username": "ann", "discriminator": "0", "global_name": "Ann", "avatar": None,
       "public_flags": 0, "primary_guild": None, "clan": None}  # fmt: skip
BOT = {**ANN, "id": "9", "username": "annals", "global_name": None, "bot": True}
IS_COMPONENTS_V2 = 1 << 15


def said(kind: str = "MESSAGE_CREATE", **fields: Any) -> dict[str, Any]:
    """The whole frame that discord.py's `on_socket_raw_receive` and discord.js's `raw` give."""
    data = {
        "type": 0,
        "tts": False,
        "timestamp": "2023-11-14T22:13:20.123000+00:00",
        "pinned": False,
        "nonce": "1",
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "member": {"roles": [], "nick": "Annie", "joined_at": "2020-01-01T00:00:00+00:00"},
        "id": "1174000000000000001",
        "flags": 0,
        "embeds": [],
        "edited_timestamp": None,
        "content": "",
        "components": [],
        "channel_type": 0,
        "channel_id": "900",
        "author": ANN,
        "attachments": [],
        "guild_id": "1",
        **fields,
    }
    return {"t": kind, "s": 12, "op": 0, "d": data}


def private(**fields: Any) -> dict[str, Any]:
    event = said(channel_type=1, **fields)
    del event["d"]["guild_id"], event["d"]["member"]
    return event


def happened(kind: str, **data: Any) -> dict[str, Any]:
    return {"t": kind, "s": 13, "op": 0, "d": data}


def laid_out(*components: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A message of components: `content` and `embeds` are empty by Discord's own rule."""
    return said(author=BOT, flags=IS_COMPONENTS_V2, components=list(components), **fields)


def words(text: str) -> dict[str, Any]:
    return {"type": 10, "id": 2, "content": text}


def media(url: str, description: str | None = None) -> dict[str, Any]:
    return {"media": {"url": url, "proxy_url": url, "content_type": "image/png"},
            "description": description, "spoiler": False}  # fmt: skip


PY_CASES = [
    ("text", said(content="hi"), message("hi", user_id="42", user_name="Annie")),
    ("a private chat", private(content="hi"), message("hi", audience="private", user_name="Ann")),
    ("a reply", said(content="yes", type=19, message_reference={"type": 0, "channel_id": "900",
     "message_id": "11", "guild_id": "1"}, referenced_message={"id": "11"}),
     message("yes", reply_message_id="11")),
    ("an edit", said("MESSAGE_UPDATE", content="hi!",
     edited_timestamp="2023-11-14T22:14:00+00:00"),
     message("hi!", edited_at="2023-11-14T22:14:00+00:00")),
    ("a preview was added", said("MESSAGE_UPDATE", content="https://a.example",
     embeds=[{"type": "link", "url": "https://a.example"}]),
     ignored("discord update without a new text")),
    ("a deletion", happened("MESSAGE_DELETE", id="11", channel_id="900", guild_id="1"),
     {"is": "recall", "message_id": "11", "group_id": "discord:900"}),
    ("a mention of the bot", said(content="<@9> hi", mentions=[BOT]),
     message("@annals hi", is_mention_bot=True)),
    ("everybody", said(content="@everyone lunch", mention_everyone=True),
     message("@everyone lunch", mentions=[{"user_id": "all", "name": "all"}])),
    ("a custom emoji", said(content="<a:wave:123> hi"), message(":wave: hi")),
    ("an attachment", said(attachments=[{"id": "1", "filename": "plan.pdf", "size": 3,
     "url": "https://x", "content_type": "application/pdf"}]), message("[file: plan.pdf]")),
    ("a voice message", said(flags=8192, attachments=[{"id": "1", "filename": "voice.ogg",
     "content_type": "audio/ogg", "duration_secs": 2.5, "waveform": "AA=="}]),
     message("[audio: voice.ogg]")),
    ("a sticker", said(sticker_items=[{"id": "1", "name": "Wave", "format_type": 1}]),
     message("[sticker: Wave]")),
    ("a webhook", said(content="deployed", webhook_id="77", author={"id": "77",
     "username": "ci", "bot": True}), message("deployed", role="assistant")),
    ("a slash command's answer", said(content="18 degrees", type=20, author=BOT,
     interaction_metadata={"id": "1", "type": 2}), message("18 degrees", role="assistant")),
    ("a line of a thread", said(content="hi", channel_type=11, position=3),
     message("hi", thread_id="900")),
    ("somebody joined", said(type=7), {"is": "group_event", "happening": "member_joined"}),
    ("a pin", said(type=6), ignored("discord message of type 6")),
    ("typing", happened("TYPING_START", user_id="42", channel_id="900", timestamp=1),
     ignored("discord event TYPING_START")),
]  # fmt: skip

JS_CASES = [
    ("text laid out in components", laid_out(words("# Menu"), words("soup")),
     message("# Menu soup", role="assistant")),
    ("a container", laid_out({"type": 17, "id": 1, "accent_color": 255, "spoiler": False,
     "components": [words("Results"), {"type": 14, "divider": True, "spacing": 1},
     words("Ann won")]}), message("Results Ann won")),
    ("a section with a button", laid_out({"type": 9, "id": 1, "components": [words("Lunch?")],
     "accessory": {"type": 2, "style": 1, "label": "Vote", "custom_id": "v"}}),
     message("Lunch?")),
    ("a section with a picture", laid_out({"type": 9, "id": 1, "components": [words("The bridge")],
     "accessory": {"type": 11, **media("https://x/a.png", "a bridge")}}),
     message("The bridge [image: a bridge]")),
    ("a gallery", laid_out({"type": 12, "id": 1, "items": [media("https://x/a.png"),
     media("https://x/b.png", "night")]}), message("[image] [image: night]")),
    ("a file", laid_out(words("The plan"), {"type": 13, "id": 3, "file": {"url":
     "attachment://plan.pdf"}, "name": "plan.pdf", "size": 3}),
     message("The plan [file: plan.pdf]")),
    ("a file that is also attached", laid_out(words("The plan"), {"type": 13, "id": 3,
     "file": {"url": "attachment://plan.pdf"}, "name": "plan.pdf"}, attachments=[{"id": "1",
     "filename": "plan.pdf", "content_type": "application/pdf"}]),
     message("The plan [file: plan.pdf]")),
    ("a person named in components", laid_out(words("<@42> won"), mentions=[ANN]),
     message("@Ann won", mentions=[{"user_id": "42", "name": "Ann"}])),
    ("buttons under a text", said(content="Vote!", author=BOT, components=[{"type": 1,
     "components": [{"type": 2, "label": "Yes", "custom_id": "y", "style": 1}]}]),
     message("Vote!")),
    ("nothing but buttons", laid_out({"type": 1, "components": [{"type": 2, "label": "Yes",
     "custom_id": "y", "style": 1}]}), ignored("empty message")),
    ("components changed", laid_out(words("closed"), kind="MESSAGE_UPDATE",
     edited_timestamp="2023-11-14T22:14:00+00:00"), message("closed")),
    ("an embed of a bot", said(author=BOT, embeds=[{"type": "rich", "title": "Build",
     "description": "passed"}]), message("Build\npassed")),
    ("many deletions", happened("MESSAGE_DELETE_BULK", ids=["11"], channel_id="900"),
     {"is": "recall", "message_id": "11"}),
    ("a channel is gone", happened("CHANNEL_DELETE", id="900", type=0, guild_id="1"),
     {"is": "group_event", "happening": "disbanded", "group_id": "discord:900"}),
]  # fmt: skip

CASES = [
    ClientCase(client, *case)
    for client, cases in ((PY, PY_CASES), (JS, JS_CASES))
    for case in cases
]


SECRETS: dict[str, str] = {}
SIGNED_HEADERS: tuple[str, ...] = ()


def signed(
    body: bytes, _secrets: Mapping[str, str], _now: datetime
) -> tuple[dict[str, str], bytes]:
    return {}, body
