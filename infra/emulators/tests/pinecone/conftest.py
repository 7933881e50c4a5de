"""One emulator a run, with a freshness delay, and both clients of the SDK on it."""

import hashlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from infra.emulators.testing import Emulators, emulators
from infra.emulators.tests.pinecone.doors import DOORS, KEY, Door, Space

FRESHNESS_MS = 25
DIMENSION = 3


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    folder = tmp_path_factory.mktemp("pinecone")
    with emulators(["pinecone"], folder, "--freshness-ms", str(FRESHNESS_MS)) as running:
        with httpx.Client(
            base_url=running.told["PINECONE_CONTROLLER_HOST"], headers={"Api-Key": KEY}
        ) as client:
            for metric in ("cosine", "dotproduct", "euclidean"):
                client.post("/indexes", json=described(metric)).raise_for_status()
        yield running


def described(name: str, metric: str | None = None) -> dict[str, Any]:
    field = {"type": "dense_vector", "dimension": DIMENSION, "metric": metric or name}
    return {"name": name, "schema": {"fields": {"_values": field}}}


@pytest.fixture(params=sorted(DOORS))
async def door(request: pytest.FixtureRequest, emulator: Emulators) -> AsyncIterator[Door]:
    opened = DOORS[request.param](emulator.told["PINECONE_CONTROLLER_HOST"])
    yield opened
    await opened.close()


@pytest.fixture
def fresh(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses, fit for an index or a namespace."""
    return "t-" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:20]


@pytest.fixture
async def space(door: Door, fresh: str) -> Space:
    """An empty namespace of the cosine index."""
    return Space(await door.index("cosine"), fresh)


@pytest.fixture
def http(emulator: Emulators) -> Iterator[httpx.Client]:
    """For requests that the SDK itself would refuse to send; paths are those of the data plane."""
    base = emulator.told["PINECONE_CONTROLLER_HOST"] + "/svc/cosine"
    with httpx.Client(base_url=base, headers={"Api-Key": KEY}) as client:
        yield client


@pytest.fixture
def admin(emulator: Emulators) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=emulator.told["admin"]["pinecone"]) as client:
        yield client
        client.post("/reset").raise_for_status()
