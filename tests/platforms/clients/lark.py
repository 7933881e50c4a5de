"""Lark events in the forms that lark-oapi's models and openclaw-lark's converters describe."""

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from tests.platforms.clients.case import ClientCase, ignored, message

OAPI = "lark-oapi 1.3.5"
OPENCLAW = "openclaw-lark 2026.5.20"
BOT_OPEN_ID = "ou_annals_bot"
"""What LARK_BOT_OPEN_ID says where these are read."""


def event(kind: str, content: Any, *, sender: str = "user", **changed: Any) -> dict[str, Any]:
    """`EventMessage` and `EventSender`: times are strings, what is unused is absent."""
    said = {
        "message_id": "om_7",
        "create_time": "1700000000123",
        "update_time": "1700000000123",
        "chat_id": "oc_1",
        "chat_type": "group",
        "message_type": kind,
        "content": json.dumps(content, ensure_ascii=False),
        "user_agent": "Mozilla/5.0 Lark/7.64.6",
        **changed,
    }
    return envelope(
        "im.message.receive_v1",
        {
            "sender": {
                "sender_id": {"open_id": "ou_ann", "union_id": "on_ann", "user_id": "e33ggbyz"},
                "sender_type": sender,
                "tenant_key": "t1",
            },
            "message": said,
        },
    )


