"""`python -m infra.emulators [names] --data DIR --ready-file F`: some or all of the local cloud."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
