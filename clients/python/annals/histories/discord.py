"""DiscordChatExporter's JSON: one file a channel."""

from collections import Counter
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of

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
        elif not text.strip():
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
                )
            )
    channel = whole.get("channel") or {}
    is_private = str(channel.get("type", "")).startswith("Direct")
    return History("Discord", text_of(channel, "name"), lines, skipped, is_private)
