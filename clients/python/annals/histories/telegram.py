"""Telegram Desktop's `result.json`."""

from collections import Counter
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import moment, text_of

_MEDIA = {
    "sticker": "sticker", "voice_message": "audio", "audio_file": "audio",
    "video_message": "video", "video_file": "video", "animation": "video",
}  # fmt: skip


def is_it(whole: dict[str, Any]) -> bool:
    return "messages" in whole and "id" in whole and "type" in whole


def read(whole: dict[str, Any]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for row in whole["messages"]:
        text, attachments = _text(row.get("text", "")), _attachments(row)
        if row.get("type") == "service":
            skipped["of the system"] += 1
        elif not text.strip() and not attachments:
            skipped["empty"] += 1
        else:
            lines.append(_line(row, text, attachments))
    kind = text_of(whole, "type")
    is_private = kind in ("personal_chat", "bot_chat")
    # Elsewhere each account counts messages by itself, so the bot knows them by other numbers.
    live = f"telegram:-100{whole['id']}" if kind.endswith(("supergroup", "channel")) else ""
    return History("Telegram", text_of(whole, "name"), lines, skipped, is_private, live)


def _line(row: dict[str, Any], text: str, attachments: list[tuple[str, str]]) -> Line:
    user_id, name = _user_id(text_of(row, "from_id")), text_of(row, "from")
    author = text_of(row, "forwarded_from")
    author_id = _user_id(text_of(row, "forwarded_from_id")) or f"hidden:{author}"
    is_anothers = bool(author) and author != name
    return Line(
        native_id=str(row["id"]),
        time=moment(row.get("date_unixtime") or row["date"]),
        user_id=author_id if is_anothers else user_id or "unknown",
        user_name=author if is_anothers else name or user_id,
        text=text,
        reply_to=text_of(row, "reply_to_message_id") or None,
        attachments=attachments,
        forwarded_by=name if is_anothers else "",
    )


def _user_id(text: str) -> str:
    """As the Bot API numbers users and channels."""
    if text.startswith("channel"):
        return f"-100{text.removeprefix('channel')}"
    return text.removeprefix("user")


def _attachments(row: dict[str, Any]) -> list[tuple[str, str]]:
    if "photo" in row:
        return [("image", "")]
    media = text_of(row, "media_type")
    if media or "file" in row:
        named = text_of(row, "sticker_emoji", "file_name", "title")
        return [(_MEDIA.get(media, "file"), named)]
    if "poll" in row:
        return [("poll", text_of(row["poll"], "question"))]
    if "contact_information" in row:
        return [("contact", text_of(row["contact_information"], "first_name"))]
    if "location_information" in row:
        return [("location", text_of(row, "place_name"))]
    return []


def _text(value: Any) -> str:
    """A string, an object that has one, or a list of such."""
    if isinstance(value, list):
        return "".join(map(_text, value))
    return str(value.get("text", "")) if isinstance(value, dict) else str(value)
