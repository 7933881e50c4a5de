"""The text of a Slack message: `<...>` marks for people, channels and links, three escapes."""

import re
from collections.abc import Iterator
from typing import Any

from shared.domain.messages.message import EVERYONE, Attachment, Mention
from shared.platforms import payload
from shared.platforms.payload import Node, Said

_MARK = re.compile(r"<([^<>\n]+)>")
_EVERYONE = ("channel", "here", "everyone")
_MAX_DEPTH = 24
"""Of nested blocks: no real message comes near, and a made one cannot exhaust the stack."""


def read(message: Node, bot_users: frozenset[str]) -> Said:
    """The message's text; of its blocks and attachments only if it has none, as apps often do.

    A message that somebody shares stands in an attachment, and is kept beside their own words.
    """
    own = message.text("text")
    shared = [one for one in message.nodes("attachments") if _is_shared(one)]
    if not own and not shared:
        own = "\n".join(_shown(message))
    source = payload.content(own, *map(_quoted, shared))
    mentions: list[Mention] = []
    text = _unescape(_MARK.sub(lambda mark: _plain(mark[1], mentions), source))
    is_mention_bot = any(mention.user_id in bot_users for mention in mentions)
    return Said(payload.content(text), payload.mentions(mentions), is_mention_bot)


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
