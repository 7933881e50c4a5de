"""`python -m infra.docs`: bring the generated parts of the documents up to date."""

import argparse
import sys
from collections.abc import Sequence

from infra.docs.pages import ALL, current
from infra.docs.routes import ROOT


def main(argv: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="python -m infra.docs", description=__doc__).parse_args(argv)
    for name in ALL:
        made = current(name)
        path = ROOT / name
        if not path.exists() or path.read_text("utf-8") != made:
            path.write_text(made, "utf-8")
            print(f"{name} brought up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
