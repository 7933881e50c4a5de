"""OneBot v11 (QQ): events signed with HMAC-SHA1; message ids repeat, so the time is in the key."""

import hashlib
import hmac
from datetime import datetime
from typing import Any

from shared.domain.messages.message import Arrival, GroupEvent, Happening, Ignored, Message, Recall
from shared.errors import Unauthenticated
from shared.platforms import onebot_segments
from shared.platforms.payload import Node
from shared.platforms.webhook import Received, Secrets, Webhook, WebhookAnswer, parse_object, same

_KINDS = ("group", "private", "")
_MILLISECONDS = 12
"""A time of so many digits is in milliseconds: in seconds it would lie 30,000 years ahead."""


def receive(webhook: Webhook, secrets: Secrets) -> Received:
    verify(webhook, secrets)
    return receive_relayed(webhook, secrets)


def receive_relayed(webhook: Webhook, _secrets: Secrets) -> Received:
    """From a bot that speaks to its client over a websocket, which signs nothing."""
    arrivals = normalise(parse_object(webhook.body))
    # Any JSON in the answer would be executed as a quick operation.
    return Received(arrivals, WebhookAnswer(status=204, body=None))


def verify(webhook: Webhook, secrets: Secrets) -> None:
    """There is no timestamp: a replay is the same message again, and twice is once."""
    secret = secrets.need("onebot_secret").encode()
    expected = "sha1=" + hmac.new(secret, webhook.body, hashlib.sha1).hexdigest()
    if not same(webhook.header("x-signature"), expected):
        raise Unauthenticated("the signature does not match")


def normalise(payload: dict[str, Any]) -> list[Arrival]:
    event = Node(payload)
    kind = event.text("post_type")
    if kind in ("message", "message_sent"):
        return [_message(event)]
    if kind == "notice":
        return [_notice(event)]
    return [Ignored(f"onebot {kind or 'event without a type'}")]


def _message(event: Node) -> Message | Ignored:
    kind = event.text("message_type")
    if kind not in _KINDS:
        return Ignored(f"onebot message of type {kind[:80]}")
    message = event.raw("message")
    if message is None:
        message = event.text("raw_message")
    said = onebot_segments.read(message, event.text("self_id"))
    if not said.text:
        return Ignored("empty message")
    native_id = event.need("message_id")
    user_id = event.need("user_id")
    is_own = event.text("post_type") == "message_sent" or user_id == event.text("self_id")
    is_private = kind == "private"
    said_at = _time(event)
    sender = event.node("sender")
    return Message(
        group_id=_private_chat(event) if is_private else f"onebot:{event.need('group_id')}",
        message_id=f"{native_id}-{int(said_at.timestamp())}",
        native_id=native_id,
        user_id=user_id,
        user_name=sender.text("card") or sender.text("nickname"),
        content=said.text,
        role="assistant" if is_own else "user",
        create_time=said_at,
        reply_native_id=said.reply_native_id,
        mentions=said.mentions,
        is_mention_bot=said.is_mention_bot,
        attachments=said.attachments,
        group_name=event.text("group_name") or None,
        audience="private" if is_private else "group",
    )


def _private_chat(event: Node) -> str:
    """The chat with the other one. A person and a group can have the same number in QQ."""
    user_id = event.need("user_id")
    if user_id == event.text("self_id"):
        user_id = event.text("target_id") or user_id
    return f"onebot:private-{user_id}"


def _time(event: Node) -> datetime:
    """Of the message or, in a notice, of the bot host's clock. NapCat falls back to milliseconds
    where QQ gave no time."""
    digits = event.need("time")
    return event.milliseconds("time") if len(digits) >= _MILLISECONDS else event.seconds("time")


def _notice(event: Node) -> Arrival:
    kind = event.text("notice_type")
    detail = event.text("sub_type")
    if kind == "group_recall":
        return _recall(event, f"onebot:{event.need('group_id')}")
    if kind == "friend_recall":
        is_unnamed = event.need("user_id") == event.text("self_id") and not event.text("target_id")
        return _recall(event, _private_chat(event), is_somewhere_private=is_unnamed)
    if kind == "group_increase":
        return _group_event(event, "bot_added" if _is_self(event) else "member_joined")
    if kind == "group_dismiss":
        return _group_event(event, "disbanded")
    if kind == "group_decrease":
        if detail == "disband":
            return _group_event(event, "disbanded")
        is_bot = detail == "kick_me" or _is_self(event)
        return _group_event(event, "bot_removed" if is_bot else "member_left")
    if kind == "notify" and detail == "group_name":
        return _group_event(event, "renamed")
    return Ignored(f"onebot notice {kind} {detail}".rstrip())


def _recall(event: Node, group_id: str, *, is_somewhere_private: bool = False) -> Recall:
    """Neither NapCat nor LLOneBot says whose chat it was when the bot recalls its own words."""
    return Recall(
        group_id=group_id,
        native_id=event.need("message_id"),
        recalled_at=_time(event),
        user_id=event.text("operator_id") or event.text("user_id") or None,
        is_somewhere_private=is_somewhere_private,
    )


def _group_event(event: Node, happening: Happening) -> GroupEvent:
    is_about_member = happening in ("member_joined", "member_left")
    return GroupEvent(
        group_id=f"onebot:{event.need('group_id')}",
        happening=happening,
        at=_time(event),
        user_id=event.need("user_id") if is_about_member else None,
        group_name=event.need("name_new") if happening == "renamed" else None,
    )


def _is_self(event: Node) -> bool:
    return event.need("user_id") == event.text("self_id")
