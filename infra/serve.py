"""`python -m infra.serve <function> --port N`: one function, served as Cloud Run would serve it.

functions-framework with its ASGI server, on the function's own door; ends with its parent. With
--gives-way it leaves the machine to those that somebody waits for: in a cloud it has its own.
"""

import argparse
import os
import sys
from importlib.metadata import entry_points
from pathlib import Path

from infra.emulators import lifeline
from shared.config.deployment import FUNCTIONS

ROOT = Path(__file__).parent.parent
GIVES_WAY = "--gives-way"
NICENESS = 5


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m infra.serve", description=__doc__)
    parser.add_argument("function", choices=FUNCTIONS)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument(GIVES_WAY, action="store_true")
    args = parser.parse_args(argv)
    lifeline.follow_parent()
    if args.gives_way:
        os.nice(NICENESS)
    sys.path.insert(0, str(ROOT))
    source = ROOT / "functions" / args.function / "main.py"
    # The command `functions-framework` itself: its Python name is the library's own affair.
    (command,) = entry_points(group="console_scripts", name="functions-framework")
    serve = command.load()
    named = ["--target", args.function, "--source", str(source)]
    serve(["--asgi", *named, "--host", "127.0.0.1", "--port", str(args.port)])


if __name__ == "__main__":
    main(sys.argv[1:])
