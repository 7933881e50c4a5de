"""Fetching by id and by metadata, listing ids, statistics."""

from typing import Any

import httpx
import pytest
from pinecone import ApiError

from infra.emulators.tests.pinecone.doors import Door, Space, eventually


async def _numbered(space: Space, count: int) -> list[str]:
    ids = [f"{'even' if n % 2 == 0 else 'odd'}#{n:02}" for n in range(count)]
    await space.upsert(*[(each, [1.0, n, 0.0], {"n": n}) for n, each in enumerate(ids)])
    return sorted(ids)


async def test_a_fetch_leaves_out_what_is_not_there(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]), ("b", [0, 1, 0]))
    answer = await space.index.fetch(ids=["a", "nobody", "b"], namespace=space.name)
    assert sorted(answer.vectors) == ["a", "b"]
    assert (answer.namespace, answer.usage.read_units) == (space.name, 1)


async def test_a_fetch_from_an_unknown_namespace_is_empty(space: Space) -> None:
    assert await space.fetch("a") == {}


async def test_a_thousand_ids_can_be_fetched_and_no_more(space: Space) -> None:
    await space.upsert(("id-0000", [1, 0, 0]))
    ids = [f"id-{n:04}" for n in range(1_001)]
    assert list(await space.fetch(*ids[:1_000])) == ["id-0000"]
    with pytest.raises(ApiError) as caught:
        await space.fetch(*ids)
    assert caught.value.message == (
        "Number of provided IDs: 1001 exceeds the maximum amount per request: 1000"
    )


async def test_records_are_fetched_by_metadata(space: Space) -> None:
    await _numbered(space, 6)
    answer = await space.index.fetch_by_metadata(filter={"n": {"$gte": 4}}, namespace=space.name)
    assert {each.id: (each.values, each.metadata) for each in answer.vectors.values()} == {
        "even#04": ([1.0, 4.0, 0.0], {"n": 4.0}),
        "odd#05": ([1.0, 5.0, 0.0], {"n": 5.0}),
    }
    assert answer.pagination is None


async def test_a_fetch_by_metadata_comes_in_pages(space: Space) -> None:
    ids = await _numbered(space, 7)
    seen: list[str] = []
    token = None
    for expected in (3, 3, 1):
        page = await space.index.fetch_by_metadata(
            filter={"n": {"$exists": True}},
            namespace=space.name,
            limit=3,
            pagination_token=token,
        )
        assert len(page.vectors) == expected
        seen += page.vectors
        token = page.pagination.next if page.pagination else None
    assert token is None
    assert seen == ids


async def test_ids_are_listed_in_order(space: Space) -> None:
    ids = await _numbered(space, 5)
    assert await space.ids() == ids


async def test_ids_are_listed_by_prefix(space: Space) -> None:
    await _numbered(space, 5)
    assert await space.ids(prefix="odd#") == ["odd#01", "odd#03"]
    assert await space.ids(prefix="odd#03x") == []


async def test_a_listing_follows_its_pages_to_the_end(door: Door, space: Space) -> None:
    ids = await _numbered(space, 7)
    pages = await door.pages(space.index, "list", namespace=space.name, limit=3)
    assert [[each.id for each in page.vectors] for page in pages] == [ids[:3], ids[3:6], ids[6:]]
    odd = await door.pages(space.index, "list", namespace=space.name, limit=2, prefix="odd")
    assert [each.id for page in odd for each in page.vectors] == ["odd#01", "odd#03", "odd#05"]


async def test_a_page_that_ends_the_list_has_no_token(space: Space) -> None:
    await _numbered(space, 4)
    page = await space.index.list_paginated(namespace=space.name, limit=4)
    assert page.pagination is None


async def test_a_page_holds_a_hundred_ids_by_default(space: Space) -> None:
    await space.upsert(*[(f"{n:03}", [1, 0, 0]) for n in range(101)])
    assert len(await space.ids()) == 100


async def test_statistics_count_by_namespace(door: Door, fresh: str) -> None:
    schema = {"fields": {"_values": {"type": "dense_vector", "dimension": 2, "metric": "cosine"}}}
    await door.indexes.create(name=fresh, schema=schema)
    index = await door.index(fresh)
    await index.upsert(vectors=[("a", [1, 0]), ("b", [1, 1])], namespace="one")
    await index.upsert(vectors=[("a", [1, 0])], namespace="two")
    await index.delete(ids=["a"], namespace="one")
    stats = await eventually(
        index.describe_index_stats,
        lambda seen: seen.total_vector_count == 2 and "two" in seen.namespaces,
    )
    assert {name: each.vector_count for name, each in stats.namespaces.items()} == {
        "one": 1,
        "two": 1,
    }
    assert (stats.dimension, stats.metric, stats.vector_type) == (2, "cosine", "dense")


async def test_statistics_take_no_filter(space: Space) -> None:
    with pytest.raises(ApiError, match="do not support describing index stats with metadata"):
        await space.index.describe_index_stats(filter={"kind": "x"})


@pytest.mark.parametrize(
    "params",
    [
        {"limit": "0"},
        {"limit": "101"},
        {"limit": "many"},
        {"paginationToken": "not a token"},
        {"paginationToken": "e30="},
        {"prefix": "ü"},
        {"namespace": "ü"},
    ],
)
def test_a_listing_that_no_sdk_would_ask_for_is_refused(
    http: httpx.Client, params: dict[str, str]
) -> None:
    refused = http.get("/vectors/list", params=params)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


@pytest.mark.parametrize(
    "body",
    [{"filter": {}}, {}, {"filter": {"a": 1}, "limit": 0}, {"filter": {"a": 1}, "limit": 10_001}],
)
def test_a_fetch_by_metadata_that_no_sdk_would_send_is_refused(
    http: httpx.Client, body: dict[str, Any]
) -> None:
    refused = http.post("/vectors/fetch_by_metadata", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def test_a_fetch_of_no_ids_is_refused(http: httpx.Client) -> None:
    assert http.get("/vectors/fetch").status_code == 400
