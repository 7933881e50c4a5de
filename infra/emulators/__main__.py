"""`python -m infra.emulators`, or `cloud-emulators` where installed: some or all emulators."""

import sys

from .command import main


def run() -> int:
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
