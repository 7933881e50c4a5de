"""One conjunction of a query, and the indexes it can be read by."""

from collections.abc import Callable
from typing import NamedTuple

from .composites import Column, Composite
from .index_entries import ASCENDING, CONTAINS
from .query import Conjunction, Constraint, Order, Query

NAMES = "names"
COMPOSITE = "composite"

HasIndex = Callable[[str, bool], bool]


class Index(NamedTuple):
    """Something to scan: its kind, what it is called, its columns."""

    kind: str
    columns: tuple[Column, ...] = ()
    name_descending: bool = False
    composite: Composite | None = None


def single(constraint: Constraint) -> Index:
    kind = CONTAINS if constraint.contains else ASCENDING
    return Index(kind, (Column(constraint.path, False, constraint.contains),))


class IndexedConjunction(NamedTuple):
    """One conjunction, sorted into what indexes answer at a point and the rest.

    `root` is the key in front of the ids in the index: the collection's, or nothing in a group.
    `has_index` tells whether a field (or, with true, its elements) has entries of its own.
    """

    query: Query
    points: list[Constraint]
    others: list[Constraint]
    orders: list[Order]
    fixed: dict[str, bytes]
    root: bytes
    has_index: HasIndex

    def has_entries(self, constraint: Constraint) -> bool:
        return self.has_index(constraint.text, constraint.contains)


def indexed_conjunction(
    query: Query, conjunction: Conjunction, root: bytes, has_index: HasIndex
) -> IndexedConjunction | None:
    """None: no document can satisfy it."""
    if any(not constraint.ranges for constraint in conjunction):
        return None
    points = [one for one in conjunction if one.equal is not None and not one.on_name]
    fixed: dict[str, bytes] = {}
    for one in points:
        if one.contains or one.equal is None:
            continue
        if fixed.setdefault(one.text, one.equal) != one.equal:
            return None
    orders = [order for order in query.orders if order.text not in fixed]
    others = [one for one in conjunction if one not in points]
    return IndexedConjunction(query, points, others, orders, fixed, root, has_index)
