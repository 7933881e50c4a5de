"""export and import of a whole group."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from annals import calls
from annals.client import Annals
from annals.command.asking import FAILED, asking, confirm
from annals.command.memories import Group
from annals.command.output import OUT, show_one
from annals.command.words import say

PAGE_LINES = 200
PAGE_CHARACTERS = 500_000
"""At most 2 MB as UTF-8; Annals takes 4 MiB and 1,000 lines."""


def export(
    context: typer.Context,
    group: Group,
    path: Annotated[str, typer.Argument(help="a file, or - for the screen")] = "-",
) -> None:
    """Everything of a group as lines of JSON, to keep or to bring into another Annals."""
    shell = asking(context)
    counts: Counter[str] = Counter()
    with shell.client() as client:
        if path == "-":
            for line in client.export(group):
                sys.stdout.write(line + "\n")
            return
        draft = Path(path + ".part")
        with draft.open("w", encoding="utf-8") as out, OUT.status(group):
            for line in client.export(group):
                out.write(line + "\n")
                counts[kind_of(line)] += 1
        draft.replace(path)
    told = {"group_id": group, "path": path, "records": dict(counts)}
    show_one(shell.form, told, told)


def kind_of(line: str) -> str:
    """Without reading the whole line: exports have their keys in order."""
    return line.rpartition('"kind":"')[2].partition('"')[0]


def is_export(path: Path) -> bool:
    """Whether a file is of `annals export`."""
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        first = opened.readline(PAGE_CHARACTERS).decode("utf-8", "replace")
    return first.startswith('{"data":') and first.rstrip().endswith('"kind":"group"}')


def import_group(
    context: typer.Context, group: str, path: Path, *, dry_run: bool, yes: bool
) -> None:
    """An export, page by page; what is there already stays, so that it may be stopped and begun
    again."""
    shell = asking(context)
    lines = [line for line in path.read_text("utf-8").split("\n") if line]
    told: dict[str, Any] = {
        "format": "annals",
        "records": dict(Counter(map(kind_of, lines))),
    }
    if dry_run:
        show_one(shell.form, {**told, "dry_run": True}, told)
        return
    confirm(f"{say('import the records into')} {group} ({len(lines)})", yes=yes)
    with shell.client() as client, Progress(console=OUT, transient=True) as progress:
        report = _send(client, group, lines, progress)
    whole = {**told, **report}
    show_one(shell.form, whole, whole)
    if report["refused"]:
        raise typer.Exit(FAILED)


def _send(client: Annals, group: str, lines: Sequence[str], progress: Progress) -> dict[str, Any]:
    taken: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    refused: list[dict[str, Any]] = []
    task = progress.add_task("", total=len(lines))
    for page in pages_of(lines):
        answer = client.request(calls.import_group(group, page))
        taken.update(answer["taken"])
        kept.update(answer["kept"])
        refused += answer["refused"]
        progress.advance(task, len(page))
    return {"taken": dict(taken), "kept": dict(kept), "refused": refused}


def pages_of(lines: Sequence[str]) -> Iterator[list[str]]:
    page: list[str] = []
    size = 0
    for line in lines:
        if page and (len(page) >= PAGE_LINES or size + len(line) > PAGE_CHARACTERS):
            yield page
            page, size = [], 0
        page.append(line)
        size += len(line)
    if page:
        yield page


COMMANDS = (export,)
