"""The five bundles of a cloud, built once, and its five functions running.

A module of tests names its cloud by a fixture `cloud`; there is one module a cloud.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pinecone import AsyncPinecone

from infra.bundle import main as bundle
from infra.emulators.testing import Emulators, emulators
from infra.secrets import as_environment, development_secrets
from infra.tables import tables
from shared.config.deployment import FUNCTIONS
from tests.bundles.clean import WHEELHOUSE, Deployed, OnCloudRun, OnLambda
from tests.bundles.running import Running
from tests.project import ROOT


@pytest.fixture(scope="module", autouse=True)
def _lightly_pressed() -> Iterator[None]:
    """Six times 190 MB are zipped here: what is in a zip does not depend on how hard it is pressed,
    and pressing takes longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infra.bundle.COMPRESSION", 0)
        yield


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
            values = settings(emulated, deployed) | as_environment(made)
            for name, one in deployed.items():
                one.start(given(cloud, name, values) | elsewhere(emulated))
            for one in deployed.values():
                one.wait_until_live()
            yield Running(cloud, deployed, made["key"])
        finally:
            for one in deployed.values():
                one.stop()


def given(cloud: str, function: str, values: dict[str, str]) -> dict[str, str]:
    """Exactly what the deployment gives the function, by the table that Terraform reads."""
    table = tables()
    row = table["deployments"][function]
    own = {"ANNALS_TASK_AUTH": row["task_auth"]}
    names = [*table["environment"][cloud], *row["secrets"]]
    return {name: values[name] for name in names} | own


def elsewhere(emulated: Emulators) -> dict[str, str]:
    """Where the emulators are, instead of the services: the one thing that no deployment sets."""
    told = emulated.told
    places = ("FIRESTORE_EMULATOR_HOST", "CLOUD_TASKS_ENDPOINT", "PINECONE_CONTROLLER_HOST")
    return {
        **{name: told[name] for name in (*places, "OPENAI_BASE_URL")},
        "ANNALS_OIDC_CERTS_URL": f"{told['admin']['tasks']}/certs/jwk",
    }


def settings(emulated: Emulators, deployed: dict[str, Deployed]) -> dict[str, str]:
    """A value for each name that a deployment sets."""
    source = {
        "environment_id": "aws1",
        "regional_cred_verification_url": "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity",
    }
    pool = "projects/1/locations/global/workloadIdentityPools/annals-test-aws"
    federation = {
        "type": "external_account",
        "audience": f"//iam.googleapis.com/{pool}/providers/aws",
        "subject_token_type": "urn:ietf:params:aws:token-type:aws4_request",
        "token_url": "https://sts.googleapis.com/v1/token",
        "credential_source": source,
    }
    return {
        "GOOGLE_CLOUD_PROJECT": "annals-local",
        "FIRESTORE_DATABASE": "(default)",
        "CLOUD_TASKS_LOCATION": "local",
        "PINECONE_API_KEY": "local",
        "OPENAI_API_KEY": "local",
        "MEMORY_EMBEDDING_API_KEY": "local",
        "MEMORY_TASK_API_KEYS": "extract=local",
        "CLOUD_RUN_TIMEOUT_SECONDS": "0",
        "FUNCTION_USE_ASGI": "true",
        "ANNALS_ATTRIBUTE_QUEUES": "1",
        "ANNALS_SUMMARIZE_QUEUES": "1",
        "ANNALS_TASK_AUTH": "oidc",
        "ANNALS_TASK_AUDIENCE": "annals",
        "ANNALS_TASK_SERVICE_ACCOUNT": "annals@annals-local.iam.gserviceaccount.com",
        "ANNALS_GOOGLE_EXTERNAL_ACCOUNT": json.dumps(federation),
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
