"""How fast contexts are: `python -m bench.context [--sizes 1000 10000 100000]`.

The time of an answer by the size of the group, with the reads it costs, on the local emulators. The
handler runs in this process: what HTTP adds is the same for every route, see bench.ingest. How good
contexts are is told by `bench.quality context` and `bench.outside`.
"""

import argparse
import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench import context_growth
from bench.results import keep
from tests.services import all_emulators

A_LARGE_GROUP = 1_000_000


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sizes", type=int, nargs="*", default=[1_000])
    wanted = arguments.parse_args()
    began = datetime.now(UTC)
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        lines, holds = asyncio.run(context_growth.measure(running.told, wanted.sizes))
    lines += ["", f"{(datetime.now(UTC) - began).seconds} s; {'holds' if holds else 'MISSED'}"]
    sizes = " ".join(map(str, wanted.sizes))
    command = f"python -m bench.context --sizes {sizes}"
    name = "context_growth" if max(wanted.sizes, default=0) >= A_LARGE_GROUP else "context"
    print(keep(name, command, "\n".join(lines)))
    return 0 if holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
