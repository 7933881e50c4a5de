"""`python -m infra.docs`: bring the generated parts of the documents up to date."""

import sys

from infra.docs.pages import ALL, current
from infra.docs.routes import ROOT


def main() -> int:
    for name in ALL:
        made = current(name)
        path = ROOT / name
        if not path.exists() or path.read_text("utf-8") != made:
            path.write_text(made, "utf-8")
            print(f"{name} brought up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
