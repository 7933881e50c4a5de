"""`python -m bench.quality [NAME ...]`: how good the product is on labelled text.

With a name, that measure alone with its own options (`--in FILE --out FILE`); without one all of
them over a folder of data (`--data DIR` or DATA), into one table.
"""

import argparse
import importlib
import importlib.util
import os
import sys

NAMES = ("topics", "context", "search", "memories", "dates")


def main(argv: list[str]) -> int:
    if argv and argv[0] in (*NAMES, "evolution"):
        found: int = importlib.import_module(f"bench.quality.{argv[0]}").main(argv[1:])
        return found
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "--data", default=os.environ.get("DATA"), required="DATA" not in os.environ
    )
    data = arguments.parse_args(argv).data
    failed: list[str] = []
    for name in NAMES:
        if importlib.util.find_spec(f"bench.quality.{name}") is None:
            continue
        print(f"== {name}", flush=True)
        if main([name, "--data", data]):
            failed.append(name)
    if failed:
        print(f"missed their numbers: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
