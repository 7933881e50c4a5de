"""`python -m bench`: every bench, one after the other; each leaves its page in bench/results."""

import subprocess
import sys

ALL = ("emulators", "cold", "ingest", "evolve", "evolution", "recall", "context", "feedback")


def main() -> int:
    failed = []
    for number, name in enumerate(ALL, 1):
        print(f"[{number}/{len(ALL)}] bench.{name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"missed their numbers, or failed: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
