"""Runs a query: follows its plans over the tables and yields documents in the query's order.

A hit is a document that is read only when it is looked at: skipping an offset, or counting, costs
index rows and no documents. `None` among the hits is a pause, so that a long scan can let others
in. Versions newer than the moment asked for are left out, and the older ones put in their place.
"""

import heapq
import sqlite3
from collections.abc import Generator, Iterable, Iterator
from itertools import count

from infra.emulators.firestore.composites import Composite
from infra.emulators.firestore.entries import CUT
from infra.emulators.firestore.history import Past, is_child
from infra.emulators.firestore.kept import ensure
from infra.emulators.firestore.matching import in_window, place_of, satisfies_all, sort_key
from infra.emulators.firestore.names import segment_key
from infra.emulators.firestore.paths import NAME, path_text
from infra.emulators.firestore.places import Collection, Stored, composite_json
from infra.emulators.firestore.plan import (
    COMPOSITE,
    NAMES,
    Index,
    Plan,
    make_plans,
    make_task,
    single,
)
from infra.emulators.firestore.query import BEYOND, Conjunction, Constraint, Query
from infra.emulators.firestore.scans import (
    Counters,
    Row,
    Span,
    count_entries,
    scan_documents,
    scan_entries,
)
from infra.emulators.firestore.storage import Storage
from infra.emulators.firestore.wire import Document, Message

BREATH = 512
BUDGET = 10_000


class Hit:
    """A document of the answer."""

    __slots__ = ("_collection", "_id", "_message", "_reading", "_stored", "number")

    def __init__(self, reading: "Reading", number: int) -> None:
        self._reading = reading
        self.number = number
        self._collection: Collection | None = None
        self._id = b""
        self._stored: Stored | None = None
        self._message: Message | None = None

    @classmethod
    def old(
        cls, reading: "Reading", collection: Collection, document_id: bytes, stored: Stored
    ) -> "Hit":
        hit = cls(reading, -1)
        hit._collection, hit._id, hit._stored = collection, document_id, stored
        return hit

    @property
    def stored(self) -> Stored:
        if self._stored is None:
            self._collection, self._id, self._stored = self._reading.load(self.number)
        return self._stored

    @property
    def collection(self) -> Collection:
        _ = self.stored
        assert self._collection is not None
        return self._collection

    @property
    def key(self) -> bytes:
        return self.collection.path + self._id

    @property
    def name(self) -> bytes:
        return self.collection.document_name(self._id)

    @property
    def message(self) -> Message:
        if self._message is None:
            self._message = Document.FromString(self.stored.body)
        return self._message


Hits = Generator[Hit | None, None, None]


class OverBudget(Exception):
    """A plan read more rows than it was given."""


