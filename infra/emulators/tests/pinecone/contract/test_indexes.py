"""Creating, describing, listing, configuring and deleting indexes."""

import asyncio
from typing import Any

import httpx
import pytest
from pinecone import (
    ApiError,
    ConflictError,
    ForbiddenError,
    NotFoundError,
    ServerlessSpec,
    ServiceError,
    UnauthorizedError,
)

from infra.emulators.tests.pinecone.doors import Door, eventually

SCHEMA = {"fields": {"_values": {"type": "dense_vector", "dimension": 8, "metric": "dotproduct"}}}


async def test_a_created_index_is_ready_and_has_a_host(door: Door, fresh: str) -> None:
    created = await door.indexes.create(name=fresh, schema=SCHEMA)
    assert created.status.ready
    assert created.host.startswith("http://127.0.0.1:")
    assert created.host.endswith(f"/svc/{fresh}")


async def test_a_description_repeats_what_was_chosen(door: Door, fresh: str) -> None:
    deployment = {"deployment_type": "managed", "cloud": "gcp", "region": "us-central1"}
    await door.indexes.create(
        name=fresh, schema=SCHEMA, deployment=deployment, tags={"env": "test"}
    )
    seen = await door.indexes.describe(fresh)
    field = seen.schema.fields["_values"]
    assert (field.dimension, field.metric) == (8, "dotproduct")
    assert (seen.deployment.cloud, seen.deployment.region) == ("gcp", "us-central1")
    assert (seen.tags, seen.deletion_protection) == ({"env": "test"}, "disabled")


async def test_an_index_without_a_deployment_is_managed_on_aws(door: Door, fresh: str) -> None:
    seen = await door.indexes.create(name=fresh, schema=SCHEMA)
    assert (seen.deployment.cloud, seen.deployment.region) == ("aws", "us-east-1")
    assert seen.tags is None


async def test_the_older_form_of_create_works_too(door: Door, fresh: str) -> None:
    spec = ServerlessSpec(cloud="aws", region="eu-west-1")
    await door.indexes.create(name=fresh, dimension=5, metric="euclidean", spec=spec)
    seen = await door.indexes.describe(fresh)
    assert (seen.dimension, seen.metric, seen.vector_type) == (5, "euclidean", "dense")


async def test_an_index_without_a_name_gets_one(door: Door) -> None:
    created = await door.indexes.create(schema=SCHEMA)
    assert created.name in await door.names()


async def test_indexes_are_listed(door: Door, fresh: str) -> None:
    await door.indexes.create(name=fresh, schema=SCHEMA)
    assert {fresh, "cosine"} <= set(await door.names())


async def test_a_name_can_be_taken_only_once(door: Door, fresh: str) -> None:
    await door.indexes.create(name=fresh, schema=SCHEMA)
    with pytest.raises(ConflictError) as caught:
        await door.indexes.create(name=fresh, schema=SCHEMA)
    assert caught.value.error_code == "ALREADY_EXISTS"


async def test_an_unknown_index_is_not_found(door: Door) -> None:
    with pytest.raises(NotFoundError) as caught:
        await door.indexes.describe("nowhere")
    assert caught.value.message == "Resource nowhere not found"
    assert caught.value.error_code == "NOT_FOUND"
    assert not await door.indexes.exists("nowhere")
    with pytest.raises(NotFoundError):
        await door.indexes.delete("nowhere")


async def test_tags_are_merged_and_an_empty_value_removes_one(door: Door, fresh: str) -> None:
    await door.indexes.create(name=fresh, schema=SCHEMA, tags={"env": "test", "team": "search"})
    await door.indexes.configure(fresh, tags={"env": "prod", "team": "", "cost": "low"})
    assert (await door.indexes.describe(fresh)).tags == {"env": "prod", "cost": "low"}


async def test_a_protected_index_cannot_be_deleted(door: Door, fresh: str) -> None:
    await door.indexes.create(name=fresh, schema=SCHEMA, deletion_protection="enabled")
    with pytest.raises(ForbiddenError, match="Deletion protection is enabled"):
        await door.indexes.delete(fresh)
    await door.indexes.configure(fresh, deletion_protection="disabled")
    await door.indexes.delete(fresh)
    assert not await door.indexes.exists(fresh)


