"""Follows the plans of a query over one collection or collection group."""

from collections.abc import Iterator

from .answer_documents import Hit, Hits, Reader
from .composites import Composite
from .conjunction import COMPOSITE, NAMES, Index, indexed_conjunction, single
from .extra_indexes import ensure
from .index_entries import CUT
from .matching import in_window, satisfies_all, sort_key
from .paths import NAME, path_text
from .plan import Plan, make_plans
from .query import Conjunction, Constraint, Query
from .scans import (
    Row,
    Span,
    count_entries,
    scan_documents,
    scan_entries,
)
from .stored_collection import Collection, composite_json

BREATH = 512
BUDGET = 10_000


class OverBudget(Exception):
    """A plan read more rows than it was given."""


class PlanReader:
    """The documents of one collection, or of a collection group, under a query."""

    def __init__(self, reader: Reader, query: Query, collection: Collection | None) -> None:
        self._reader = reader
        self._query = query
        self._collection = collection
        self._storage = reader.storage

    def conjunction(self, conjunction: Conjunction) -> Hits:
        query = self._query
        if self._collection is None and query.parent:
            below = query.parent + b"\x01", query.parent[:-1] + b"\x01"
            conjunction = (*conjunction, Constraint((NAME,), NAME, False, (below,)))
        root = self._collection.path if self._collection else b""
        wanted = indexed_conjunction(query, conjunction, root, self._has_index)
        if wanted is None:
            return
        plans = make_plans(wanted, self._composites(), self._count)
        given = 0
        if len(plans) > 1:
            try:
                for hit in self._follow(plans[0], BUDGET):
                    given += hit is not None
                    yield hit
                return
            except OverBudget:
                pass
        for hit in self._follow(plans[-1], None):
            if hit is not None and given:
                given -= 1
                continue
            yield hit

    def _composites(self) -> list[Composite]:
        declared = self._storage.rules.composites.get(self._query.collection, [])
        return [one for one in declared if one.group is (self._collection is None)]

    def _has_index(self, path: str, contains: bool) -> bool:
        group = self._collection is None
        return self._storage.rules.keeps(self._query.collection, path, contains, group)

    def _scope(self, index: Index) -> int:
        """The index's number in the table of entries; what is not kept yet is built now."""
        query = self._query
        if index.kind == COMPOSITE:
            assert index.composite is not None
            what = composite_json(index.composite)
            built = ensure(self._storage, query.database, query.collection, COMPOSITE, what)
            if self._collection is None:
                return built.scopes.number(COMPOSITE, what)
            return self._collection.composite_scope(what, index.composite)
        what = path_text(index.columns[0].path) if index.columns else ""
        if self._collection is not None:
            return self._collection.scopes.number(index.kind, what)
        built = ensure(self._storage, query.database, query.collection, index.kind, what)
        return built.scopes.number(index.kind, what)

    def _count(self, index: Index, spans: list[Span], most: int) -> int:
        reader = self._reader
        return count_entries(reader.connection, self._scope(index), spans, most, reader.counters)

    def _rows(self, plan: Plan) -> Iterator[Row]:
        reader = self._reader
        checks = [(self._scope(single(one)), one.equal[:CUT]) for one in plan.checks if one.equal]
        if plan.index.kind == NAMES and self._collection is not None:
            for span in reversed(plan.spans) if plan.reverse else plan.spans:
                high = span.high_id if span.high == b"" else b"\xff"
                yield from scan_documents(
                    reader.connection,
                    self._collection.number,
                    span.low_id,
                    high,
                    checks,
                    reader.counters,
                    reverse=plan.reverse,
                )
            return
        yield from scan_entries(
            reader.connection,
            self._scope(plan.index),
            plan.spans,
            checks,
            reader.counters,
            reverse=plan.reverse,
        )

    def _follow(self, plan: Plan, budget: int | None) -> Hits:
        if not plan.ordered and not plan.grouped:
            yield from self._sorted(plan)
            return
        group: list[tuple[bytes, Hit]] = []
        current: bytes | None = None
        for scanned, row in enumerate(self._rows(plan), 1):
            if budget is not None and scanned > budget:
                raise OverBudget
            if scanned % BREATH == 0:
                yield None
            if current is not None and row.value != current:
                yield from _in_place(group)
                current = None
            if not row.passes:
                continue
            hit = Hit(self._reader, row.document)
            if plan.residual and not satisfies_all(
                tuple(plan.residual), hit.key, hit.message.fields
            ):
                continue
            if plan.grouped or len(row.value) >= CUT:
                place = self._place(hit)
                current = row.value
                if place is not None:
                    group.append((place, hit))
            else:
                yield hit
        yield from _in_place(group)

    def _place(self, hit: Hit) -> bytes | None:
        place = sort_key(self._query, hit.key, hit.message.fields)
        return place if place is not None and in_window(self._query, place) else None

    def _sorted(self, plan: Plan) -> Hits:
        """Read all matches, then give them in order; only their places are held meanwhile."""
        matches: list[tuple[bytes, int]] = []
        for scanned, row in enumerate(self._rows(plan), 1):
            if scanned % BREATH == 0:
                yield None
            if not row.passes:
                continue
            hit = Hit(self._reader, row.document)
            fields = hit.message.fields
            if satisfies_all(tuple(plan.residual), hit.key, fields):
                place = self._place(hit)
                if place is not None:
                    matches.append((place, row.document))
        matches.sort()
        for _, number in matches:
            yield Hit(self._reader, number)


def _in_place(group: list[tuple[bytes, Hit]]) -> Hits:
    group.sort(key=lambda one: one[0])
    yield from (hit for _, hit in group)
    group.clear()
