"""The log of the local run: whole lines, in order, and no more than its bounds."""

import os
import subprocess
import sys
from pathlib import Path

from infra.rotating_log import RotatingLog

SAYS = "import sys\nfor n in range(2000):\n    print(f'line {n:05} of what is said', flush=True)"


def test_it_keeps_the_newest_lines_whole_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "annals.log"
    with RotatingLog(path, most_bytes=4_000, kept=3) as log:
        subprocess.run([sys.executable, "-c", SAYS], stdout=log.fd, stderr=log.fd, check=True)
        os.write(log.fd, b"the last word")
    files = sorted(path.parent.iterdir())
    assert [one.name for one in files] == [
        "annals.log", "annals.log.1", "annals.log.2", "annals.log.3",
    ]  # fmt: skip
    assert all(one.stat().st_size <= 4_100 for one in files)
    said = "".join(one.read_text() for one in (*reversed(files[1:]), files[0]))
    *lines, last = said.split("\n")
    numbers = [int(one.split()[1]) for one in lines]
    assert numbers == list(range(numbers[0], 2000))
    assert last == "the last word"
