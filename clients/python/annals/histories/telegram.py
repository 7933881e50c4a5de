"""Telegram Desktop's `result.json`."""

from collections import Counter
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of


def is_it(whole: dict[str, Any]) -> bool:
    return "messages" in whole and "id" in whole and "type" in whole


def read(whole: dict[str, Any]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for row in whole["messages"]:
        text = _text(row.get("text", ""))
        if row.get("type") == "service":
            skipped["of the system"] += 1
        elif not text.strip():
            skipped["empty"] += 1
        else:
            user_id = text_of(row, "from_id") or "unknown"
            lines.append(
                Line(
                    native_id=str(row["id"]),
                    time=moment(row.get("date_unixtime") or row["date"]),
                    user_id=user_id.removeprefix("user"),
                    user_name=text_of(row, "from") or user_id,
                    text=text,
                    reply_to=text_of(row, "reply_to_message_id") or None,
                )
            )
    is_private = whole.get("type") in ("personal_chat", "bot_chat")
    return History("Telegram", text_of(whole, "name"), lines, skipped, is_private)


def _text(value: Any) -> str:
    """A string, an object that has one, or a list of such."""
    if isinstance(value, list):
        return "".join(map(_text, value))
    return str(value.get("text", "")) if isinstance(value, dict) else str(value)
