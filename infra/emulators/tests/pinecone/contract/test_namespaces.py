"""Namespaces: created, listed, described, deleted."""

import httpx
import pytest
from pinecone import ConflictError, NotFoundError, ServiceError

from infra.emulators.tests.pinecone.doors import Door, Space, eventually


async def _until_described(space: Space, records: int) -> None:
    await eventually(
        lambda: space.index.describe_namespace(name=space.name),
        lambda seen: seen.record_count == records,
    )


async def test_a_created_namespace_is_empty_and_described(space: Space) -> None:
    created = await space.index.create_namespace(name=space.name)
    assert (created.name, created.record_count) == (space.name, 0)
    seen = await space.index.describe_namespace(name=space.name)
    assert (seen.name, seen.record_count, seen.size_bytes) == (space.name, 0, 0)


async def test_an_upsert_creates_its_namespace(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]), ("b", [1, 0, 0]))
    seen = await space.index.describe_namespace(name=space.name)
    assert (seen.record_count, seen.size_bytes) == (2, 24)


async def test_a_namespace_can_be_created_only_once(space: Space) -> None:
    await space.index.create_namespace(name=space.name)
    with pytest.raises(ConflictError, match="Namespace already exists"):
        await space.index.create_namespace(name=space.name)


async def test_an_unknown_namespace_cannot_be_described_or_deleted(space: Space) -> None:
    for attempt in (space.index.describe_namespace, space.index.delete_namespace):
        with pytest.raises(NotFoundError, match="Namespace not found"):
            await attempt(name=space.name)


async def test_a_deleted_namespace_is_gone_with_its_records(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]))
    await space.index.delete_namespace(name=space.name)
    await space.until_gone("a")
    with pytest.raises(NotFoundError):
        await space.index.describe_namespace(name=space.name)
    assert space.name not in (await space.index.describe_index_stats()).namespaces


async def test_a_deleted_namespace_can_be_filled_again_at_once(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]))
    await space.index.delete_namespace(name=space.name)
    await space.index.upsert(vectors=[("b", [1, 0, 0])], namespace=space.name)
    await eventually(space.ids, lambda ids: ids == ["b"])
    await _until_described(space, 1)


async def test_namespaces_are_listed_in_pages_by_prefix(door: Door, space: Space) -> None:
    names = [f"{space.name}-{letter}" for letter in "abcde"]
    for name in reversed(names):
        await space.index.create_namespace(name=name)
    pages = await door.pages(space.index, "list_namespaces", prefix=space.name, limit=2)
    assert [[each.name for each in page.namespaces] for page in pages] == [
        names[:2],
        names[2:4],
        names[4:],
    ]
    assert {page.total_count for page in pages} == {5}


async def test_a_namespace_with_its_own_schema_is_refused(space: Space) -> None:
    with pytest.raises(ServiceError) as caught:
        await space.index.create_namespace(
            name=space.name, schema={"fields": {"genre": {"filterable": True}}}
        )
    assert caught.value.status_code == 501


def test_the_default_namespace_cannot_be_created(http: httpx.Client) -> None:
    refused = http.post("/namespaces", json={"name": "__default__"})
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


async def test_imports_records_and_documents_are_refused(space: Space) -> None:
    for attempt in (
        space.index.start_import("s3://bucket/folder/"),
        space.index.upsert_records(records=[{"_id": "a", "text": "x"}], namespace=space.name),
        space.index.search(namespace=space.name, inputs={"text": "x"}, top_k=1),
    ):
        with pytest.raises(ServiceError) as caught:
            await attempt
        assert caught.value.status_code == 501
        assert "not emulated" in caught.value.message
