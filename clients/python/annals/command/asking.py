"""What every command needs: the client, the form of answers, confirmations, exit codes."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from annals.addresses import Addresses, find_addresses
from annals.client import Annals
from annals.command.output import ERR, OUT, Form
from annals.command.words import say
from annals.errors import AnnalsError, Missing, NotAllowed, Refused, Unreachable
from annals.sending import Call

DONE, FAILED, NOT_DONE, NO_ANSWER, NOT_ALLOWED, NOT_FOUND = 0, 1, 2, 3, 4, 5
"""Exit codes; 2 is also what typer gives for a wrong command line."""


@dataclass(frozen=True)
class Asking:
    addresses: Addresses
    form: Form

    @contextmanager
    def client(self) -> Iterator[Annals]:
        """Commands wait for their answers, so the queue on disk is one of their own."""
        with (
            tempfile.TemporaryDirectory(prefix="annals-") as folder,
            Annals(self.addresses, queue=Path(folder) / "q.db") as client,
        ):
            yield client

    def ask(self, call: Call) -> dict[str, Any]:
        with self.client() as client:
            return client.request(call)


def asking(context: typer.Context) -> Asking:
    found = context.find_object(Asking)
    assert found is not None
    return found


def start(url: str | None, key: str | None, form: Form) -> Asking:
    return Asking(find_addresses(url, key), form)


def confirm(what: str, *, yes: bool) -> None:
    """Ends the command unless `--yes` or a person says so."""
    if yes:
        return
    OUT.print(f"{say('this would')} {what}")
    if not sys.stdin.isatty():
        ERR.print(say("add --yes to do it"))
        raise typer.Exit(NOT_DONE)
    if not typer.confirm(say("go on?")):
        ERR.print(say("not done"))
        raise typer.Exit(NOT_DONE)


def exit_code(error: AnnalsError) -> int:
    match error:
        case Unreachable():
            return NO_ANSWER
        case NotAllowed():
            return NOT_ALLOWED
        case Missing():
            return NOT_FOUND
        case Refused():
            return FAILED
        case _:
            return FAILED


def tell(error: AnnalsError) -> None:
    ERR.print(f"[red]{say('error')}[/] {error}", markup=True)
    if isinstance(error, Unreachable):
        ERR.print(say("is it running? set ANNALS_URL and ANNALS_KEY"))
