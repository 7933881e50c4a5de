"""A chat as an exporter wrote it down, whatever the exporter, and the messages to store of it."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

OF_HISTORY = "h-"
"""How the ids begin that are made of time, sender and text."""


@dataclass(frozen=True)
class Line:
    """`native_id` is the export's own. Of a line that was passed on, `user_id` is who said it first
    and `forwarded_by` the name of who brought it. `attachments` are kinds with names."""

    native_id: str
    time: datetime
    user_id: str
    user_name: str
    text: str
    reply_to: str | None = None
    is_bot: bool = False
    attachments: Sequence[tuple[str, str]] = ()
    forwarded_by: str = ""

    @property
    def content(self) -> str:
        """As a webhook keeps it: what stands beside the text has a placeholder in it."""
        return " ".join(filter(None, [self.text.strip(), *map(placeholder, self.attachments)]))


@dataclass(frozen=True)
class History:
    """`skipped` counts what is no message, by reason. `live_group` is the group of Annals whose
    webhook gives messages the same ids as this export, if there is one."""

    format: str
    name: str
    lines: Sequence[Line]
    skipped: Counter[str] = field(default_factory=Counter)
    is_private: bool = False
    live_group: str = ""


def placeholder(attachment: tuple[str, str]) -> str:
    kind, name = attachment
    name = name.replace("[", "(").replace("]", ")").strip()
    return f"[{kind}: {name}]" if name else f"[{kind}]"


def messages_of(history: History, group_id: str) -> Iterator[dict[str, Any]]:
    """As `POST /messages` takes them, oldest first. Ids are the platform's own where the group's
    webhook gives the same; else they come of time, sender and text, so that two exports that
    overlap are not stored twice, and Annals sees by them which lines it has already."""
    seen: Counter[str] = Counter()
    ids: dict[str, str] = {}
    is_live = history.live_group == group_id
    for line in sorted(history.lines, key=lambda line: line.time):
        told = f"{line.time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}\n{line.user_id}\n{line.content}"
        digest = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]
        seen[digest] += 1
        again = f"-{seen[digest]}" if seen[digest] > 1 else ""
        message_id = line.native_id if is_live else f"{OF_HISTORY}{digest}{again}"
        ids[line.native_id] = message_id
        made: dict[str, Any] = {
            "group_id": group_id,
            "message_id": message_id,
            "user_id": line.user_id,
            "user_name": line.user_name[:256],
            "content": line.content,
            "create_time": line.time.astimezone(UTC).isoformat(),
            "role": "assistant" if line.is_bot else "user",
            "audience": "private" if history.is_private else "group",
        }
        beside = list(line.attachments)
        if line.forwarded_by:
            beside.append(("forward", f"forwarded by {line.forwarded_by}"))
        if beside:
            made["attachments"] = [{"kind": kind, "name": name[:256]} for kind, name in beside]
        if history.name:
            made["group_name"] = history.name[:256]
        if line.reply_to and line.reply_to in ids:
            made["reply_message_id"] = ids[line.reply_to]
        yield made
