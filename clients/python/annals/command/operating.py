"""jobs, forget, doctor."""

import time
from typing import Annotated

import typer
from rich.markup import escape

from annals import calls
from annals.addresses import FUNCTIONS
from annals.command.asking import FAILED, asking, confirm
from annals.command.memories import POLL_S, UNFINISHED, Group, Limit, Yes
from annals.command.output import OUT, Form, show_json, show_one, show_rows
from annals.command.words import say
from annals.errors import AnnalsError


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
    told: dict[str, str] = {}
    ill = False
    with shell.client() as client:
        for function in FUNCTIONS:
            try:
                client.request(calls.is_ready(function))
                told[function] = say("running")
            except AnnalsError as error:
                told[function] = str(error)
                ill = True
        try:
            client.request(calls.list_jobs(status="failed", group_id=None, limit=1))
            told[say("key")] = say("accepted")
        except AnnalsError as error:
            told[say("key")] = f"{say('refused')}: {error}"
            ill = True
        try:
            alerts = client.request(calls.read_alerts())["alerts"]
            firing = [f"{one['name']}: {one['about']}" for one in alerts if one["is_firing"]]
            told[say("alerts")] = "; ".join(firing) or say("none")
        except AnnalsError as error:
            told[say("alerts")] = str(error)
        if platform:
            try:
                setup = client.request(calls.check_platform(platform))
                advice = "; ".join(one["advice"] for one in setup["checks"] if not one["passed"])
                told[platform] = say("ready") if setup["is_ready"] else advice
                ill = ill or not setup["is_ready"]
            except AnnalsError as error:
                told[platform] = str(error)
                ill = True
    if shell.form is Form.JSON:
        show_json(told)
    else:
        show_one(shell.form, told, told)
    if ill:
        raise typer.Exit(FAILED)


COMMANDS = (jobs, forget, doctor)
