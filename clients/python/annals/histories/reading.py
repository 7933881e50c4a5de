"""Which format a file is in, by what stands in it, never by its name alone."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annals.histories import chatlab, discord, plain, qq, slack, stamped_text, telegram
from annals.histories.history import History

FORMATS = {
    "ChatLab": "ChatLab 0.0.2, JSON or JSON lines, as several exporters of QQ and WeChat write it",
    "QQ": "qq-chat-exporter: its JSON file, or its folder with manifest.json and chunks",
    "Telegram": "Telegram Desktop: result.json, or the folder with it",
    "Discord": "DiscordChatExporter: its JSON, a file a channel",
    "Slack": "Slack's own export: the zip or its folder, one channel of it",
    "WhatsApp": "WhatsApp's own text of a chat, without or with the zip around it",
    "LINE": "LINE's own text of a chat",
    "JSON lines": "an object a line, or a list of them, with content, create_time and user_id;"
    " user_name, message_id, reply_message_id and role if there are any",
}
"""What can be read, and what each is the format of."""


class UnknownFormat(ValueError):
    """The file is none of `FORMATS`."""


def read_history(
    path: Path, channel: str | None = None, dates: str | None = None, timezone: str | None = None
) -> History:
    """Raises UnknownFormat, with what was found instead. `channel` is one of a Slack export;
    `dates` and `timezone` are for texts that do not tell: `dmy` or `mdy`, and a zone's name."""
    if path.is_dir():
        return _of_folder(path, channel)
    if zipfile.is_zipfile(path):
        if text := _chat_in_zip(path):
            return stamped_text.read_whatsapp(path.stem, text, dates, timezone)
        return slack.read_zip(path, channel)
    text = path.read_text("utf-8-sig")
    if stamped_text.is_whatsapp(text):
        return stamped_text.read_whatsapp(path.stem, text, dates, timezone)
    if stamped_text.is_line(text):
        return stamped_text.read_line(path.stem, text, dates, timezone)
    try:
        whole = json.loads(text)
    except ValueError:
        return _of_lines(path, text)
    if isinstance(whole, list):
        return _plain(path, whole)
    if isinstance(whole, dict):
        for is_it, read in _OBJECTS:
            if is_it(whole):
                return read(whole)
        if _is_single(whole):
            return _plain(path, [whole])
    found = ", ".join(whole) if isinstance(whole, dict) else type(whole).__name__
    raise UnknownFormat(f"{path.name}: no format of chat histories has {found[:200]}")


Whole = dict[str, Any]
_OBJECTS: tuple[tuple[Callable[[Whole], bool], Callable[[Whole], History]], ...] = (
    (chatlab.is_it, chatlab.read),
    (qq.is_it, qq.read),
    (discord.is_it, discord.read),
    (telegram.is_it, telegram.read),
)


def _chat_in_zip(path: Path) -> str:
    """WhatsApp's text, beside the files of the chat; nothing in a zip of another program."""
    with zipfile.ZipFile(path) as archive:
        texts = [name for name in archive.namelist() if name.endswith(".txt") and "/" not in name]
        return archive.read(texts[0]).decode("utf-8-sig") if len(texts) == 1 else ""


def _is_single(whole: dict[str, Any]) -> bool:
    return "content" in whole or "text" in whole


def _of_folder(path: Path, channel: str | None) -> History:
    if (path / "manifest.json").exists():
        return qq.read_folder(path)
    if (path / "channels.json").exists() or (path / "users.json").exists():
        return slack.read_folder(path, channel)
    if (path / "result.json").exists():
        return read_history(path / "result.json")
    raise UnknownFormat(f"{path.name}: a folder without manifest.json, users.json or result.json")


def _of_lines(path: Path, text: str) -> History:
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UnknownFormat(f"{path.name}, line {number}: is no JSON: {error}") from error
        if not isinstance(row, dict):
            raise UnknownFormat(f"{path.name}, line {number}: is no object")
        rows.append(row)
    if rows and chatlab.is_it(rows[0]):
        return chatlab.read_rows(rows)
    return _plain(path, rows)


def _plain(path: Path, rows: list[Any]) -> History:
    """Raises UnknownFormat where no row has the fields: nothing would be stored, without a word."""
    history = plain.read(path.stem, rows)
    if rows and not history.lines:
        raise UnknownFormat(f"{path.name}: not one of {len(rows)} objects has a text and a time")
    return history
