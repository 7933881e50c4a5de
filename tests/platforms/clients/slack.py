"""Slack's Events API in the forms of Bolt for Python's scenarios and of `@slack/types`."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.platforms.clients.case import ClientCase, ignored, message

BOLT = "bolt-python 1.30.0"
TYPES = "@slack/types 3.0.0"
TS = "1726133700.887259"


def callback(event: dict[str, Any]) -> dict[str, Any]:
    """Bolt's `build_payload`."""
    return {
        "token": "verification_token",
        "team_id": "T111",
        "enterprise_id": "E111",
        "api_app_id": "A111",
        "event": event,
        "type": "event_callback",
        "event_id": "Ev111",
        "event_time": 1726133700,
        "authorizations": [
            {"enterprise_id": "E111", "team_id": "T111", "user_id": "UBOT", "is_bot": True,
             "is_enterprise_install": False}
        ],
        "is_ext_shared_channel": False,
    }  # fmt: skip


def said(text: str, **changed: Any) -> dict[str, Any]:
    return {
        "user": "W222",
        "type": "message",
        "ts": TS,
        "client_msg_id": "b98b3d1a",
        "text": text,
        "team": "T111",
        "channel": "C111",
        "event_ts": TS,
        "channel_type": "channel",
        **changed,
    }


def changed(new: dict[str, Any], old: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": new,
        "previous_message": old,
        "channel": "C111",
        "hidden": True,
        "ts": "1726133701.028300",
        "event_ts": "1726133701.028300",
        "channel_type": "channel",
        **more,
    }


ASSISTANT = {
    "subtype": "assistant_app_thread", "user": "U222", "type": "message", "edited": {},
    "thread_ts": "1726133698.626339", "reply_count": 2, "ts": "1726133698.626339",
    "is_locked": False,
}  # fmt: skip
TITLE = {"title": "When Slack was released?", "title_blocks": [], "artifacts": []}
SHARED = {
    "ts": "1726130000.000100", "channel_id": "C999", "channel_team": "T111", "author_id": "W333",
    "author_name": "Bob", "author_subname": "Bob", "text": "the key is under the mat",
    "fallback": "[September 12th, 2024] Bob: the key is under the mat", "is_share": True,
    "is_msg_unfurl": True, "mrkdwn_in": ["text"], "footer": "Posted in #keys",
}  # fmt: skip

BOLT_CASES = [
    ("text", said("Hi"), message("Hi", group_id="slack:C111", message_id=TS, user_id="W222")),
    ("a mention", said("<@UBOT> hi"), message("@UBOT hi", is_mention_bot=True)),
    ("app_mention", said("<@UBOT> hi", type="app_mention"),
     message("@UBOT hi", is_mention_bot=True)),
    ("a private message", said("hi", channel="D111", channel_type="im"),
     message("hi", audience="private")),
    ("a D-channel whose type is not said", {k: v for k, v in said("hi", channel="D111").items()
     if k != "channel_type"}, message("hi", audience="private")),
    ("a D-channel called an app's home", said("hi", channel="D111", channel_type="app_home"),
     message("hi", audience="private")),
    ("several people", said("hi", channel="G111", channel_type="mpim"),
     message("hi", audience="group")),
    ("a word in an assistant's thread", said("When Slack was released?", channel="D111",
     channel_type="im", thread_ts="1726133698.626339", parent_user_id="UBOT"),
     message("When Slack was released?", thread_id="1726133698.626339")),
    ("an assistant thread gets its title", changed({**ASSISTANT, "text": "When Slack was released?",
     "assistant_app_thread": TITLE}, {**ASSISTANT, "text": "New chat"}, channel="D111",
     channel_type="im"), ignored("slack title of an assistant's thread")),
    ("an assistant thread begins", {**ASSISTANT, "text": "New chat", "channel": "D111",
     "event_ts": TS, "channel_type": "im"}, ignored("slack message assistant_app_thread")),
    ("an edit", changed(said("Hi all", edited={"user": "W222", "ts": "1726133710.000000"}),
     said("Hi")), message("Hi all", edited_at="2024-09-12T09:35:10+00:00")),
    ("a preview was added", changed(said("Hi", attachments=[{"text": "x"}]), said("Hi")),
     ignored("slack message changed, but not its text")),
    ("a deletion", {"type": "message", "subtype": "message_deleted", "hidden": True,
     "deleted_ts": TS, "channel": "C111", "previous_message": said("Hi"), "ts": "1726133702.0001",
     "event_ts": "1726133702.000100", "channel_type": "channel"},
     {"is": "recall", "message_id": TS}),
    ("another app", said("deployed", bot_id="B9", app_id="A999", user="UCI",
     bot_profile={"id": "B9", "app_id": "A999", "name": "ci"}),
     message("deployed", user_id="UCI", role=None)),
    ("this app", said("hello", bot_id="B1", app_id="A111", user="UBOT"),
     message("hello", role="assistant")),
    ("a reaction", {"type": "reaction_added", "user": "W222", "item": {"type": "message",
     "channel": "C111", "ts": TS}, "reaction": "+1", "item_user": "W333", "event_ts": TS},
     ignored("slack event reaction_added")),
    ("somebody joined", {"type": "member_joined_channel", "user": "W111", "channel": "C111",
     "channel_type": "C", "team": "T111", "inviter": "W222", "event_ts": TS},
     {"is": "group_event", "happening": "member_joined", "user_id": "W111"}),
]  # fmt: skip

