"""Index rules: a query with its documented index is served, without it refused with its name.

Google's emulator serves every query, so this has no referee: the indexes are those the
service's documentation gives for such queries. Each case has a collection of its own, so that
no index serves a case it was not written for.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from google.api_core.exceptions import FailedPrecondition
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, BaseCompositeFilter, FieldFilter, Or

from infra.emulators.testing import emulators

ASC, DESC = "ASCENDING", "DESCENDING"
UP, DOWN = firestore.Query.ASCENDING, firestore.Query.DESCENDING
COLLECTION, GROUP = "COLLECTION", "COLLECTION_GROUP"
AUTOMATIC = [("CONTAINS", COLLECTION), (ASC, COLLECTION), (DESC, COLLECTION)]

# One worker runs them all, so that each emulator is started once.
pytestmark = pytest.mark.xdist_group("firestore-indexes")

Filter = FieldFilter | BaseCompositeFilter
Index = dict[str, Any]
ClientOf = Callable[[list[Index] | None, list[Index]], firestore.Client]


def by(path: str, op: str, value: Any) -> FieldFilter:
    return FieldFilter(path, op, value)


def composite(collection: str, *fields: tuple[str, str], scope: str = COLLECTION) -> Index:
    return {
        "collectionGroup": collection,
        "queryScope": scope,
        "fields": [
            {"fieldPath": path, "arrayConfig": mode}
            if mode == "CONTAINS"
            else {"fieldPath": path, "order": mode}
            for path, mode in fields
        ],
    }


def override(collection: str, path: str, *modes: tuple[str, str]) -> Index:
    return {
        "collectionGroup": collection,
        "fieldPath": path,
        "indexes": [
            {"arrayConfig" if mode == "CONTAINS" else "order": mode, "queryScope": scope}
            for mode, scope in modes
        ],
    }


@dataclass(frozen=True)
class Case:
    """A query on its own collection, and what it needs: composite indexes, or one override.

    `exempt` stands in the file in both cases: it takes the field's automatic indexes away.
    """

    name: str
    ask: Callable[[Any], Any]
    fields: list[list[tuple[str, str]]] = field(default_factory=list)
    modes: tuple[str, list[tuple[str, str]]] | None = None
    exempt: str | None = None
    group: bool = False

    @property
    def scope(self) -> str:
        return GROUP if self.group else COLLECTION

    def indexes(self) -> list[Index]:
        return [composite(self.name, *fields, scope=self.scope) for fields in self.fields]

    def overrides(self, *, documented: bool) -> list[Index]:
        out = {}
        if self.exempt:
            out[self.exempt] = override(self.name, self.exempt)
        if documented and self.modes:
            path, modes = self.modes
            out[path] = override(self.name, path, *modes)
        return list(out.values())

    def run(self, db: firestore.Client) -> list[Any]:
        source = db.collection_group(self.name) if self.group else db.collection(self.name)
        answers = self.ask(source).get()
        return [
            answer.reference.path if hasattr(answer, "reference") else answer[0].value
            for answer in answers
        ]


def where(*filters: Filter) -> Callable[[Any], Any]:
    def ask(source: Any) -> Any:
        for one in filters:
            source = source.where(filter=one)
        return source

    return ask


def ordered(ask: Callable[[Any], Any], *orders: tuple[str, str]) -> Callable[[Any], Any]:
    def asked(source: Any) -> Any:
        source = ask(source)
        for path, direction in orders:
            source = source.order_by(path, direction=direction)
        return source

    return asked


A, B, TAG = by("a", "==", 1), by("b", "==", 2), by("tags", "array_contains", "x")
GROUPED = (ASC, GROUP), (DESC, GROUP), ("CONTAINS", GROUP)

CASES = [
    Case("eq_up", ordered(where(A), ("t", UP)), [[("a", ASC), ("t", ASC)]]),
    Case("eq_down", ordered(where(A), ("t", DOWN)), [[("a", ASC), ("t", DESC)]]),
    Case("eq_range", where(A, by("t", ">", 1)), [[("a", ASC), ("t", ASC)]]),
    Case(
        "eq_range_down",
        ordered(where(A, by("t", "<", 9)), ("t", DOWN)),
        [[("a", ASC), ("t", DESC)]],
    ),
    Case("eq_eq_up", ordered(where(A, B), ("t", UP)), [[("a", ASC), ("b", ASC), ("t", ASC)]]),
    Case("has_down", ordered(where(TAG), ("t", DOWN)), [[("tags", "CONTAINS"), ("t", DESC)]]),
    Case(
        "has_eq_up",
        ordered(where(TAG, A), ("t", UP)),
        [[("a", ASC), ("tags", "CONTAINS"), ("t", ASC)]],
    ),
    Case("in_up", ordered(where(by("a", "in", [1, 2])), ("t", UP)), [[("a", ASC), ("t", ASC)]]),
    Case(
        "any_down",
        ordered(where(by("tags", "array_contains_any", ["x", "y"])), ("t", DOWN)),
        [[("tags", "CONTAINS"), ("t", DESC)]],
    ),
    Case("eq_not", where(A, by("b", "!=", 1)), [[("a", ASC), ("b", ASC)]]),
    Case("eq_not_in", where(A, by("b", "not-in", [1, 5])), [[("a", ASC), ("b", ASC)]]),
    Case("two_ranges", where(by("a", ">", 0), by("b", "<", 3)), [[("a", ASC), ("b", ASC)]]),
    Case("two_orders", ordered(where(), ("a", UP), ("t", UP)), [[("a", ASC), ("t", ASC)]]),
    Case("two_ways", ordered(where(), ("a", UP), ("t", DOWN)), [[("a", ASC), ("t", DESC)]]),
    Case(
        "range_order",
        ordered(where(by("a", ">=", 1)), ("a", UP), ("b", DOWN)),
        [[("a", ASC), ("b", DESC)]],
    ),
    Case("nested", ordered(where(by("m.x", "==", 1)), ("m.y", UP)), [[("m.x", ASC), ("m.y", ASC)]]),
    Case(
        "quoted",
        ordered(where(by("`a-b`", "==", 1)), ("t", UP)),
        [[("`a-b`", ASC), ("t", ASC)]],
    ),
    Case(
        "limit_to_last",
        lambda source: ordered(where(A), ("t", UP))(source).limit_to_last(2),
        [[("a", ASC), ("t", DESC)]],
    ),
    Case(
        "cursor",
        lambda source: ordered(where(A), ("t", UP))(source).start_after({"t": 2}),
        [[("a", ASC), ("t", ASC)]],
    ),
    Case("null_up", ordered(where(by("n", "==", None)), ("t", UP)), [[("n", ASC), ("t", ASC)]]),
    Case(
        "name_against",
        ordered(where(), ("t", UP), ("__name__", DOWN)),
        [[("t", ASC), ("__name__", DESC)]],
    ),
    Case(
        "or_up",
        ordered(where(Or([A, B])), ("t", UP)),
        [[("a", ASC), ("t", ASC)], [("b", ASC), ("t", ASC)]],
    ),
    Case(
        "or_of_and",
        ordered(where(And([TAG, Or([A, by("b", ">", 1)])])), ("b", UP)),
        [[("a", ASC), ("tags", "CONTAINS"), ("b", ASC)], [("tags", "CONTAINS"), ("b", ASC)]],
    ),
    Case("counted", lambda s: where(A, by("t", ">", 1))(s).count(), [[("a", ASC), ("t", ASC)]]),
    Case("summed", lambda source: where(A)(source).sum("t"), [[("a", ASC), ("t", ASC)]]),
    Case("averaged_two", lambda s: where(A, B)(s).avg("t"), [[("a", ASC), ("b", ASC), ("t", ASC)]]),
    Case("group_eq", where(A), modes=("a", [*AUTOMATIC, (ASC, GROUP)]), group=True),
    Case(
        "group_range", where(by("a", ">", 0)), modes=("a", [*AUTOMATIC, (ASC, GROUP)]), group=True
    ),
    Case(
        "group_up", ordered(where(), ("t", UP)), modes=("t", [*AUTOMATIC, (ASC, GROUP)]), group=True
    ),
    Case(
        "group_down",
        ordered(where(), ("t", DOWN)),
        modes=("t", [*AUTOMATIC, (DESC, GROUP)]),
        group=True,
    ),
    Case("group_has", where(TAG), modes=("tags", [*AUTOMATIC, ("CONTAINS", GROUP)]), group=True),
    Case("group_eq_up", ordered(where(A), ("t", UP)), [[("a", ASC), ("t", ASC)]], group=True),
    Case("exempt_eq", where(A), modes=("a", [(ASC, COLLECTION)]), exempt="a"),
    Case(
        "exempt_down", ordered(where(), ("t", DOWN)), modes=("t", [(DESC, COLLECTION)]), exempt="t"
    ),
    Case("exempt_all", where(A), modes=("a", [(ASC, COLLECTION)]), exempt="*"),
    Case("exempt_map", where(by("m.x", "==", 1)), modes=("m.x", [(ASC, COLLECTION)]), exempt="m"),
    Case("exempt_has", where(TAG), modes=("tags", [("CONTAINS", COLLECTION)]), exempt="tags"),
    Case(
        "exempt_composite",
        ordered(where(A), ("t", UP)),
        [[("a", ASC), ("t", ASC)]],
        exempt="*",
    ),
]

FREE = [
    Case("everything", where()),
    Case("one_eq", where(A)),
    Case("merged_eq", where(A, B, by("m.x", "==", 0))),
    Case("merged_has", where(TAG, A)),
    Case("one_in", where(by("a", "in", [1, 2]))),
    Case("one_any", where(by("tags", "array_contains_any", ["x", "y"]))),
    Case("one_range", where(by("t", ">", 1), by("t", "<", 8))),
    Case("one_not", where(by("t", "!=", 1))),
    Case("one_up", ordered(where(), ("t", UP))),
    Case("one_down", ordered(where(), ("t", DOWN))),
    Case("range_down", ordered(where(by("t", ">", 1)), ("t", DOWN))),
    Case("or_eq", where(Or([A, B]))),
    Case("eq_same_order", ordered(where(A), ("a", UP))),
    Case("free_count", lambda source: where(A)(source).count()),
    Case("free_sum", lambda source: source.sum("t")),
    Case("free_group", where(), group=True),
]

MISSES = [
    ("the-other-direction", "eq_up", composite("eq_up", ("a", ASC), ("t", DESC))),
    ("the-other-order", "eq_range", composite("eq_range", ("t", ASC), ("a", ASC))),
    ("a-field-too-many", "eq_down", composite("eq_down", ("a", ASC), ("b", ASC), ("t", DESC))),
    ("a-field-too-few", "eq_eq_up", composite("eq_eq_up", ("a", ASC), ("t", ASC))),
    ("an-array-as-a-value", "has_down", composite("has_down", ("tags", ASC), ("t", DESC))),
    ("the-group's", "eq_not", composite("eq_not", ("a", ASC), ("b", ASC), scope=GROUP)),
    ("the-collection's", "group_eq_up", composite("group_eq_up", ("a", ASC), ("t", ASC))),
    ("one-way-of-two", "two_ways", composite("two_ways", ("a", ASC), ("t", ASC))),
    ("both-ways-turned", "two_orders", composite("two_orders", ("a", DESC), ("t", DESC))),
    ("for-one-branch-only", "or_up", composite("or_up", ("a", ASC), ("t", ASC))),
    ("limit-to-first", "limit_to_last", composite("limit_to_last", ("a", ASC), ("t", ASC))),
    ("names-the-other-way", "name_against", composite("name_against", ("t", ASC), ("b", ASC))),
]

ALL = {case.name: case for case in (*CASES, *FREE)}


def _index_file(folder: Path, indexes: list[Index], overrides: list[Index]) -> str:
    file = folder / "firestore.indexes.json"
    file.write_text(json.dumps({"indexes": indexes, "fieldOverrides": overrides}))
    return str(file)


def _documents(db: firestore.Client, name: str) -> None:
    batch = db.batch()
    for number in range(16):
        fields = {
            "a": number % 3,
            "b": number % 4,
            "t": 17 - number,
            "n": None if number % 2 else number,
            "tags": ["x", "y", "z"][: number % 4],
            "m": {"x": number % 2, "y": number},
            "a-b": number % 2,
        }
        parent = "" if number % 2 else f"parents/{number % 3}/"
        batch.set(db.document(f"{parent}{name}/{number}"), fields)
        batch.set(db.document(f"{name}/{number}"), fields)
    batch.commit()


@pytest.fixture(scope="module")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientOf]:
    """Starts an emulator with such an index file and fills it; a client of it."""
    running = []

    def start(indexes: list[Index] | None, overrides: list[Index]) -> firestore.Client:
        folder = tmp_path_factory.mktemp("indexes")
        options = [] if indexes is None else ["--indexes", _index_file(folder, indexes, overrides)]
        context = emulators(["firestore"], folder / "data", *options)
        with pytest.MonkeyPatch.context() as patch:
            host = context.__enter__().told["FIRESTORE_EMULATOR_HOST"]
            running.append(context)
            patch.setenv("FIRESTORE_EMULATOR_HOST", host)
            db = firestore.Client(project="indexed")
        for name in ALL:
            _documents(db, name)
        return db

    yield start
    for context in running:
        context.__exit__(None, None, None)


@pytest.fixture(scope="module")
def free(client_of: ClientOf) -> firestore.Client:
    """No index file: every query is served."""
    return client_of(None, [])


@pytest.fixture(scope="module")
def with_indexes(client_of: ClientOf) -> firestore.Client:
    indexes = [index for case in CASES for index in case.indexes()]
    overrides = [one for case in CASES for one in case.overrides(documented=True)]
    return client_of(indexes, overrides)


@pytest.fixture(scope="module")
def without(client_of: ClientOf) -> firestore.Client:
    return client_of([], [one for case in CASES for one in case.overrides(documented=False)])


@pytest.fixture(scope="module")
def nearly(client_of: ClientOf) -> firestore.Client:
    return client_of([index for _, _, index in MISSES], [])


def named_index(refused: FailedPrecondition) -> Index:
    """The index that the message says to add."""
    message = str(refused.message)
    assert "requires an index" in message
    index: Index = json.loads(message[message.index("{") :])
    return index


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_query_with_its_documented_index_is_served(
    with_indexes: firestore.Client, free: firestore.Client, case: Case
) -> None:
    found = case.run(with_indexes)

    assert found == case.run(free)
    assert found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_query_without_its_index_is_refused_with_the_index_to_add(
    without: firestore.Client, case: Case
) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        case.run(without)

    index = named_index(refused.value)
    if case.modes is None:
        assert index in case.indexes()
    else:
        path, modes = case.modes
        assert (index["collectionGroup"], index["fieldPath"]) == (case.name, path)
        key = lambda one: json.dumps(one, sort_keys=True)  # noqa: E731
        documented = override(case.name, path, *modes)["indexes"]
        assert sorted(index["indexes"], key=key) == sorted(documented, key=key)


@pytest.mark.parametrize("case", FREE, ids=lambda case: case.name)
def test_a_query_that_single_fields_can_serve_needs_no_index(
    without: firestore.Client, free: firestore.Client, case: Case
) -> None:
    found = case.run(without)

    assert found == case.run(free)
    assert found


@pytest.mark.parametrize(
    ("name", "index"), [miss[1:] for miss in MISSES], ids=[m[0] for m in MISSES]
)
def test_an_index_that_is_not_quite_the_one_does_not_serve(
    nearly: firestore.Client, name: str, index: Index
) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        ALL[name].run(nearly)

    assert named_index(refused.value) != index


def test_indexes_of_the_same_order_are_merged(client_of: ClientOf, free: firestore.Client) -> None:
    case = ALL["eq_eq_up"]
    db = client_of(
        [
            composite(case.name, ("a", ASC), ("t", ASC)),
            composite(case.name, ("b", ASC), ("t", ASC)),
        ],
        [override(case.name, "*")],
    )

    assert case.run(db) == case.run(free)


def test_adding_what_the_messages_name_is_enough(
    client_of: ClientOf, without: firestore.Client
) -> None:
    """Each refusal is answered by adding its index; in the end every query is served."""
    indexes: list[Index] = []
    overrides = [one for case in CASES for one in case.overrides(documented=False)]
    missing = list(CASES)
    for _ in range(3):
        db = client_of(indexes, overrides) if indexes else without
        left = []
        for case in missing:
            try:
                case.run(db)
            except FailedPrecondition as refused:
                index = named_index(refused)
                if "fieldPath" in index:
                    place = (index["collectionGroup"], index["fieldPath"])
                    overrides = [
                        one
                        for one in overrides
                        if (one["collectionGroup"], one["fieldPath"]) != place
                    ]
                    overrides.append(index)
                else:
                    indexes.append(index)
                left.append(case)
        missing = left
    assert [case.name for case in missing] == []
