"""events, profile, graph."""

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.tree import Tree

from annals import calls
from annals.command.asking import asking
from annals.command.memories import Group, Limit
from annals.command.output import OUT, Form, show_json, show_one, show_rows
from annals.command.words import say
from annals.sending import given


def events(
    context: typer.Context,
    group: Group,
    user: Annotated[str | None, typer.Option(help="of one member")] = None,
    text: Annotated[str | None, typer.Option(help="with these words")] = None,
    limit: Limit = 20,
) -> None:
    """What happened, the newest first."""
    shell = asking(context)
    answer = shell.ask(calls.list_events(group, given(user_id=user, text=text, limit=limit)))
    columns = {"timestamp_local": "time", "event_id": "id", "canonical_text": "text"}
    show_rows(shell.form, answer, answer["events"], columns, "{timestamp_local}  {canonical_text}")


def profile(
    context: typer.Context,
    group: Group,
    entity: Annotated[str, typer.Argument(help="a member's id, or the group's")],
    type_: Annotated[str, typer.Option("--type", help="user or group")] = "user",
) -> None:
    """What is known of a member, or of the group."""
    shell = asking(context)
    answer = shell.ask(calls.show_profile(group, type_, entity))
    if shell.form is Form.JSON:
        show_json(answer)
        return
    told = answer["profile"]
    if shell.form is Form.TABLE:
        shown = {"name": told["name"], "version": told["version"], "tags": told["tags"]}
        shown |= {one["key"]: one["value"] for one in told["preferences"]}
        show_one(shell.form, answer, shown)
    else:
        OUT.print(escape(told["markdown"]))


def graph(
    context: typer.Context,
    group: Group,
    entity: Annotated[str, typer.Argument(help="a name or an id")],
    depth: Annotated[int, typer.Option(min=1, max=3)] = 2,
    dot: Annotated[bool, typer.Option(help="for Graphviz")] = False,
) -> None:
    """Who and what is linked to an entity."""
    shell = asking(context)
    answer = shell.ask(calls.show_graph(group, entity, depth=depth))
    if shell.form is Form.JSON and not dot:
        show_json(answer)
        return
    names = {one["entity_id"]: str(one["name"]) for one in answer["nodes"]}
    links = list(answer["edges"])
    if not names:
        OUT.print(say("nothing found"))
    elif dot:
        OUT.print(to_dot(names, links), markup=False)
    elif shell.form is Form.TABLE:
        rows = [
            {"from": names.get(start, start), "kind": kind, "to": names.get(end, end)}
            for start, kind, end in map(_ends, links)
        ]
        show_rows(shell.form, answer, rows, {"from": "from", "kind": "kind", "to": "to"}, "")
    else:
        OUT.print(to_tree(entity, names, links))


def _ends(link: dict[str, Any]) -> tuple[str, str, str]:
    return link["source_id"], link["relation_type"], link["target_id"]


def to_dot(names: dict[str, str], links: list[dict[str, Any]]) -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    lines = [f"  {quoted(one)} [label={quoted(name)}];" for one, name in names.items()]
    for start, kind, end in map(_ends, links):
        lines.append(f"  {quoted(start)} -> {quoted(end)} [label={quoted(kind)}];")
    return "\n".join(["digraph annals {", *lines, "}"])


def to_tree(root: str, names: dict[str, str], links: list[dict[str, Any]]) -> Tree:
    """Each entity once, where it is met first."""
    near: dict[str, list[tuple[str, str]]] = {}
    for start, kind, end in map(_ends, links):
        near.setdefault(start, []).append((f"{kind} →", end))
        near.setdefault(end, []).append((f"← {kind}", start))
    first = next((one for one, name in names.items() if root in (one, name)), root)
    tree = Tree(escape(names.get(first, root)))
    seen = {first}
    waiting = [(first, tree)]
    while waiting:
        entity, branch = waiting.pop(0)
        for kind, other in near.get(entity, ()):
            if other not in seen:
                seen.add(other)
                label = f"[dim]{escape(kind)}[/] {escape(names.get(other, other))}"
                waiting.append((other, branch.add(label)))
    return tree


COMMANDS = (events, profile, graph)
