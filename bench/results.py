"""Where the benches leave what they printed: `bench/results/<name>.txt`, with when and on what."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parent / "results"


def keep(name: str, command: str, text: str) -> str:
    """Write and return the page: the command to repeat it, the date, the machine, the output."""
    FOLDER.mkdir(exist_ok=True)
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}"
    page = f"$ {command}\n# {when}, {machine}\n\n{text.rstrip()}\n"
    (FOLDER / f"{name}.txt").write_text(page, encoding="utf-8")
    return page