TYPES_CASES = [
    ("a shared message with a word of one's own", said("look at this", attachments=[SHARED]),
     message("look at this [forward: Bob] the key is under the mat")),
    ("a shared message alone", said("", attachments=[SHARED]),
     message("[forward: Bob] the key is under the mat")),
    ("a link and its preview", said("<https://a.example>", attachments=[{"from_url":
     "https://a.example", "title": "A", "text": "about a", "fallback": "A"}]),
     message("https://a.example")),
    ("a bot message", {"type": "message", "subtype": "bot_message", "event_ts": TS, "ts": TS,
     "channel": "C111", "channel_type": "channel", "text": "done", "bot_id": "B9",
     "username": "ci"}, message("done", user_id="B9", user_name="ci")),
    ("a file", said("", subtype="file_share", upload=True, files=[{"id": "F1", "created": 1,
     "name": "plan.pdf", "title": None, "mimetype": "application/pdf", "mode": "hosted",
     "user": "W222", "size": 3}]), message("[file: plan.pdf]")),
    ("a file without a name", said("see", subtype="file_share", files=[{"id": "F1", "name": None,
     "mimetype": "image/png"}]), message("see [image]")),
    ("/me", said("is late", subtype="me_message"), message("is late")),
    ("a reply that the channel sees too", said("fixed", subtype="thread_broadcast",
     thread_ts="1726133000.000100", root=said("broken", thread_ts="1726133000.000100")),
     message("fixed", reply_message_id="1726133000.000100")),
    ("escapes", said("1 &lt; 2 &amp;&amp; <https://a.example|site>"),
     message("1 < 2 && site (https://a.example)")),
    ("everybody", said("<!channel> lunch"), message("@channel lunch",
     mentions=[{"user_id": "all", "name": "all"}])),
    ("a new purpose", said("set the purpose", subtype="channel_purpose", purpose="books"),
     ignored("slack message channel_purpose")),
    ("a name", said("renamed", subtype="channel_name", name="books", old_name="b"),
     {"is": "group_event", "happening": "renamed", "group_name": "books"}),
    ("keys were taken away", said("", subtype="ekm_access_denied", user="UREVOKEDU"),
     ignored("slack message ekm_access_denied")),
    ("rich text without a text", said("", blocks=[{"type": "rich_text", "block_id": "x",
     "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "see "},
     {"type": "user", "user_id": "W333"}]}]}]), message("see @W333")),
]  # fmt: skip

CASES = [
    ClientCase(client, name, callback(event), becomes)
    for client, cases in ((BOLT, BOLT_CASES), (TYPES, TYPES_CASES))
    for name, event, becomes in cases
]


SECRETS = {"slack_signing_secret": "development-slack-secret"}
SIGNED_HEADERS = ("X-Slack-Request-Timestamp", "X-Slack-Signature")


def signed(body: bytes, secrets: Mapping[str, str], now: datetime) -> tuple[dict[str, str], bytes]:
    return headers(body, str(int(now.timestamp())), secrets["slack_signing_secret"]), body


def headers(body: bytes, timestamp: str, key: str) -> dict[str, str]:
    digest = hmac.new(key.encode(), f"v0:{timestamp}:".encode() + body, hashlib.sha256)
    told = dict(zip(SIGNED_HEADERS, (timestamp, f"v0={digest.hexdigest()}"), strict=True))
    return {**told, "X-Slack-Retry-Num": "1"}
