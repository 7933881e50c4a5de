"""The emulator's index against a dictionary: writes, deletes, queries, delays and crashes mixed."""

import copy
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from infra.emulators.pinecone.errors import DataRefusal
from infra.emulators.pinecone.filters import parsed
from infra.emulators.pinecone.index import Index
from infra.emulators.pinecone.metadata import encoded, normalised
from infra.emulators.pinecone.scoring import Metric
from infra.emulators.tests.pinecone.property.oracle import (
    check_matches,
    filters,
    fulfils,
    kept,
    metadatas,
)

DIMENSION = 4

Row = tuple[list[float], dict[str, Any]]
World = dict[str, dict[str, Row]]

spaces = st.sampled_from(["group", "__default__"])
NAMES = [f"id-{n}" for n in range(8)]
ids = st.sampled_from(NAMES)
coordinates = st.one_of(
    st.sampled_from([-1.0, 0.0, 1.0, 0.5]), st.floats(-8, 8, width=32, allow_subnormal=False)
)
vectors = st.lists(coordinates, min_size=DIMENSION, max_size=DIMENSION)
stored = vectors.filter(any)
batches = st.dictionaries(ids, st.tuples(stored, metadatas), min_size=1, max_size=6)


class Mirror(RuleBasedStateMachine):
    """`world` is what has been written; readers see the newest state that is due."""

    @initialize(
        metric=st.sampled_from(["cosine", "dotproduct", "euclidean"]),
        freshness=st.sampled_from([0.0, 5.0]),
    )
    def begin(self, metric: Metric, freshness: float) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="annals-pinecone-"))
        self.metric = metric
        self.freshness = freshness
        self.now = 100.0
        self.world: World = {}
        self.history: list[tuple[float, World]] = [(0.0, {})]
        self.index = self._opened()

    def _opened(self) -> Index:
        return Index(self.folder, DIMENSION, self.metric, self.freshness, lambda: self.now)

    def teardown(self) -> None:
        if hasattr(self, "index"):
            self.index.close()
            shutil.rmtree(self.folder)

    def _written(self) -> None:
        self.history.append((self.now + self.freshness, copy.deepcopy(self.world)))

    @property
    def seen(self) -> World:
        while len(self.history) > 1 and self.history[1][0] <= self.now:
            self.history.pop(0)
        return self.history[0][1]

    # --- writes

    @rule(space=spaces, batch=batches)
    def upsert_more(self, space: str, batch: dict[str, Row]) -> None:
        """The same again: a rule is picked as often as it is named."""
        self.upsert(space, batch)

    @rule(space=spaces, batch=batches)
    def upsert(self, space: str, batch: dict[str, Row]) -> None:
        values = np.array([values for values, _ in batch.values()], dtype=np.float32)
        texts = [encoded(normalised(metadata)) for _, metadata in batch.values()]
        self.index.upsert(space, list(batch), values, texts)
        rows = {name: (values, kept(metadata)) for name, (values, metadata) in batch.items()}
        self.world.setdefault(space, {}).update(rows)
        self._written()

    @rule(space=spaces, name=ids, values=st.none() | stored, changes=metadatas)
    def update(
        self, space: str, name: str, values: list[float] | None, changes: dict[str, Any]
    ) -> None:
        given = None if values is None else np.array(values, dtype=np.float32)
        self.index.update(space, name, given, normalised(changes))
        old = self.world.get(space, {}).get(name)
        if old is not None:
            self.world[space][name] = (values or old[0], old[1] | kept(changes))
        self._written()

    @rule(space=spaces, condition=filters, changes=metadatas, dry_run=st.booleans())
    def update_matching(
        self, space: str, condition: dict[str, Any], changes: dict[str, Any], dry_run: bool
    ) -> None:
        matched, _ = self.index.update_matching(
            space, parsed(condition), normalised(changes), dry_run=dry_run
        )
        rows = self.world.get(space, {})
        names = [name for name, row in rows.items() if fulfils(row[1], condition)]
        assert matched == len(names)
        if not dry_run:
            for name in names:
                rows[name] = (rows[name][0], rows[name][1] | kept(changes))
        self._written()

    @rule(space=spaces, names=st.lists(ids, min_size=1, max_size=6))
    def delete(self, space: str, names: list[str]) -> None:
        if self._refused(space, lambda: self.index.delete(space, names)):
            return
        for name in names:
            self.world.get(space, {}).pop(name, None)
        self._written()

    @rule(space=spaces, condition=filters)
    def delete_matching(self, space: str, condition: dict[str, Any]) -> None:
        if self._refused(space, lambda: self.index.delete(space, parsed(condition))):
            return
        rows = self.world.get(space, {})
        for name in [name for name, row in rows.items() if fulfils(row[1], condition)]:
            del rows[name]
        self._written()

    def _refused(self, space: str, write: Any) -> bool:
        """Deleting in a namespace that does not exist is refused, but for the default one."""
        try:
            write()
            status = 200
        except DataRefusal as refusal:
            status = refusal.status
        exists = space in self.world or space == "__default__"
        assert status == (200 if exists else 404)
        return not exists

    # --- time and upheavals

    @precondition(lambda self: self.freshness)
    @rule(seconds=st.sampled_from([1.0, 3.0, 5.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(
        kind=st.sampled_from(["close", "kill", "close namespaces", "settle", "clear", "drop"]),
        space=spaces,
    )
    def upheaval(self, kind: str, space: str) -> None:
        """One rule for all that wipes the slate, so that the others are tried more often."""
        match kind:
            case "close":
                self.index.close()
                self._start_again()
            case "kill":
                self._start_again()
            case "close namespaces":  # as when many others have been used since
                self.index._open.clear()
            case "settle":
                self.index.settle()
            case "clear":
                if not self._refused(space, lambda: self.index.clear(space)):
                    self.world[space] = {}
                    self._written()
            case "drop":
                if not self._refused(space, lambda: self.index.delete_namespace(space)):
                    self.world.pop(space, None)
                    self._written()

    def _start_again(self) -> None:
        """After any end, everything written is there for everybody."""
        self.index = self._opened()
        self.history = [(0.0, copy.deepcopy(self.world))]

    # --- reads

    @rule(
        space=spaces,
        query=vectors,
        count=st.sampled_from([1, 2, 5, 100]),
        condition=st.none() | filters,
    )
    def query(
        self, space: str, query: list[float], count: int, condition: dict[str, Any] | None
    ) -> None:
        matches = self.index.query(
            space,
            np.array(query, dtype=np.float32),
            count,
            None if condition is None else parsed(condition),
        )
        rows = {
            name: row[0]
            for name, row in self.seen.get(space, {}).items()
            if condition is None or fulfils(row[1], condition)
        }
        found = [(match.id, match.score) for match in matches]
        check_matches(found, rows, query, self.metric, count, tolerance=1e-6)

    @rule(space=spaces, condition=filters)
    def fetch_matching(self, space: str, condition: dict[str, Any]) -> None:
        found, is_cut = self.index.fetch_matching(space, parsed(condition), "id-1", 100)
        rows = self.seen.get(space, {})
        expected = sorted(
            name for name, row in rows.items() if fulfils(row[1], condition) and name > "id-1"
        )
        assert [each.id for each in found] == expected
        assert not is_cut

    @invariant()
    def readers_see_exactly_what_is_due(self) -> None:
        if not hasattr(self, "index"):
            return
        seen = self.seen
        rows = self.index.namespaces("", "", 10)
        assert {row.name: row.records for row in rows} == {
            name: len(rows) for name, rows in seen.items()
        }
        for space, expected in seen.items():
            found = self.index.fetch(space, NAMES)
            assert {each.id: (each.values.tolist(), each.metadata) for each in found} == {
                name: (np.array(values, dtype=np.float32).tolist(), metadata)
                for name, (values, metadata) in expected.items()
            }
            assert self.index.ids(space, "id-", "", 100) == sorted(expected)


Mirror.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
test_the_index_behaves_as_a_dictionary_does = Mirror.TestCase
