"""Decides how one conjunction of a query is read: which index, over which spans, in which order.

Pure: it is told what indexes there are and how many rows a range holds, and answers with a plan.
An index serves a query by a prefix of columns that equalities fix, then columns in the query's
order (all in its direction, or all against it: then it is read backwards).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from infra.emulators.firestore.composites import Column, Composite
from infra.emulators.firestore.entries import ASCENDING, CONTAINS, CUT
from infra.emulators.firestore.query import (
    BEYOND,
    Conjunction,
    Constraint,
    Cursor,
    Order,
    Query,
    Range,
    turned,
)
from infra.emulators.firestore.scans import Span
from infra.emulators.firestore.values import descending

PROBE = 1000
FEW = 100
NAMES = "names"
COMPOSITE = "composite"

Count = Callable[["Index", list[Span], int], int]
Kept = Callable[[str, bool], bool]


class Index(NamedTuple):
    """Something to scan: its kind, what it is called, its columns."""

    kind: str
    columns: tuple[Column, ...] = ()
    name_descending: bool = False
    composite: Composite | None = None


def single(constraint: Constraint) -> Index:
    kind = CONTAINS if constraint.contains else ASCENDING
    return Index(kind, (Column(constraint.path, False, constraint.contains),))


@dataclass
class Plan:
    """Scan the index's spans; ask other indexes for `checks`, the document for `residual`.

    `ordered` rows come in the query's order and inside its cursors; `grouped` ones only by the
    first field of it, so rows of one value are sorted among themselves; others as a whole.
    """

    index: Index
    spans: list[Span]
    reverse: bool = False
    ordered: bool = False
    grouped: bool = False
    checks: list[Constraint] = field(default_factory=list)
    residual: list[Constraint] = field(default_factory=list)


class Task(NamedTuple):
    """One conjunction, sorted into what indexes answer at a point and the rest.

    `root` is the key in front of the ids in the index: the collection's, or nothing in a group.
    `kept` tells whether a field (or, with true, its elements) has entries of its own.
    """

    query: Query
    points: list[Constraint]
    others: list[Constraint]
    orders: list[Order]
    fixed: dict[str, bytes]
    root: bytes
    kept: Kept

    def has_entries(self, constraint: Constraint) -> bool:
        return self.kept(constraint.text, constraint.contains)


def make_task(query: Query, conjunction: Conjunction, root: bytes, kept: Kept) -> Task | None:
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
    return Task(query, points, others, orders, fixed, root, kept)


def make_plans(task: Task, composites: Iterable[Composite], count: Count) -> list[Plan]:
    """One plan, or two: the first is tried within a budget, the second if that runs out."""
    declared = [
        _over(task, Index(COMPOSITE, one.columns, one.name_descending, one)) for one in composites
    ]
    whole = [plan for plan in declared if plan is not None and plan.ordered]
    if whole:
        return [max(whole, key=lambda plan: len(plan.index.columns))]
    points = [one for one in task.points if task.has_entries(one)]
    if not task.orders:
        return [_by_name(task, points, count)]
    first = task.orders[0]
    by_order = None
    if task.kept(first.text, False):
        by_order = _over(task, Index(ASCENDING, (Column(first.path),)))
    others = [one for one in task.others if not one.on_name and one.text != first.text]
    candidates = [*points, *filter(task.has_entries, others)]
    if not candidates:
        return [by_order or _everything(task)]
    size, by_value = _smallest(task, candidates, count)
    if size <= FEW or by_order is None:
        return [by_value]
    if task.query.limit is not None:
        return [by_order, by_value]
    if size < PROBE or count(by_order.index, by_order.spans, PROBE) >= PROBE:
        return [by_value]
    return [by_order]


def _everything(task: Task) -> Plan:
    """No index helps: read all documents and sort."""
    span = Span(b"", b"", BEYOND, b"")
    return Plan(Index(NAMES), [span], residual=[*task.points, *task.others])


def _smallest(task: Task, candidates: list[Constraint], count: Count) -> tuple[int, Plan]:
    best: tuple[int, Plan] | None = None
    for one in candidates:
        plan = _by_value(task, one)
        size = count(plan.index, plan.spans, PROBE)
        if best is None or size < best[0]:
            best = size, plan
    assert best is not None
    return best


def _by_name(task: Task, points: list[Constraint], count: Count) -> Plan:
    """Nothing but names to order by: entries of one value are in that order already."""
    if len(points) > 1:
        return _smallest(task, points, count)[1]
    if points:
        return _by_value(task, points[0])
    plan = _over(task, Index(NAMES))
    assert plan is not None
    return plan


def _by_value(task: Task, constraint: Constraint) -> Plan:
    index = single(constraint)
    if constraint.equal is not None:
        plan = _over(task, index, constraint)
        assert plan is not None
        return plan
    spans = [Span(low, b"", high, b"") for low, high in map(_cut, constraint.ranges)]
    checks, residual = _elsewhere(task, task.points)
    residual += [one for one in task.others if one is not constraint or is_cut(constraint)]
    return Plan(index, spans, checks=checks, residual=residual)


def _elsewhere(task: Task, points: list[Constraint]) -> tuple[list[Constraint], list[Constraint]]:
    """What other indexes tell of these, and what only the document tells (or tells fully)."""
    checks = [one for one in points if task.has_entries(one)]
    return checks, [one for one in points if not task.has_entries(one) or is_cut(one)]


def _over(task: Task, index: Index, using: Constraint | None = None) -> Plan | None:
    """The plan over this index, or None where it does not fit the query."""
    points = {(one.text, one.contains): one for one in task.points}
    if using is not None:
        points[using.text, using.contains] = using
    used: list[Constraint] = []
    columns = list(index.columns)
    prefix = b""
    while columns:
        found = _point_for(points, columns[0])
        if found is None or found.equal is None or found in used:
            break
        part = found.equal if index.kind == COMPOSITE else found.equal[:CUT]
        prefix += descending(part) if columns[0].descending else part
        used.append(found)
        columns.pop(0)
    if not _suffix_fits(task.orders, columns):
        return None
    complete = len(columns) == len(task.orders)
    reverse = _reverse(task, columns, index)
    if reverse is None:
        if not (columns and index.kind == ASCENDING):
            return None
        reverse, complete = task.orders[0].descending, False
    exact = complete and not _needs_documents(task)
    bounds = [one for one in task.others if columns and one.text == task.orders[0].text]
    names = [one for one in task.others if one.on_name and complete and not columns]
    spans = _spans(task, index, prefix, columns, bounds, names, reverse, exact=exact)
    checks, residual = _elsewhere(task, [one for one in task.points if one not in used])
    residual += [one for one in task.others if one not in bounds and one not in names]
    residual += [one for one in (*used, *bounds) if is_cut(one)]
    return Plan(
        index,
        spans,
        reverse=reverse,
        ordered=exact,
        grouped=bool(columns) and not exact,
        checks=checks,
        residual=residual,
    )


def _point_for(points: dict[tuple[str, bool], Constraint], column: Column) -> Constraint | None:
    for (_, contains), one in points.items():
        if one.path == column.path and contains == column.contains:
            return one
    return None


def _suffix_fits(orders: list[Order], columns: list[Column]) -> bool:
    if len(columns) > len(orders):
        return False
    return all(
        not column.contains and column.path == order.path
        for column, order in zip(columns, orders, strict=False)
    )


def _reverse(task: Task, columns: list[Column], index: Index) -> bool | None:
    """Whether the index is read backwards; None where its directions mix with the query's."""
    against = {
        column.descending != order.descending
        for column, order in zip(columns, task.orders, strict=False)
    }
    if len(columns) == len(task.orders):
        against.add(index.name_descending != task.query.name_descending)
    if len(against) > 1:
        return None
    return against.pop() if against else False


