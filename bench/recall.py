"""How well questions find memories: `python -m bench.recall [--data DIR]`.

Labelled questions about made-up groups, and with `--data` those of pairs and chats: how often the
right memory is first and among five, and whether the confidences mean what they say.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.quality.memories import answered, told_by_half
from bench.recall_cases import cases_in, written
from bench.results import keep
from tests.services import all_emulators


def main(arguments: Sequence[str]) -> int:
    cases = written()
    if "--data" in arguments:
        cases += cases_in(Path(arguments[arguments.index("--data") + 1]))
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        found = asyncio.run(answered(cases, running.told))
    print(keep("recall", "python -m bench.recall", "\n".join(told_by_half(found))), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
