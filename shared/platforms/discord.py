"""Discord: gateway events that the bot itself relays, `{"t": ..., "d": ...}`.

Discord sends no webhook for the messages of a server, so there is no signature: the relay shows
its API key, which the route checks before anything here runs.
"""

import re
from collections.abc import Iterator
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
from shared.platforms import payload as read
from shared.platforms.payload import Node
from shared.platforms.platform import (
    Platform,
    Received,
    Secrets,
    Webhook,
    WebhookAnswer,
    parse_object,
)

_REPLY = "19"
_WRITTEN = ("0", _REPLY, "20", "23")  # plain, reply, and the answers to two kinds of commands
_MEMBER_JOINED = "7"
_MARK = re.compile(r"<(@!?|@&|#|a?:)([\w~]+)(?::\d+)?>")
_TEXT, _THUMBNAIL, _GALLERY, _FILE = "10", "11", "12", "13"
_MAX_DEPTH = 6
"""Discord nests three deep; a made message cannot exhaust the stack."""


def receive(webhook: Webhook, _secrets: Secrets) -> Received:
    return Received(normalise(parse_object(webhook.body)), WebhookAnswer())


def normalise(payload: dict[str, Any]) -> list[Arrival]:
    root = Node(payload)
    kind = root.need("t")
    data = root.node("d")
    if kind == "MESSAGE_CREATE":
        return [_message(data)]
    if kind == "MESSAGE_UPDATE":
        # Without these it is a preview that was added to a link, or a part of a message.
        if not (data.text("edited_timestamp") and data.node("author")):
            return [Ignored("discord update without a new text")]
        return [_message(data)]
    if kind == "MESSAGE_DELETE":
        return [_recall(data, data.need("id"))]
    if kind == "MESSAGE_DELETE_BULK":
        ids = data.raw("ids")
        wanted = [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []
        return [_recall(data, each) for each in wanted] or [Ignored("discord bulk of nothing")]
    if kind in ("CHANNEL_DELETE", "THREAD_DELETE"):
        return [GroupEvent(group_id=f"discord:{data.need('id')}", happening="disbanded")]
    if kind in ("CHANNEL_UPDATE", "THREAD_UPDATE") and data.text("name"):
        return [
            GroupEvent(
                group_id=f"discord:{data.need('id')}",
                happening="renamed",
                group_name=data.text("name"),
            )
        ]
    return [Ignored(f"discord event {kind[:80]}")]


def _message(data: Node) -> Message | GroupEvent | Ignored:
    author = data.need_node("author")
    kind = data.text("type") or "0"
    if kind == _MEMBER_JOINED:
        return GroupEvent(
            group_id=f"discord:{data.need('channel_id')}",
            happening="member_joined",
            at=data.iso("timestamp"),
            user_id=author.need("id"),
            user_name=_name(author, data.node("member")),
        )
    if kind not in _WRITTEN:
        return Ignored(f"discord message of type {kind}")
    attachments = read.attachments(_attachments(data))
    text = read.content(_text(data), _embeds(data), read.placeholders(attachments))
    if not text:
        return Ignored("empty message")
    channel = data.need("channel_id")
    replied = data.node("message_reference").text("message_id") if kind == _REPLY else ""
    return Message(
        group_id=f"discord:{channel}",
        message_id=data.need("id"),
        user_id=author.need("id"),
        user_name=_name(author, data.node("member")),
        content=text,
        role="assistant" if author.true("bot") or data.text("webhook_id") else "user",
        create_time=data.iso("timestamp"),
        reply_message_id=replied or None,
        thread_id=channel if data.text("position") else None,  # only messages of threads have one
        mentions=read.mentions(_mentions(data)),
        is_mention_bot=any(user.true("bot") for user in data.nodes("mentions")),
        attachments=attachments,
        audience="group" if data.text("guild_id") else "private",
        edited_at=data.iso("edited_timestamp") if data.text("edited_timestamp") else None,
    )


def _recall(data: Node, message_id: str) -> Recall:
    return Recall(group_id=f"discord:{data.need('channel_id')}", message_id=message_id)


def _name(user: Node, member: Node) -> str:
    return member.text("nick") or user.text("global_name") or user.text("username")


def _mentions(data: Node) -> Iterator[Mention]:
    for user in data.nodes("mentions"):
        yield Mention(user.text("id"), _name(user, user.node("member")))
    if data.true("mention_everyone"):
        yield EVERYONE


def _text(data: Node) -> str:
    """The content, or the texts of components, with people, custom emoji and other marks as a
    reader sees them."""
    names = {mention.user_id: mention.name for mention in _mentions(data)}

    def plain(mark: re.Match[str]) -> str:
        sign, target = mark[1], mark[2]
        if sign.endswith(":"):
            return f":{target}:"
        if sign == "#":
            return f"#{target}"
        return f"@{names.get(target) or target}"

    texts = [data.text("content"), *_component_texts(data)]
    return _MARK.sub(plain, read.content(*texts))


def _embeds(data: Node) -> str:
    """What bots put into embeds; link previews of people's messages repeat what is linked."""
    parts: list[str] = []
    for embed in data.nodes("embeds"):
        if embed.text("type") in ("", "rich"):
            parts += [embed.text("title"), embed.text("description")]
            parts += [f"{f.text('name')}: {f.text('value')}" for f in embed.nodes("fields")]
    return "\n".join(part for part in parts if part)


def _attachments(data: Node) -> Iterator[Attachment]:
    for file in data.nodes("attachments"):
        kind = file.text("content_type").partition("/")[0]
        known = kind if kind in ("image", "audio", "video") else "file"
        yield Attachment(known, file.text("filename"))
    if not data.raw("attachments"):  # else those are what the components show
        yield from _component_attachments(data)
    for sticker in data.nodes("sticker_items"):
        yield Attachment("sticker", sticker.text("name"))
    if poll := data.node("poll"):
        yield Attachment("poll", poll.node("question").text("text"))
    for snapshot in data.nodes("message_snapshots"):
        yield Attachment("forward", snapshot.node("message").text("content"))


# ---- what a message of components shows: it has no content and no embeds of its own


def _component_texts(message: Node) -> Iterator[str]:
    """Every text display, in reading order. Buttons and menus are controls, nobody's words."""
    for component in _components(message):
        if component.text("type") == _TEXT:
            yield component.text("content")


def _component_attachments(message: Node) -> Iterator[Attachment]:
    """Pictures and files that only the components name."""
    for component in _components(message):
        kind = component.text("type")
        if kind == _THUMBNAIL:
            yield Attachment("image", component.text("description"))
        elif kind == _GALLERY:
            for item in component.nodes("items"):
                is_video = item.node("media").text("content_type").startswith("video/")
                yield Attachment("video" if is_video else "image", item.text("description"))
        elif kind == _FILE:
            yield Attachment("file", component.text("name"))


def _components(parent: Node, depth: int = 0) -> Iterator[Node]:
    """Containers and sections with what is in them; an accessory stands beside its section."""
    if depth > _MAX_DEPTH:
        return
    for component in parent.nodes("components"):
        yield component
        yield from _components(component, depth + 1)
        if accessory := component.node("accessory"):
            yield accessory


PLATFORM = Platform(
    name="discord",
    receive=receive,
    receive_relayed=receive,
    is_always_relayed=True,
    if_nothing_arrives="run a relay with a key of scope ingest, turn on the Message Content "
    "intent, and say something where the bot can read",
    page="discord",
)
