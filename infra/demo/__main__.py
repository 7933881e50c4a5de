"""`python -m infra.demo`: plays the talk, shows what became of it."""

import argparse
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from infra.demo import cloud as clouds
from infra.demo import show
from infra.demo.gather import ask, of_chat
from infra.demo.play import evolve, play
from infra.demo.script import DAYS, last_monday, read_talk

WIDTH = 100


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.demo", description=__doc__)
    parser.add_argument("--ready-file", type=Path, help="use a running local cloud: its ready file")
    parser.add_argument("--json", type=Path, help="also write what is shown, as data")
    args = parser.parse_args(argv)
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    try:
        with clouds.running(args.ready_file) if args.ready_file else clouds.own() as cloud:
            _demo(console, cloud, args.json)
    except clouds.DemoFailed as failed:
        console.print(f"demo: {failed}", style="red", markup=False)
        return 1
    return 0


def _demo(console: Console, cloud: clouds.Cloud, told: Path | None) -> None:
    steps = read_talk(last_monday(datetime.now(UTC)))
    chats = list(dict.fromkeys(step.chat for step in steps))
    counts: dict[str, int] = {}
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=not console.is_terminal) as progress:
        for week in (1, 2):
            own = [step for step in steps if (step.day - 1) // 7 + 1 == week]
            bar = progress.add_task(f"week {week}: people talk", total=len(own))
            for outcome, count in play(cloud, own, partial(progress.advance, bar)).items():
                counts[outcome] = counts.get(outcome, 0) + count
            work = progress.add_task(f"week {week}: topics, events, memories", total=len(chats) + 1)
            cloud.wait_until_idle()
            progress.advance(work)
            for chat in chats:
                evolve(cloud, chat)
                progress.advance(work)
    found = [of_chat(cloud, chat) for chat in chats]
    asked = ask(cloud, steps, found)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    console.print(f"{DAYS} days, {len(chats)} chats: {outcomes}", style="bold")
    show.show_stand_in(console, found)
    show.show_topics(console, found)
    show.show_memories(console, found)
    show.show_events(console, found)
    show.show_context(console, asked, steps)
    if told is not None:
        data = {
            "counts": counts,
            "chats": [asdict(one) for one in found],
            "context": asked.context,
            "last": asked.last_lines,
            "last_tokens": asked.last_tokens,
            "answered": asked.answered,
        }
        told.write_text(json.dumps(data, ensure_ascii=False, indent=1, default=str))


if __name__ == "__main__":
    sys.exit(main())
