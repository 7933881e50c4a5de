"""Slack's Events API: signed requests. A message is known by its team, channel and `ts`.

Channel ids do not repeat between teams, and a channel that two teams share has one id, so the
channel alone is the group.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from shared.domain.messages.message import (
    EVERYONE,
    Arrival,
    Attachment,
    GroupEvent,
    Ignored,
    Mention,
    Message,
    Recall,
)
from shared.errors import Unauthenticated
from shared.platforms import payload as read
from shared.platforms.payload import Node, PlatformText
from shared.platforms.platform import (
    Platform,
    Received,
    Secrets,
    SetupCheck,
    Webhook,
    WebhookAnswer,
    check_fresh,
    parse_object,
    same,
)

REPLAY_WINDOW = timedelta(minutes=5)
"""What Slack recommends: an older request may be one that somebody recorded."""
_SIGNING_SECRET = re.compile(r"[0-9a-f]{32}")
"""What Slack shows under Basic Information; the local cloud's is longer."""
_SAID = ("", "bot_message", "me_message", "thread_broadcast", "file_share")
_MARK = re.compile(r"<([^<>\n]+)>")
_EVERYONE = ("channel", "here", "everyone")
_MAX_DEPTH = 24
"""Of nested blocks: no real message comes near, and a made one cannot exhaust the stack."""


def receive(webhook: Webhook, secrets: Secrets) -> Received:
    verify(webhook, secrets)
    payload = parse_object(webhook.body)
    if payload.get("type") == "url_verification":
        return Received([], WebhookAnswer(body={"challenge": Node(payload).need("challenge")}))
    return Received(normalise(payload), WebhookAnswer())


def verify(webhook: Webhook, secrets: Secrets) -> None:
    secret = secrets.need("slack_signing_secret").encode()
    timestamp = webhook.header("x-slack-request-timestamp")
    check_fresh(timestamp, webhook.now, REPLAY_WINDOW)
    signed = f"v0:{timestamp}:".encode() + webhook.body
    expected = "v0=" + hmac.new(secret, signed, hashlib.sha256).hexdigest()
    if not same(webhook.header("x-slack-signature"), expected):
        raise Unauthenticated("the signature does not match")


def normalise(payload: dict[str, Any]) -> list[Arrival]:
    root = Node(payload)
    if root.text("type") != "event_callback":
        return [Ignored(f"slack {root.text('type') or 'request without a type'}")]
    event = root.need_node("event")
    kind = event.text("type")
    if kind == "app_mention" or (kind == "message" and event.text("subtype") in _SAID):
        return [_message(event, event, root)]
    if kind == "message":
        return [_message_event(event, root)]
    return [_group_event(event, root)]


def _message_event(event: Node, root: Node) -> Arrival:
    kind = event.text("subtype")
    if kind == "message_deleted":
        return _recall(event, event.need("deleted_ts"))
    if kind == "message_changed":
        changed = event.need_node("message")
        if changed.text("subtype") == "tombstone":  # a deleted message that has replies
            return _recall(event, changed.need("ts"))
        if changed.text("subtype") == "assistant_app_thread":
            return Ignored("slack title of an assistant's thread")
        if not changed.node("edited") and _same_text(changed, event.node("previous_message")):
            return Ignored("slack message changed, but not its text")
        return _message(changed, event, root)
    if kind in ("channel_join", "group_join"):
        return _member(event, event.need("channel"), root, joined=True)
    if kind in ("channel_leave", "group_leave"):
        return _member(event, event.need("channel"), root, joined=False)
    if kind in ("channel_name", "group_name"):
        return _renamed(event.need("channel"), event.need("name"), event.seconds("ts"))
    return Ignored(f"slack message {kind}")


def _message(message: Node, event: Node, root: Node) -> Message | Ignored:
    """`message` is the event itself or, in an edit, the changed message inside it."""
    attachments = [_attachment(file) for file in message.nodes("files")]
    said = _said(message, _bot_users(root))
    text = read.content(said.text, read.placeholders(attachments))
    if not text:
        return Ignored("empty message")
    ts = message.need("ts")
    thread = message.text("thread_ts")
    if thread == ts:  # the first message of a thread is no reply to itself
        thread = ""
    is_edit = event.text("subtype") == "message_changed"
    sender = message.text("user") or message.text("bot_id") or message.need("user")
    profile = message.node("user_profile")
    return Message(
        group_id=f"slack:{event.need('channel')}",
        message_id=ts,
        user_id=sender,
        user_name=profile.text("display_name")
        or profile.text("real_name")
        or message.text("username")
        or message.node("bot_profile").text("name"),
        content=text,
        role="assistant" if _is_own(message, root) else "user",
        create_time=message.seconds("ts"),
        reply_message_id=thread or None,
        root_message_id=thread or None,
        thread_id=thread or None,
        mentions=said.mentions,
        is_mention_bot=said.is_mention_bot or event.text("type") == "app_mention",
        attachments=read.attachments(attachments),
        audience="private" if _is_private(event) else "group",
        edited_at=_edited_at(message, event) if is_edit else None,
    )


def _is_private(event: Node) -> bool:
    """A channel of two begins with D; its type may be missing, or `app_home`."""
    return event.text("channel_type") == "im" or event.text("channel").startswith("D")


def _edited_at(message: Node, event: Node) -> datetime:
    """Apps can change a message without leaving an `edited` note."""
    edited = message.node("edited")
    return edited.seconds("ts") if edited else event.seconds("event_ts")


def _same_text(changed: Node, previous: Node) -> bool:
    return bool(previous) and changed.text("text") == previous.text("text")


