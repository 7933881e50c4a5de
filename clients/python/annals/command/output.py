"""Answers on the screen: plain text, a table, or the JSON that came."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from annals.command.words import say

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)


class Form(StrEnum):
    """How answers are shown."""

    TEXT = "text"
    JSON = "json"
    TABLE = "table"


Row = Mapping[str, Any]


def show_json(answer: Any) -> None:
    OUT.print_json(json.dumps(answer, ensure_ascii=False, default=str))


def show_rows(
    form: Form, answer: Any, rows: Sequence[Row], columns: Mapping[str, str], line: str
) -> None:
    """`columns` are headings by field; `line` is one row as text, with `{field}`s."""
    if form is Form.JSON:
        show_json(answer)
    elif not rows:
        OUT.print(say("nothing found"))
    elif form is Form.TABLE:
        table = Table(*(say(heading) for heading in columns.values()), show_edge=False)
        for row in rows:
            table.add_row(*(escape(_shown(row.get(name))) for name in columns))
        OUT.print(table)
    else:
        for row in rows:
            OUT.print(escape(line.format_map(_Fields(row))))


def show_one(form: Form, answer: Any, fields: Mapping[str, Any]) -> None:
    """A record, a field a line."""
    if form is Form.JSON:
        show_json(answer)
        return
    for name, value in fields.items():
        if value not in (None, "", [], {}):
            OUT.print(f"[bold]{escape(say(name))}[/]  {escape(_shown(value))}")


def show_difference(before: str, after: str) -> None:
    """What a version said, and what the next one says; once where only its state changed."""
    if before == after:
        OUT.print(f"  {escape(after)}")
        return
    if before:
        OUT.print(f"[red]- {escape(before)}[/]")
    if after:
        OUT.print(f"[green]+ {escape(after)}[/]")


class _Fields(dict[str, Any]):
    def __init__(self, row: Row) -> None:
        super().__init__({name: _shown(value) for name, value in row.items()})

    def __missing__(self, name: str) -> str:
        return ""


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
