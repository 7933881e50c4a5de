"""DiscordChatExporter's JSON: one file a channel."""

from collections import Counter
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import file_kind, moment, text_of

SPOKEN = ("Default", "Reply")


def is_it(whole: dict[str, Any]) -> bool:
    return "channel" in whole and "messages" in whole


def read(whole: dict[str, Any]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for row in whole["messages"]:
        text = text_of(row, "content")
        author = row.get("author") or {}
        if row.get("type", "Default") not in SPOKEN:
            skipped["of the system"] += 1
        elif not text.strip() and not _attachments(row):
            skipped["empty"] += 1
        else:
            lines.append(
                Line(
                    native_id=str(row["id"]),
                    time=moment(row["timestamp"]),
                    user_id=text_of(author, "id") or "unknown",
                    user_name=text_of(author, "nickname", "name") or "unknown",
                    text=text,
                    reply_to=text_of(row.get("reference") or {}, "messageId") or None,
                    is_bot=bool(author.get("isBot")),
                    attachments=_attachments(row),
                )
            )
    channel = whole.get("channel") or {}
    is_private = str(channel.get("type", "")).startswith("Direct")
    live = f"discord:{text_of(channel, 'id')}"
    return History("Discord", text_of(channel, "name"), lines, skipped, is_private, live)


def _attachments(row: dict[str, Any]) -> list[tuple[str, str]]:
    files = [text_of(one, "fileName") for one in row.get("attachments") or ()]
    stickers = [text_of(one, "name") for one in row.get("stickers") or ()]
    return [*((file_kind(name), name) for name in files), *(("sticker", name) for name in stickers)]
