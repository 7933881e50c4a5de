"""Metadata fields as arrays over a namespace's slots, so that a filter is a few numpy operations.

A field becomes a column when a filter first names it. A number takes eight bytes; every other
value is a four-byte code into the column's own list of distinct values.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from .filters import AllOf, Among, AnyOf, Compares, Exists, Filter
from .metadata import Metadata, Scalar, Value

Mask = NDArray[np.bool_]

_COMPARISONS: dict[str, Callable[[NDArray[np.float64], float], Mask]] = {
    "$gt": np.greater,
    "$gte": np.greater_equal,
    "$lt": np.less,
    "$lte": np.less_equal,
}
_NOTHING = -1


class Column:
    """One field: a number, a code of another value, or nothing in each slot."""

    def __init__(self, capacity: int) -> None:
        self._numbers = np.full(capacity, np.nan)
        self._codes = np.full(capacity, _NOTHING, dtype=np.int32)
        self._code_of: dict[str | bool | tuple[str, ...], int] = {}
        self._codes_holding: dict[str | bool, list[int]] = {}

    def grow(self, capacity: int) -> None:
        more = capacity - len(self._codes)
        self._numbers = np.concatenate([self._numbers, np.full(more, np.nan)])
        self._codes = np.concatenate([self._codes, np.full(more, _NOTHING, dtype=np.int32)])

    def put(self, slot: int, value: Value | None) -> None:
        """Replace what the slot holds; None clears it."""
        self._numbers[slot] = np.nan
        self._codes[slot] = _NOTHING
        if isinstance(value, str | bool | list):
            self._codes[slot] = self._code(value)
        elif value is not None:
            self._numbers[slot] = value

    def _code(self, value: str | bool | list[str]) -> int:
        key = tuple(value) if isinstance(value, list) else value
        code = self._code_of.get(key)
        if code is None:
            code = self._code_of[key] = len(self._code_of)
            for part in set(key) if isinstance(key, tuple) else {key}:
                self._codes_holding.setdefault(part, []).append(code)
        return code

    def among(self, values: tuple[Scalar, ...], rows: int) -> Mask:
        numbers = [value for value in values if isinstance(value, float)]
        codes = [
            code
            for value in values
            if not isinstance(value, float)
            for code in self._codes_holding.get(value, ())
        ]
        holding = np.zeros(len(self._code_of) + 1, dtype=bool)  # the last one answers for _NOTHING
        holding[codes] = True
        mask: Mask = holding[self._codes[:rows]]
        if numbers:
            mask |= np.isin(self._numbers[:rows], numbers)
        return mask

    def compares(self, operator: str, bound: float, rows: int) -> Mask:
        return _COMPARISONS[operator](self._numbers[:rows], bound)

    def exists(self, rows: int) -> Mask:
        mask: Mask = (self._codes[:rows] != _NOTHING) | ~np.isnan(self._numbers[:rows])
        return mask


class Columns:
    """The columns of one namespace that filters have asked for so far."""

    def __init__(self, capacity: int, values: Callable[[str], Iterable[tuple[int, Value]]]) -> None:
        """`values(field)` yields each slot that has the field, with its value."""
        self._capacity = capacity
        self._values = values
        self._columns: dict[str, Column] = {}

    def __bool__(self) -> bool:
        return bool(self._columns)

    def grow(self, capacity: int) -> None:
        for column in self._columns.values():
            column.grow(capacity)
        self._capacity = capacity

    def put(self, slot: int, metadata: Metadata) -> None:
        for field, column in self._columns.items():
            column.put(slot, metadata.get(field))

    def mask(self, condition: Filter, rows: int) -> Mask:
        """Which of the first `rows` slots fulfil the condition, whether or not they are in use."""
        match condition:
            case AllOf(conditions):
                mask = np.ones(rows, dtype=bool)
                for each in conditions:
                    mask &= self.mask(each, rows)
            case AnyOf(conditions):
                mask = np.zeros(rows, dtype=bool)
                for each in conditions:
                    mask |= self.mask(each, rows)
            case Among(field, values, negated):
                mask = self._column(field).among(values, rows) ^ negated
            case Compares(field, operator, bound):
                mask = self._column(field).compares(operator, bound, rows)
            case Exists(field, wanted):
                mask = self._column(field).exists(rows) ^ (not wanted)
        return mask

    def _column(self, field: str) -> Column:
        column = self._columns.get(field)
        if column is None:
            column = Column(self._capacity)
            for slot, value in self._values(field):
                column.put(slot, value)
            self._columns[field] = column
        return column
