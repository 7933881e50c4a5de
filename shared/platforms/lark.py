"""Lark / Feishu: signed, encrypted events of schema 2.0."""

import base64
import binascii
import hashlib
from datetime import datetime, timedelta
from typing import Any

from shared.domain.audience import Audience
from shared.domain.messages.message import (
    Arrival,
    GroupEvent,
    Happening,
    Ignored,
    Message,
    Recall,
)
from shared.errors import InvalidInput, Unauthenticated
from shared.platforms import lark_content
from shared.platforms.payload import Node
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

RETRIES_LAST = timedelta(hours=8)
"""Lark's last retry comes after six hours; twice delivered is once stored."""

_GROUP_EVENTS: dict[str, Happening] = {
    "im.chat.member.bot.added_v1": "bot_added",
    "im.chat.member.bot.deleted_v1": "bot_removed",
    "im.chat.disbanded_v1": "disbanded",
    "im.chat.member.user.added_v1": "member_joined",
    "im.chat.member.user.deleted_v1": "member_left",
    "im.chat.updated_v1": "renamed",
}


_BOTS = ("app", "bot")
"""A person is `user`, this app `app`, another bot `bot`: no bot's words are a member's."""
_BLOCK = 16
"""Bytes of an AES block, and of the vector in front of the first."""


def receive(webhook: Webhook, secrets: Secrets) -> Received:
    payload = verify(webhook, secrets)
    if payload.get("type") == "url_verification":
        return Received([], WebhookAnswer(body={"challenge": Node(payload).need("challenge")}))
    return Received(normalise(payload, secrets.get("lark_bot_open_id", "")), WebhookAnswer())


def verify(webhook: Webhook, secrets: Secrets) -> dict[str, Any]:
    """The plain payload of a request that Lark sent.

    An event must be encrypted, signed, fresh and carry the token. A challenge comes unsigned,
    plain or encrypted: the token alone proves it, and it changes nothing.
    """
    token = secrets.need("lark_verification_token")
    body = parse_object(webhook.body)
    if "encrypt" not in body:
        if body.get("type") != "url_verification":
            secrets.need("lark_encrypt_key")
            raise Unauthenticated("events must be encrypted, as LARK_ENCRYPT_KEY is set")
        _check_token(body.get("token"), token)
        return body

    key = secrets.need("lark_encrypt_key")
    signature = webhook.header("x-lark-signature")
    if signature:
        _check_signature(webhook, signature, key)
    payload = _opened(body["encrypt"], key)
    if payload.get("type") == "url_verification":
        _check_token(payload.get("token"), token)
    elif signature:
        _check_token(Node(payload).node("header").text("token"), token)
    else:
        raise Unauthenticated("the request is not signed")
    return payload


def _check_signature(webhook: Webhook, signature: str, key: str) -> None:
    timestamp = webhook.header("x-lark-request-timestamp")
    nonce = webhook.header("x-lark-request-nonce")
    signed = f"{timestamp}{nonce}{key}".encode(errors="surrogatepass") + webhook.body
    if not same(signature, hashlib.sha256(signed).hexdigest()):
        raise Unauthenticated("the signature does not match")
    check_fresh(timestamp, webhook.now, RETRIES_LAST)


def _opened(encrypted: Any, key: str) -> dict[str, Any]:
    if not isinstance(encrypted, str):
        raise Unauthenticated("the body cannot be decrypted")
    try:
        return parse_object(decrypt(encrypted, key))
    except InvalidInput as error:  # the same answer as for bad padding: no oracle
        raise Unauthenticated("the body cannot be decrypted") from error


def _check_token(given: Any, token: str) -> None:
    if not (isinstance(given, str) and same(given, token)):
        raise Unauthenticated("the verification token does not match")


def normalise(payload: dict[str, Any], bot_open_id: str = "") -> list[Arrival]:
    """`bot_open_id`: under which open id the bot is in the chats, where that is known."""
    root = Node(payload)
    header = root.node("header")
    kind = header.text("event_type")
    event = root.node("event")
    if kind == "im.message.receive_v1":
        return [_message(event, header, bot_open_id)]
    if kind == "im.message.recalled_v1":
        return [_recall(event)]
    if happening := _GROUP_EVENTS.get(kind):
        return _group_events(happening, event, header)
    return [Ignored(f"lark event {kind or 'without a type'}")]


