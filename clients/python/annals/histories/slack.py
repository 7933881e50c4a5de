"""Slack's export: a zip or a folder with users.json, channels.json and a folder a channel."""

import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from annals.histories.history import History, Line
from annals.histories.values import file_kind, moment, text_of

_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
_LISTS = ("channels.json", "groups.json", "mpims.json", "dms.json")
_SPOKEN = (None, "thread_broadcast", "bot_message", "me_message", "file_share")


class SeveralChannels(ValueError):
    """A group of Annals is one channel: name one of those that the export has."""


def read_zip(path: Path, channel: str | None = None) -> History:
    with zipfile.ZipFile(path) as archive:
        return _read(archive.namelist(), lambda name: json.loads(archive.read(name)), channel)


def read_folder(path: Path, channel: str | None = None) -> History:
    names = [str(one.relative_to(path)) for one in path.rglob("*.json")]
    return _read(names, lambda name: json.loads((path / name).read_text("utf-8")), channel)


def _read(names: Iterable[str], load: Callable[[str], Any], channel: str | None) -> History:
    known = set(names)
    days = sorted(name for name in known if name.count("/") == 1 and name.endswith(".json"))
    channels = sorted({name.partition("/")[0] for name in days})
    if channel in channels:
        channels = [channel]
        days = [name for name in days if name.startswith(f"{channel}/")]
    if len(channels) != 1:
        raise SeveralChannels(f"name one channel of: {', '.join(channels) or 'none found'}")
    users = {one["id"]: one for one in load("users.json")} if "users.json" in known else {}
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for row in (row for day in days for row in load(day)):
        text = _MENTION.sub(lambda found: "@" + _name(users, found[1]), text_of(row, "text"))
        if row.get("subtype") not in _SPOKEN or row.get("type", "message") != "message":
            skipped["of the system"] += 1
        elif not text.strip() and not row.get("files"):
            skipped["empty"] += 1
        else:
            lines.append(_line(row, text, users))
    listed = [one for name in _LISTS if name in known for one in load(name)]
    own = [text_of(one, "id") for one in listed if channels[0] in (one.get("name"), one.get("id"))]
    live = f"slack:{own[0]}" if own else ""
    return History("Slack", channels[0], lines, skipped, live.startswith("slack:D"), live)


def _line(row: dict[str, Any], text: str, users: dict[str, Any]) -> Line:
    user_id = text_of(row, "user", "bot_id") or "unknown"
    thread = text_of(row, "thread_ts")
    return Line(
        native_id=str(row["ts"]),
        time=moment(row["ts"]),
        user_id=user_id,
        user_name=_name(users, user_id),
        text=text,
        reply_to=thread if thread and thread != row["ts"] else None,
        is_bot=row.get("subtype") == "bot_message" or "bot_id" in row,
        attachments=[_attachment(file) for file in row.get("files") or ()],
    )


def _attachment(file: dict[str, Any]) -> tuple[str, str]:
    name = text_of(file, "name", "title")
    return file_kind(name, text_of(file, "mimetype")), name


def _name(users: dict[str, Any], user_id: str) -> str:
    user = users.get(user_id) or {}
    return (
        text_of(user.get("profile") or {}, "display_name", "real_name")
        or text_of(user, "real_name", "name")
        or user_id
    )