def _is_own(message: Node, root: Node) -> bool:
    """A bot wrote it, and not one that belongs to another app."""
    if not message.text("bot_id"):
        return False
    app = message.text("app_id") or message.node("bot_profile").text("app_id")
    ours = root.text("api_app_id")
    return not (app and ours) or app == ours


def _bot_users(root: Node) -> frozenset[str]:
    """The user ids under which this app itself is in the team."""
    return frozenset(
        each.text("user_id") for each in root.nodes("authorizations") if each.true("is_bot")
    )


def _attachment(file: Node) -> Attachment:
    kind = file.text("mimetype").partition("/")[0]
    return Attachment(kind if kind in ("image", "audio", "video") else "file", file.text("name"))


def _recall(event: Node, ts: str) -> Recall:
    at = event.seconds("event_ts") if event.text("event_ts") else None
    return Recall(group_id=f"slack:{event.need('channel')}", message_id=ts, recalled_at=at)


def _group_event(event: Node, root: Node) -> Arrival:
    kind = event.text("type")
    if kind == "member_joined_channel":
        return _member(event, event.need("channel"), root, joined=True)
    if kind == "member_left_channel":
        return _member(event, event.need("channel"), root, joined=False)
    if kind in ("channel_left", "group_left"):
        return GroupEvent(group_id=f"slack:{event.need('channel')}", happening="bot_removed")
    if kind in ("channel_rename", "group_rename"):
        channel = event.need_node("channel")
        return _renamed(channel.need("id"), channel.need("name"), None)
    if kind in ("channel_deleted", "group_deleted"):
        return GroupEvent(group_id=f"slack:{event.need('channel')}", happening="disbanded")
    return Ignored(f"slack event {kind or 'without a type'}")


def _member(event: Node, channel: str, root: Node, *, joined: bool) -> GroupEvent:
    user_id = event.need("user")
    at = event.text("event_ts") and event.seconds("event_ts")
    if user_id in _bot_users(root):
        return GroupEvent(
            group_id=f"slack:{channel}",
            happening="bot_added" if joined else "bot_removed",
            at=at or None,
        )
    return GroupEvent(
        group_id=f"slack:{channel}",
        happening="member_joined" if joined else "member_left",
        at=at or None,
        user_id=user_id,
    )


def _renamed(channel: str, name: str, at: datetime | None) -> GroupEvent:
    return GroupEvent(group_id=f"slack:{channel}", happening="renamed", at=at, group_name=name)


# ---- what a message says: `<...>` marks for people, channels and links, and three escapes


def _said(message: Node, bot_users: frozenset[str]) -> PlatformText:
    """The message's text; of its blocks and attachments only if it has none, as apps often do.

    A message that somebody shares stands in an attachment, and is kept beside their own words.
    """
    own = message.text("text")
    shared = [each for each in message.nodes("attachments") if _is_shared(each)]
    if not own and not shared:
        own = "\n".join(_shown(message))
    source = read.content(own, *map(_quoted, shared))
    mentions: list[Mention] = []
    text = _unescape(_MARK.sub(lambda mark: _plain(mark[1], mentions), source))
    is_mention_bot = any(mention.user_id in bot_users for mention in mentions)
    return PlatformText(read.content(text), read.mentions(mentions), is_mention_bot)


def _plain(mark: str, mentions: list[Mention]) -> str:
    """What a reader sees for one mark; people in it are added to `mentions`."""
    target, _, label = mark.partition("|")
    if target.startswith("@"):
        mentions.append(Mention(target[1:], label.lstrip("@")))
        return f"@{label.lstrip('@') or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        if target[1:] in _EVERYONE:
            mentions.append(EVERYONE)
            return f"@{target[1:]}"
        return label or f"@{target[1:]}"
    address = target.removeprefix("mailto:")
    return f"{label} ({address})" if label and label not in address else address


def _is_shared(attachment: Node) -> bool:
    """Also the preview of a link to a message: its words are another's, and the link alone says
    nothing."""
    return attachment.true("is_share") or attachment.true("is_msg_unfurl")


def _quoted(attachment: Node) -> str:
    author = attachment.text("author_name") or attachment.text("author_subname")
    return f"{Attachment('forward', author).placeholder} {attachment.text('text')}"


def _unescape(text: str) -> str:
    """The ampersand comes last: `&amp;lt;` is the text `&lt;`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _shown(message: Node) -> Iterator[str]:
    yield from _texts(message.raw("blocks"), 0)
    for attachment in message.nodes("attachments"):
        lines = [attachment.text(field) for field in ("pretext", "title", "text")]
        yield from [line for line in lines if line] or [attachment.text("fallback")]


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Every text of a block, in reading order."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict):
        node = Node(value)
        if value.get("type") == "rich_text_section":  # its elements stand in one line
            yield "".join(_texts(value.get("elements"), depth + 1))
            return
        if value.get("type") == "user":
            yield f"<@{node.text('user_id')}>"
        elif isinstance(value.get("text"), str):
            yield node.text("text")
        elif value.get("type") == "link":
            yield node.text("url")
        for field in ("text", "fields", "elements", "accessory"):
            yield from _texts(value.get(field), depth + 1)


def _checks(secrets: Secrets) -> list[SetupCheck]:
    secret = secrets.get("slack_signing_secret")
    if not secret:
        return []
    ok = bool(_SIGNING_SECRET.fullmatch(secret))
    advice = "" if ok else "copy it from Basic Information, not the verification token"
    return [SetupCheck("SLACK_SIGNING_SECRET looks like one", ok, advice, is_needed=False)]


PLATFORM = Platform(
    name="slack",
    receive=receive,
    secrets=("slack_signing_secret",),
    checks=_checks,
    if_nothing_arrives="enable Event Subscriptions with this address, subscribe to "
    "message.channels, reinstall the app, and invite it to a channel",
    page="slack",
)
