"""The emulators, measured: `python -m bench.emulators [firestore|pinecone|openai|all ...]`.

`firestore` beside Google's own emulator in the same run; `all` is all four together: how soon they
are ready, and how much memory they take.
"""

import argparse
import importlib
import json
import tempfile
import time
from pathlib import Path

import psutil

from bench.results import keep
from infra.emulators.testing import Emulators

PARTS = ("firestore", "pinecone", "openai")


def together() -> str:
    """All four, from the command to the ready file, with their memory."""
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        running = Emulators([], Path(folder))
        began = time.perf_counter()
        running.start()
        seconds = time.perf_counter() - began
        try:
            assert running.process is not None
            parent = psutil.Process(running.process.pid)
            memory = {"parent": _own_mb(parent)}
            memory |= {
                name: _own_mb(psutil.Process(pid)) for name, pid in running.told["pids"].items()
            }
        finally:
            running.stop()
    lines = [f"ready in {seconds:.1f} s (at most 6)"]
    lines += [f"  {name:<10}{mb:7.0f} MB" for name, mb in memory.items()]
    lines.append(f"  {'together':<10}{sum(memory.values()):7.0f} MB (at most 600)")
    return "\n".join(lines)


def _own_mb(process: psutil.Process) -> float:
    """Resident, without what is shared with other processes counted twice."""
    info = process.memory_full_info()
    return float(getattr(info, "pss", info.rss)) / 2**20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PARTS, "all"], help="default: everything")
    names = parser.parse_args().names or [*PARTS, "all"]
    for name in names:
        if name == "all":
            print(keep("emulators_all", "python -m bench.emulators all", together()))
        else:
            measured = importlib.import_module(f"bench.emulators_{name}").measure()
            text = json.dumps(measured, indent=2)
            print(keep(f"emulators_{name}", f"python -m bench.emulators {name}", text))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
