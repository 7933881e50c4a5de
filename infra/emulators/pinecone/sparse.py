"""A sparse vector: its non-zero dimensions, named one by one, as sent and as stored. Pure."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import limits
from .errors import invalid
from .floats import Floats, numbers, shortest

Indices = NDArray[np.uint32]


@dataclass(frozen=True)
class Sparse:
    """`indices` ascend and do not repeat; `values` stand beside them."""

    indices: Indices
    values: Floats

    def packed(self) -> bytes:
        """The bytes that are stored: all indices, then all values, little-endian."""
        return self.indices.astype("<u4").tobytes() + self.values.astype("<f4").tobytes()

    def shown(self) -> dict[str, Any]:
        return {"indices": self.indices.tolist(), "values": shortest(self.values).tolist()}


def unpacked(stored: bytes) -> Sparse:
    half = len(stored) // 2
    return Sparse(np.frombuffer(stored[:half], "<u4"), np.frombuffer(stored[half:], "<f4"))


def parsed(given: Any, where: str) -> Sparse:
    """The vector of a request; raises on repeated indices, on unequal lengths, on too many."""
    if not isinstance(given, dict) or set(given) - {"indices", "values"}:
        raise invalid(f"{where} must be an object of indices and values")
    indices, values = given.get("indices"), given.get("values")
    if not isinstance(indices, list) or not isinstance(values, list):
        raise invalid(f"{where} must have a list of indices and a list of values")
    if len(indices) != len(values):
        raise invalid(
            f"Sparse vector must have as many indices as values, got {len(indices)} and "
            f"{len(values)}"
        )
    if len(indices) > limits.MAX_SPARSE_VALUES:
        raise invalid(
            f"Sparse vector has {len(indices)} values, which exceeds the limit of "
            f"{limits.MAX_SPARSE_VALUES}"
        )
    if not all(type(each) is int and 0 <= each < 2**32 for each in indices):
        raise invalid(f"{where}.indices must be unsigned 32-bit integers")
    if len(set(indices)) != len(indices):
        raise invalid("Sparse vector indices must be unique")
    order = np.argsort(np.array(indices, dtype=np.uint32))
    weights = numbers(values, f"{where}.values")
    return Sparse(np.array(indices, dtype=np.uint32)[order], weights[order])


def to_store(given: Any, where: str, owner: str) -> Sparse:
    """A vector to store; one without a non-zero value is refused."""
    vector = parsed(given, where)
    if not vector.values.any():
        raise invalid(
            f"Sparse vectors must contain at least one non-zero value. Vector ID '{owner}' has none"
        )
    return vector
