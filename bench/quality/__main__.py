"""`python -m bench.quality NAME ...`: one measure, by its module's name."""

import sys
from importlib import import_module

if __name__ == "__main__":
    sys.exit(import_module(f"bench.quality.{sys.argv[1]}").main(sys.argv[2:]))
