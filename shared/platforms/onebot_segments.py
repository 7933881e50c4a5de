"""The text of a OneBot message: a list of segments, or the same as a string with CQ codes."""

import json
import re
from collections.abc import Iterator
from typing import Any

from shared.domain.messages.message import EVERYONE, Attachment, Mention
from shared.platforms import payload
from shared.platforms.payload import Node, Said

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


def read(message: Any, self_id: str, depth: int = 0) -> Said:
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
    return Said(
        payload.content(re.sub(r" {2,}", " ", "".join(parts))),
        payload.mentions(mentions),
        any(mention.user_id == self_id for mention in mentions),
        payload.attachments(attachments),
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
    if text := read(said, self_id, depth + 1).text:
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
        yield from _from_cq(payload.clean(message))
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
