"""Telegram's Bot API: updates that carry a secret token in a header."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from shared.domain.ids import MAX_ID_CHARACTERS
from shared.domain.messages.message import (
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
    SetupCheck,
    Webhook,
    WebhookAnswer,
    parse_object,
    same,
)

_MESSAGES = ("message", "edited_message", "channel_post", "edited_channel_post")
_AWAY = ("left", "kicked")
_SECRET_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""What setWebhook takes."""
# An animation comes with a document of the same file: the first kind found is taken.
_ATTACHMENTS = {
    "photo": "image", "animation": "video", "video": "video", "video_note": "video",
    "voice": "audio", "audio": "audio", "document": "file", "sticker": "sticker",
    "venue": "location", "location": "location", "contact": "contact", "poll": "poll",
    "story": "other", "dice": "other", "game": "other", "invoice": "other",
}  # fmt: skip
_NAME_FIELDS = ("file_name", "question", "title", "emoji", "first_name")


def receive(webhook: Webhook, secrets: Secrets) -> Received:
    verify(webhook, secrets)
    return Received(normalise(parse_object(webhook.body)), WebhookAnswer())


def verify(webhook: Webhook, secrets: Secrets) -> None:
    """The token is all there is: no signature, no time. A replay is the same update again."""
    secret = secrets.need("telegram_secret_token")
    if not same(webhook.header("x-telegram-bot-api-secret-token"), secret):
        raise Unauthenticated("the secret token does not match")


def normalise(payload: dict[str, Any]) -> list[Arrival]:
    update = Node(payload)
    for kind in _MESSAGES:
        if message := update.node(kind):
            is_edit = kind.startswith("edited")
            return _message(message, edit=update.text("update_id") if is_edit else None)
    if change := update.node("my_chat_member"):
        return [_membership(change, "bot_added", "bot_removed")]
    if change := update.node("chat_member"):
        return [_membership(change, "member_joined", "member_left")]
    kinds = sorted(key for key in payload if key != "update_id")
    return [Ignored(f"telegram update {' '.join(kinds)[:80]}".rstrip())]


def _message(message: Node, *, edit: str | None) -> list[Arrival]:
    """`edit` is the number of the update that an edit came in."""
    chat = message.need_node("chat")
    group_id = f"telegram:{chat.need('id')}"
    if happened := _service(message, group_id):
        return happened
    replied = message.node("reply_to_message")
    if replied.node("forum_topic_created"):  # every message of a forum topic points there
        replied = Node(None)
    if _is_command(message, "forget"):
        return [_forget(message, replied, chat)]

    said = _said(message, replied)
    if not said.text:
        return [Ignored("empty message")]
    bringing = _sender(message, chat)
    author = _forwarded_from(message)
    sender = author or bringing
    is_anothers = sender.need("id") != bringing.need("id")
    attachments = said.attachments
    if is_anothers:
        brought = Attachment("forward", f"forwarded by {_name(bringing)}")
        attachments = read.attachments((*attachments, brought))
    thread = message.text("message_thread_id") or None
    return [
        Message(
            group_id=group_id,
            message_id=message.need("message_id"),
            user_id=sender.need("id"),
            user_name=_name(sender),
            content=said.text,
            role="assistant" if sender.true("is_bot") else "user",
            create_time=message.seconds("date"),
            reply_message_id=replied.text("message_id") or None,
            root_message_id=None if message.true("is_topic_message") else thread,
            thread_id=thread,
            mentions=said.mentions,
            is_mention_bot=said.is_mention_bot and not author,  # it was addressed elsewhere
            attachments=attachments,
            group_name=chat.text("title") or None,
            audience="private" if chat.text("type") == "private" else "group",
            edited_at=_edited_at(message, edit) if edit is not None else None,
        )
    ]


def _edited_at(message: Node, update: str) -> datetime:
    """Telegram counts whole seconds; of two edits within one, the later has the higher number."""
    second = message.seconds("edit_date" if message.text("edit_date") else "date")
    last = update[-6:]
    is_number = last.isascii() and last.isdecimal()
    return second + timedelta(microseconds=int(last) if is_number else 0)


def _sender(message: Node, chat: Node) -> Node:
    """Who speaks: a chat (anonymous admins, channels) has a stand-in bot in `from`."""
    return message.node("sender_chat") or message.node("from") or chat


def _forget(message: Node, replied: Node, chat: Node) -> Arrival:
    """Telegram tells no bot that a message was deleted; replying `/forget` to it does."""
    if not replied:
        return Ignored("/forget that replies to nothing")
    if not _may_forget(message, replied, chat):
        return Ignored("/forget of somebody else's message")
    return Recall(
        group_id=f"telegram:{chat.need('id')}",
        message_id=replied.need("message_id"),
        recalled_at=message.seconds("date"),
        user_id=message.node("from").text("id") or None,
    )


