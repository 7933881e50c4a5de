"""Which format a file is in, by what stands in it, never by its name alone."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annals.histories import chatlab, discord, plain, qq, slack, telegram
from annals.histories.history import History


class UnknownFormat(ValueError):
    """The file is none of: ChatLab, QQ exporter, Telegram, Discord, Slack, plain JSON lines."""


def read_history(path: Path, channel: str | None = None) -> History:
    """Raises UnknownFormat, with what was found instead. `channel` is one of a Slack export."""
    if path.is_dir():
        return _of_folder(path, channel)
    if zipfile.is_zipfile(path):
        return slack.read_zip(path, channel)
    text = path.read_text("utf-8-sig")
    try:
        whole = json.loads(text)
    except ValueError:
        return _of_lines(path, text)
    if isinstance(whole, list):
        return plain.read(path.stem, whole)
    if isinstance(whole, dict):
        for is_it, read in _OBJECTS:
            if is_it(whole):
                return read(whole)
        if _is_single(whole):
            return plain.read(path.stem, [whole])
    found = ", ".join(whole) if isinstance(whole, dict) else type(whole).__name__
    raise UnknownFormat(f"{path.name}: no format of chat histories has {found[:200]}")


Whole = dict[str, Any]
_OBJECTS: tuple[tuple[Callable[[Whole], bool], Callable[[Whole], History]], ...] = (
    (chatlab.is_it, chatlab.read),
    (qq.is_it, qq.read),
    (discord.is_it, discord.read),
    (telegram.is_it, telegram.read),
)


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
    return plain.read(path.stem, rows)
