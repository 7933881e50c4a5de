"""How the Pinecone emulator keeps its records: files, slots, erasure, failures in between."""

import json
import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from infra.emulators.pinecone.filters import parsed
from infra.emulators.pinecone.index import Index
from infra.emulators.pinecone.indexes import Description, Indexes
from infra.emulators.pinecone.matrix import Matrix

DIMENSION = 4


def _index(folder: Path, freshness: float = 0.0) -> Index:
    return Index(folder, DIMENSION, "cosine", freshness, lambda: 0.0)


def _rows(count: int, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)


def test_a_matrix_grows_in_place_and_keeps_its_rows(tmp_path: Path) -> None:
    matrix = Matrix(tmp_path / "m", DIMENSION, 0)
    values = _rows(3_000)
    for end in range(100, 3_001, 100):
        matrix.reserve(end)
        matrix.rows[end - 100 : end] = values[end - 100 : end]
    assert matrix.capacity == 4_096
    assert np.array_equal(matrix.rows[:3_000], values)
    assert not matrix.rows[3_000:].any()
    assert (tmp_path / "m").stat().st_size == 4_096 * DIMENSION * 4


def test_opening_a_matrix_cuts_off_what_nobody_names(tmp_path: Path) -> None:
    matrix = Matrix(tmp_path / "m", DIMENSION, 0)
    matrix.reserve(10)
    matrix.rows[:10] = _rows(10)
    again = Matrix(tmp_path / "m", DIMENSION, 4)
    assert np.array_equal(again.rows, _rows(10)[:4])
    again.reserve(10)
    assert not again.rows[4:].any()


def test_slots_of_deleted_records_are_used_again(tmp_path: Path) -> None:
    index = _index(tmp_path)
    index.upsert("n", [str(n) for n in range(64)], _rows(64), [None] * 64)
    size = (tmp_path / "1.f32").stat().st_size
    for turn in range(20):
        index.delete("n", [str(n) for n in range(40)])
        index.upsert("n", [str(n) for n in range(40)], _rows(40, turn), [None] * 40)
    assert (tmp_path / "1.f32").stat().st_size == size
    index.close()


def test_many_namespaces_share_a_few_open_maps(tmp_path: Path) -> None:
    index = _index(tmp_path)
    names = [f"group-{n}" for n in range(200)]
    values = _rows(200)
    for n, name in enumerate(names):
        index.upsert(name, ["a"], values[n : n + 1], [json.dumps({"n": float(n)})])
    assert len(index._open) <= 64
    for n, name in enumerate(names):
        (match,) = index.query(name, values[n], 1, parsed({"n": n}))
        assert match.id == "a"
        assert match.score == pytest.approx(1.0)
    assert len(index._open) <= 64
    index.close()


def test_a_write_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    index = _index(tmp_path)
    index.upsert("n", ["a"], _rows(1), [None])
    lsn = index.reconciled_lsn
    broken: list[str | None] = ["{}", object()]  # type: ignore[list-item]
    with pytest.raises(sqlite3.Error):
        index.upsert("n", ["b", "c"], _rows(2, seed=1), broken)
    assert index.ids("n", "", "", 10) == ["a"]
    assert index.reconciled_lsn == lsn
    assert [match.id for match in index.query("n", _rows(1)[0], 10, None)] == ["a"]
    index.upsert("n", ["d"], _rows(1, seed=2), [None])
    assert index.ids("n", "", "", 10) == ["a", "d"]
    index.close()
    content = (tmp_path / "1.f32").read_bytes()
    assert _rows(2, seed=1).tobytes() not in content
    assert _rows(2, seed=1)[1].tobytes() not in content


def test_a_reader_knows_how_far_it_sees(tmp_path: Path) -> None:
    clock = [0.0]
    index = Index(tmp_path, DIMENSION, "cosine", 10.0, lambda: clock[0])
    first = index.upsert("n", ["a"], _rows(1), [None])
    clock[0] = 5.0
    second = index.upsert("n", ["b"], _rows(1), [None])
    index.create_namespace("other")
    seen = []
    for now in (9.0, 10.0, 15.0):
        clock[0] = now
        index.advance()
        seen.append((index.reconciled_lsn >= first, index.reconciled_lsn >= second))
    assert seen == [(False, False), (True, False), (True, True)]
    index.close()


@pytest.mark.parametrize("seed", [7, 12, 14, 20])
def test_no_copy_of_deleted_text_stays_between_the_pages(tmp_path: Path, seed: int) -> None:
    """SQLite's secure_delete alone fails this: rows that move between pages leave copies."""
    chance = random.Random(seed)
    index = _index(tmp_path)
    alive: dict[str, str] = {}
    gone: set[str] = set()
    for step in range(120):
        if chance.random() < 0.6 or not alive:
            ids = sorted({f"k{chance.randrange(300)}" for _ in range(chance.choice([1, 5, 40]))})
            marks = {each: f"MARK-{seed}-{step}-{each}-" for each in ids}
            texts: list[str | None] = [
                json.dumps({"t": mark * chance.choice([1, 3, 30, 300])}) for mark in marks.values()
            ]
            index.upsert("n", ids, _rows(len(ids)), texts)
            gone |= {alive[each] for each in ids if each in alive}
            alive |= marks
        else:
            some = chance.sample(sorted(alive), min(len(alive), chance.choice([1, 10, 60])))
            index.delete("n", some)
            gone |= {alive.pop(each) for each in some}
    index.erase_remains()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [mark for mark in gone if mark.encode() in content] == []
    assert all(mark.encode() in content for mark in alive.values())
    index.close()


def test_a_folder_that_no_index_owns_is_removed(tmp_path: Path) -> None:
    indexes = Indexes(tmp_path, 0.0, lambda: 0.0)
    indexes.create(Description("kept", 3, "cosine", "aws", "us-east-1"))
    indexes.create(Description("lost", 3, "cosine", "aws", "us-east-1"))
    indexes._db.execute("DELETE FROM indexes WHERE name = 'lost'")
    again = Indexes(tmp_path, 0.0, lambda: 0.0)
    assert [path.name for path in tmp_path.glob("index-*")] == ["index-1"]
    assert [each.name for each in again.all()] == ["kept"]
    again.close()
