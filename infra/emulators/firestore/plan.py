"""Decides how one conjunction of a query is read: which index, over which spans, in which order.

Pure: it is told what indexes there are and how many rows a range holds, and answers with a plan.
An index serves a query by a prefix of columns that equalities fix, then columns in the query's
order (all in its direction, or all against it: then it is read backwards).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .composites import Column, Composite
from .conjunction import COMPOSITE, NAMES, Index, IndexedConjunction, single
from .index_entries import ASCENDING, CUT
from .index_spans import find_spans, is_cut, needs_documents, value_spans
from .query import BEYOND, Constraint, Order
from .scans import Span
from .values import descending

PROBE = 1000
FEW = 100

Count = Callable[[Index, list[Span], int], int]
"""How many rows an index holds in these spans, or the given number if there are more."""


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


def make_plans(
    wanted: IndexedConjunction, composites: Iterable[Composite], count: Count
) -> list[Plan]:
    """One plan, or two: the first is tried within a budget, the second if that runs out."""
    declared = [
        _over(wanted, Index(COMPOSITE, one.columns, one.name_descending, one)) for one in composites
    ]
    whole = [plan for plan in declared if plan is not None and plan.ordered]
    if whole:
        return [max(whole, key=lambda plan: len(plan.index.columns))]
    points = [one for one in wanted.points if wanted.has_entries(one)]
    if not wanted.orders:
        return [_by_name(wanted, points, count)]
    first = wanted.orders[0]
    by_order = None
    if wanted.has_index(first.text, False):
        by_order = _over(wanted, Index(ASCENDING, (Column(first.path),)))
    others = [one for one in wanted.others if not one.on_name and one.text != first.text]
    candidates = [*points, *filter(wanted.has_entries, others)]
    if not candidates:
        return [by_order or _everything(wanted)]
    size, by_value = _smallest(wanted, candidates, count)
    if size <= FEW or by_order is None:
        return [by_value]
    if wanted.query.limit is not None:
        return [by_order, by_value]
    if size < PROBE or count(by_order.index, by_order.spans, PROBE) >= PROBE:
        return [by_value]
    return [by_order]


def _everything(wanted: IndexedConjunction) -> Plan:
    """No index helps: read all documents and sort."""
    span = Span(b"", b"", BEYOND, b"")
    return Plan(Index(NAMES), [span], residual=[*wanted.points, *wanted.others])


def _smallest(
    wanted: IndexedConjunction, candidates: list[Constraint], count: Count
) -> tuple[int, Plan]:
    best: tuple[int, Plan] | None = None
    for one in candidates:
        plan = _by_value(wanted, one)
        size = count(plan.index, plan.spans, PROBE)
        if best is None or size < best[0]:
            best = size, plan
    assert best is not None
    return best


def _by_name(wanted: IndexedConjunction, points: list[Constraint], count: Count) -> Plan:
    """Nothing but names to order by: entries of one value are in that order already."""
    if len(points) > 1:
        return _smallest(wanted, points, count)[1]
    if points:
        return _by_value(wanted, points[0])
    plan = _over(wanted, Index(NAMES))
    assert plan is not None
    return plan


def _by_value(wanted: IndexedConjunction, constraint: Constraint) -> Plan:
    index = single(constraint)
    if constraint.equal is not None:
        plan = _over(wanted, index, constraint)
        assert plan is not None
        return plan
    spans = value_spans(b"", index.columns[0], constraint)
    checks, residual = _elsewhere(wanted, wanted.points)
    residual += [one for one in wanted.others if one is not constraint or is_cut(constraint)]
    return Plan(index, spans, checks=checks, residual=residual)


def _elsewhere(
    wanted: IndexedConjunction, points: list[Constraint]
) -> tuple[list[Constraint], list[Constraint]]:
    """What other indexes tell of these, and what only the document tells (or tells fully)."""
    checks = [one for one in points if wanted.has_entries(one)]
    return checks, [one for one in points if not wanted.has_entries(one) or is_cut(one)]


def _over(wanted: IndexedConjunction, index: Index, using: Constraint | None = None) -> Plan | None:
    """The plan over this index, or None where it does not fit the query."""
    points = {(one.text, one.contains): one for one in wanted.points}
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
    if not _suffix_fits(wanted.orders, columns):
        return None
    complete = len(columns) == len(wanted.orders)
    reverse = _reverse(wanted, columns, index)
    if reverse is None:
        if not (columns and index.kind == ASCENDING):
            return None
        reverse, complete = wanted.orders[0].descending, False
    exact = complete and not needs_documents(wanted)
    bounds = [one for one in wanted.others if columns and one.text == wanted.orders[0].text]
    names = [one for one in wanted.others if one.on_name and complete and not columns]
    spans = find_spans(wanted, index, prefix, columns, bounds, names, reverse, exact=exact)
    checks, residual = _elsewhere(wanted, [one for one in wanted.points if one not in used])
    residual += [one for one in wanted.others if one not in bounds and one not in names]
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


def _reverse(wanted: IndexedConjunction, columns: list[Column], index: Index) -> bool | None:
    """Whether the index is read backwards; None where its directions mix with the query's."""
    against = {
        column.descending != order.descending
        for column, order in zip(columns, wanted.orders, strict=False)
    }
    if len(columns) == len(wanted.orders):
        against.add(index.name_descending != wanted.query.name_descending)
    if len(against) > 1:
        return None
    return against.pop() if against else False