def _may_forget(message: Node, replied: Node, chat: Node) -> bool:
    """Who asks may forget a message that they wrote, even if another forwarded it, or that they
    forwarded; in a chat of two also what the bot said. Of an admin Telegram tells here only where
    they speak as the chat itself, as everybody does who may write into a channel."""
    if chat.text("type") in ("private", "channel"):
        return True
    asking = _sender(message, chat).text("id")
    author = _forwarded_from(replied).text("id")
    return asking in (_sender(replied, chat).text("id"), author, chat.text("id"))


def _service(message: Node, group_id: str) -> list[Arrival]:
    """What a service message says; nothing for a message that somebody wrote.

    A group that becomes a supergroup gets another id, and its messages are counted anew. Telegram
    says so twice: in the old chat and in the new.
    """
    if now := message.text("migrate_to_chat_id"):
        return [_migrated(message, group_id, f"telegram:{now}")]
    if before := message.text("migrate_from_chat_id"):
        return [_migrated(message, f"telegram:{before}", group_id)]
    if joined := list(message.nodes("new_chat_members")):
        return [_member(message, each, group_id, "member_joined") for each in joined]
    if left := message.node("left_chat_member"):
        return [_member(message, left, group_id, "member_left")]
    if title := message.text("new_chat_title"):
        at = message.seconds("date")
        return [GroupEvent(group_id=group_id, happening="renamed", at=at, group_name=title)]
    return []


def _migrated(message: Node, before: str, now: str) -> GroupEvent:
    return GroupEvent(
        group_id=now,
        happening="migrated",
        at=message.seconds("date"),
        group_name=message.node("chat").text("title") or None,
        previous_group_id=before,
    )


def _member(message: Node, user: Node, group_id: str, happening: Happening) -> GroupEvent:
    return GroupEvent(
        group_id=group_id,
        happening=happening,
        at=message.seconds("date"),
        user_id=user.need("id"),
        user_name=_name(user),
    )


def _membership(change: Node, came: Happening, went: Happening) -> Arrival:
    was_away = _is_away(change.need_node("old_chat_member"))
    new = change.need_node("new_chat_member")
    if was_away == _is_away(new):
        return Ignored("telegram rights changed, but not who is here")
    user = new.node("user") if came == "member_joined" else Node(None)
    return GroupEvent(
        group_id=f"telegram:{change.need_node('chat').need('id')}",
        happening=came if was_away else went,
        at=change.seconds("date"),
        user_id=user.text("id") or None,
        user_name=_name(user),
        group_name=read.content(change.node("chat").text("title")) or None,
    )


def _is_away(member: Node) -> bool:
    status = member.need("status")
    return status in _AWAY or (status == "restricted" and member.raw("is_member") is False)


# ---- what a message says: entities mark its text by offsets in UTF-16 units


def _said(message: Node, replied: Node) -> PlatformText:
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
            mentions.append(Mention(person.text("id") or marked, _name(person) or marked[1:]))
            is_mention_bot |= _is_bot_handle(marked)
        elif kind == "text_mention":
            mentions.append(Mention(entity.node("user").text("id"), _name(entity.node("user"))))
            is_mention_bot |= entity.node("user").true("is_bot")
        elif kind == "bot_command":
            is_mention_bot |= _is_bot_handle(marked)
    attachments = read.attachments(_attachments(message))
    return PlatformText(
        read.content(text.with_links(entities), read.placeholders(attachments)),
        read.mentions(mentions),
        is_mention_bot,
        attachments,
    )


def _forwarded_from(message: Node) -> Node:
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


def _is_command(message: Node, command: str) -> bool:
    """True for `/command`, also addressed (`/command@some_bot`), at the start of the text."""
    return bool(re.match(rf"/{command}(@\w+)?(\s|$)", message.text("text"), re.IGNORECASE))


def _name(user: Node) -> str:
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


def _checks(secrets: Secrets) -> list[SetupCheck]:
    token = secrets.get("telegram_secret_token")
    if not token:
        return []
    ok = bool(_SECRET_TOKEN.fullmatch(token))
    advice = "" if ok else "setWebhook takes 1 to 256 characters of A-Z, a-z, 0-9, _ and -"
    return [SetupCheck("TELEGRAM_SECRET_TOKEN can be given to setWebhook", ok, advice)]


PLATFORM = Platform(
    name="telegram",
    receive=receive,
    secrets=("telegram_secret_token",),
    checks=_checks,
    if_nothing_arrives="call setWebhook with this address and TELEGRAM_SECRET_TOKEN, turn off "
    "privacy mode with BotFather, and add the bot to the group anew",
    page="telegram",
)
