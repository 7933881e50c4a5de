"""What child processes say, in one file that never grows beyond bounds."""

import contextlib
import os
import sys
import threading
from io import FileIO
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
        self._file: FileIO | None = None
        self._dropped, self._why = 0, ""
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
        """Goes on reading whatever becomes of the writing: a process whose output nobody takes
        stands still for good."""
        torn = b""
        while chunk := os.read(self._read_end, A_READ):
            *lines, torn = (torn + chunk).split(b"\n")
            for line in lines:
                self._keep(line + b"\n")
        if torn:
            self._keep(torn)
        self._close()

    def _keep(self, line: bytes) -> None:
        """Drops it where there is no room, and says so once; what can be written again is."""
        try:
            if self._dropped:
                told = f"annals: {self._dropped} lines were dropped here: {self._why}\n"
                self._write(told.encode())
                self._dropped = 0
            self._write(line)
        except OSError as error:
            self._close()
            if not self._dropped:
                self._why = error.strerror or str(error)
                told = f"annals: {self._path} cannot be written ({self._why}); until it can, "
                with contextlib.suppress(OSError):
                    print(f"{told}what processes say is dropped", file=sys.stderr, flush=True)
            self._dropped += 1

    def _write(self, line: bytes) -> None:
        """All of it or nothing: half a line would run into the next one."""
        if self._file is None:
            self._file = self._path.open("ab", buffering=0)
        before = self._file.seek(0, os.SEEK_END)
        if before and before + len(line) > self._most:
            self._close()
            self._shift()
            self._file, before = self._path.open("ab", buffering=0), 0
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(before)
            raise

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _shift(self) -> None:
        """Each older file a number further; the last one goes."""
        for number in range(self._kept, 0, -1):
            older = self._numbered(number - 1)
            if older.exists():
                older.replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path
