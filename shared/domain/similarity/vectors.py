"""Vectors: packed as little-endian float32 for storage, compared by cosine.

Importing this is cheap: numpy is loaded by the first comparison, not before.
"""

import sys
from array import array
from collections.abc import Sequence
from typing import Any

Vector = Sequence[float]


def pack(vector: Vector) -> bytes:
    """Four bytes a number, little-endian on every machine."""
    return _little_endian(array("f", vector)).tobytes()


def unpack(packed: bytes) -> list[float]:
    numbers = array("f")
    numbers.frombytes(packed)
    return _little_endian(numbers).tolist()


def pack_half(vector: Vector) -> bytes:
    """Two bytes a number: enough to compare by, half of what is stored with every message."""
    import numpy as np

    return np.asarray(vector, dtype="<f2").tobytes()


def unpack_half(packed: bytes) -> Vector:
    import numpy as np

    numbers: Any = np.frombuffer(packed, dtype="<f2").astype(np.float32)
    found: Vector = numbers
    return found


def total(vectors: Sequence[Vector]) -> list[float]:
    """Their sum; what a topic keeps, so that its mean can follow each message."""
    import numpy as np

    if not vectors:
        return []
    summed: list[float] = np.asarray(vectors, dtype=np.float64).sum(axis=0).tolist()
    return summed


def cosine(one: Vector, other: Vector) -> float:
    """Between -1 and 1; 0 when either has no direction."""
    return cosines(one, [other])[0]


def cosines(one: Vector, others: Sequence[Vector]) -> list[float]:
    """The cosine of `one` with each of `others`, in their order."""
    import numpy as np

    if not others:
        return []
    rows = np.asarray(others, dtype=np.float64)
    row = np.asarray(one, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    dots = rows @ row
    found = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
    clipped: list[float] = np.clip(found, -1.0, 1.0).tolist()
    return clipped


def cosine_table(rows: Sequence[Vector], columns: Sequence[Vector]) -> list[list[float]]:
    """The cosine of each of `rows` with each of `columns`, in one multiplication."""
    import numpy as np

    if not rows or not columns:
        return [[] for _ in rows]
    left, right = (_unit(np.asarray(part, dtype=np.float32)) for part in (rows, columns))
    table: list[list[float]] = np.clip(left @ right.T, -1.0, 1.0).tolist()
    return table


def _unit(rows: Any) -> Any:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def _little_endian(numbers: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
