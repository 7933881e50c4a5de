"""`python -m shared.config` prints the settings' tables; with files it brings them up to date."""

import sys
from pathlib import Path

from shared.config.table import render, updated


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.stdout.write(render())
    for argument in arguments:
        path = Path(argument)
        path.write_text(updated(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
