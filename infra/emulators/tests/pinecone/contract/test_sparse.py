"""Sparse and hybrid indexes through the SDK: create, write, query, read, refuse."""

from typing import Any

import httpx
import pytest
from pinecone import SparseValues
from pinecone.errors.exceptions import PineconeError

from infra.emulators.testing import Emulators
from infra.emulators.tests.pinecone.doors import KEY, Door, Space, eventually

DENSE = {"type": "dense_vector", "dimension": 3, "metric": "dotproduct"}
SPARSE = {"type": "sparse_vector"}
SCHEMAS = {
    "sparse": {"_sparse_values": SPARSE},
    "hybrid": {"_values": DENSE, "_sparse_values": SPARSE},
}


@pytest.fixture(scope="module")
def control(emulator: Emulators) -> str:
    """The control plane's address, with an index of each kind."""
    base = str(emulator.told["PINECONE_CONTROLLER_HOST"])
    for name, fields in SCHEMAS.items():
        body = {"name": name, "schema": {"fields": fields}}
        httpx.post(f"{base}/indexes", json=body, headers={"Api-Key": KEY}).raise_for_status()
    return base


@pytest.fixture
async def words(control: str, door: Door, fresh: str) -> Space:
    return Space(await door.index("sparse"), fresh)


@pytest.fixture
async def both(control: str, door: Door, fresh: str) -> Space:
    return Space(await door.index("hybrid"), fresh)


def row(name: str, weights: dict[int, float], **metadata: Any) -> dict[str, Any]:
    sparse = {"indices": list(weights), "values": list(weights.values())}
    return {"id": name, "sparse_values": sparse, "metadata": metadata}


async def found(space: Space, weights: dict[int, float], **more: Any) -> list[tuple[str, float]]:
    asked = SparseValues(list(weights), list(weights.values()))
    answer = await space.index.query(
        sparse_vector=asked, top_k=more.pop("top_k", 10), namespace=space.name, **more
    )
    return [(match.id, match.score) for match in answer.matches]


async def refused(call: Any) -> str:
    with pytest.raises(PineconeError) as caught:
        await call
    return str(caught.value)


async def test_an_index_says_what_kind_it_is(control: str, door: Door) -> None:
    sparse = await door.indexes.describe("sparse")
    assert (sparse.vector_type, sparse.metric, sparse.dimension) == ("sparse", "dotproduct", None)
    hybrid = await door.indexes.describe("hybrid")
    assert sorted(hybrid.schema.fields) == ["_sparse_values", "_values"]
    stats = await (await door.index("sparse")).describe_index_stats()
    assert (stats.vector_type, stats.metric, stats.dimension) == ("sparse", "dotproduct", None)


async def test_the_older_way_of_creating_makes_the_same_index(door: Door, fresh: str) -> None:
    spec = {"serverless": {"cloud": "aws", "region": "us-east-1"}}
    await door.indexes.create(name=fresh, vector_type="sparse", metric="dotproduct", spec=spec)
    assert (await door.indexes.describe(fresh)).vector_type == "sparse"
    await door.indexes.delete(fresh)


async def test_the_best_share_most_of_what_is_asked(words: Space) -> None:
    await words.upsert(
        row("one", {7: 1.0, 4_000_000_000: 2.0}),
        row("two", {7: 0.5}),
        row("other", {8: 9.0}),
    )
    assert await found(words, {7: 2.0, 4_000_000_000: 1.5}) == [("one", 5.0), ("two", 1.0)]
    assert await found(words, {7: 1.0}, top_k=1) == [("one", 1.0)]
    assert await found(words, {9: 1.0}) == []


async def test_a_filter_and_an_id_ask_too(words: Space) -> None:
    await words.upsert(
        row("old", {1: 1.0, 2: 1.0}, time=10), row("new", {1: 3.0}, time=20), row("far", {3: 1.0})
    )
    assert await found(words, {1: 1.0}, filter={"time": {"$lte": 10}}) == [("old", 1.0)]
    answer = await words.index.query(id="old", top_k=5, namespace=words.name)
    assert [(match.id, match.score) for match in answer.matches] == [("new", 3.0), ("old", 2.0)]


async def test_what_was_stored_comes_back(words: Space) -> None:
    await words.upsert(row("a", {30: 0.25, 2: 1.5}, kind="message"))
    stored = (await words.fetch("a"))["a"]
    assert stored.values == []
    assert dict(zip(stored.sparse_values.indices, stored.sparse_values.values, strict=True)) == {
        2: 1.5,
        30: 0.25,
    }
    answer = await words.index.query(
        sparse_vector={"indices": [2], "values": [1.0]},
        top_k=1,
        namespace=words.name,
        include_values=True,
        include_metadata=True,
    )
    assert answer.matches[0].sparse_values.indices == [2, 30]
    assert answer.matches[0].metadata == {"kind": "message"}
    assert await words.ids() == ["a"]


