"""list, search, show, history, changes, add, delete, restore, clean, stats, evolve."""

import time
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import track

from annals import calls
from annals.command.asking import asking, confirm
from annals.command.output import OUT, Form, show_difference, show_json, show_one, show_rows
from annals.command.words import say

Group = Annotated[str, typer.Argument(help="group id, like onebot:9", metavar="GROUP")]
MemoryId = Annotated[str, typer.Argument(metavar="MEMORY", help="id of any of its versions")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask")]
Limit = Annotated[int, typer.Option(help="at most so many", min=1, max=100)]

COLUMNS = {
    "memory_id": "id",
    "kind": "kind",
    "strength": "strength",
    "version": "version",
    "statement": "statement",
}
LINE = "{memory_id}  v{version}  {strength}  {kind}  {statement}"
POLL_S = 0.5
UNFINISHED = ("pending", "running", "committed")


def list_(
    context: typer.Context,
    group: Group,
    status: Annotated[str, typer.Option(help="active, candidate, archived, ...")] = "active",
    limit: Limit = 20,
    offset: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """The memories of a group, the newest first."""
    shell = asking(context)
    answer = shell.ask(calls.list_memories(group, status=status, limit=limit, offset=offset))
    show_rows(shell.form, answer, answer["memories"], COLUMNS, LINE)


def search(
    context: typer.Context,
    group: Group,
    text: Annotated[str, typer.Argument(help="what to look for")],
    limit: Limit = 5,
    threshold: Annotated[float | None, typer.Option(help="least score, 0 to 1")] = None,
) -> None:
    """Memories by words and meaning, the best first."""
    shell = asking(context)
    answer = shell.ask(calls.search_memories(group, text, limit=limit, threshold=threshold))
    columns = {"confidence": "score", "memory_id": "id", "statement": "statement"}
    line = "{confidence}  {memory_id}  {statement}"
    show_rows(shell.form, answer, answer["results"], columns, line)


def show(context: typer.Context, memory: MemoryId) -> None:
    """A memory as it is now."""
    shell = asking(context)
    answer = shell.ask(calls.memory_history(memory))
    show_one(shell.form, answer["history"][-1], answer["history"][-1])


def history(context: typer.Context, memory: MemoryId) -> None:
    """Every version of a memory, and what changed."""
    shell = asking(context)
    answer = shell.ask(calls.memory_history(memory))
    if shell.form is Form.JSON:
        show_json(answer)
        return
    before: dict[str, Any] = {}
    for one in answer["history"]:
        # Each was made when the one before it ended, which was not touched since.
        when = before.get("updated_at") or one.get("created_at", "")
        reason = one.get("change_summary") or ""
        OUT.print(f"[bold]v{one['version']}[/]  {when}  {escape(reason)}")
        show_difference(before.get("statement", ""), one["statement"])
        before = one


def changes(
    context: typer.Context,
    group: Group,
    days: Annotated[int, typer.Option(min=1, max=365)] = 7,
) -> None:
    """What changed in a group's memories lately."""
    shell = asking(context)
    answer = shell.ask(calls.memory_changes(group, days=days))
    if shell.form is not Form.TEXT:
        columns = {"timestamp": "time", "action": "kind", "new_statement": "statement"}
        show_rows(shell.form, answer, answer["changes"], columns, "")
        return
    for one in answer["changes"]:
        OUT.print(f"[bold]{one['action']}[/]  {one['timestamp']}  {escape(one['change_reason'])}")
        show_difference(one.get("old_statement") or "", one.get("new_statement") or "")


def add(
    context: typer.Context,
    group: Group,
    statement: str,
    kind: Annotated[str | None, typer.Option(help="habit, preference, fact, ...")] = None,
    subject: Annotated[str | None, typer.Option(help="a member's id, or group")] = None,
) -> None:
    """A memory by hand."""
    shell = asking(context)
    answer = shell.ask(calls.add_memory(group, statement, {"kind": kind, "subject": subject}))
    show_one(shell.form, answer, answer["memory"])


def delete(
    context: typer.Context,
    memory: MemoryId,
    forget: Annotated[bool, typer.Option(help="erase every version; cannot be undone")] = False,
    yes: Yes = False,
) -> None:
    """Delete a memory; `restore` brings it back, unless it was forgotten."""
    shell = asking(context)
    told = shell.ask(calls.memory_history(memory))["history"][-1]["statement"]
    words = "erase every version of" if forget else "delete the memory"
    confirm(f"{say(words)} {escape(told)}", yes=yes)
    answer = shell.ask(calls.delete_memory(memory, forget=forget))
    show_one(shell.form, answer, {"status": say("done"), "id": memory})


def restore(context: typer.Context, memory: MemoryId) -> None:
    """Bring a deleted memory back, as a new version."""
    shell = asking(context)
    answer = shell.ask(calls.restore_memory(memory))
    show_one(shell.form, answer, answer["memory"])


def clean(
    context: typer.Context,
    group: Group,
    weaker_than: Annotated[float, typer.Option(min=0, max=1)] = 0.1,
    yes: Yes = False,
) -> None:
    """Delete the memories that have grown weak; each can be restored."""
    shell = asking(context)
    with shell.client() as client:
        weak: list[dict[str, Any]] = []
        offset = 0
        while page := client.request(
            calls.list_memories(group, status="active", limit=100, offset=offset)
        )["memories"]:
            weak += [one for one in page if one["strength"] < weaker_than]
            offset += len(page)
        if shell.form is not Form.JSON:
            show_rows(shell.form, weak, weak, COLUMNS, LINE)
        if weak:
            confirm(f"{say('delete memories weaker than')} {weaker_than:g} ({len(weak)})", yes=yes)
        for one in track(weak, description="", transient=True, console=OUT):
            client.request(calls.delete_memory(one["memory_id"], forget=False))
    if shell.form is Form.JSON:
        show_json({"deleted": [one["memory_id"] for one in weak]})


def stats(context: typer.Context, group: Group) -> None:
    """How many memories, of which kind, and what the last week changed."""
    shell = asking(context)
    answer = shell.ask(calls.memory_stats(group))
    show_one(shell.form, answer, {k: v for k, v in answer.items() if k != "success"})


def evolve(
    context: typer.Context,
    group: Group,
    days: Annotated[int | None, typer.Option(help="only the last days", min=1)] = None,
    wait: Annotated[bool, typer.Option(help="wait for a long run to end")] = True,
) -> None:
    """Fuse what the group said into its memories, now."""
    shell = asking(context)
    with shell.client() as client:
        answer = client.evolve(group, days=days)
        job = answer.get("job_id")
        if job and answer.get("status") == "running" and wait:
            with OUT.status(f"{say('still running; see')} annals jobs {job}"):
                while True:
                    found = client.request(calls.show_job(str(job)))
                    if found["job"]["state"] not in UNFINISHED:
                        answer = found
                        break
                    time.sleep(POLL_S)
    show_one(shell.form, answer, {k: v for k, v in answer.items() if k != "success"})


COMMANDS = (list_, search, show, history, changes, add, delete, restore, clean, stats, evolve)