def _message(event: Node, header: Node, bot_open_id: str) -> Message | Ignored:
    message = event.need_node("message")
    sender_type = event.node("sender").text("sender_type")
    kind = message.text("message_type")
    if kind == "system":
        return Ignored("lark system message")
    mentioned = list(message.nodes("mentions"))
    said = lark_content.read(kind, message.text("content"), mentioned, bot_open_id)
    if not said.text:
        return Ignored("empty message")
    audience: Audience = "private" if message.text("chat_type") == "p2p" else "group"
    return Message(
        group_id=f"lark:{message.need('chat_id')}",
        message_id=message.need("message_id"),
        user_id=_sender(
            event.node("sender").node("sender_id"),
            header if sender_type == "app" else Node(None),
        ),
        content=said.text,
        role="assistant" if sender_type in _BOTS else "user",
        create_time=message.milliseconds("create_time"),
        reply_message_id=message.text("parent_id") or None,
        root_message_id=message.text("root_id") or None,
        thread_id=message.text("thread_id") or None,
        mentions=said.mentions,
        is_mention_bot=said.is_mention_bot,
        attachments=said.attachments,
        audience=audience,
    )


def _sender(ids: Node, header: Node) -> str:
    """The open id; an app that has none is known by its app id."""
    found = ids.text("open_id") or ids.text("union_id") or ids.text("user_id")
    return found or header.text("app_id") or ids.need("open_id")


def _recall(event: Node) -> Recall:
    return Recall(
        group_id=f"lark:{event.need('chat_id')}",
        message_id=event.need("message_id"),
        recalled_at=event.milliseconds("recall_time"),
    )


def _group_events(happening: Happening, event: Node, header: Node) -> list[Arrival]:
    group_id = f"lark:{event.need('chat_id')}"
    at: datetime = header.milliseconds("create_time")
    if happening in ("member_joined", "member_left"):
        return [
            GroupEvent(
                group_id=group_id,
                happening=happening,
                at=at,
                user_id=_sender(user.node("user_id"), Node(None)),
                user_name=user.text("name"),
            )
            for user in event.nodes("users")
        ] or [Ignored("lark member event without members")]
    if happening == "renamed":
        name = event.node("after_change").text("name")
        if not name:
            return [Ignored("lark group changed, but not its name")]
        return [GroupEvent(group_id=group_id, happening=happening, at=at, group_name=name)]
    name = event.text("name")
    return [GroupEvent(group_id=group_id, happening=happening, at=at, group_name=name or None)]


# ---- the body of an event: AES-256-CBC under the hash of the app's encrypt key


def decrypt(encrypted: str, encrypt_key: str) -> bytes:
    """What Lark encrypted with this key; anything else is Unauthenticated, without saying why."""
    # Not needed by a function that serves no Lark webhook.
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC

    try:
        data = base64.b64decode(encrypted, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unauthenticated("the body cannot be decrypted") from error
    if len(data) < 2 * _BLOCK or len(data) % _BLOCK:
        raise Unauthenticated("the body cannot be decrypted")
    key = hashlib.sha256(encrypt_key.encode()).digest()
    decryptor = Cipher(AES(key), CBC(data[:_BLOCK])).decryptor()
    padded = decryptor.update(data[_BLOCK:]) + decryptor.finalize()
    padding = padded[-1]
    if not 0 < padding <= _BLOCK or padded[-padding:] != bytes([padding]) * padding:
        raise Unauthenticated("the body cannot be decrypted")
    return padded[:-padding]


def _checks(secrets: Secrets) -> list[SetupCheck]:
    advice = (
        "set LARK_BOT_OPEN_ID to the bot's open_id (ou_...): else a mention of the bot is only "
        "known where Lark says mentioned_type"
    )
    ok = secrets.get("lark_bot_open_id", "").startswith("ou_")
    name = "LARK_BOT_OPEN_ID is an open id"
    return [SetupCheck(name, ok, "" if ok else advice, is_needed=False)]


PLATFORM = Platform(
    name="lark",
    receive=receive,
    secrets=("lark_encrypt_key", "lark_verification_token"),
    checks=_checks,
    if_nothing_arrives="publish a version of the app, subscribe to im.message.receive_v1 with this "
    "address, grant im:message.group_msg, and add the bot to a group",
    page="lark",
)
