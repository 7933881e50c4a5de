"""qq-chat-exporter: one JSON file, or a folder with `manifest.json` and `chunks/*.jsonl`."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of

_KINDS = {
    "image": "image", "audio": "audio", "voice": "audio", "video": "video", "file": "file",
    "face": "sticker", "market_face": "sticker", "forward": "forward", "json": "card",
    "location": "location",
}  # fmt: skip


def is_it(whole: dict[str, Any]) -> bool:
    return "chatInfo" in whole and "messages" in whole


def read(whole: dict[str, Any]) -> History:
    return _read(whole.get("chatInfo", {}), whole["messages"])


def read_folder(path: Path) -> History:
    manifest = json.loads((path / "manifest.json").read_text("utf-8-sig"))
    rows = (
        json.loads(line)
        for chunk in sorted((path / "chunks").glob("*.jsonl"))
        for line in chunk.read_text("utf-8-sig").splitlines()
        if line.strip()
    )
    return _read(manifest.get("chatInfo", {}), rows)


def _read(chat: dict[str, Any], rows: Iterable[dict[str, Any]]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for number, row in enumerate(rows):
        sender = row.get("sender") or {}
        content = row.get("content")
        text = text_of(content, "text") if isinstance(content, dict) else str(content or "")
        if row.get("recalled"):
            skipped["recalled"] += 1
        elif row.get("system"):
            skipped["of the system"] += 1
        elif not text.strip() and not _attachments(content):
            skipped["empty"] += 1
        else:
            user_id = text_of(sender, "uin", "uid") or "unknown"
            lines.append(
                Line(
                    native_id=text_of(row, "id", "messageId") or f"line {number}",
                    time=moment(row.get("timestamp") or row["time"]),
                    user_id=user_id,
                    user_name=text_of(sender, "groupCard", "nickname", "name", "remark") or user_id,
                    text=text,
                    attachments=() if text.strip() else _attachments(content),
                    reply_to=_reply(content),
                )
            )
    return History("QQ", text_of(chat, "name"), lines, skipped, chat.get("type") == "private")


def _attachments(content: Any) -> list[tuple[str, str]]:
    """Of a message without a text; else the exporter has put their marks into it."""
    elements = content.get("elements") if isinstance(content, dict) else None
    return [
        (_KINDS[kind], text_of(one.get("data") or {}, "filename", "name"))
        for one in elements or ()
        if (kind := text_of(one, "type")) in _KINDS
    ]


def _reply(content: Any) -> str | None:
    elements = content.get("elements") if isinstance(content, dict) else None
    for element in elements or ():
        if element.get("type") == "reply":
            data = element.get("data") or {}
            return text_of(data, "referencedMessageId", "messageId") or None
    return None
