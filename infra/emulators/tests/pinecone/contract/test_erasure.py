"""What is deleted leaves no bytes in the data folder."""

import struct
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from pinecone import SparseValues

from infra.emulators.testing import Emulators
from infra.emulators.tests.pinecone.doors import KEY, AsyncDoor

DIMENSION = 16
COUNT = 300


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Emulators]:
    emulator = Emulators(["pinecone"], tmp_path).start()
    yield emulator
    emulator.stop()


def _vector(n: int) -> list[float]:
    return [float(x) for x in np.random.default_rng(n).standard_normal(DIMENSION).astype("f4")]


def _bytes_of(n: int) -> bytes:
    return struct.pack(f"<{DIMENSION}f", *_vector(n))


def _sparse(n: int) -> SparseValues:
    """Dimensions and values that no other record has."""
    return SparseValues([3 * 10**9 + n, 3 * 10**9 + 5_000 + n], [100.0 + n, 0.5])


def _sparse_bytes_of(n: int) -> bytes:
    both = _sparse(n)
    return struct.pack("<2I2f", *both.indices, *both.values)


def _record(n: int) -> dict[str, Any]:
    metadata = {"text": _marker(n) * (1 + n % 40), "n": n}
    return {
        "id": f"id-{n:04}-secret",
        "values": _vector(n),
        "sparse_values": {"indices": _sparse(n).indices, "values": _sparse(n).values},
        "metadata": metadata,
    }


def _marker(n: int) -> str:
    return f"marker-{n:04}-{n * 7919:08x}"


def _left_in(folder: Path, numbers: range) -> set[str]:
    """Which of these records can still be found anywhere, by text, id or vector."""
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    left = set()
    for n in numbers:
        for what, needle in (
            ("text", _marker(n).encode()),
            ("id", f"id-{n:04}-secret".encode()),
            ("vector", _bytes_of(n)),
            ("sparse", _sparse_bytes_of(n)),
        ):
            if needle in content:
                left.add(f"{what} of {n}")
    return left


async def _delete_ids(index: Any) -> None:
    await index.delete(ids=[f"id-{n:04}-secret" for n in range(100, COUNT)], namespace="group")


async def _delete_by_filter(index: Any) -> None:
    await index.delete(filter={"n": {"$gte": 100}}, namespace="group")


async def _replace(index: Any) -> None:
    await index.upsert(
        vectors=[(f"new-{n}", _vector(5_000 + n), {"n": 1}) for n in range(100)], namespace="group"
    )
    await _delete_by_filter(index)


async def _update(index: Any) -> None:
    for n in range(100, COUNT):
        await index.update(
            id=f"id-{n:04}-secret",
            values=_vector(9_000 + n),
            sparse_values=_sparse(9_000 + n),
            set_metadata={"text": "gone"},
            namespace="group",
        )


async def _delete_all(index: Any) -> None:
    await index.delete(delete_all=True, namespace="group")


async def _delete_namespace(index: Any) -> None:
    await index.delete_namespace(name="group")


async def _filled(running: Emulators) -> tuple[AsyncDoor, Any]:
    door = AsyncDoor(running.told["PINECONE_CONTROLLER_HOST"])
    dense = {"type": "dense_vector", "dimension": DIMENSION, "metric": "dotproduct"}
    fields = {"_values": dense, "_sparse_values": {"type": "sparse_vector"}}
    await door.indexes.create(name="erase", schema={"fields": fields})
    index = await door.index("erase")
    order = np.random.default_rng(5).permutation(COUNT)
    for start in range(0, COUNT, 50):
        await index.upsert(
            vectors=[_record(n) for n in order[start : start + 50].tolist()],
            namespace="group",
        )
    return door, index


@pytest.mark.parametrize(
    ("erase", "keeps_the_rest"),
    [
        (_delete_ids, True),
        (_delete_by_filter, True),
        (_replace, True),
        (_delete_all, False),
        (_delete_namespace, False),
    ],
)
async def test_deleted_records_leave_no_bytes(
    running: Emulators, erase: Callable[[Any], Awaitable[None]], keeps_the_rest: bool
) -> None:
    door, index = await _filled(running)
    try:
        assert len(_left_in(running.data, range(COUNT))) == 4 * COUNT
        await erase(index)
    finally:
        await door.close()
    async with httpx.AsyncClient(headers={"Api-Key": KEY}) as client:
        await client.post(running.told["admin"]["pinecone"] + "/checkpoint")
    assert _left_in(running.data, range(100, COUNT)) == set()
    assert len(_left_in(running.data, range(100))) == (400 if keeps_the_rest else 0)


async def test_replaced_vectors_and_texts_leave_no_bytes(running: Emulators) -> None:
    door, index = await _filled(running)
    try:
        await _update(index)
    finally:
        await door.close()
    assert running.stop() == 0
    left = _left_in(running.data, range(100, COUNT))
    assert {each.split()[0] for each in left} == {"id"}


async def test_a_deleted_index_leaves_no_bytes(running: Emulators) -> None:
    door, _ = await _filled(running)
    try:
        await door.indexes.delete("erase")
    finally:
        await door.close()
    assert _left_in(running.data, range(COUNT)) == set()


async def test_a_kill_right_after_a_delete_leaves_no_bytes(running: Emulators) -> None:
    door, index = await _filled(running)
    try:
        await _delete_ids(index)
    finally:
        await door.close()
    running.kill()
    running.start()
    assert _left_in(running.data, range(100, COUNT)) == set()
    assert len(_left_in(running.data, range(100))) == 400
