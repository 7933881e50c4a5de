"""A query as the engine sees it: ranges of encoded values, one order, one window.

Every filter becomes ranges of sortable bytes, every cursor a position in the order's bytes; a
query with `or`, `in` or array-contains-any becomes a list of conjunctions.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .paths import NAME, Path
from .values import descending

BEYOND = b"\xff" * 9
"""Ends a boundary that lies behind everything beginning with the bytes before it. No encoded value
ends so, and none is the beginning of another, so a boundary can be turned around exactly."""

Range = tuple[bytes, bytes]
"""From one boundary up to another."""


def exactly(encoded: bytes) -> Range:
    return encoded, encoded + BEYOND


def turned(boundary: bytes) -> bytes:
    """The same boundary where larger values come first: before becomes behind."""
    if boundary.endswith(BEYOND):
        return descending(boundary[: -len(BEYOND)])
    return descending(boundary) + BEYOND


@dataclass(frozen=True)
class Constraint:
    """A field's value (or, with `contains`, one of its elements) lies in one of the ranges."""

    path: Path
    text: str
    contains: bool
    ranges: tuple[Range, ...]
    equal: bytes | None = None
    is_equality: bool = True

    @property
    def on_name(self) -> bool:
        return self.text == NAME


class Order(NamedTuple):
    path: Path
    text: str
    descending: bool


Conjunction = tuple[Constraint, ...]


class Cursor(NamedTuple):
    """A position: encoded values of the first orders; `after` lies behind all that begin so."""

    values: tuple[bytes, ...]
    after: bool


@dataclass(frozen=True)
class Query:
    """`collection` is empty for a query over all collections below the parent."""

    database: str
    parent: bytes
    collection: str
    descendants: bool
    disjuncts: tuple[Conjunction, ...]
    orders: tuple[Order, ...]
    name_descending: bool
    start: Cursor | None = None
    end: Cursor | None = None
    offset: int = 0
    limit: int | None = None
    projection: tuple[Path, ...] | None = None

    @cached_property
    def window(self) -> tuple[bytes, bytes | None]:
        """The cursors in the order's bytes: from, and up to but without (None: no end)."""
        start = self._position(self.start) if self.start else b""
        return start, self._position(self.end) if self.end else None

    def _position(self, cursor: Cursor) -> bytes:
        turned = [order.descending for order in self.orders] + [self.name_descending]
        parts = [
            descending(value) if down else value
            for value, down in zip(cursor.values, turned, strict=False)
        ]
        return b"".join(parts) + (BEYOND if cursor.after else b"")
