"""With a freshness delay writes are durable at once, and visible only after it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from infra.emulators.testing import Emulators
from infra.emulators.tests.pinecone.conftest import described
from infra.emulators.tests.pinecone.doors import DOORS, Door, Space, eventually

FOR_EVER_MS = "3600000"


class Slow:
    """An emulator that shows no write for an hour, unless it is started again."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._emulator = Emulators(["pinecone"], folder, "--freshness-ms", FOR_EVER_MS).start()
        self._kind = DOORS[kind]
        self._opened: list[Door] = []

    async def space(self) -> Space:
        door = self._kind(self._emulator.told["PINECONE_CONTROLLER_HOST"])
        self._opened.append(door)
        if not await door.indexes.exists("slow"):
            await door.indexes.create(**described("slow", "cosine"))
        return Space(await door.index("slow"), "space")

    async def again(self, *, kill: bool) -> Space:
        """The same namespace, after the process was ended and started again."""
        if kill:
            self._emulator.kill()
        else:
            assert self._emulator.stop() == 0
        self._emulator.start()
        return await self.space()

    async def close(self) -> None:
        for door in self._opened:
            await door.close()
        self._emulator.stop()


@pytest.fixture(params=sorted(DOORS))
async def slow(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Slow]:
    running = Slow(tmp_path, request.param)
    yield running
    await running.close()


async def _everything(space: Space) -> dict[str, Any]:
    stats = await space.index.describe_index_stats()
    return {
        "fetched": await space.fetch("a", "b"),
        "ids": await space.ids(),
        "matches": await space.query([1, 1, 1]),
        "by metadata": (
            await space.index.fetch_by_metadata(
                filter={"none": {"$exists": False}}, namespace=space.name
            )
        ).vectors,
        "stats": stats.total_vector_count,
    }


async def test_an_upsert_is_invisible_before_its_time(slow: Slow) -> None:
    space = await slow.space()
    written = await space.index.upsert(vectors=[("a", [1, 0, 0])], namespace="space")
    assert not any((await _everything(space)).values())
    answer = await space.index.query(vector=[1, 0, 0], top_k=1, namespace="space")
    assert not answer.response_info.is_reconciled(written.response_info.lsn_committed)


@pytest.mark.parametrize("kill", [False, True])
async def test_an_invisible_upsert_is_durable(slow: Slow, kill: bool) -> None:
    space = await slow.space()
    await space.index.upsert(vectors=[("a", [1, 0, 0], {"n": 1})], namespace="space")
    space = await slow.again(kill=kill)
    assert (await space.fetch("a"))["a"].metadata == {"n": 1.0}
    assert await space.ids() == ["a"]


@pytest.mark.parametrize("kill", [False, True])
async def test_updates_and_deletes_are_invisible_before_their_time_and_durable(
    slow: Slow, kill: bool
) -> None:
    space = await slow.space()
    await space.index.upsert(
        vectors=[("a", [1, 0, 0], {"n": 1}), ("b", [0, 1, 0], {"n": 2})], namespace="space"
    )
    space = await slow.again(kill=kill)
    before = await _everything(space)
    await space.index.update(id="a", set_metadata={"n": 3}, namespace="space")
    await space.index.update(id="a", values=[0.0, 0.0, 5.0], namespace="space")
    await space.index.delete(ids=["b"], namespace="space")
    await space.index.upsert(vectors=[("c", [1, 1, 1])], namespace="space")
    assert await _everything(space) == before
    assert before["stats"] == 2
    space = await slow.again(kill=kill)
    found = await space.fetch("a", "b", "c")
    assert sorted(found) == ["a", "c"]
    assert (found["a"].values, found["a"].metadata) == ([0.0, 0.0, 5.0], {"n": 3.0})


@pytest.mark.parametrize("kill", [False, True])
async def test_a_namespace_goes_after_the_delay_and_for_good(slow: Slow, kill: bool) -> None:
    space = await slow.space()
    await space.index.upsert(vectors=[("a", [1, 0, 0])], namespace="space")
    space = await slow.again(kill=kill)
    await space.index.delete(delete_all=True, namespace="space")
    await space.index.upsert(vectors=[("b", [1, 0, 0])], namespace="space")
    assert await space.ids() == ["a"]
    await space.index.delete_namespace(name="space")
    assert await space.ids() == ["a"]
    space = await slow.again(kill=kill)
    assert (await space.index.describe_index_stats()).namespaces == {}


async def test_everything_becomes_visible_in_the_order_it_was_written(space: Space) -> None:
    """Here on the emulator with a short delay: no reader ever sees a later write first."""
    for n in range(1, 31):
        await space.index.upsert(vectors=[("a", [1, n, 0], {"n": n})], namespace=space.name)
    seen: list[float] = []

    async def read() -> float:
        found = await space.fetch("a")
        n = found["a"].metadata["n"] if found else 0.0
        if found:
            assert found["a"].values[1] == n
        seen.append(n)
        return float(n)

    await eventually(read, lambda n: n == 30)
    assert seen == sorted(seen)
