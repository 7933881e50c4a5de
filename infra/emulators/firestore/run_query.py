"""Runs a query: what its plans find, merged over its branches, at the moment asked for.

Versions newer than that moment are left out, and the older ones put in their place.
"""

import heapq
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import count

from .answer_documents import Hit, Hits, Reader
from .history import Past, is_child
from .matching import place_of, satisfies_all, sort_key
from .names import segment_key
from .plan_reader import PlanReader
from .query import BEYOND, Query
from .scans import Counters, Row, scan_documents
from .storage import Storage


class Reading(Reader):
    """A reader of queries, at a moment: now, or one of the past."""

    def __init__(
        self,
        storage: Storage,
        connection: sqlite3.Connection,
        counters: Counters,
        past: Past | None = None,
    ) -> None:
        super().__init__(storage, connection, counters)
        self._past = past

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
                collection = version.collection(self.storage)
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

    def _source(self, query: Query) -> PlanReader | None:
        if query.descendants:
            return PlanReader(self, query, None)
        path = query.parent + segment_key(query.collection)
        collection = self.storage.collection(query.database, path)
        return PlanReader(self, query, collection) if collection else None

    def _everything(self, query: Query) -> Hits:
        """All documents below the parent, or its children, whatever their collection, by name."""
        low, high = query.window
        below = query.parent[:-1] + b"\x01" if query.parent else b"\xff"
        rows = self.connection.execute(
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
                    self.connection,
                    number,
                    first.removesuffix(b"\x00"),
                    b"\xff",
                    [],
                    self.counters,
                    reverse=False,
                )
            elif key + b"\x00" >= low and satisfies_all(query.disjuncts[0], key, None):
                yield Hit(self, document)
            for row in opened:
                heapq.heappush(waiting, (paths[number] + row.id, number, opened, row.document))
                break


Placed = tuple[bytes, int, Hit]


def _merged(streams: list[Iterator[Placed]]) -> Hits:
    tie = count()
    keyed = [((place, rank, next(tie), hit) for place, rank, hit in stream) for stream in streams]
    for _, _, _, hit in heapq.merge(*keyed):
        yield hit
