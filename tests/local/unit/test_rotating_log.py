"""The log of the local run: whole lines, in order, and no more than its bounds."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from infra.rotating_log import RotatingLog
from tests.local_cloud import wait_for

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


def test_a_full_disk_stops_nobody_and_lines_are_kept_again_when_there_is_room(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "annals.log"
    path.symlink_to("/dev/full")
    says = [sys.executable, "-c", SAYS.replace("2000", "9000")]
    with RotatingLog(path) as log:
        subprocess.run(says, stdout=log.fd, stderr=log.fd, check=True, timeout=60)
        path.unlink()
        # What the pipe still held may come after there is room.
        wait_for(lambda: os.write(log.fd, b"there is room\n") and path.exists(), "a line")
    told = path.read_text().splitlines()
    assert "lines were dropped here: No space left on device" in told[0]
    assert told[-1] == "there is room"
    (warning,) = capfd.readouterr().err.splitlines()
    assert str(path) in warning
    assert "No space left on device" in warning


def test_a_line_for_which_half_the_room_is_left_is_dropped_whole(tmp_path: Path) -> None:
    path = tmp_path / "annals.log"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with RotatingLog(path) as log:
        os.write(log.fd, b"a" * 60_000 + b"\n")
        wait_for(path.exists, "the first line")
        wait_for(lambda: path.stat().st_size == 60_001, "all of it")
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        try:
            os.write(log.fd, b"b" * 60_000 + b"\n")
            os.write(log.fd, b"c" * 10_000 + b"\n")
            wait_for(lambda: b"dropped here" in path.read_bytes(), "a line that fits again")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    told = path.read_text().splitlines()
    assert [(one[0], len(one)) for one in told if "dropped" not in one] == [
        ("a", 60_000),
        ("c", 10_000),
    ]
    assert "1 lines were dropped here: File too large" in told[1]
