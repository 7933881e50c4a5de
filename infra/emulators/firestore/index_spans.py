"""Which part of an index holds what a conjunction asks for, between the query's cursors."""

from collections.abc import Iterable

from .composites import Column
from .conjunction import Index, IndexedConjunction
from .index_entries import CUT
from .query import BEYOND, Constraint, Cursor, Range, turned
from .scans import Span
from .values import descending


def is_cut(constraint: Constraint) -> bool:
    """Whether the index, which keeps 1500 bytes of a value, cannot tell the constraint exactly."""
    return any(len(low) >= CUT or len(high) >= CUT for low, high in constraint.ranges)


def needs_documents(wanted: IndexedConjunction) -> bool:
    """Whether a cursor cannot be found in an index: a long value, or a fixed field in its midst."""
    for cursor in (wanted.query.start, wanted.query.end):
        if cursor is None:
            continue
        if any(len(value) >= CUT for value in cursor.values):
            return True
        varies = False
        for order, _ in zip(wanted.query.orders, cursor.values, strict=False):
            if order.text not in wanted.fixed:
                varies = True
            elif varies:
                return True
    return False


def _cut(bounds: Range) -> Range:
    low, high = bounds
    if len(low) >= CUT:
        low = low[:CUT]
    if len(high) >= CUT:
        high = high[:CUT] + BEYOND
    return low, high


def find_spans(
    wanted: IndexedConjunction,
    index: Index,
    prefix: bytes,
    columns: list[Column],
    bounds: list[Constraint],
    names: list[Constraint],
    reverse: bool,
    *,
    exact: bool,
) -> list[Span]:
    spans = [Span(prefix, b"", prefix + BEYOND, b"")]
    for bound in bounds:
        spans = _intersect(spans, value_spans(prefix, columns[0], bound))
    for name in names:
        spans = _intersect(spans, sorted(_name_spans(wanted, index, prefix, name)))
    if not exact and not columns:
        return spans
    for cursor, is_start in ((wanted.query.start, True), (wanted.query.end, False)):
        if cursor is None:
            continue
        reduced = _reduce(wanted, cursor, is_start=is_start)
        if reduced is None:
            continue
        if isinstance(reduced, bool):
            return []
        value, name_id = _boundary(
            wanted, index, prefix, columns, reduced, reverse, exact=exact, is_start=is_start
        )
        if is_start is not reverse:
            spans = _intersect(spans, [Span(value, name_id, prefix + BEYOND, b"")])
        else:
            spans = _intersect(spans, [Span(prefix, b"", value, name_id)])
    return spans


def value_spans(prefix: bytes, column: Column, bound: Constraint) -> list[Span]:
    """In the index's order and apart from each other: cutting may have made ranges overlap."""
    found: list[tuple[bytes, bytes]] = []
    for low, high in map(_cut, bound.ranges):
        found.append((turned(high), turned(low)) if column.descending else (low, high))
    spans: list[Span] = []
    for low, high in sorted(found):
        if spans and prefix + low <= spans[-1].high:
            spans[-1] = spans[-1]._replace(high=max(spans[-1].high, prefix + high))
        else:
            spans.append(Span(prefix + low, b"", prefix + high, b""))
    return spans


def _name_spans(
    wanted: IndexedConjunction, index: Index, prefix: bytes, bound: Constraint
) -> Iterable[Span]:
    for low, high in bound.ranges:
        if index.name_descending:
            low, high = high, low
        yield Span(prefix, _id(wanted, index, low), prefix, _id(wanted, index, high))


def _id(wanted: IndexedConjunction, index: Index, boundary: bytes) -> bytes:
    """A boundary among names as one among the ids of the index."""
    beyond = boundary.endswith(BEYOND)
    name = boundary[: -len(BEYOND)] if beyond else boundary
    if not name or not name.startswith(wanted.root):
        behind = beyond if not name else name > wanted.root
        return b"\xff" if behind is not index.name_descending else b""
    name = name[len(wanted.root) :]
    if index.name_descending:
        return descending(name) + (b"" if beyond else b"\x00")
    return name.removesuffix(b"\x00") + (b"\x00" if beyond else b"")


def _reduce(wanted: IndexedConjunction, cursor: Cursor, *, is_start: bool) -> Cursor | bool | None:
    """The cursor without the fields that equalities fix.

    None: it leaves out nothing; False: it leaves out everything.
    """
    left = []
    for order, value in zip(wanted.query.orders, cursor.values, strict=False):
        if order.text not in wanted.fixed:
            left.append(value)
            continue
        if left:
            break
        fixed = wanted.fixed[order.text]
        if value == fixed:
            continue
        ahead = (value < fixed) is not order.descending
        return None if ahead is is_start else False
    else:
        left += cursor.values[len(wanted.query.orders) :]
    if left:
        return Cursor(tuple(left), cursor.after)
    return False if cursor.after is is_start else None


def _boundary(
    wanted: IndexedConjunction,
    index: Index,
    prefix: bytes,
    columns: list[Column],
    cursor: Cursor,
    reverse: bool,
    *,
    exact: bool,
    is_start: bool,
) -> tuple[bytes, bytes]:
    """The cursor as a place in the index."""
    values = cursor.values if exact else cursor.values[:1]
    after = cursor.after if exact else not is_start
    beyond = after is not reverse
    parts = [prefix]
    for column, value in zip(columns, values, strict=False):
        part = value[:CUT]
        parts.append(descending(part) if column.descending else part)
    place = b"".join(parts)
    if len(values) <= len(columns):
        return (place + BEYOND if beyond else place), b""
    name = values[-1]
    # Among names the boundary is in their own order; the index may hold them turned around.
    behind = beyond is not index.name_descending
    return place, _id(wanted, index, name + BEYOND if behind else name)


def _intersect(left: list[Span], right: list[Span]) -> list[Span]:
    out = []
    for one in left:
        for two in right:
            low = max((one.low, one.low_id), (two.low, two.low_id))
            high = min((one.high, one.high_id), (two.high, two.high_id))
            if low < high:
                out.append(Span(*low, *high))
    return out
