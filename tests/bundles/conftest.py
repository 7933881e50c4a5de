"""The five bundles of a cloud, built once, and its five functions running.

A module of tests names its cloud by a fixture `cloud`; there is one module a cloud.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pinecone import AsyncPinecone

from infra.bundle import main as bundle
from infra.emulators.testing import Emulators, emulators
from infra.secrets import as_environment, development_secrets
from shared.config.deployment import FUNCTIONS
from tests.bundles.clean import WHEELHOUSE, Deployed, OnCloudRun, OnLambda
from tests.bundles.running import Running
from tests.project import ROOT


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    """On the wheelhouse's file system, where linking costs nothing, and gone afterwards."""
    WHEELHOUSE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WHEELHOUSE, prefix=".testing-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def project(scratch: Path) -> Path:
    """A copy of what bundles are made from."""
    leave = shutil.ignore_patterns("__pycache__", "emulators")
    for part in ("functions", "shared", "infra", "requirements"):
        shutil.copytree(ROOT / part, scratch / "project" / part, ignore=leave)
    return scratch / "project"


@pytest.fixture(scope="module")
def bundles(cloud: str, project: Path, scratch: Path) -> Path:
    """A folder with the five bundles of a cloud."""
    out = scratch / "dist"
    assert bundle(["--cloud", cloud, "--root", str(project), "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def running(cloud: str, bundles: Path, scratch: Path) -> Iterator[Running]:
    """The five functions of a cloud, each from its bundle, on emulators."""
    tables = ["--indexes", "infra/firestore.indexes.json", "--queues", "infra/queues.toml"]
    with emulators([], scratch / "emulators", *tables) as emulated:
        kind = OnCloudRun if cloud == "gcp" else OnLambda
        deployed: dict[str, Deployed] = {}
        try:
            for name in FUNCTIONS:
                deployed[name] = kind(bundles / f"{name}-{cloud}", name, scratch)
            made = development_secrets(scratch)
            asyncio.run(make_index(emulated.told["PINECONE_CONTROLLER_HOST"]))
            environment = settings(emulated, deployed) | as_environment(made)
            for one in deployed.values():
                one.start(environment)
            for one in deployed.values():
                one.wait_until_live()
            yield Running(cloud, deployed, made["key"])
        finally:
            for one in deployed.values():
                one.stop()


def settings(emulated: Emulators, deployed: dict[str, Deployed]) -> dict[str, str]:
    """What a deployment would set."""
    told = emulated.told
    places = ("FIRESTORE_EMULATOR_HOST", "CLOUD_TASKS_ENDPOINT", "PINECONE_CONTROLLER_HOST")
    return {
        **{name: told[name] for name in (*places, "OPENAI_BASE_URL")},
        "PINECONE_API_KEY": "local",
        "OPENAI_API_KEY": "local",
        "ANNALS_TASK_AUTH": "oidc",
        "ANNALS_TASK_AUDIENCE": "annals",
        "ANNALS_TASK_SERVICE_ACCOUNT": "annals@annals-local.iam.gserviceaccount.com",
        "ANNALS_OIDC_CERTS_URL": f"{told['admin']['tasks']}/certs",
        **{f"ANNALS_URL_{name.upper()}": one.base for name, one in deployed.items()},
    }


async def make_index(host: str) -> None:
    async with AsyncPinecone(api_key="local", host=host) as client:
        vectors = {"type": "dense_vector", "dimension": 512, "metric": "cosine"}
        await client.indexes.create(
            name="annals",
            schema={"fields": {"_values": vectors}},
            deployment={"deployment_type": "managed", "cloud": "aws", "region": "us-east-1"},
        )
