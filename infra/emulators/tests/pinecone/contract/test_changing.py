"""Updates and deletes: by id, by filter, of everything."""

from typing import Any

import httpx
import pytest
from pinecone import ApiError, NotFoundError

from infra.emulators.tests.pinecone.doors import Space, eventually


async def _sees(space: Space, record: str, metadata: dict[str, Any]) -> Any:
    found = await eventually(
        lambda: space.fetch(record), lambda seen: seen[record].metadata == metadata
    )
    return found[record]


async def test_updated_values_keep_the_metadata(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0], {"kind": "x"}))
    await space.index.update(id="a", values=[0.0, 0.0, 2.0], namespace=space.name)
    found = await eventually(
        lambda: space.fetch("a"), lambda seen: seen["a"].values == [0.0, 0.0, 2.0]
    )
    assert found["a"].metadata == {"kind": "x"}
    assert (await space.query([0, 0, 1]))[0].score == pytest.approx(1.0)


async def test_updated_metadata_is_merged_and_keeps_the_values(space: Space) -> None:
    await space.upsert(("a", [1, 2, 3], {"kind": "x", "kept": True}))
    await space.index.update(
        id="a", set_metadata={"kind": "y", "more": ["p"]}, namespace=space.name
    )
    seen = await _sees(space, "a", {"kind": "y", "kept": True, "more": ["p"]})
    assert seen.values == [1.0, 2.0, 3.0]
    assert await space.found_by({"kind": "y"}) == ["a"]
    assert await space.found_by({"kind": "x"}) == []


async def test_an_update_of_an_unknown_id_changes_nothing(space: Space) -> None:
    await space.upsert(("a", [1, 2, 3]))
    answer = await space.index.update(id="b", set_metadata={"x": 1}, namespace=space.name)
    assert answer.matched_records is None
    await space.index.update(id="b", set_metadata={"x": 1}, namespace=space.name + "-nowhere")
    assert await space.ids() == ["a"]


async def test_an_update_by_filter_patches_all_that_match(space: Space) -> None:
    await space.upsert(
        *[(f"v{n}", [1, n, 0], {"n": n, "kind": "even" if n % 2 == 0 else "odd"}) for n in range(6)]
    )
    answer = await space.index.update(
        filter={"kind": "odd"}, set_metadata={"kind": "strange"}, namespace=space.name
    )
    assert answer.matched_records == 3
    await eventually(
        lambda: space.found_by({"kind": "strange"}), lambda found: found == ["v1", "v3", "v5"]
    )
    assert await space.found_by({"kind": "even"}) == ["v0", "v2", "v4"]
    assert (await space.fetch("v3"))["v3"].metadata == {"n": 3.0, "kind": "strange"}


async def test_a_dry_run_only_counts(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0], {"kind": "x"}), ("b", [1, 0, 0], {"kind": "y"}))
    answer = await space.index.update(
        filter={"kind": "x"}, set_metadata={"kind": "z"}, namespace=space.name, dry_run=True
    )
    assert answer.matched_records == 1
    await space.upsert(("later", [1, 0, 0], {"kind": "x"}))
    assert await space.found_by({"kind": "x"}) == ["a", "later"]


async def test_an_update_by_filter_in_an_unknown_namespace_matches_nothing(space: Space) -> None:
    answer = await space.index.update(
        filter={"kind": "x"}, set_metadata={"kind": "z"}, namespace=space.name
    )
    assert answer.matched_records == 0


async def test_an_update_meets_a_write_that_readers_do_not_see_yet(space: Space) -> None:
    await space.index.upsert(vectors=[("a", [1, 0, 0], {"kind": "x"})], namespace=space.name)
    await space.index.update(id="a", set_metadata={"seen": True}, namespace=space.name)
    await space.index.update(
        filter={"seen": True}, set_metadata={"kind": "y"}, namespace=space.name
    )
    await eventually(lambda: space.fetch("a"), bool)
    await _sees(space, "a", {"kind": "y", "seen": True})


async def test_updates_obey_the_limits_of_upserts(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0], {"text": "x" * 30_000}))
    for arguments in (
        {"values": [1.0, 2.0]},
        {"values": [0.0, 0.0, 0.0]},
        {"set_metadata": {"more": "x" * 30_000}},
        {"set_metadata": {"deep": {"a": 1}}},
        {"sparse_values": {"indices": [1], "values": [1.0]}},
    ):
        with pytest.raises(ApiError) as caught:
            await space.index.update(id="a", namespace=space.name, **arguments)
        assert caught.value.status_code == 400
    await space.upsert(("b", [1, 0, 0]))
    assert (await space.fetch("a"))["a"].metadata == {"text": "x" * 30_000}


