"""The sparse side of the Pinecone emulator against plain arithmetic: postings, and whole indexes
under writes, deletes, delays and kills."""

import copy
import random
import shutil
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from infra.emulators.pinecone import postings
from infra.emulators.pinecone.index import Index
from infra.emulators.pinecone.sparse import Sparse, unpacked
from infra.emulators.tests.pinecone.property.oracle import check_sparse_matches, sparse_product

Weights = dict[int, float]

NAMES = [f"id-{n}" for n in range(8)]
names = st.sampled_from(NAMES)
dimensions = st.sampled_from([0, 1, 2, 3, 70_000, 2**32 - 1])
weights = st.dictionaries(
    dimensions, st.sampled_from([-2.0, 0.25, 1.0, 3.0]), min_size=1, max_size=5
)
batches = st.dictionaries(names, weights, min_size=1, max_size=6)


def packed(row: Weights) -> Sparse:
    indices = np.array(sorted(row), dtype=np.uint32)
    return Sparse(indices, np.array([row[n] for n in indices.tolist()], dtype=np.float32))


@given(weights)
def test_a_vector_is_the_same_after_it_was_stored(row: Weights) -> None:
    again = unpacked(packed(row).packed())
    assert dict(zip(again.indices.tolist(), again.values.tolist(), strict=True)) == row


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.booleans())
@settings(deadline=None, max_examples=100)
def test_products_are_those_of_brute_force_through_merges_and_compactions(
    seed: int, steps: int, is_small: bool
) -> None:
    """Slots die and, once their postings are gone, hold other vectors."""
    chance = random.Random(seed)
    kept = postings.Postings([])
    kept._many_dead = 5 if is_small else 50
    rows: dict[int, Weights] = {}
    free: list[int] = []
    used = 0
    for _ in range(steps):
        for _ in range(chance.choice([0, 1, 3, 40])):
            slot = free.pop() if free else used
            used += slot == used
            rows[slot] = {
                chance.randrange(30): chance.choice([0.5, 1.0, -1.0, 2.0])
                for _ in range(chance.randrange(1, 9))
            }
            kept.put(slot, packed(rows[slot]))
        dying = chance.sample(sorted(rows), min(len(rows), chance.choice([0, 1, 20])))
        for slot in dying:
            del rows[slot]
        free += kept.drop(dying)
        query = {chance.randrange(40): chance.choice([1.0, 0.5, -3.0]) for _ in range(5)}
        scores, touched = kept.products(packed(query), used)
        for slot, row in rows.items():
            assert scores[slot] == sparse_product(row, query)
            assert touched[slot] == bool(row.keys() & query)


class Mirror(RuleBasedStateMachine):
    """A sparse index beside a dictionary; `world` is what was written, readers lag behind it."""

    @initialize(freshness=st.sampled_from([0.0, 5.0]))
    def begin(self, freshness: float) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="annals-pinecone-"))
        self.freshness = freshness
        self.now = 100.0
        self.world: dict[str, Weights] = {}
        self.history: list[tuple[float, dict[str, Weights]]] = [(0.0, {})]
        self.has_namespace = False
        self.index = self._opened()

    def _opened(self) -> Index:
        return Index(self.folder, 0, "dotproduct", self.freshness, lambda: self.now, is_sparse=True)

    def teardown(self) -> None:
        if hasattr(self, "index"):
            self.index.close()
            shutil.rmtree(self.folder)

    def _written(self) -> None:
        self.history.append((self.now + self.freshness, copy.deepcopy(self.world)))

    @property
    def seen(self) -> dict[str, Weights]:
        while len(self.history) > 1 and self.history[1][0] <= self.now:
            self.history.pop(0)
        return self.history[0][1]

    @rule(batch=batches)
    def upsert(self, batch: dict[str, Weights]) -> None:
        empty = np.empty((len(batch), 0), dtype=np.float32)
        sparse = [packed(row) for row in batch.values()]
        self.has_namespace = True
        self.index.upsert("group", list(batch), empty, [None] * len(batch), sparse)
        self.world |= batch
        self._written()

    @rule(name=names, row=st.none() | weights)
    def update(self, name: str, row: Weights | None) -> None:
        self.index.update("group", name, None, {"n": 1.0}, packed(row) if row else None)
        if row and name in self.world:
            self.world[name] = row
        self._written()

    @rule(gone=st.lists(names, min_size=1, max_size=6))
    def delete(self, gone: list[str]) -> None:
        if not self.has_namespace:
            return
        self.index.delete("group", gone)
        for name in gone:
            self.world.pop(name, None)
        self._written()

    @rule(kind=st.sampled_from(["close", "kill", "close namespaces", "wait", "settle"]))
    def upheaval(self, kind: str) -> None:
        match kind:
            case "close":
                self.index.close()
                self._start_again()
            case "kill":
                self._start_again()
            case "close namespaces":
                self.index._open.clear()
            case "wait":
                self.now += 3.0
            case "settle":
                self.index.settle()

    def _start_again(self) -> None:
        self.index = self._opened()
        self.history = [(0.0, copy.deepcopy(self.world))]

    @rule(query=weights, count=st.sampled_from([1, 3, 100]))
    def query(self, query: Weights, count: int) -> None:
        matches = self.index.query("group", None, count, None, packed(query))
        found = [(match.id, match.score) for match in matches]
        check_sparse_matches(found, self.seen, query, count, tolerance=1e-7)

    @invariant()
    def readers_see_exactly_what_is_due(self) -> None:
        if hasattr(self, "index"):
            fetched = self.index.fetch("group", NAMES)
            assert {
                each.id: dict(
                    zip(each.sparse.indices.tolist(), each.sparse.values.tolist(), strict=True)
                )
                for each in fetched
                if each.sparse is not None
            } == self.seen


Mirror.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
test_a_sparse_index_behaves_as_a_dictionary_does = Mirror.TestCase
