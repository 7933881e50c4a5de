"""The command `annals`: `pip install 'annals-client[command]'`."""

import sys


def main() -> None:
    """Without typer and rich it says how to get them."""
    try:
        from annals.command.app import run
    except ModuleNotFoundError as error:
        if error.name not in {"typer", "rich", "click"}:
            raise
        sys.exit("annals needs its extra: pip install 'annals-client[command]'")
    run()