async def test_deleted_ids_are_gone_everywhere(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]), ("b", [0, 1, 0]), ("c", [0, 0, 1]))
    await space.index.delete(ids=["a", "c", "nobody"], namespace=space.name)
    await space.until_gone("a", "c")
    assert await space.ids() == ["b"]
    assert [match.id for match in await space.query([1, 1, 1])] == ["b"]
    assert (await space.index.describe_namespace(name=space.name)).record_count == 1


async def test_a_deleted_id_can_come_back(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0], {"life": 1}))
    await space.index.delete(ids=["a"], namespace=space.name)
    await space.index.upsert(vectors=[("a", [0, 1, 0], {"life": 2})], namespace=space.name)
    await eventually(
        lambda: space.fetch("a"), lambda seen: "a" in seen and seen["a"].metadata == {"life": 2.0}
    )
    assert [match.score for match in await space.query([0, 1, 0])] == [1.0]


async def test_a_filter_deletes_all_that_match(space: Space) -> None:
    await space.upsert(*[(f"v{n}", [1, n, 0], {"n": n}) for n in range(5)])
    await space.index.delete(filter={"n": {"$lt": 3}}, namespace=space.name)
    await space.until_gone("v0", "v1", "v2")
    assert await space.ids() == ["v3", "v4"]


async def test_delete_all_empties_the_namespace_and_keeps_it(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0]), ("b", [0, 1, 0]))
    await space.index.delete(delete_all=True, namespace=space.name)
    await space.until_gone("a", "b")
    assert (await space.index.describe_namespace(name=space.name)).record_count == 0
    await space.upsert(("c", [1, 0, 0]))
    assert await space.ids() == ["c"]


async def test_a_delete_in_an_unknown_namespace_is_not_found(space: Space) -> None:
    for arguments in ({"ids": ["a"]}, {"filter": {"a": 1}}, {"delete_all": True}):
        with pytest.raises(NotFoundError) as caught:
            await space.index.delete(namespace=space.name, **arguments)
        assert caught.value.body == {"code": 5, "message": "Namespace not found", "details": []}


async def test_more_than_1000_ids_cannot_be_deleted_at_once(space: Space) -> None:
    with pytest.raises(ApiError) as caught:
        await space.index.delete(ids=[str(n) for n in range(1_001)], namespace=space.name)
    assert caught.value.message == (
        "Number of provided IDs: 1001 exceeds the maximum amount per request: 1000"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "At least one ID must be provided"),
        ({"ids": []}, "At least one ID must be provided"),
        ({"filter": {}}, "Delete with empty metadata filter is not allowed"),
        ({"deleteAll": True, "ids": ["a"]}, "No explicit IDs allowed when delete_all=true"),
        ({"deleteAll": True, "filter": {"a": 1}}, "No filter allowed when delete_all=true"),
        ({"ids": ["x" * 513]}, "Vector ID must be at most 512 characters, got 513"),
        ({"ids": "abc"}, "ids must be of type list"),
    ],
)
def test_a_delete_that_no_sdk_would_send_is_refused(
    http: httpx.Client, body: dict[str, Any], message: str
) -> None:
    refused = http.post("/vectors/delete", json=body)
    assert refused.status_code == 400
    assert refused.json() == {"code": 3, "message": message, "details": []}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"setMetadata": {"a": 1}}, "Vector ID must be a non-empty string"),
        ({"filter": {}}, "Update with empty metadata filter is not allowed"),
        (
            {"filter": {"a": 1}, "values": [1, 0, 0]},
            "Update by metadata request does not support updating vector values.",
        ),
        (
            {"filter": {"a": 1}, "id": "a"},
            "Cannot provide both 'ID' and 'filter' at the same time",
        ),
    ],
)
def test_an_update_that_no_sdk_would_send_is_refused(
    http: httpx.Client, body: dict[str, Any], message: str
) -> None:
    refused = http.post("/vectors/update", json=body)
    assert refused.status_code == 400
    assert refused.json()["message"] == message
