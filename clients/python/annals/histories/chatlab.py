"""ChatLab 0.0.2, JSON or JSON lines: what several exporters of QQ and WeChat write."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of

RECALLED = 81
PRIVATE = "private"
_KINDS = {1: "image", 2: "audio", 3: "video", 4: "file", 5: "sticker", 7: "link", 8: "location",
          26: "forward", 27: "contact"}  # fmt: skip


def is_it(whole: dict[str, Any]) -> bool:
    return "chatlab" in whole or ("meta" in whole and "messages" in whole and "members" in whole)


def read(whole: dict[str, Any]) -> History:
    return _read(whole.get("meta", {}), whole.get("members", ()), whole.get("messages", ()))


def read_rows(rows: list[dict[str, Any]]) -> History:
    """A line of JSON each, told apart by `_type`: header, member, message."""
    header = next((row for row in rows if row.get("_type") == "header"), rows[0])
    members = [row for row in rows if row.get("_type") == "member"]
    messages = [row for row in rows if row.get("_type") == "message"]
    return _read(header.get("meta", {}), members, messages)


def _read(
    meta: dict[str, Any], members: Iterable[dict[str, Any]], messages: Iterable[dict[str, Any]]
) -> History:
    names = {
        text_of(one, "platformId"): text_of(one, "groupNickname", "accountName") for one in members
    }
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for number, one in enumerate(messages):
        text = text_of(one, "content")
        kind = None if text else _KINDS.get(one.get("type", 0))
        if one.get("type") == RECALLED:
            skipped["recalled"] += 1
        elif not text and kind is None:
            skipped["empty"] += 1
        else:
            sender = text_of(one, "sender") or "unknown"
            lines.append(
                Line(
                    native_id=text_of(one, "platformMessageId") or f"line {number}",
                    time=moment(one["timestamp"]),
                    user_id=sender,
                    user_name=text_of(one, "groupNickname", "accountName")
                    or names.get(sender, sender),
                    text=text,
                    attachments=[(kind, "")] if kind else (),
                    reply_to=text_of(one, "replyToMessageId") or None,
                )
            )
    is_private = meta.get("type") == PRIVATE
    return History("ChatLab", text_of(meta, "name"), lines, skipped, is_private)