def envelope(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    header = {
        "event_id": "5e3702a84e847582be8db7fb73283c02",
        "event_type": kind,
        "create_time": "1700000000456",
        "token": "development-lark-token",
        "app_id": "cli_a1",
        "tenant_key": "t1",
    }
    return {"schema": "2.0", "header": header, "event": body}


def mention(key: str, open_id: str, name: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "id": {"open_id": open_id}, "name": name, "tenant_key": "t1", **more}


def line(*elements: dict[str, Any]) -> list[dict[str, Any]]:
    return list(elements)


def text(words: str) -> dict[str, Any]:
    return {"tag": "text", "text": words}


OAPI_CASES = [
    ("text", event("text", {"text": "下午三点"}), message("下午三点", user_id="ou_ann")),
    ("a private chat", event("text", {"text": "hi"}, chat_type="p2p"),
     message("hi", audience="private")),
    ("a reply", event("text", {"text": "ok"}, root_id="om_1", parent_id="om_5"),
     message("ok", reply_message_id="om_5", root_message_id="om_1")),
    ("a line of a topic", event("text", {"text": "ok"}, thread_id="omt_9"),
     message("ok", thread_id="omt_9")),
    ("the bot is mentioned, and its type is not said", event("text", {"text": "@_user_1 在吗"},
     mentions=[mention("@_user_1", BOT_OPEN_ID, "Annals")]),
     message("@Annals 在吗", is_mention_bot=True)),
    ("somebody else is mentioned", event("text", {"text": "@_user_1 在吗"},
     mentions=[mention("@_user_1", "ou_bob", "Bob")]), message("@Bob 在吗")),
    ("a bot is mentioned, by type", event("text", {"text": "@_user_1 在吗"},
     mentions=[mention("@_user_1", "ou_x", "X", mentioned_type="bot")]),
     message("@X 在吗", is_mention_bot=True)),
    ("everybody", event("text", {"text": "@_all 开会"}),
     message("@all 开会", mentions=[{"user_id": "all", "name": "all"}])),
    ("everybody, before Chinese", event("text", {"text": "大家@_all开会"}),
     message("大家@all开会", mentions=[{"user_id": "all", "name": "all"}])),
    ("a word that begins like everybody", event("text", {"text": "see @_allowed and @_all_x"}),
     message("see @_allowed and @_all_x", mentions=None)),
    ("an image", event("image", {"image_key": "img_1"}), message("[image]")),
    ("a file", event("file", {"file_key": "f", "file_name": "a.pdf"}), message("[file: a.pdf]")),
    ("a place", event("location", {"name": "人民广场", "longitude": "121", "latitude": "31"}),
     message("[location: 人民广场]")),
    ("another bot", event("text", {"text": "build passed"}, sender="bot"),
     message("build passed", role="assistant", user_id="ou_ann")),
    ("an app", event("text", {"text": "done"}, sender="app"), message("done", role="assistant")),
    ("a recall", envelope("im.message.recalled_v1", {"message_id": "om_7", "chat_id": "oc_1",
     "recall_time": "1700000001000", "recall_type": "message_owner"}),
     {"is": "recall", "group_id": "lark:oc_1", "message_id": "om_7"}),
    ("the bot came", envelope("im.chat.member.bot.added_v1", {"chat_id": "oc_1", "name": "读书会",
     "operator_id": {"open_id": "ou_ann"}, "external": False}),
     {"is": "group_event", "happening": "bot_added", "group_name": "读书会"}),
    ("read", envelope("im.message.message_read_v1", {"reader": {"reader_id": {"open_id": "ou_b"},
     "read_time": "1"}, "message_id_list": ["om_7"]}),
     ignored("lark event im.message.message_read_v1")),
]  # fmt: skip

OPENCLAW_CASES = [
    ("a post", event("post", {"title": "周会", "content": [line(text("改到"), text("周三"))]}),
     message("周会\n改到周三")),
    ("a post with a newer text beside the older", event("post", {"title": "", "content":
     [line(text("请升级"))], "content_v2": [line({"tag": "md", "text": "## 决定\n- 周三"})]}),
     message("## 决定\n- 周三")),
    ("a post with the newer text alone", event("post",
     {"content_v2": [line(text("只有新版"))]}), message("只有新版")),
    ("the newer text under a locale", event("post", {"zh_cn":
     {"title": "通知", "content_v2": [line(text("明天停电"))]}}), message("通知\n明天停电")),
    ("a newer text that is empty", event("post", {"content": [line(text("旧的"))],
     "content_v2": []}), message("旧的")),
    ("a newer text of a wrong kind", event("post", {"content": [line(text("旧的"))],
     "content_v2": "no"}), message("旧的")),
    ("a task", event("todo", {"task_id": "t1", "summary": {"title": "买书",
     "content": [line(text("三本"))]}, "due_time": "1700006400000"}),
     message("[event: 买书] 三本")),
    ("a task without a title", event("todo", {"task_id": "t1", "summary":
     {"content": [line(text("交稿"))]}}), message("[event] 交稿")),
    ("a vote", event("vote", {"topic": "去哪", "options": ["西湖", "黄山"]}),
     message("[poll: 去哪] 西湖 / 黄山")),
    ("a red packet", event("hongbao", {"text": "恭喜发财"}), message("[other] 恭喜发财")),
    ("a meeting", event("video_chat", {"topic": "复盘", "start_time": "1700000000000",
     "meet_number": "123"}), message("[event: 复盘]")),
    ("a date", event("general_calendar", {"summary": "体检", "start_time": "1", "end_time": "2"}),
     message("[event: 体检]")),
    ("a kind nobody knows, with a text", event("hologram", {"text": "看这里"}),
     message("[other] 看这里")),
    ("a kind nobody knows", event("hologram", {"x": 1}), message("[other]")),
    ("a line of code", event("post", {"content": [line({"tag": "code_block", "language": "PY",
     "text": "x = 1"})]}), message("```py\nx = 1\n```")),
    ("a mention inside a post", event("post", {"content": [line({"tag": "at",
     "user_id": "@_user_1", "user_name": "Annals"}, text(" 看一下"))]},
     mentions=[mention("@_user_1", BOT_OPEN_ID, "Annals")]),
     message("@Annals 看一下", is_mention_bot=True)),
]  # fmt: skip

CASES = [
    ClientCase(client, *case)
    for client, cases in ((OAPI, OAPI_CASES), (OPENCLAW, OPENCLAW_CASES))
    for case in cases
]


SECRETS = {
    "lark_encrypt_key": "development-lark-key",
    "lark_verification_token": "development-lark-token",
}
KNOWN = {"bot_open_id": BOT_OPEN_ID}
SIGNED_HEADERS = ("X-Lark-Request-Timestamp", "X-Lark-Request-Nonce", "X-Lark-Signature")


def signed(body: bytes, secrets: Mapping[str, str], now: datetime) -> tuple[dict[str, str], bytes]:
    key = secrets["lark_encrypt_key"]
    body = encrypted(body, key)
    return headers(body, str(int(now.timestamp())), "83914", key), body


def headers(body: bytes, timestamp: str, nonce: str, key: str) -> dict[str, str]:
    signature = hashlib.sha256(f"{timestamp}{nonce}{key}".encode() + body).hexdigest()
    return dict(zip(SIGNED_HEADERS, (timestamp, nonce, signature), strict=True))


def encrypted(plain: bytes, key: str) -> bytes:
    start = hashlib.sha256(plain).digest()[:16]
    padding = 16 - len(plain) % 16
    encryptor = Cipher(AES(hashlib.sha256(key.encode()).digest()), CBC(start)).encryptor()
    data = encryptor.update(plain + bytes([padding]) * padding) + encryptor.finalize()
    return json.dumps({"encrypt": base64.b64encode(start + data).decode()}).encode()
