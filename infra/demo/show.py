"""Prints what became of the talk, to be read by a person."""

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from infra.demo.gather import BUDGET, Asked, OfChat, foreign_texts, recalled_texts
from infra.demo.script import Step

MOST_MEMORIES = 8
CUT = 64


def heading(console: Console, title: str, under: str = "") -> None:
    console.print()
    console.rule(Text(title, style="bold"), align="left", style="cyan")
    if under:
        console.print(Text(under, style="dim"))


def cut(text: str, width: int = CUT) -> str:
    """One line of at most so many columns; a Chinese character takes two."""
    line = " ".join(text.split())
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, width - 1).rstrip() + "…"


def show_topics(console: Console, chats: Sequence[OfChat]) -> None:
    heading(console, "Topics and summaries", "the two largest topics of each chat")
    for one in chats:
        head = Text.assemble((one.chat.name, "bold"), f"  {one.topic_count} topics")
        if one.chat.audience == "private":
            head.append("  private", style="magenta")
        console.print(head)
        for topic in one.topics:
            summary = topic["summary"] or {}
            title = summary.get("title") or topic["title"]
            console.print(
                Text.assemble(
                    "  ",
                    (f"{topic['message_count']:>3} messages", "cyan"),
                    "  ",
                    (cut(title, 48), "yellow"),
                    (f"  summary v{summary.get('version', 0)}", "dim"),
                )
            )
            _indented(console, cut(summary.get("content", ""), 220))
            for name, label in (("decisions", "decided"), ("open_questions", "open")):
                for line in summary.get(name, [])[:2]:
                    _indented(console, Text.assemble((f"{label}: ", "green"), cut(line, 90)))


def _indented(console: Console, what: str | Text) -> None:
    text = Text(what, style="dim") if isinstance(what, str) else what
    console.print(Padding(text, (0, 0, 0, 15)))


def show_stand_in(console: Console, chats: Sequence[OfChat]) -> None:
    """Whose words these are, where the reasons of the memories say that no model wrote them."""
    memories = [memory for one in chats for memory in one.memories]
    if any(memory["change_summary"].startswith("stand-in") for memory in memories):
        console.print(
            "topics, summaries and memories are made by annals-rules, a stand-in of plain rules; "
            "with\nOPENAI_BASE_URL and MEMORY_MODEL set, a model makes them",
            style="dim",
        )


def show_memories(console: Console, chats: Sequence[OfChat]) -> None:
    heading(console, "Memories", "after each week one evolution; a changed memory is a new version")
    for one in chats:
        console.print(Text.assemble((one.chat.name, "bold"), f"  {len(one.memories)} active"))
        changed_first = sorted(one.memories, key=lambda memory: -memory["version"])
        for memory in changed_first[:MOST_MEMORIES]:
            versions = one.histories.get(memory["memory_id"], [])
            where = Text.assemble(
                "  ", (f"v{memory['version']}", "cyan"), f"  {memory['kind']:<11}"
            )
            if len(versions) < 2:
                console.print(where.append(cut(memory["statement"])))
                continue
            console.print(where.append(memory["change_summary"], style="dim"))
            old, new = versions[-2]["statement"], versions[-1]["statement"]
            _difference(console, old, new)
        if len(one.memories) > MOST_MEMORIES:
            console.print(Text(f"      and {len(one.memories) - MOST_MEMORIES} more", style="dim"))
        for change in one.ended:
            reason = change["change_reason"]
            console.print(Text.assemble("  ", ("ended", "red"), "          ", (reason, "dim")))
            console.print(Text(f"      - {change['old_statement']}", style="red"))


def _difference(console: Console, old: str, new: str) -> None:
    if old == new:
        console.print(Text(f"        {new}"))
        return
    console.print(Text(f"      - {old}", style="red"))
    console.print(Text(f"      + {new}", style="green"))


def show_events(console: Console, chats: Sequence[OfChat]) -> None:
    heading(console, "Events", "the bot's end-of-turn notes, rewritten in absolute words")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for one in chats:
        for event in one.events:
            when = event["timestamp_local"][:16].replace("T", " ")
            table.add_row(when, Text(f"{one.chat.name}: {event['canonical_text']}"))
    console.print(Padding(table, (0, 0, 0, 2)))


def show_context(console: Console, asked: Asked, steps: Sequence[Step]) -> None:
    context = asked.context
    question = asked.question
    heading(console, "One question", f"{question.user} in {question.chat.name}")
    console.print(Text(f"  {question.text}", style="bold yellow"))
    table = Table(box=box.SIMPLE, pad_edge=False, expand=True)
    table.add_column("score", justify="right", style="cyan", no_wrap=True)
    table.add_column("offered", ratio=5, overflow="fold")
    table.add_column("why", style="dim", ratio=3)
    table.add_column("tokens", justify="right", style="dim", no_wrap=True)
    for item in sorted(context["items"], key=lambda item: -item["score"]):
        told = asked.texts.get(item["id"], item["id"])
        kind = "" if item["kind"] == "message" else f"[{item['kind']}] "
        table.add_row(
            f"{item['score']:.2f}",
            Text(kind + cut(told)),
            Text(", ".join(item["reasons"])),
            str(item["tokens"]),
        )
    cut_lines = [Text(cut(line.partition("] ")[2]), style="dim") for line in asked.last_lines]
    without: RenderableType = Group(*cut_lines)
    total = context["tokens"]["total"]
    console.print(
        Panel(
            table,
            title=f"with Annals: {context['mode']}, {len(context['items'])} items, "
            f"{total} of {BUDGET} tokens",
            border_style="green",
        )
    )
    console.print(
        Panel(
            without,
            title=f"without: the last {len(asked.last)} messages, {asked.last_tokens} tokens",
            border_style="red",
        )
    )
    foreign = foreign_texts(steps, question.chat.group_id, context["text"])
    recalled = [one for one in recalled_texts(steps) if one in context["text"]]
    saved = 1 - total / asked.last_tokens
    known, seen = asked.answered
    wanted = len(question.about)
    console.print(
        Text.assemble(
            "  the messages that answer it: ",
            (f"{known} of {wanted} with Annals", "bold green"),
            f", {seen} of {wanted} in the last {len(asked.last)}",
        )
    )
    console.print(
        Text.assemble(
            "  ",
            (f"{saved:.0%} fewer tokens", "bold green"),
            " than the last 20 messages; ",
            (f"{len(foreign)}", "bold"),
            " lines of other chats; ",
            (f"{len(recalled)}", "bold"),
            " recalled messages",
        )
    )
