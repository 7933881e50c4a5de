"""The command line: global options, and the commands of the modules beside this one."""

import sys
from collections.abc import Sequence
from itertools import islice
from typing import Annotated

import typer

from annals.command import histories, knowledge, memories, operating, topics, transfer, tuning
from annals.command.asking import exit_code, start, tell
from annals.command.output import Form
from annals.errors import AnnalsError

app = typer.Typer(
    name="annals",
    help="The memory of group chats: look at it, change it, bring old chats along.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    context: typer.Context,
    url: Annotated[str | None, typer.Option(help="where Annals answers (ANNALS_URL)")] = None,
    key: Annotated[str | None, typer.Option(help="an API key (ANNALS_KEY)")] = None,
    output: Annotated[Form, typer.Option("--output", "-o", help="how to show it")] = Form.TEXT,
) -> None:
    """The memory of group chats: look at it, change it, bring old chats along."""
    context.obj = start(url, key, output)


def with_options_first(words: Sequence[str]) -> list[str]:
    """`annals list demo:1 -o json` as typer wants it: `annals -o json list demo:1`."""
    first: list[str] = []
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            rest += [word, *waiting]
        elif word in ("-o", "--output"):
            first += [word, *islice(waiting, 1)]
        elif word.startswith("--output="):
            first.append(word)
        else:
            rest.append(word)
    return [*first, *rest]


for module in (memories, topics, knowledge, operating, histories, transfer, tuning):
    for command in module.COMMANDS:
        app.command(command.__name__.rstrip("_").replace("_", "-"))(command)


def run() -> None:
    try:
        app(args=with_options_first(sys.argv[1:]))
    except AnnalsError as error:
        tell(error)
        sys.exit(exit_code(error))
