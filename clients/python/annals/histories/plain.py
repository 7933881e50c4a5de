"""A list of objects, or JSON lines: the names of `POST /messages`, and those people use instead."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of


def read(name: str, rows: Sequence[Any]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for number, row in enumerate(rows):
        text = text_of(row, "content", "text", "message") if isinstance(row, dict) else ""
        at = text_of(row, "create_time", "timestamp", "time", "date") if text else ""
        if not text.strip():
            skipped["empty"] += 1
        elif not at:
            skipped["without a time"] += 1
        else:
            user_id = text_of(row, "user_id", "sender", "from", "user", "name") or "unknown"
            lines.append(
                Line(
                    native_id=text_of(row, "message_id", "id") or f"line {number}",
                    time=moment(at),
                    user_id=user_id,
                    user_name=text_of(row, "user_name", "name", "nickname") or user_id,
                    text=text,
                    reply_to=text_of(row, "reply_message_id", "reply_to") or None,
                    is_bot=row.get("role") == "assistant",
                )
            )
    return History("JSON lines", name, lines, skipped)
