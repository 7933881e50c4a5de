"""topics, summarize, context."""

from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from annals import calls
from annals.command.asking import Asking, asking
from annals.command.memories import Group, Limit
from annals.command.output import OUT, Form, show_json, show_one, show_rows
from annals.command.words import say
from annals.errors import AnnalsError
from annals.sending import given


def topics(
    context: typer.Context,
    group: Group,
    find: Annotated[str | None, typer.Option("--search", "-s", help="by words and meaning")] = None,
    limit: Limit = 20,
) -> None:
    """What a group talks about: the latest, or those that fit a search."""
    shell = asking(context)
    if find:
        answer = shell.ask(calls.search_topics(group, find, limit=limit))
    else:
        answer = shell.ask(calls.list_topics(group, limit=limit, cursor=None))
    columns = {
        "topic_id": "id",
        "message_count": "messages",
        "last_message_at": "last said",
        "title": "title",
    }
    show_rows(shell.form, answer, answer["topics"], columns, "{topic_id}  {message_count}  {title}")


def summarize(context: typer.Context, topic: str) -> None:
    """Make the next summary of a topic, now."""
    shell = asking(context)
    answer = shell.ask(calls.summarize_topic(topic))
    told = answer.get("summary") or answer
    show_one(shell.form, answer, {k: v for k, v in told.items() if k != "success"})


def context_(
    context: typer.Context,
    group: Group,
    message: Annotated[str, typer.Argument(help="what the bot is asked")],
    user: Annotated[str | None, typer.Option(help="who asks, by id")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1)] = None,
    left_out: Annotated[bool, typer.Option(help="also what was considered and left out")] = False,
) -> None:
    """What a bot would get before it answers, with scores and reasons."""
    shell = asking(context)
    question = given(message=message, user_id=user, max_tokens=max_tokens)
    answer = shell.ask(calls.build_context(group, question))
    record: dict[str, Any] = {}
    if left_out:
        record = shell.ask(calls.show_context(answer["context_id"]))
    if shell.form is Form.JSON:
        show_json({**answer, "record": record} if record else answer)
        return
    if shell.form is Form.TABLE:
        OUT.print(_table(answer, record or _record(shell, answer)))
    else:
        OUT.print(escape(answer["text"]))
    OUT.print(f"[dim]{answer['mode']}  {answer['tokens'].get('total', 0)} {say('tokens')}[/]")
    for one in record.get("left_out", ()):
        score = "" if one["score"] is None else f"{one['score']:.2f}  "
        line = f"{score}{one['why']}  {one['kind']}  {one['text']}"
        OUT.print(f"[dim]{say('left out')}  {escape(line)}[/]")


def _record(shell: Asking, answer: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a context, with the texts; it may not be kept at all."""
    with suppress(AnnalsError):
        return shell.ask(calls.show_context(answer["context_id"]))
    return {}


def _table(answer: dict[str, Any], record: dict[str, Any]) -> Table:
    texts = {(one["kind"], one["id"]): one["text"] for one in record.get("items", ())}
    table = Table(*map(say, ("score", "kind", "text", "tokens", "why")), show_edge=False)
    for one in answer["items"]:
        text = texts.get((one["kind"], one["id"])) or one["id"]
        cells = (
            f"{one['score']:.2f}",
            one["kind"],
            text,
            str(one["tokens"]),
            ", ".join(one["reasons"]),
        )
        table.add_row(*map(escape, cells))
    return table


COMMANDS = (topics, summarize, context_)