def is_cut(constraint: Constraint) -> bool:
    """Whether the index, which keeps 1500 bytes of a value, cannot tell the constraint exactly."""
    return any(len(low) >= CUT or len(high) >= CUT for low, high in constraint.ranges)


def _needs_documents(task: Task) -> bool:
    """Whether a cursor cannot be found in an index: a long value, or a fixed field in its midst."""
    for cursor in (task.query.start, task.query.end):
        if cursor is None:
            continue
        if any(len(value) >= CUT for value in cursor.values):
            return True
        varies = False
        for order, _ in zip(task.query.orders, cursor.values, strict=False):
            if order.text not in task.fixed:
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


# ---- spans


def _spans(
    task: Task,
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
        spans = _intersect(spans, list(_value_spans(prefix, columns[0], bound)))
    for name in names:
        spans = _intersect(spans, list(_name_spans(task, index, prefix, name)))
    if not exact and not columns:
        return spans
    for cursor, is_start in ((task.query.start, True), (task.query.end, False)):
        if cursor is None:
            continue
        reduced = _reduce(task, cursor, is_start=is_start)
        if reduced is None:
            continue
        if isinstance(reduced, bool):
            return []
        value, name_id = _boundary(
            task, index, prefix, columns, reduced, reverse, exact=exact, is_start=is_start
        )
        if is_start is not reverse:
            spans = _intersect(spans, [Span(value, name_id, prefix + BEYOND, b"")])
        else:
            spans = _intersect(spans, [Span(prefix, b"", value, name_id)])
    return spans


def _value_spans(prefix: bytes, column: Column, bound: Constraint) -> Iterable[Span]:
    for low, high in map(_cut, bound.ranges):
        if column.descending:
            low, high = turned(high), turned(low)
        yield Span(prefix + low, b"", prefix + high, b"")


def _name_spans(task: Task, index: Index, prefix: bytes, bound: Constraint) -> Iterable[Span]:
    for low, high in bound.ranges:
        if index.name_descending:
            low, high = high, low
        yield Span(prefix, _id(task, index, low), prefix, _id(task, index, high))


def _id(task: Task, index: Index, boundary: bytes) -> bytes:
    """A boundary among names as one among the ids of the index."""
    beyond = boundary.endswith(BEYOND)
    name = boundary[: -len(BEYOND)] if beyond else boundary
    if not name or not name.startswith(task.root):
        behind = beyond if not name else name > task.root
        return b"\xff" if behind is not index.name_descending else b""
    name = name[len(task.root) :]
    if index.name_descending:
        return descending(name) + (b"" if beyond else b"\x00")
    return name.removesuffix(b"\x00") + (b"\x00" if beyond else b"")


def _reduce(task: Task, cursor: Cursor, *, is_start: bool) -> Cursor | bool | None:
    """The cursor without the fields that equalities fix.

    None: it leaves out nothing; False: it leaves out everything.
    """
    left = []
    for order, value in zip(task.query.orders, cursor.values, strict=False):
        if order.text not in task.fixed:
            left.append(value)
            continue
        if left:
            break
        fixed = task.fixed[order.text]
        if value == fixed:
            continue
        ahead = (value < fixed) is not order.descending
        return None if ahead is is_start else False
    else:
        left += cursor.values[len(task.query.orders) :]
    if left:
        return Cursor(tuple(left), cursor.after)
    return False if cursor.after is is_start else None


def _boundary(
    task: Task,
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
    return place, _id(task, index, name + BEYOND if behind else name)


def _intersect(left: list[Span], right: list[Span]) -> list[Span]:
    out = []
    for one in left:
        for two in right:
            low = max((one.low, one.low_id), (two.low, two.low_id))
            high = min((one.high, one.high_id), (two.high, two.high_id))
            if low < high:
                out.append(Span(*low, *high))
    return out
