"""The text of a Telegram message: entities mark it by offsets in UTF-16 units."""

import re
from collections.abc import Iterator

from shared.domain.ids import MAX_ID_CHARACTERS
from shared.domain.messages.message import Attachment, Mention
from shared.platforms import payload
from shared.platforms.payload import Node, Said

# An animation comes with a document of the same file: the first kind found is taken.
_ATTACHMENTS = {
    "photo": "image", "animation": "video", "video": "video", "video_note": "video",
    "voice": "audio", "audio": "audio", "document": "file", "sticker": "sticker",
    "venue": "location", "location": "location", "contact": "contact", "poll": "poll",
    "story": "other", "dice": "other", "game": "other", "invoice": "other",
}  # fmt: skip
_NAME_FIELDS = ("file_name", "question", "title", "emoji", "first_name")


def read(message: Node, replied: Node) -> Said:
    text = _Utf16(message.text("text") or message.text("caption"))
    entities = list(message.nodes("entities")) or list(message.nodes("caption_entities"))
    people = {_handle(each): each for each in (replied.node("from"), message.node("from"))}
    mentions: list[Mention] = []
    is_mention_bot = False
    for entity in entities:
        kind = entity.text("type")
        marked = text.piece(entity)
        if kind == "mention":
            person = people.get(marked.lower(), Node(None))
            mentions.append(Mention(person.text("id") or marked, name(person) or marked[1:]))
            is_mention_bot |= _is_bot_handle(marked)
        elif kind == "text_mention":
            mentions.append(Mention(entity.node("user").text("id"), name(entity.node("user"))))
            is_mention_bot |= entity.node("user").true("is_bot")
        elif kind == "bot_command":
            is_mention_bot |= _is_bot_handle(marked)
    attachments = payload.attachments(_attachments(message))
    return Said(
        payload.content(text.with_links(entities), payload.placeholders(attachments)),
        payload.mentions(mentions),
        is_mention_bot,
        attachments,
    )


def forwarded_from(message: Node) -> Node:
    """Who said first what a message passes on, as a user or a chat; nobody if it is no forward.

    Who hides their account has only a name: the id is made of it. Before version 7 of the Bot API
    each kind of origin had a field of its own.
    """
    origin = message.node("forward_origin")
    chat = origin.node("sender_chat") or origin.node("chat")
    known = origin.node("sender_user") or chat
    known = known or message.node("forward_from_chat") or message.node("forward_from")
    hidden = origin.text("sender_user_name") or message.text("forward_sender_name")
    if known or not hidden:
        return known
    return Node({"id": f"hidden:{hidden}"[:MAX_ID_CHARACTERS], "first_name": hidden})


def is_command(message: Node, command: str) -> bool:
    """True for `/command`, also addressed (`/command@some_bot`), at the start of the text."""
    return bool(re.match(rf"/{command}(@\w+)?(\s|$)", message.text("text"), re.IGNORECASE))


def name(user: Node) -> str:
    """First and last name; a chat's title; else the handle."""
    full = f"{user.text('first_name')} {user.text('last_name')}".strip()
    return full or user.text("title") or user.text("username")


def _handle(user: Node) -> str:
    return f"@{user.text('username').lower()}"


def _is_bot_handle(marked: str) -> bool:
    """`@weather_bot`, `/start@weather_bot`: the handles of bots, and only theirs, end so."""
    return "@" in marked and marked.lower().endswith("bot")


def _attachments(message: Node) -> Iterator[Attachment]:
    for field, kind in _ATTACHMENTS.items():
        if message.raw(field):
            node = message.node(field)
            named = (node.text(each) for each in _NAME_FIELDS if node.text(each))
            yield Attachment(kind, next(named, ""))
            return


class _Utf16:
    """A text that can be cut by UTF-16 offsets, in which an emoji counts two."""

    def __init__(self, text: str) -> None:
        self._units = text.encode("utf-16-le")

    def piece(self, entity: Node) -> str:
        start, end = self._span(entity)
        return self._units[start:end].decode("utf-16-le", "replace")

    def with_links(self, entities: list[Node]) -> str:
        """The whole text, each labelled link followed by its address."""
        units = self._units
        for entity in sorted(entities, key=self._span, reverse=True):
            url = entity.text("url")
            if entity.text("type") == "text_link" and url:
                end = self._span(entity)[1]
                units = units[:end] + f" ({url})".encode("utf-16-le") + units[end:]
        return units.decode("utf-16-le", "replace")

    def _span(self, entity: Node) -> tuple[int, int]:
        start = _count(entity.raw("offset")) * 2
        return start, start + _count(entity.raw("length")) * 2


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