async def test_a_deleted_index_takes_its_records_with_it(door: Door, fresh: str) -> None:
    for _ in range(2):
        await door.indexes.create(name=fresh, schema=SCHEMA)
        index = await door.index(fresh)
        assert (await index.describe_index_stats()).total_vector_count == 0
        await index.upsert(vectors=[("a", [1.0] * 8)])
        await eventually(index.describe_index_stats, lambda stats: stats.total_vector_count == 1)
        await door.indexes.delete(fresh)
    with pytest.raises(NotFoundError):
        await index.describe_index_stats()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"schema": {"fields": {"body": {"type": "string", "full_text_search": {}}}}}, 501),
        ({"schema": {"fields": {"v": {**SCHEMA["fields"]["_values"]}}}}, 501),
        ({"schema": {"fields": {"_values": {"type": "dense_vector", "dimension": 20_001}}}}, 400),
        (
            {
                "schema": {
                    "fields": {"_values": {"type": "dense_vector", "dimension": 3, "metric": "l1"}}
                }
            },
            400,
        ),
        ({"deployment": {"deployment_type": "byoc", "environment": "mine"}}, 501),
        ({"deployment": {"deployment_type": "managed", "cloud": "aws"}}, 422),
        ({"read_capacity": {"mode": "Dedicated", "dedicated": {"node_type": "b1"}}}, 501),
        ({"cmek_id": "key"}, 501),
    ],
)
async def test_what_is_not_emulated_or_not_valid_is_not_created(
    door: Door, fresh: str, arguments: dict[str, Any], status: int
) -> None:
    with pytest.raises(ApiError) as caught:
        await door.indexes.create(**{"name": fresh, "schema": SCHEMA, **arguments})
    assert caught.value.status_code == status
    assert fresh not in await door.names()


async def test_the_schema_of_an_index_is_fixed(door: Door) -> None:
    with pytest.raises(ApiError) as caught:
        await door.indexes.configure("cosine", schema=SCHEMA)
    assert caught.value.status_code == 400


async def test_other_products_are_refused_with_501(door: Door, fresh: str) -> None:
    embed = {"model": "multilingual-e5-large", "field_map": {"text": "text"}}
    for attempt in (
        door.collections.list(),
        door.indexes.create_backup("cosine"),
        door.indexes.create_for_model(name=fresh, cloud="aws", region="us-east-1", embed=embed),
    ):
        with pytest.raises(ServiceError) as caught:
            await attempt
        assert caught.value.status_code == 501
        assert caught.value.error_code == "UNIMPLEMENTED"


def test_without_a_key_nothing_answers(http: httpx.Client) -> None:
    del http.headers["Api-Key"]
    control = str(http.base_url.copy_with(path="/indexes"))
    for refused in (http.get(control), http.post("/describe_index_stats", json={})):
        assert (refused.status_code, refused.text) == (401, "Invalid API Key")


async def test_a_wrong_key_is_unauthorized(door: Door, admin: httpx.Client) -> None:
    index = await door.index("cosine")
    await asyncio.to_thread(admin.put, "/keys", json={"keys": ["another"]})
    for attempt in (door.indexes.describe("cosine"), index.describe_index_stats()):
        with pytest.raises(UnauthorizedError, match="Invalid API Key"):
            await attempt


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 422),
        (b'{"name": "x"}', 422),
        (b'{"name": "Upper", "schema": {}}', 400),
        (b'{"name": "' + b"x" * 46 + b'", "schema": {}}', 400),
        (b'{"name": "x", "dimension": 3, "metric": "cosine"}', 422),
    ],
)
def test_a_create_that_no_sdk_would_send_is_refused(
    http: httpx.Client, body: bytes, status: int
) -> None:
    refused = http.post(str(http.base_url.copy_with(path="/indexes")), content=body)
    assert refused.status_code == status
    assert refused.json()["error"]["code"] == "INVALID_ARGUMENT"
    assert refused.json()["status"] == status


def test_an_unknown_path_is_404_in_the_shape_of_its_plane(http: httpx.Client) -> None:
    control = http.get(str(http.base_url.copy_with(path="/nothing")))
    assert (control.status_code, control.json()["error"]["code"]) == (404, "NOT_FOUND")
    data = http.get("/nothing")
    assert (data.status_code, data.json()["code"]) == (404, 5)
    elsewhere = http.post(str(http.base_url.copy_with(path="/svc/nowhere/query")), json={})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (404, 5)
