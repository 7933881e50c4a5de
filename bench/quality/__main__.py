"""`python -m bench.quality [NAME ...]`: how good the product is on labelled text.

With a name, that measure alone with its own options (`--in FILE --out FILE`); without one all of
them over a folder of data (`--data DIR` or DATA), onto one page, `bench/results/quality.txt`.
"""

import argparse
import importlib
import io
import os
import sys
from contextlib import redirect_stdout
from typing import TextIO

from bench.results import keep

NAMES = ("topics", "context", "search", "memories", "dates")


def main(argv: list[str]) -> int:
    if argv and argv[0] in (*NAMES, "evolution", "titles"):
        found: int = importlib.import_module(f"bench.quality.{argv[0]}").main(argv[1:])
        return found
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "--data", default=os.environ.get("DATA"), required="DATA" not in os.environ
    )
    data = arguments.parse_args(argv).data
    failed: list[str] = []
    page = Page(sys.stdout)
    with redirect_stdout(page):
        for name in NAMES:
            print(f"== {name}", flush=True)
            if main([name, "--data", data]):
                failed.append(name)
    keep("quality", "python -m bench.quality --data DATA", page.text)
    if failed:
        print(f"missed their numbers: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


class Page(io.TextIOBase):
    """Prints at once and keeps what was printed: the whole run takes many minutes."""

    def __init__(self, shown: TextIO) -> None:
        self._shown = shown
        self._kept = io.StringIO()

    def write(self, text: str) -> int:
        self._shown.write(text)
        return self._kept.write(text)

    def flush(self) -> None:
        self._shown.flush()

    @property
    def text(self) -> str:
        return self._kept.getvalue().rstrip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
