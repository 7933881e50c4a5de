"""What child processes say, in one file that never grows beyond bounds."""

import os
import threading
from pathlib import Path
from types import TracebackType

MOST_BYTES = 10 * 1024 * 1024
"""Of one file: some days of a lively group."""
KEPT = 4
"""Older files beside it, as `.1` (the newest) to `.4`."""
A_READ = 64 * 1024


class RotatingLog:
    """Give `fd` to processes as their output. A line is never torn by a change of files."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, kept: int = KEPT) -> None:
        self._path, self._most, self._kept = path, most_bytes, kept
        self._read_end, self.fd = os.pipe()
        self._thread = threading.Thread(target=self._copy, name="log", daemon=True)

    def __enter__(self) -> "RotatingLog":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self.fd)
        self._thread.join(timeout=5)
        os.close(self._read_end)

    def _copy(self) -> None:
        file = self._path.open("ab")
        torn = b""
        while chunk := os.read(self._read_end, A_READ):
            lines = (torn + chunk).split(b"\n")
            torn = lines.pop()
            for line in lines:
                if file.tell() and file.tell() + len(line) > self._most:
                    file.close()
                    self._shift()
                    file = self._path.open("ab")
                file.write(line + b"\n")
            file.flush()
        file.write(torn)
        file.close()

    def _shift(self) -> None:
        """Each older file a number further; the last one goes."""
        for number in range(self._kept, 0, -1):
            older = self._numbered(number - 1)
            if older.exists():
                older.replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path
