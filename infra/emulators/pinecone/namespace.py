"""One open namespace: its vectors, who is in which slot, and the columns that filters need.

All of it follows from the ledger and the matrix file, so it can be dropped and opened again at
any moment. Opening clears every slot that the ledger does not name: what a killed process had
written but not committed, or deleted but not yet cleared.
"""

import heapq
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .columns import Columns, Mask
from .filters import Filter
from .floats import Floats
from .matrix import Matrix
from .metadata import decoded
from .postings import Postings
from .record_store import Record, RecordStore
from .scoring import Metric, best_of, nearest, norms_of, products_with
from .sparse import Sparse


class Namespace:
    """`readable` slots are those readers see, `writable` those a write may replace.

    A dense index has a matrix, a sparse one postings (its rows have no dimension), a hybrid both.
    """

    def __init__(
        self, ledger: RecordStore, namespace: int, path: Path, dimension: int, *, is_sparse: bool
    ) -> None:
        slots, born, dead = np.array(ledger.slots(namespace), dtype=np.int64).reshape(-1, 3).T
        self._used = int(slots.max(initial=-1)) + 1
        self._matrix = Matrix(path, dimension, self._used)
        self._readable = np.zeros(self._used, dtype=bool)
        self._readable[slots] = born
        self._writable = np.zeros(self._used, dtype=bool)
        self._writable[slots] = dead == 0
        is_free = np.ones(self._used, dtype=bool)
        is_free[slots] = False
        self._free: list[int] = np.flatnonzero(is_free).tolist()
        self._clear(self._free)
        self._norms = norms_of(self._matrix.rows)
        self._postings = Postings(ledger.all_sparse(namespace)) if is_sparse else None
        self._columns = Columns(self._used, partial(ledger.values, namespace))

    @property
    def rows(self) -> Floats:
        return self._matrix.rows

    def write(self, values: Floats, sparse: Sequence[Sparse | None]) -> list[int]:
        """Put vectors into free slots; nobody knows of them before the ledger does."""
        slots = [heapq.heappop(self._free) for _ in range(min(len(values), len(self._free)))]
        fresh = len(values) - len(slots)
        slots += range(self._used, self._used + fresh)
        self._used += fresh
        self._grow()
        self._matrix.rows[slots] = values
        self._norms[slots] = norms_of(values)
        for slot, vector in zip(slots, sparse, strict=True):
            if vector is not None and self._postings is not None:
                self._postings.put(slot, vector)
        return slots

    def commit(self, born: Sequence[Record], died: Iterable[int]) -> None:
        """The ledger holds the new versions: later writes meet them."""
        self._writable[[record.slot for record in born]] = True
        self._writable[list(died)] = False
        if self._columns:
            for record in born:
                self._columns.put(record.slot, decoded(record.metadata))

    def reveal(self, born: Sequence[Record], died: Sequence[int]) -> None:
        """Readers see the new versions, and the old ones are gone, bytes and all."""
        self._readable[[record.slot for record in born]] = True
        self._readable[list(died)] = False
        self._clear(died)
        for slot in died if self._postings is None else self._postings.drop(died):
            heapq.heappush(self._free, slot)

    def matching(self, condition: Filter, *, to_write: bool) -> list[int]:
        """Slots that fulfil a filter, as writers or as readers see them."""
        seen = self._writable if to_write else self._readable
        mask = self._columns.mask(condition, self._used) & seen[: self._used]
        slots: list[int] = np.flatnonzero(mask).tolist()
        return slots

    def nearest(
        self,
        query: Floats | None,
        sparse: Sparse | None,
        metric: Metric,
        count: int,
        condition: Filter | None,
    ) -> tuple[list[int], NDArray[np.float64]]:
        """By a dense vector, by a sparse one (then only records that share a dimension with it),
        or by the sum of both products."""
        chosen: Mask = self._readable[: self._used]
        if condition is not None:
            chosen = chosen & self._columns.mask(condition, self._used)
        rows = self._matrix.rows[: self._used]
        if sparse is None or self._postings is None:
            assert query is not None
            slots, scores = nearest(rows, self._norms[: self._used], chosen, query, metric, count)
            return slots.tolist(), scores
        products, touched = self._postings.products(sparse, self._used)
        candidates = np.flatnonzero(chosen if query is not None else chosen & touched)
        scores = products[candidates]
        if query is not None:
            scores = scores + products_with(rows, candidates, query)
        slots, scores = best_of(candidates, scores, count)
        return slots.tolist(), scores

    def _grow(self) -> None:
        self._matrix.reserve(self._used)
        more = self._matrix.capacity - len(self._readable)
        if more:
            self._readable = np.concatenate([self._readable, np.zeros(more, dtype=bool)])
            self._writable = np.concatenate([self._writable, np.zeros(more, dtype=bool)])
            self._norms = np.concatenate([self._norms, np.zeros(more)])
            self._columns.grow(self._matrix.capacity)

    def _clear(self, slots: Iterable[int]) -> None:
        rows = self._matrix.rows
        for slot in slots:
            if rows[slot].any():  # a clear row is not written to: it may be a hole
                rows[slot] = 0.0
