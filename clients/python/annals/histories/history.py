"""A chat as an exporter wrote it down, whatever the exporter, and the messages to store of it."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True)
class Line:
    """`native_id` is the export's own: replies name it, nothing else does."""

    native_id: str
    time: datetime
    user_id: str
    user_name: str
    text: str
    reply_to: str | None = None
    is_bot: bool = False


@dataclass(frozen=True)
class History:
    """`skipped` counts what is no message, by reason."""

    format: str
    name: str
    lines: Sequence[Line]
    skipped: Counter[str] = field(default_factory=Counter)
    is_private: bool = False


def messages_of(history: History, group_id: str) -> Iterator[dict[str, Any]]:
    """As `POST /messages` takes them, oldest first. Ids come of time, sender and text, as an
    export's own seldom match those of another: two exports that overlap are not stored twice."""
    seen: Counter[str] = Counter()
    ids: dict[str, str] = {}
    for line in sorted(history.lines, key=lambda one: one.time):
        told = f"{line.time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}\n{line.user_id}\n{line.text}"
        digest = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]
        seen[digest] += 1
        again = f"-{seen[digest]}" if seen[digest] > 1 else ""
        ids[line.native_id] = message_id = f"h-{digest}{again}"
        made: dict[str, Any] = {
            "group_id": group_id,
            "message_id": message_id,
            "user_id": line.user_id,
            "user_name": line.user_name[:256],
            "content": line.text,
            "create_time": line.time.astimezone(UTC).isoformat(),
            "role": "assistant" if line.is_bot else "user",
            "audience": "private" if history.is_private else "group",
        }
        if history.name:
            made["group_name"] = history.name[:256]
        if line.reply_to and line.reply_to in ids:
            made["reply_message_id"] = ids[line.reply_to]
        yield made