async def test_a_vector_is_replaced_patched_and_deleted(words: Space) -> None:
    await words.upsert(row("a", {1: 1.0}, n=1), row("b", {1: 2.0}))
    await words.index.upsert(vectors=[row("a", {2: 1.0}, n=2)], namespace=words.name)
    await eventually(lambda: found(words, {2: 1.0}), lambda seen: seen == [("a", 1.0)])
    assert await found(words, {1: 1.0}) == [("b", 2.0)]

    await words.index.update(id="a", set_metadata={"n": 3}, namespace=words.name)
    await eventually(lambda: words.fetch("a"), lambda seen: seen["a"].metadata == {"n": 3})
    assert await found(words, {2: 1.0}) == [("a", 1.0)]

    patch = SparseValues([5], [4.0])
    await words.index.update(id="a", sparse_values=patch, namespace=words.name)
    await eventually(lambda: found(words, {5: 1.0}), lambda seen: seen == [("a", 4.0)])
    assert await found(words, {2: 1.0}) == []

    await words.index.delete(ids=["a"], namespace=words.name)
    await words.until_gone("a")
    assert await found(words, {5: 1.0}) == []


async def test_a_hybrid_index_adds_both_products(both: Space) -> None:
    await both.upsert(
        {"id": "dense", "values": [1.0, 0.0, 0.0]},
        {**row("mixed", {7: 2.0}), "values": [0.5, 0.0, 0.0]},
    )
    asked = {"vector": [2.0, 0.0, 0.0], "top_k": 5, "namespace": both.name}
    alone = await both.index.query(**asked)
    assert [(each.id, each.score) for each in alone.matches] == [("dense", 2.0), ("mixed", 1.0)]
    together = await both.index.query(sparse_vector=SparseValues([7], [1.5]), **asked)
    assert [(each.id, each.score) for each in together.matches] == [("mixed", 4.0), ("dense", 2.0)]
    by_id = await both.index.query(id="mixed", top_k=1, namespace=both.name)
    assert [(each.id, each.score) for each in by_id.matches] == [("mixed", 4.25)]


async def test_vectors_of_the_wrong_kind_are_refused(
    words: Space, both: Space, space: Space
) -> None:
    name = words.name
    assert "dense" in await refused(words.index.upsert(vectors=[("a", [1.0])], namespace=name))
    assert "dense" in await refused(words.index.query(vector=[1.0], top_k=1, namespace=name))
    assert "sparse" in await refused(
        space.index.query(
            vector=[1.0, 0.0, 0.0], sparse_vector=SparseValues([1], [1.0]), top_k=1, namespace=name
        )
    )
    assert "vector" in await refused(
        both.index.query(sparse_vector=SparseValues([1], [1.0]), top_k=1, namespace=name)
    )
    assert "dimension" in await refused(
        both.index.upsert(vectors=[row("a", {1: 1.0})], namespace=name)
    )


@pytest.mark.parametrize(
    ("sparse", "says"),
    [
        ({"indices": [1, 1], "values": [1.0, 2.0]}, "unique"),
        ({"indices": [1], "values": [1.0, 2.0]}, "as many"),
        ({"indices": [2**32], "values": [1.0]}, "32-bit"),
        ({"indices": [-1], "values": [1.0]}, "32-bit"),
        ({"indices": [1.5], "values": [1.0]}, "32-bit"),
        ({"indices": [1], "values": ["x"]}, "numbers"),
        ({"indices": [1], "values": [1e39]}, "finite"),
        ({"indices": [1], "values": [0.0]}, "non-zero"),
        ({"indices": [], "values": []}, "non-zero"),
        ({"indices": list(range(2_049)), "values": [1.0] * 2_049}, "2048"),
        ([1], "object"),
    ],
)
def test_a_malformed_sparse_vector_is_refused(
    control: str, fresh: str, sparse: Any, says: str
) -> None:
    body = {"vectors": [{"id": "a", "sparseValues": sparse}], "namespace": fresh}
    answer = httpx.post(f"{control}/svc/sparse/vectors/upsert", json=body, headers={"Api-Key": KEY})
    assert answer.status_code == 400
    assert says in answer.json()["message"]


def test_a_record_without_a_sparse_vector_is_refused(control: str, fresh: str) -> None:
    for body in ({"vectors": [{"id": "a"}]}, {"topK": 1}):
        path = "query" if "topK" in body else "vectors/upsert"
        url = f"{control}/svc/sparse/{path}"
        answer = httpx.post(url, json={**body, "namespace": fresh}, headers={"Api-Key": KEY})
        assert answer.status_code == 400
        assert "sparse" in answer.json()["message"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"_sparse_values": {"type": "sparse_vector", "dimension": 3}}, 422),
        ({"_sparse_values": {"type": "dense_vector", "dimension": 3}}, 501),
        ({"_values": {**DENSE, "metric": "cosine"}, "_sparse_values": SPARSE}, 400),
        ({"keywords": SPARSE}, 501),
    ],
)
def test_a_schema_that_the_vectors_api_does_not_serve_is_refused(
    control: str, fresh: str, fields: dict[str, Any], status: int
) -> None:
    body = {"name": fresh, "schema": {"fields": fields}}
    answer = httpx.post(f"{control}/indexes", json=body, headers={"Api-Key": KEY})
    assert answer.status_code == status
