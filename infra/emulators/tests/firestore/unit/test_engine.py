"""The engine by itself: restarts, time, the past, and indexes that follow a moment later."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.emulators.firestore import clock, deferred_indexing, history, index_rules
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.protobuf import CommitRequest, StructuredQuery
from infra.emulators.firestore.refusal import Refused
from infra.emulators.firestore.structured_query import parse_query
from infra.emulators.firestore.writes import parse_write

DATABASE = "projects/p/databases/d"
DOCUMENTS = f"{DATABASE}/documents"
MANY = 30


class Quiet:
    """Remembers what is to be done later, and does it only when told."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []

    def __call__(self, seconds: float, work: Callable[[], None]) -> None:
        self.due.append(work)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path, index_rules.Rules(), Quiet())
    yield made
    made.close()


def put(engine: Engine, numbers: dict[str, int | None]) -> int:
    """Documents by id with a number each, or without them; the commit's time."""
    request = CommitRequest(database=DATABASE)
    for name, number in numbers.items():
        write = request.writes.add()
        if number is None:
            write.delete = f"{DOCUMENTS}/c/{name}"
        else:
            write.update.name = f"{DOCUMENTS}/c/{name}"
            write.update.fields["n"].integer_value = number
    changes = [parse_write(write, DATABASE) for write in request.writes]
    return engine.commit(changes, None)[1]


def ordered(engine: Engine, at: int | None = None, limit: int | None = None) -> list[str]:
    """Ids by their number, from the index."""
    query = StructuredQuery()
    query.from_.add().collection_id = "c"
    query.order_by.add().field.field_path = "n"
    if limit is not None:
        query.limit.value = limit
    moment = engine.moment(DATABASE, None, at)
    hits = engine.reading(moment).hits(parse_query(DOCUMENTS, query))
    return [hit.name.decode().rpartition("/")[2] for hit in hits if hit is not None]


def test_the_past_can_be_read_by_query(engine: Engine) -> None:
    first = put(engine, {"a": 1, "b": 2, "c": 3})
    second = put(engine, {"a": 9, "b": None, "d": 0})
    put(engine, dict.fromkeys("acd"))

    assert ordered(engine, first) == ["a", "b", "c"]
    assert ordered(engine, second) == ["d", "c", "a"]
    assert ordered(engine, second, limit=1) == ["d"]
    assert ordered(engine, first - 1) == []
    assert ordered(engine) == []


def test_what_is_too_long_ago_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = put(engine, {"a": 1})
    monkeypatch.setattr(history, "KEPT_BYTES", 0)
    put(engine, {"a": 2})

    with pytest.raises(Refused, match="too far in the past"):
        ordered(engine, first)


def test_indexes_follow_before_anybody_looks(engine: Engine) -> None:
    put(engine, {f"d{n:02}": n for n in range(MANY)})
    put(engine, {f"d{n:02}": MANY - n for n in range(MANY)})
    put(engine, {"d00": None, "late": 0})

    found = ordered(engine)

    assert found == ["late", *(f"d{n:02}" for n in range(MANY - 1, 0, -1))]
    engine.storage.main.execute("DELETE FROM documents")
    assert engine.storage.main.execute("SELECT count(*) FROM behind").fetchone() == (0,)


def check_after_a_kill(folder: Path, work: list[dict[str, int | None] | None]) -> None:
    """The second engine opens what the first one left; None lets the first catch up in between."""
    killed = Engine(folder, index_rules.Rules(), Quiet())
    expected: dict[str, int] = {}
    for step in work:
        if step is None:
            killed.catch_up()
            continue
        put(killed, step)
        for name, number in step.items():
            expected.pop(name, None)
            if number is not None:
                expected[name] = number
    killed.storage.main.close()

    again = Engine(folder, index_rules.Rules())
    try:
        assert ordered(again) == sorted(expected, key=lambda name: (expected[name], name))
        entries = again.storage.main.execute("SELECT count(*) FROM entries").fetchone()
        assert entries == (len(expected),)
        collections = again.storage.main.execute("SELECT count(*) FROM collections").fetchone()
        assert collections == (1 if expected else 0,)
    finally:
        again.close()


@pytest.mark.parametrize("steps", range(1, 6))
def test_indexes_follow_after_a_kill(tmp_path: Path, steps: int) -> None:
    work: list[dict[str, int | None] | None] = [
        {f"d{n:02}": n for n in range(MANY)},
        {f"d{n:02}": MANY - n for n in range(MANY)},
        {f"d{n:02}": None for n in range(0, MANY, 2)},
        {f"d{n:02}": 1000 + n for n in range(MANY)},
        {f"d{n:02}": None for n in range(MANY)},
    ]
    check_after_a_kill(tmp_path, work[:steps])


def test_a_collection_stays_known_until_the_indexes_followed_all_of_it(tmp_path: Path) -> None:
    """Most of it goes in a large commit, the rest in a small one; then the process is killed."""
    names = [f"d{n:02}" for n in range(MANY)]
    check_after_a_kill(
        tmp_path,
        [
            {name: n for n, name in enumerate(names)},
            None,
            dict.fromkeys(names[3:]),
            dict.fromkeys(names[:3]),
        ],
    )


NAMES = st.sets(st.sampled_from("abc"), min_size=1)
WRITTEN = st.builds(dict[str, int | None].fromkeys, NAMES, st.integers(0, 9))
DELETED = st.builds(dict[str, int | None].fromkeys, NAMES)


@given(work=st.lists(st.none() | WRITTEN | DELETED, max_size=8))
@settings(max_examples=150, deadline=None)
def test_indexes_follow_after_any_commits_and_a_kill(
    tmp_path_factory: pytest.TempPathFactory, work: list[dict[str, int | None] | None]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deferred_indexing, "FEW", 1)
        check_after_a_kill(tmp_path_factory.mktemp("killed"), [{"a": 1, "b": 2, "c": 3}, *work])


def test_times_only_grow_even_if_the_clock_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(tmp_path, index_rules.Rules())
    times = [put(engine, {"a": n}) for n in range(3)]
    engine.close()

    class SetBack:
        @staticmethod
        def time_ns() -> int:
            return 1_000_000_000

    monkeypatch.setattr(clock, "time", SetBack)
    engine = Engine(tmp_path, index_rules.Rules())
    times += [put(engine, {"a": n}) for n in range(3, 6)]
    engine.close()

    assert times == sorted(set(times))


def test_a_changed_index_file_is_followed(tmp_path: Path) -> None:
    exempt = {"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "n", "indexes": []}]}

    def entries(content: dict[str, Any] | None) -> int:
        made = index_rules.Rules() if content is None else index_rules.parse(content)
        engine = Engine(tmp_path, made)
        put(engine, {"a": 1})
        (count,) = engine.storage.main.execute("SELECT count(*) FROM entries").fetchone()
        engine.close()
        return int(count)

    assert [entries(None), entries(exempt), entries({}), entries(None)] == [1, 0, 1, 1]


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    engine = Engine(tmp_path, index_rules.Rules())
    engine.storage.main.execute("PRAGMA user_version = 99")
    engine.close()

    with pytest.raises(OSError, match="another version"):
        Engine(tmp_path, index_rules.Rules())
