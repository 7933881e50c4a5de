"""jobs, forget, doctor."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

import typer
from rich.markup import escape

from annals import calls
from annals.addresses import FUNCTIONS
from annals.client import Annals
from annals.command.asking import FAILED, NO_ANSWER, NOT_ALLOWED, asking, confirm, exit_code
from annals.command.memories import POLL_S, UNFINISHED, Group, Limit, Yes
from annals.command.output import ERR, OUT, show_one, show_rows
from annals.command.words import say
from annals.errors import AnnalsError, NotAllowed


def jobs(
    context: typer.Context,
    job: Annotated[str | None, typer.Argument(help="one of them, with its report")] = None,
    status: Annotated[str | None, typer.Option(help="pending, running, failed, ...")] = None,
    group: Annotated[str | None, typer.Option(help="of one group")] = None,
    limit: Limit = 20,
    retry: Annotated[bool, typer.Option(help="try the failed JOB once more")] = False,
) -> None:
    """Work that waits, runs or failed."""
    shell = asking(context)
    if job:
        answer = shell.ask(calls.retry_job(job) if retry else calls.show_job(job))
        told = answer.get("job") or answer
        show_one(shell.form, answer, {k: v for k, v in told.items() if k != "success"})
        return
    answer = shell.ask(calls.list_jobs(status=status, group_id=group, limit=limit))
    columns = {"job_id": "id", "kind": "kind", "state": "state", "error": "error"}
    show_rows(shell.form, answer, answer["jobs"], columns, "{job_id}  {kind}  {state}  {error}")


def forget(
    context: typer.Context,
    group: Group,
    user: Annotated[str | None, typer.Option(help="all that a member said")] = None,
    message: Annotated[str | None, typer.Option(help="one message, by id")] = None,
    yes: Yes = False,
) -> None:
    """Forget a message, a member, or the whole group, and show the receipt."""
    shell = asking(context)
    if message:
        told = f"{say('forget the message')} {message}"
    elif user:
        told = f"{say('forget the member')} {user}"
    else:
        told = f"{say('forget the whole group')} {group}"
    confirm(escape(told), yes=yes)
    with shell.client() as client:
        asked = client.forget(group, user_id=user, message_id=message)
        with OUT.status(f"{say('still running; see')} {asked.forget_id}"):
            while True:
                answer = client.request(calls.show_forget(asked.forget_id))
                if answer["state"] not in UNFINISHED:
                    break
                time.sleep(POLL_S)
    show_one(shell.form, answer, {k: v for k, v in answer.items() if k != "success"})


def doctor(
    context: typer.Context,
    platform: Annotated[
        str | None, typer.Option(help="also one chat platform: lark, onebot, slack, ...")
    ] = None,
) -> None:
    """Is everything there: the five functions, the key, what is wrong now, a platform's set-up."""
    shell = asking(context)
    found = Findings()
    with shell.client() as client:
        for function in FUNCTIONS:
            found.look(function, partial(_running, client, function))
        found.look_at_key(client)
        found.look(say("alerts"), partial(_firing, client), is_needed=False)
        if platform:
            found.look(platform, partial(_set_up, client, platform))
    show_one(shell.form, found.told, found.told)
    if NO_ANSWER in found.codes:
        ERR.print(say("is it running? set ANNALS_URL and ANNALS_KEY"))
    if found.codes:
        raise typer.Exit(found.code)


@dataclass
class Findings:
    """What was looked at, in words; `codes` are of what is wrong with it."""

    told: dict[str, str] = field(default_factory=dict)
    codes: set[int] = field(default_factory=set)

    @property
    def code(self) -> int:
        """Who is not there refuses nobody: that comes first."""
        return next((one for one in (NO_ANSWER, NOT_ALLOWED) if one in self.codes), FAILED)

    def look(self, name: str, ask: Callable[[], str], *, is_needed: bool = True) -> None:
        try:
            self.told[name] = ask()
        except AnnalsError as error:
            self.told[name] = str(error)
            if is_needed:
                self.codes.add(exit_code(error))

    def look_at_key(self, client: Annals) -> None:
        name = say("key")
        try:
            client.request(calls.list_jobs(status="failed", group_id=None, limit=1))
            self.told[name] = say("accepted")
        except AnnalsError as error:
            is_refused = isinstance(error, NotAllowed)
            self.told[name] = f"{say('refused' if is_refused else 'not known')}: {error}"
            self.codes.add(exit_code(error))


class _NotReady(AnnalsError):
    """A platform that is not set up, with what to do."""


def _running(client: Annals, function: str) -> str:
    client.request(calls.is_ready(function))
    return say("running")


def _firing(client: Annals) -> str:
    alerts = client.request(calls.read_alerts())["alerts"]
    firing = [f"{one['name']}: {one['about']}" for one in alerts if one["is_firing"]]
    return "; ".join(firing) or say("none")


def _set_up(client: Annals, platform: str) -> str:
    setup = client.request(calls.check_platform(platform))
    if not setup["is_ready"]:
        raise _NotReady("; ".join(one["advice"] for one in setup["checks"] if not one["passed"]))
    return say("ready")


COMMANDS = (jobs, forget, doctor)
