"""Composite indexes: several fields of a collection in one order."""

from typing import NamedTuple

from .paths import Path


class Column(NamedTuple):
    """A field of an index: ascending, descending, or the elements of an array."""

    path: Path
    descending: bool = False
    contains: bool = False


class Composite(NamedTuple):
    """An index over several fields; document names follow in the last field's direction."""

    collection: str
    group: bool
    columns: tuple[Column, ...]
    name_descending: bool
