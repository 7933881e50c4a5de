"""import of chat histories; an export of Annals itself goes to `transfer`."""

import math
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from annals import calls
from annals.client import Annals
from annals.command.asking import FAILED, asking, confirm
from annals.command.memories import Group, Yes
from annals.command.output import ERR, OUT, Form, show_json, show_one
from annals.command.transfer import import_group, is_export
from annals.command.words import say
from annals.errors import Broken, Unreachable
from annals.histories import FORMATS, UnknownFormat, messages_of, read_history
from annals.histories.slack import SeveralChannels

BATCH = 200
TRIES, PAUSE_S = 6, 1.0
CALLS_A_MESSAGE, TOKENS_A_MESSAGE = 0.05, 150
"""What topics, summaries and memories of a message cost at most (docs/cost.md)."""


class Dates(Enum):
    DAY_FIRST = "dmy"
    MONTH_FIRST = "mdy"


def import_(
    context: typer.Context,
    group: Group,
    path: Annotated[Path, typer.Argument(help="an export: file, folder or zip; - is a pipe")],
    channel: Annotated[str | None, typer.Option(help="of a Slack export")] = None,
    dates: Annotated[
        Dates | None, typer.Option(help="what comes first in the dates of a text, where none tells")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="of a text's clock, as Europe/Rome; else this computer's")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="only say what would be stored")] = False,
    yes: Yes = False,
) -> None:
    """Bring an old chat along, or a file of `annals export`.

    It can be stopped and started again, and the same file twice changes nothing. The format is told
    by what stands in the file.
    """
    shell = asking(context)
    with _as_file(path) as file:
        if is_export(file):
            import_group(context, group, file, dry_run=dry_run, yes=yes)
            return
        try:
            history = read_history(file, channel, dates and dates.value, timezone)
        except (UnknownFormat, SeveralChannels, KeyError, ValueError) as error:
            ERR.print(f"{path.name}: {error}", markup=False)
            if isinstance(error, UnknownFormat):
                ERR.print(f"{say('what can be read:')}\n{known_formats()}", markup=False)
            raise typer.Exit(FAILED) from error
    messages = list(messages_of(history, group))
    told = {
        "format": history.format,
        "messages": len(messages),
        "members": len({one["user_id"] for one in messages}),
        "from": messages[0]["create_time"] if messages else "",
        "to": messages[-1]["create_time"] if messages else "",
        "skipped": dict(history.skipped),
    }
    if shell.form is not Form.JSON:
        show_one(shell.form, told, told)
        OUT.print(
            f"{say('about')} {math.ceil(len(messages) * CALLS_A_MESSAGE)} {say('model calls and')}"
            f" {len(messages) * TOKENS_A_MESSAGE:,}"
            f" {say('prompt tokens for topics, summaries and memories')}"
        )
    if dry_run:
        _end(shell.form, {**told, "dry_run": True}, say("dry run: nothing was sent"))
        return
    confirm(f"{say('store them in')} {group}", yes=yes)
    with shell.client() as client, Progress(console=OUT, transient=True) as progress:
        outcomes = _send(client, messages, progress)
    _end(shell.form, {**told, **outcomes}, f"{say('stored')} {outcomes}")


def known_formats() -> str:
    return "\n".join(f"- {name}: {of}" for name, of in FORMATS.items())


# Click keeps the lines of a part that begins with a backspace.
import_.__doc__ = f"{import_.__doc__}\n\n    \b\n" + "\n".join(
    f"    {line}" for line in known_formats().splitlines()
)


def _send(client: Annals, messages: Sequence[dict[str, Any]], progress: Progress) -> dict[str, int]:
    """In batches, each again while Annals is away. Ids make a batch that came twice one. A line
    that Annals had already keeps the id it has there, and so do replies to it."""
    outcomes: dict[str, int] = {}
    stored: dict[str, str] = {}
    task = progress.add_task("", total=len(messages))
    for start in range(0, len(messages), BATCH):
        batch = [_replying(one, stored) for one in messages[start : start + BATCH]]
        for attempt in range(TRIES):
            try:
                results = client.request(calls.store_messages(batch))["results"]
                break
            except (Unreachable, Broken):
                if attempt == TRIES - 1:
                    raise
                time.sleep(PAUSE_S * 2**attempt)
        for sent, one in zip(batch, results, strict=True):
            stored[sent["message_id"]] = one["message_id"]
            outcomes[one["outcome"]] = outcomes.get(one["outcome"], 0) + 1
        progress.advance(task, len(batch))
    return outcomes


def _replying(message: dict[str, Any], stored: Mapping[str, str]) -> dict[str, Any]:
    answered = message.get("reply_message_id", "")
    return {**message, "reply_message_id": stored[answered]} if answered in stored else message


@contextmanager
def _as_file(path: Path) -> Iterator[Path]:
    """What can be read only once, `-` or a pipe, as a file."""
    if path.is_file() or path.is_dir():
        yield path
        return
    if str(path) != "-" and not path.exists():
        raise typer.BadParameter(f"there is no {path}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stdin"
        with (
            file.open("wb") as copy,
            nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as source,
        ):
            shutil.copyfileobj(source, copy)
        yield file


def _end(form: Form, told: dict[str, Any], text: str) -> None:
    if form is Form.JSON:
        show_json(told)
    else:
        OUT.print(text, markup=False)


COMMANDS = (import_,)
