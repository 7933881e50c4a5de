"""`python -m infra.serve <function> --port N`: one function, served as Cloud Run would serve it.

functions-framework with its ASGI server, on the function's own door; ends with its parent. With
--gives-way it leaves the machine to those that somebody waits for: in a cloud it has its own.
"""

import os
import sys
from importlib.metadata import entry_points
from pathlib import Path

from infra.emulators import lifeline

ROOT = Path(__file__).parent.parent
GIVES_WAY = "--gives-way"
NICENESS = 5


def main(argv: list[str]) -> None:
    lifeline.follow_parent()
    if GIVES_WAY in argv:
        argv.remove(GIVES_WAY)
        os.nice(NICENESS)
    name, *options = argv
    sys.path.insert(0, str(ROOT))
    source = ROOT / "functions" / name / "main.py"
    # The command `functions-framework` itself: its Python name is the library's own affair.
    (command,) = entry_points(group="console_scripts", name="functions-framework")
    serve = command.load()
    serve(["--asgi", "--target", name, "--source", str(source), "--host", "127.0.0.1", *options])


if __name__ == "__main__":
    main(sys.argv[1:])
