"""Single-precision numbers between JSON and memory. Pure."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infra.emulators.pinecone.errors import invalid

Floats = NDArray[np.float32]


def vector(given: Any, dimension: int, where: str) -> Floats:
    """The numbers of a request as float32; raises on another length, or on anything not finite."""
    if not isinstance(given, list):
        raise invalid(f"{where} must be a list of numbers")
    if len(given) != dimension:
        raise invalid(
            f"Vector dimension {len(given)} does not match the dimension of the index {dimension}"
        )
    try:
        numbers = np.asarray(given)
    except ValueError as error:
        raise invalid(f"{where} must be a list of numbers") from error
    if numbers.ndim != 1 or numbers.dtype.kind not in "fiu":
        raise invalid(f"{where} must be a list of numbers")
    with np.errstate(over="ignore"):
        values = numbers.astype(np.float32)
    if not np.isfinite(values).all():
        raise invalid(f"{where} must be finite 32-bit numbers")
    return values


def shortest(values: Floats) -> NDArray[np.float64]:
    """Doubles that print as the service prints its floats: the fewest digits that come back equal.

    Nine significant digits always do, seven nearly always.
    """
    exact = values.astype(np.float64)
    chosen = exact.copy()
    open_ = np.ones(values.shape, dtype=bool)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        exponent = np.floor(np.log10(np.abs(exact)))
        for digits in (6, 7, 8):
            scale = 10.0 ** (digits - exponent)
            rounded = np.rint(exact * scale) / scale
            fits = open_ & (rounded.astype(np.float32) == values)
            chosen[fits] = rounded[fits]
            open_ &= ~fits
    return chosen
