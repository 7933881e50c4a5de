"""A namespace's vectors: one float32 matrix in one memory-mapped file that grows in place."""

import mmap
from pathlib import Path

import numpy as np

from .floats import Floats

_FIRST_CAPACITY = 64


class Matrix:
    """Rows of equal length. A row that was never written, or was cleared, is zeros on disk.

    What is written here survives the process at once (the kernel owns the pages), so a row is
    written first and named in the ledger after.
    """

    def __init__(self, path: Path, dimension: int, rows: int) -> None:
        """Open with exactly that many rows: what lies beyond them in the file is cut off."""
        self._path = path
        self._dimension = dimension
        self.rows: Floats = np.empty((0, dimension), dtype=np.float32)
        self._resize(rows)

    @property
    def capacity(self) -> int:
        return len(self.rows)

    def reserve(self, rows: int) -> None:
        """Room for that many rows, by doubling the file; its new part is a hole of zeros."""
        if rows <= self.capacity:
            return
        capacity = max(self.capacity, _FIRST_CAPACITY)
        while capacity < rows:
            capacity *= 2
        self._resize(capacity)

    def _resize(self, rows: int) -> None:
        """Map the file at its new length; the former map goes when its last reader lets go."""
        size = rows * self._dimension * np.dtype(np.float32).itemsize
        with self._path.open("a+b") as file:
            file.truncate(size)
            if size:
                mapped = mmap.mmap(file.fileno(), size)
                self.rows = np.frombuffer(mapped, np.float32).reshape(rows, self._dimension)
            else:  # nothing to map: no rows, or rows of a sparse index, which have no dimension
                self.rows = np.empty((rows, self._dimension), dtype=np.float32)