class Reading:
    """One reader: a connection, the past it looks at, and what it counts."""

    def __init__(
        self,
        storage: Storage,
        connection: sqlite3.Connection,
        counters: Counters,
        past: Past | None = None,
    ) -> None:
        self._storage = storage
        self._connection = connection
        self._counters = counters
        self._past = past

    def load(self, number: int) -> tuple[Collection, bytes, Stored]:
        self._counters.documents_read += 1
        collection, document_id, *rest = self._connection.execute(
            "SELECT collection, id, number, body, created, updated FROM documents WHERE number = ?",
            (number,),
        ).fetchone()
        place = self._storage.collection_number(collection, self._connection)
        return place, document_id, Stored._make(rest)

    def hits(self, query: Query) -> Hits:
        """The answer, offset and limit applied."""
        if query.limit == 0:
            return
        left = query.limit
        skip = query.offset
        for hit in self._at_the_time(query):
            if hit is not None:
                if skip:
                    skip -= 1
                    continue
                if left is not None:
                    left -= 1
            yield hit
            if left == 0:
                return

    def _at_the_time(self, query: Query) -> Hits:
        changed = self._past.changes(query) if self._past else []
        if not changed:
            yield from self._stored(query)
            return
        gone = {(version.path, version.id) for version in changed}
        old = []
        for version in changed:
            if version.stored is None:
                continue
            fields = version.stored.document().fields
            place = place_of(query, version.path + version.id, fields)
            if place is not None:
                collection = version.collection(self._storage)
                hit = Hit.old(self, collection, version.id, version.stored)
                old.append((place, 1, hit))
        old.sort(key=lambda one: one[0])
        fresh = (
            hit
            for hit in self._stored(query)
            if hit is None or (hit.collection.path, hit.key[len(hit.collection.path) :]) not in gone
        )
        yield from _merged([self._placed(query, fresh), iter(old)])

    def _placed(self, query: Query, hits: Iterable[Hit | None]) -> Iterator["Placed"]:
        for hit in hits:
            if hit is not None:
                place = sort_key(query, hit.key, hit.message.fields)
                assert place is not None
                yield place, 0, hit

    # ---- what is stored now

    def _stored(self, query: Query) -> Hits:
        if not query.collection:
            yield from self._everything(query)
            return
        source = self._source(query)
        if source is None:
            return
        streams = [source.conjunction(one) for one in query.disjuncts]
        if len(streams) == 1:
            yield from streams[0]
            return
        seen: set[int] = set()
        for hit in _merged([self._placed(query, stream) for stream in streams]):
            if hit is not None and hit.number not in seen:
                seen.add(hit.number)
                yield hit

    def _source(self, query: Query) -> "_Source | None":
        if query.descendants:
            return _Source(self, query, None)
        path = query.parent + segment_key(query.collection)
        collection = self._storage.collection(query.database, path)
        return _Source(self, query, collection) if collection else None

    def _everything(self, query: Query) -> Hits:
        """All documents below the parent, or its children, whatever their collection, by name."""
        low, high = query.window
        below = query.parent[:-1] + b"\x01" if query.parent else b"\xff"
        rows = self._connection.execute(
            "SELECT path, number FROM collections WHERE database = ? AND path >= ? AND path < ?",
            (query.database, query.parent, below),
        ).fetchall()
        # A collection is opened only when its turn comes; until then its path stands for it.
        waiting: list[tuple[bytes, int, Iterator[Row] | None, int]] = [
            (path, number, None, 0)
            for path, number in rows
            if (path >= low or low.startswith(path))
            and (query.descendants or is_child(path, query.parent))
        ]
        heapq.heapify(waiting)
        paths = {number: path for path, number in rows}
        while waiting:
            key, number, opened, document = heapq.heappop(waiting)
            if high is not None and key + b"\x00" >= high:
                return
            if opened is None:
                first = low[len(key) :].removesuffix(BEYOND) if low.startswith(key) else b""
                opened = scan_documents(
                    self._connection,
                    number,
                    first.removesuffix(b"\x00"),
                    b"\xff",
                    [],
                    self._counters,
                    reverse=False,
                )
            elif key + b"\x00" >= low and satisfies_all(query.disjuncts[0], key, None):
                yield Hit(self, document)
            for row in opened:
                heapq.heappush(waiting, (paths[number] + row.id, number, opened, row.document))
                break

    # ---- used by _Source

    @property
    def storage(self) -> Storage:
        return self._storage

    @property
    def connection(self) -> sqlite3.Connection:
        return self._connection

    @property
    def counters(self) -> Counters:
        return self._counters


Placed = tuple[bytes, int, Hit]


def _merged(streams: list[Iterator[Placed]]) -> Hits:
    tie = count()
    keyed = [((place, rank, next(tie), hit) for place, rank, hit in stream) for stream in streams]
    for _, _, _, hit in heapq.merge(*keyed):
        yield hit


class _Source:
    """The documents of one collection, or of a collection group, under a query."""

    def __init__(self, reading: Reading, query: Query, collection: Collection | None) -> None:
        self._reading = reading
        self._query = query
        self._collection = collection
        self._storage = reading.storage

    def conjunction(self, conjunction: Conjunction) -> Hits:
        query = self._query
        if self._collection is None and query.parent:
            below = query.parent + b"\x01", query.parent[:-1] + b"\x01"
            conjunction = (*conjunction, Constraint((NAME,), NAME, False, (below,)))
        root = self._collection.path if self._collection else b""
        task = make_task(query, conjunction, root, self._kept)
        if task is None:
            return
        plans = make_plans(task, self._composites(), self._count)
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

    def _kept(self, path: str, contains: bool) -> bool:
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
        reading = self._reading
        return count_entries(reading.connection, self._scope(index), spans, most, reading.counters)

    def _rows(self, plan: Plan) -> Iterator[Row]:
        reading = self._reading
        checks = [(self._scope(single(one)), one.equal[:CUT]) for one in plan.checks if one.equal]
        if plan.index.kind == NAMES and self._collection is not None:
            for span in reversed(plan.spans) if plan.reverse else plan.spans:
                high = span.high_id if span.high == b"" else b"\xff"
                yield from scan_documents(
                    reading.connection,
                    self._collection.number,
                    span.low_id,
                    high,
                    checks,
                    reading.counters,
                    reverse=plan.reverse,
                )
            return
        yield from scan_entries(
            reading.connection,
            self._scope(plan.index),
            plan.spans,
            checks,
            reading.counters,
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
            hit = Hit(self._reading, row.document)
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
            hit = Hit(self._reading, row.document)
            fields = hit.message.fields
            if satisfies_all(tuple(plan.residual), hit.key, fields):
                place = self._place(hit)
                if place is not None:
                    matches.append((place, row.document))
        matches.sort()
        for _, number in matches:
            yield Hit(self._reading, number)


def _in_place(group: list[tuple[bytes, Hit]]) -> Hits:
    group.sort(key=lambda one: one[0])
    yield from (hit for _, hit in group)
    group.clear()
