"""The emulator's own controls: counts, own times, faults, bulk loading."""

import asyncio
import json
from collections.abc import Iterator

import httpx
import numpy as np
import pytest
from pinecone import ServiceError

from infra.emulators.testing import Emulators, emulators
from infra.emulators.tests.pinecone.doors import KEY, AsyncDoor, Space, eventually


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    """An emulator of its own: faults here must not strike the other tests."""
    with emulators(["pinecone"], tmp_path_factory.mktemp("pinecone-admin")) as running:
        yield running


@pytest.fixture
def own_admin(own: Emulators) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=own.told["admin"]["pinecone"]) as client:
        client.post("/reset").raise_for_status()
        yield client
        client.post("/reset").raise_for_status()


@pytest.fixture
def plain(own: Emulators, fresh: str) -> Iterator[httpx.Client]:
    """The data plane of a new index of two dimensions, without a client that tries again."""
    control = own.told["PINECONE_CONTROLLER_HOST"]
    with httpx.Client(base_url=f"{control}/svc/{fresh}", headers={"Api-Key": KEY}) as client:
        field = {"type": "dense_vector", "dimension": 2, "metric": "cosine"}
        body = {"name": fresh, "schema": {"fields": {"_values": field}}}
        client.post(f"{control}/indexes", json=body).raise_for_status()
        yield client


QUERY = {"topK": 1, "vector": [1, 0]}


def test_calls_and_the_servers_own_query_times_are_counted(
    plain: httpx.Client, own_admin: httpx.Client
) -> None:
    own_admin.delete("/stats").raise_for_status()
    for _ in range(3):
        plain.post("/query", json=QUERY).raise_for_status()
    plain.post("/vectors/delete", json={"ids": ["a"], "namespace": "nowhere"})
    stats = own_admin.get("/stats").json()
    assert stats["calls"] == {"query": 3, "delete": 1}
    assert stats["errors"] == {"404": 1}
    assert stats["query_ms"]["count"] == 3
    assert 0 < stats["query_ms"]["median"] <= stats["query_ms"]["p95"]
    assert stats["query_ms"]["cpu_median"] > 0
    assert stats["query_ms"]["longest"] >= stats["query_ms"]["p95"]


def test_statistics_begin_anew_when_told(plain: httpx.Client, own_admin: httpx.Client) -> None:
    plain.post("/query", json=QUERY).raise_for_status()
    own_admin.delete("/stats").raise_for_status()
    stats = own_admin.get("/stats").json()
    assert stats["calls"] == {}
    assert stats["query_ms"] == {
        "count": 0,
        "median": None,
        "p95": None,
        "longest": None,
        "cpu_median": None,
    }


def test_a_share_of_the_named_calls_fails_as_told(
    plain: httpx.Client, own_admin: httpx.Client
) -> None:
    fault = {"status": 429, "share": 0.5, "calls": ["query"], "retry_after": 2, "seed": 3}
    own_admin.put("/faults", json=fault).raise_for_status()
    answers = [plain.post("/query", json=QUERY) for _ in range(60)]
    failed = [answer for answer in answers if answer.status_code == 429]
    assert 15 < len(failed) < 45
    assert failed[0].json()["code"] == 8
    assert failed[0].headers["retry-after"] == "2"
    assert plain.post("/describe_index_stats", json={}).status_code == 200
    own_admin.put("/faults", json=fault).raise_for_status()
    again = [plain.post("/query", json=QUERY).status_code for _ in range(60)]
    assert again == [answer.status_code for answer in answers]


def test_faults_end_when_told(plain: httpx.Client, own_admin: httpx.Client) -> None:
    own_admin.put("/faults", json={"share": 1.0}).raise_for_status()
    assert plain.post("/query", json=QUERY).status_code == 503
    own_admin.delete("/faults").raise_for_status()
    assert plain.post("/query", json=QUERY).status_code == 200


def test_a_fault_of_the_control_plane_has_its_shape(
    plain: httpx.Client, own: Emulators, own_admin: httpx.Client
) -> None:
    own_admin.put("/faults", json={"share": 1.0, "status": 500}).raise_for_status()
    failed = plain.get(own.told["PINECONE_CONTROLLER_HOST"] + "/indexes")
    assert failed.json()["error"]["code"] == "INTERNAL"


def test_latency_outlasts_a_clients_patience(plain: httpx.Client, own_admin: httpx.Client) -> None:
    own_admin.put("/faults", json={"latency_ms": 60_000, "calls": ["query"]}).raise_for_status()
    with pytest.raises(httpx.ReadTimeout):
        plain.post("/query", json=QUERY, timeout=0.2)
    assert plain.post("/describe_index_stats", json={}).status_code == 200


@pytest.mark.parametrize(
    "fault", [{"share": 2}, {"status": 200}, {"latency_ms": -1}, {"colour": "red"}, [1]]
)
def test_a_fault_that_makes_no_sense_is_refused(own_admin: httpx.Client, fault: object) -> None:
    assert own_admin.put("/faults", json=fault).status_code == 400
    assert own_admin.get("/faults").json()["share"] == 0.0


async def test_the_sdk_tries_again_through_passing_faults(
    plain: httpx.Client, own: Emulators, own_admin: httpx.Client, fresh: str
) -> None:
    door = AsyncDoor(own.told["PINECONE_CONTROLLER_HOST"])
    try:
        index = await door.index(fresh)
        fault = {"status": 503, "share": 1.0, "calls": ["upsert"]}
        await asyncio.to_thread(own_admin.put, "/faults", json=fault)
        with pytest.raises(ServiceError):
            await index.upsert(vectors=[("a", [1, 0])])
        stats = (await asyncio.to_thread(own_admin.get, "/stats")).json()
        assert stats["calls"]["upsert"] == 4
    finally:
        await door.close()


async def test_vectors_are_loaded_in_bulk_past_the_limits(
    space: Space, admin: httpx.Client
) -> None:
    ids = [f"v{n:05}" for n in range(12_000)]
    values = np.random.default_rng(1).standard_normal((len(ids), 3), dtype=np.float32)
    metadata = [{"n": n} for n in range(len(ids))]
    head = json.dumps({"ids": ids, "metadata": metadata}).encode()
    params = {"index": "cosine", "namespace": space.name}
    body = head + b"\n" + values.tobytes()
    loaded = await asyncio.to_thread(admin.post, "/load", params=params, content=body)
    assert loaded.json() == {"loaded": 12_000}
    await eventually(
        lambda: space.index.describe_namespace(name=space.name),
        lambda seen: seen.record_count == 12_000,
    )
    (match,) = await space.query(values[11_999].tolist(), top_k=1, include_metadata=True)
    assert (match.id, match.metadata) == ("v11999", {"n": 11_999.0})


def test_a_load_that_makes_no_sense_is_refused(admin: httpx.Client) -> None:
    for params, body in (
        ({"index": "nowhere", "namespace": "x"}, b'{"ids": []}\n'),
        ({"index": "cosine", "namespace": "ü"}, b'{"ids": []}\n'),
        ({"index": "cosine", "namespace": "x"}, b'{"ids": ["a"]}\n1234'),
        ({"index": "cosine", "namespace": "x"}, b"nothing"),
    ):
        assert admin.post("/load", params=params, content=body).status_code == 400


def test_an_unknown_admin_path_is_not_found(admin: httpx.Client) -> None:
    assert admin.get("/nothing").status_code == 404
