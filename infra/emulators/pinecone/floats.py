"""Single-precision numbers between JSON and memory. Pure."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import invalid

Floats = NDArray[np.float32]

_POWERS = np.array([float(f"1e{places}") for places in range(60)])
"""Of ten: enough for nine digits of the smallest single-precision number."""


def vector(given: Any, dimension: int, where: str) -> Floats:
    """The numbers of a request as float32; raises on another length, or on anything not finite."""
    if not isinstance(given, list):
        raise invalid(f"{where} must be a list of numbers")
    if len(given) != dimension:
        raise invalid(
            f"Vector dimension {len(given)} does not match the dimension of the index {dimension}"
        )
    return numbers(given, where)


def numbers(given: list[Any], where: str) -> Floats:
    """The same for a list of any length."""
    try:
        read = np.asarray(given)
    except ValueError as error:
        raise invalid(f"{where} must be a list of numbers") from error
    if read.ndim != 1 or (len(read) and read.dtype.kind not in "fiu"):
        raise invalid(f"{where} must be a list of numbers")
    with np.errstate(over="ignore"):
        values = read.astype(np.float32)
    if not np.isfinite(values).all():
        raise invalid(f"{where} must be finite 32-bit numbers")
    return values


def shortest(values: Floats) -> NDArray[np.float64]:
    """Doubles that print as the service prints its floats: the fewest digits that come back equal.

    Nine significant digits always do, seven nearly always.
    """
    exact = values.astype(np.float64)
    chosen = exact.copy()
    is_open = exact != 0.0
    exponents = np.zeros(values.shape, dtype=np.int64)
    exponents[is_open] = np.floor(np.log10(np.abs(exact[is_open]))).astype(np.int64)
    for digits in (7, 8, 9):
        places = digits - 1 - exponents
        up, down = _POWERS[np.maximum(places, 0)], _POWERS[np.maximum(-places, 0)]
        rounded = np.rint(exact * up / down) / up * down
        with np.errstate(over="ignore"):
            fits = is_open & (rounded.astype(np.float32) == values)
        chosen[fits] = rounded[fits]
        is_open &= ~fits
    return chosen
