"""One index: durable writes at once, and a view for readers that follows after the freshness delay.

Everything runs on the event loop, one request at a time: numpy and SQLite are fast enough, and no
reader can meet a half-done write.
"""

import shutil
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import Code, DataRefusal
from .filters import Filter
from .floats import Floats, shortest
from .metadata import Metadata, decoded, encoded
from .namespace import Namespace
from .record_store import Change, NamespaceRow, Record, RecordStore
from .scoring import Metric
from .sparse import Sparse, unpacked

DEFAULT_NAMESPACE = "__default__"
"""The name of the namespace that a request means when it names none; it always exists."""

_MOST_OPEN = 64
"""Each open namespace holds a memory map and a few arrays; the least recently used one closes."""


@dataclass(frozen=True)
class Stored:
    """A record as a reader sees it."""

    id: str
    values: Floats
    metadata: Metadata
    sparse: Sparse | None = None


@dataclass(frozen=True)
class Match:
    id: str
    score: float
    slot: int
    metadata: str | None


class Index:
    """Reads and writes of one index; `folder` is its own. Times are seconds of `clock`."""

    def __init__(
        self,
        folder: Path,
        dimension: int,
        metric: Metric,
        freshness: float,
        clock: Callable[[], float],
        *,
        is_sparse: bool = False,
    ) -> None:
        """A sparse index has the dimension 0; a hybrid one is sparse and has another."""
        self.is_sparse = is_sparse
        self.dimension = dimension
        self.metric = metric
        self._folder = folder
        self._freshness = freshness
        self._clock = clock
        self._folder.mkdir(parents=True, exist_ok=True)
        self._records = RecordStore(folder / "ledger.db")
        self._open: OrderedDict[int, Namespace] = OrderedDict()
        self._pending: deque[Change] = deque()
        self._has_remains = False
        if not self._records.was_closed:
            self._recover()

    @property
    def reconciled_lsn(self) -> int:
        """Readers see every write up to this one."""
        return self._pending[0].lsn - 1 if self._pending else self._records.lsn

    def _recover(self) -> None:
        """After a kill: settle the ledger, then let every namespace clear its unnamed slots."""
        self._records.recover()
        known = {self._path(namespace) for namespace in self._records.namespace_ids()}
        for path in self._folder.glob("*.f32"):
            if path not in known:
                path.unlink()
        for namespace in self._records.namespace_ids():
            self._namespace(namespace)
        self._has_remains = True
        self.erase_remains()

    def close(self) -> None:
        """Reveal everything and leave nothing deleted behind."""
        self._reveal_until(float("inf"))
        self.erase_remains()
        self._open.clear()
        self._records.close()

    def destroy(self) -> None:
        self._open.clear()
        self._records.close()
        shutil.rmtree(self._folder)

    def settle(self) -> None:
        """Reveal what is due and keep the log short: called every now and then."""
        self.advance()
        self._records.cut_log()

    def erase_remains(self) -> None:
        """From here on no file has a byte of what was deleted before."""
        self.advance()
        if self._has_remains:
            self._has_remains = False
            self._records.rewrite()

    def advance(self) -> None:
        """Reveal what is due; every read begins with it."""
        self._reveal_until(self._clock())

    # --- reads

    def query(
        self,
        name: str,
        query: Floats | str | None,
        count: int,
        condition: Filter | None,
        sparse: Sparse | None = None,
    ) -> list[Match]:
        """The nearest records to a vector, or to that of an id; nothing if there is none."""
        found = self._to_read(name)
        if found is None:
            return []
        row, namespace = found
        vector = query if not isinstance(query, str) else None
        if isinstance(query, str):
            stored = self._records.to_read(row.id, [query])
            if not stored:
                return []
            slot = stored[0].slot
            vector = namespace.rows[slot] if self.dimension else None
            sparse = self._sparse(row.id, [slot]).get(slot)
        slots, scores = namespace.nearest(vector, sparse, self.metric, count, condition)
        records = self._records.at(row.id, slots)
        return [
            Match(records[slot].id, score, slot, records[slot].metadata)
            for slot, score in zip(slots, _single(scores), strict=True)
        ]

    def values(self, name: str, slots: Sequence[int]) -> Floats:
        """The vectors in slots that a query has just returned."""
        found = self._to_read(name)
        assert found is not None
        values: Floats = found[1].rows[list(slots)]
        return values

    def sparse_values(self, name: str, slots: Sequence[int]) -> dict[int, Sparse]:
        """The same for sparse vectors, of the slots that have one."""
        found = self._to_read(name)
        return {} if found is None else self._sparse(found[0].id, slots)

    def size_bytes(self, row: NamespaceRow) -> int:
        return row.records * self.dimension * 4 + self._records.sparse_bytes(row.id)

    def fetch(self, name: str, ids: Sequence[str]) -> list[Stored]:
        found = self._to_read(name)
        if found is None:
            return []
        row, namespace = found
        return self._stored(row.id, namespace, self._records.to_read(row.id, ids))

    def fetch_matching(
        self, name: str, condition: Filter, after: str, limit: int
    ) -> tuple[list[Stored], bool]:
        """Records that fulfil a filter, by id, beginning after one; and whether there are more."""
        found = self._to_read(name)
        if found is None:
            return [], False
        row, namespace = found
        slots = namespace.matching(condition, to_write=False)
        later = [record for record in self._records.at(row.id, slots).values() if record.id > after]
        later.sort(key=lambda record: record.id)
        return self._stored(row.id, namespace, later[:limit]), len(later) > limit

    def ids(self, name: str, prefix: str, after: str, limit: int) -> list[str]:
        self.advance()
        row = self._records.namespace_to_read(name)
        return [] if row is None else self._records.page(row.id, prefix, after, limit)

    def namespaces(self, prefix: str, after: str, limit: int) -> list[NamespaceRow]:
        self.advance()
        return self._records.namespaces(prefix, after, limit)

    def count_namespaces(self, prefix: str) -> int:
        return self._records.count_namespaces(prefix)

    def namespace(self, name: str) -> NamespaceRow:
        self.advance()
        row = self._records.namespace_to_read(name)
        if row is None:
            if name == DEFAULT_NAMESPACE:
                return NamespaceRow(0, name, 0)
            raise _no_namespace()
        return row

    # --- writes: each returns when it is durable, and answers with its log sequence number

    def upsert(
        self,
        name: str,
        ids: Sequence[str],
        values: Floats,
        metadata: Sequence[str | None],
        sparse: Sequence[Sparse | None] | None = None,
    ) -> int:
        """Store records, each instead of the one with its id; of an id given twice, the last."""
        last = {record_id: position for position, record_id in enumerate(ids)}
        chosen = list(last.values())
        with self._writing() as change:
            change.namespace = self._to_write(name, create=True)
            assert change.namespace is not None
            old = self._records.to_write(change.namespace, list(last))
            texts = [metadata[position] for position in chosen]
            also = [sparse[position] if sparse else None for position in chosen]
            self._replace(change, change.namespace, old, list(last), values[chosen], texts, also)
        return change.lsn

    def update(
        self,
        name: str,
        record_id: str,
        values: Floats | None,
        changes: Metadata,
        sparse: Sparse | None = None,
    ) -> int:
        """Patch one record; an unknown id is no error."""
        with self._writing() as change:
            namespace = self._to_write(name)
            old = [] if namespace is None else self._records.to_write(namespace, [record_id])
            if namespace is not None and old:
                kept = self._namespace(namespace).rows[[old[0].slot]]
                rows = kept if values is None else values.reshape(1, -1)
                self._patch(change, namespace, old, rows, changes, sparse)
        return change.lsn

    def update_matching(
        self, name: str, condition: Filter, changes: Metadata, *, dry_run: bool
    ) -> tuple[int, int]:
        """Patch the metadata of all that fulfil a filter; how many, and the sequence number."""
        with self._writing() as change:
            namespace = self._to_write(name)
            if namespace is None:
                return 0, change.lsn
            slots = self._namespace(namespace).matching(condition, to_write=True)
            if slots and not dry_run:
                old = list(self._records.at(namespace, slots).values())
                rows = self._namespace(namespace).rows[[record.slot for record in old]]
                self._patch(change, namespace, old, rows, changes)
        return len(slots), change.lsn

    def delete(self, name: str, which: Sequence[str] | Filter) -> int:
        """Delete by ids (unknown ones are no error) or by filter."""
        with self._writing() as change:
            namespace = self._to_write(name)
            if namespace is None:
                if name != DEFAULT_NAMESPACE:
                    raise _no_namespace()
                return change.lsn
            change.namespace = namespace
            if isinstance(which, Sequence):
                change.died = [r.slot for r in self._records.to_write(namespace, which)]
            else:
                change.died = self._namespace(namespace).matching(which, to_write=True)
            self._records.retire(namespace, change.died)
        return change.lsn

    def clear(self, name: str) -> int:
        """Delete all records: an empty namespace takes the place of the old one."""
        with self._writing() as change:
            self._retire(change, name)
            change.namespace = self._records.add_namespace(name)
        return change.lsn

    def create_namespace(self, name: str) -> int:
        with self._writing(at_once=True) as change:
            if self._to_write(name) is not None:
                raise DataRefusal(Code.ALREADY_EXISTS, "Namespace already exists")
            change.namespace = self._records.add_namespace(name)
        return change.lsn

    def delete_namespace(self, name: str) -> int:
        with self._writing() as change:
            self._retire(change, name)
        return change.lsn

    def _retire(self, change: Change, name: str) -> None:
        namespace = self._to_write(name)
        if namespace is not None:
            self._records.retire_namespace(namespace)
            change.vanished.append(namespace)
        elif name != DEFAULT_NAMESPACE:
            raise _no_namespace()

    def _patch(
        self,
        change: Change,
        namespace: int,
        old: list[Record],
        rows: Floats,
        changes: Metadata,
        sparse: Sparse | None = None,
    ) -> None:
        texts = [encoded(decoded(record.metadata) | changes) for record in old]
        kept = self._sparse(namespace, [record.slot for record in old])
        also = [sparse or kept.get(record.slot) for record in old]
        self._replace(change, namespace, old, [record.id for record in old], rows, texts, also)

    def _replace(
        self,
        change: Change,
        namespace: int,
        old: list[Record],
        ids: Sequence[str],
        values: Floats,
        metadata: Sequence[str | None],
        sparse: Sequence[Sparse | None],
    ) -> None:
        """New versions: first the vectors into free slots, then the rows that name them."""
        change.namespace = namespace
        slots = self._namespace(namespace).write(values, sparse)
        change.born = [Record(*parts) for parts in zip(slots, ids, metadata, strict=True)]
        change.died = [record.slot for record in old]
        self._records.add(namespace, change.born)
        self._records.add_sparse(
            namespace, [(s, each.packed()) for s, each in zip(slots, sparse, strict=True) if each]
        )
        self._records.retire(namespace, change.died)

    # --- how a write becomes durable, then visible

    @contextmanager
    def _writing(self, *, at_once: bool = False) -> Iterator[Change]:
        """One write: durable when this ends, visible now or when it is due."""
        self.advance()
        is_instant = at_once or not self._freshness
        change = Change(self._clock() + self._freshness, self._records.lsn + 1)
        is_durable = False
        try:
            with self._records.transaction():
                yield change
                self._records.advance_lsn(change.lsn)
                if is_instant:
                    self._records.reveal(change)
            is_durable = True
        finally:
            if not is_durable and change.namespace is not None:
                self._open.pop(change.namespace, None)  # opening it again clears its slots
        if change.namespace in self._open:
            assert change.namespace is not None
            self._open[change.namespace].commit(change.born, change.died)
        if is_instant:
            self._revealed(change)
        else:
            self._pending.append(change)

    def _reveal_until(self, now: float) -> None:
        while self._pending and self._pending[0].due <= now:
            change = self._pending.popleft()
            with self._records.transaction():
                self._records.reveal(change)
            self._revealed(change)

    def _revealed(self, change: Change) -> None:
        for namespace in change.vanished:
            self._open.pop(namespace, None)
            self._path(namespace).unlink(missing_ok=True)
        if change.namespace in self._open:
            assert change.namespace is not None
            self._open[change.namespace].reveal(change.born, change.died)
        elif change.namespace is not None and change.died:
            self._namespace(change.namespace)  # opening it clears the slots
        self._has_remains |= bool(change.died or change.vanished)

    # --- namespaces by name

    def _to_read(self, name: str) -> tuple[NamespaceRow, Namespace] | None:
        self.advance()
        row = self._records.namespace_to_read(name)
        return None if row is None else (row, self._namespace(row.id))

    def _to_write(self, name: str, *, create: bool = False) -> int | None:
        namespace = self._records.namespace_to_write(name)
        if namespace is None and create:
            return self._records.add_namespace(name)
        return namespace

    def _namespace(self, namespace: int) -> Namespace:
        opened = self._open.get(namespace)
        if opened is None:
            path = self._path(namespace)
            opened = Namespace(
                self._records, namespace, path, self.dimension, is_sparse=self.is_sparse
            )
            self._open[namespace] = opened
            if len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(namespace)
        return opened

    def _path(self, namespace: int) -> Path:
        return self._folder / f"{namespace}.f32"

    def _sparse(self, namespace: int, slots: Sequence[int]) -> dict[int, Sparse]:
        if not self.is_sparse:
            return {}
        return {slot: unpacked(one) for slot, one in self._records.sparse(namespace, slots).items()}

    def _stored(self, number: int, namespace: Namespace, records: list[Record]) -> list[Stored]:
        sparse = self._sparse(number, [record.slot for record in records])
        return [
            Stored(
                record.id,
                namespace.rows[record.slot],
                decoded(record.metadata),
                sparse.get(record.slot),
            )
            for record in records
        ]


def _single(scores: NDArray[np.float64]) -> list[float]:
    """Scores in single precision, as the service gives them."""
    largest = float(np.finfo(np.float32).max)
    single: list[float] = shortest(np.clip(scores, -largest, largest).astype(np.float32)).tolist()
    return single


def _no_namespace() -> DataRefusal:
    return DataRefusal(Code.NOT_FOUND, "Namespace not found")
