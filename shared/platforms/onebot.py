"""OneBot v11 (QQ): events signed with HMAC-SHA1; message ids repeat, so the time is in the key."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from shared.domain.messages.message import (
    EVERYONE,
    Arrival,
    Attachment,
    GroupEvent,
    Happening,
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
    Webhook,
    WebhookAnswer,
    parse_object,
    same,
)

_KINDS = ("group", "private", "")
_MILLISECONDS = 12
"""A time of so many digits is in milliseconds: in seconds it would lie 30,000 years ahead."""
_CQ_CODE = re.compile(r"\[CQ:([A-Za-z0-9_.-]+)((?:,[^\[\],]*)*)\]")
_ATTACHMENTS = {
    "image": "image", "record": "audio", "video": "video", "file": "file", "mface": "sticker",
    "json": "card", "xml": "card", "ark": "card", "forward": "forward", "node": "forward",
    "share": "link", "music": "link", "location": "location", "contact": "contact",
    "dice": "other", "rps": "other", "miniapp": "card", "onlinefile": "file",
    "flashtransfer": "file", "flash_file": "file",
}  # fmt: skip
_NAME_FIELDS = {
    "file": ("name", "file_name", "file"), "share": ("title",), "music": ("title",),
    "location": ("title",), "mface": ("summary",), "onlinefile": ("fileName",),
    "flash_file": ("title",),
}  # fmt: skip
_CARDS = ("json", "miniapp")
_GAMES = ("dice", "rps")
_MAX_DEPTH = 4
"""Of forwards in forwards: QQ shows no more, and a made one cannot exhaust the stack."""


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
    said = _said(message, event.text("self_id"))
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


# ---- what a message says: a list of segments, or the same as a string with CQ codes


def _said(message: Any, self_id: str, depth: int = 0) -> PlatformText:
    """`message` is a CQ string, one segment, or a list of segments."""
    parts: list[str] = []
    mentions: list[Mention] = []
    attachments: list[Attachment] = []
    reply: str | None = None
    for segment in _segments(message):
        kind = segment.text("type")
        data = segment.node("data")
        if kind == "text":
            parts.append(data.text("text"))
        elif kind == "markdown":
            parts.append(data.text("content"))
        elif kind == "at":
            mentions.append(_mention(data))
            parts.append(f"@{mentions[-1].name or mentions[-1].user_id} ")
        elif kind == "reply":
            reply = reply or data.text("id") or None
        elif kind in _ATTACHMENTS:
            attachments.append(Attachment(_ATTACHMENTS[kind], _name(kind, data)))
            parts.append(attachments[-1].placeholder)
            parts += _forwarded(kind, data, self_id, depth)
        elif kind == "face":
            parts.append("[face]")
    return PlatformText(
        read.content(re.sub(r" {2,}", " ", "".join(parts))),
        read.mentions(mentions),
        any(mention.user_id == self_id for mention in mentions),
        read.attachments(attachments),
        reply,
    )


def _mention(data: Node) -> Mention:
    user_id = data.text("qq")
    return EVERYONE if user_id == "all" else Mention(user_id, data.text("name").lstrip("@"))


def _forwarded(kind: str, data: Node, self_id: str, depth: int) -> Iterator[str]:
    """The lines of a forward, each under its author's name, where the client supplied them."""
    if kind == "node":
        yield from _line(data, data.raw("content"), self_id, depth)
    elif kind == "forward":
        for line in data.nodes("content"):
            inner = line.node("data") if line.text("type") == "node" else line
            said = inner.raw("content") if inner.raw("message") is None else inner.raw("message")
            yield from _line(inner, said, self_id, depth)


def _line(author: Node, said: Any, self_id: str, depth: int) -> Iterator[str]:
    if depth >= _MAX_DEPTH:
        return
    sender = author.node("sender") or author
    name = sender.text("card") or sender.text("nickname") or sender.text("name")
    if text := _said(said, self_id, depth + 1).text:
        yield f"\n{name or sender.text('user_id')}: {text}"


def _name(kind: str, data: Node) -> str:
    if kind in _CARDS:
        return _plain(_card_title(data.raw("data")))
    if kind in _GAMES:  # go-cqhttp's name for the result is `value`
        return f"{kind} {data.text('result') or data.text('value')}".strip()
    return _plain(next((data.text(f) for f in _NAME_FIELDS.get(kind, ()) if data.text(f)), ""))


def _plain(name: str) -> str:
    """QQ writes `[小程序] 点餐`: brackets are for placeholders here."""
    return name.replace("[", "").replace("]", "")


def _card_title(card: Any) -> str:
    """A card says in `prompt` what a phone would show in its list of chats."""
    try:
        return Node(card if isinstance(card, dict) else json.loads(str(card))).text("prompt")
    except (ValueError, RecursionError):
        return ""


def _segments(message: Any) -> Iterator[Node]:
    if isinstance(message, str):
        yield from _from_cq(read.clean(message))
    elif isinstance(message, dict):
        yield Node(message)
    elif isinstance(message, list):
        yield from (Node(segment) for segment in message)


def _from_cq(text: str) -> Iterator[Node]:
    position = 0
    for code in _CQ_CODE.finditer(text):
        yield _text(text[position : code.start()])
        fields = (field.partition("=") for field in code[2].split(",") if field)
        yield Node({"type": code[1], "data": {key: _unescape(v) for key, _, v in fields}})
        position = code.end()
    yield _text(text[position:])


def _text(text: str) -> Node:
    return Node({"type": "text", "data": {"text": _unescape(text)}})


def _unescape(text: str) -> str:
    """The ampersand comes last: `&amp;#91;` is the text `&#91;`, not a bracket."""
    for escaped, plain in (("&#91;", "["), ("&#93;", "]"), ("&#44;", ","), ("&amp;", "&")):
        text = text.replace(escaped, plain)
    return text


PLATFORM = Platform(
    name="onebot",
    receive=receive,
    receive_relayed=receive_relayed,
    secrets=("onebot_secret",),
    if_nothing_arrives="give the client this address as an HTTP client (HTTP POST) and "
    "ONEBOT_SECRET as its token, enable it, and say something in a group",
    page="qq",
)
