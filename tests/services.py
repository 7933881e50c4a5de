"""The product's own services in this process, on real emulators, with a clock a test can turn.

For long spans: sixty days of a group take seconds, and only the model's and the stores' real code
runs. Over HTTP nothing has such a clock.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

from infra.emulators.testing import Emulators, emulators
from shared.config import load
from shared.domain.audience import combined_audience
from shared.domain.group import Group, with_profile_written
from shared.domain.knowledge.profile import Profile
from shared.stores.profiles import put_profile
from shared.wiring import Services
from tests.project import ROOT

INDEX = "annals"
WORDS_INDEX = "annals-words"
DIMENSIONS = 512


class Clock:
    """Says what it is told, and goes on only when it is turned."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at or datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at

    def turn(self, **by: float) -> None:
        self.at += timedelta(**by)


@contextmanager
def all_emulators(data: Path, *options: str) -> Iterator[Emulators]:
    """The four, with the project's own queues and indexes, and the two indexes made."""
    indexes, queues = ROOT / "infra" / "firestore.indexes.json", ROOT / "infra" / "queues.toml"
    with emulators(
        [], data, "--indexes", str(indexes), "--queues", str(queues), *options
    ) as running:
        make_indexes(running.told["PINECONE_CONTROLLER_HOST"])
        yield running


def make_indexes(host: str) -> None:
    from pinecone import Pinecone

    with Pinecone(api_key="local", host=host) as client:
        dense = {"type": "dense_vector", "dimension": DIMENSIONS, "metric": "cosine"}
        fields = {
            INDEX: {"_values": dense},
            WORDS_INDEX: {"_sparse_values": {"type": "sparse_vector"}},
        }
        for name, schema in fields.items():
            if not client.indexes.exists(name):
                client.indexes.create(
                    name=name,
                    schema={"fields": schema},
                    deployment={
                        "deployment_type": "managed",
                        "cloud": "aws",
                        "region": "us-east-1",
                    },
                )


@asynccontextmanager
async def in_process(
    told: dict[str, Any], clock: Clock, **environment: str
) -> AsyncIterator[Services]:
    """Services of a project of their own. Tasks go nowhere: the test runs the handlers itself.

    The queues belong to another project, so sending fails and is healed by nobody; use
    `GOOGLE_CLOUD_PROJECT="annals-local"` to have them delivered to `ANNALS_URL_*`.
    """
    settings, _ = load(
        {
            "GOOGLE_CLOUD_PROJECT": f"test-{uuid.uuid4().hex[:12]}",
            "FIRESTORE_EMULATOR_HOST": told["FIRESTORE_EMULATOR_HOST"],
            "CLOUD_TASKS_ENDPOINT": told["CLOUD_TASKS_ENDPOINT"],
            "PINECONE_CONTROLLER_HOST": told["PINECONE_CONTROLLER_HOST"],
            "PINECONE_API_KEY": "local",
            "PINECONE_INDEX": INDEX,
            "PINECONE_WORDS_INDEX": WORDS_INDEX,
            "OPENAI_BASE_URL": told["OPENAI_BASE_URL"],
            "OPENAI_API_KEY": "local",
            "ANNALS_TASK_AUTH": "oidc",
            "ANNALS_TASK_AUDIENCE": "annals",
            "ANNALS_TASK_SERVICE_ACCOUNT": "annals@annals-local.iam.gserviceaccount.com",
            "ANNALS_HASH_KEY": "0123456789abcdef",
            "ANNALS_SEND_TASK_SECONDS": "5",
            **{
                f"ANNALS_URL_{name}": "http://127.0.0.1:9"
                for name in (
                    "INGEST_MESSAGE",
                    "BUILD_CONTEXT",
                    "EVOLVE_GROUP",
                    "SUMMARIZE_TOPIC",
                    "HISTORIAN_JOB",
                )
            },
            **environment,
        }
    )
    made = Services(settings, clock, _briefly)
    try:
        yield made
    finally:
        await made.close()


async def _briefly(seconds: float) -> None:
    """Between two tries nobody else needs the time."""
    await asyncio.sleep(min(seconds, 0.02))


class _Replaced:
    """Services of which some are others."""

    def __init__(self, made: Services, own: dict[str, Any]) -> None:
        self.__dict__ |= own
        self._made = made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


def replaced(made: Services, **own: Any) -> Services:
    """The same services, but for these."""
    return cast(Services, _Replaced(made, own))


async def put_profiles(made: Services, *profiles: Profile) -> None:
    """As a merge writes them, in groups that are made if need be."""
    await made.database.commit([put_profile(one) for one in profiles])
    for one in profiles:
        await made.groups.change(one.group_id, partial(_learnt, one), made.now())


def _learnt(profile: Profile, group: Group) -> Group:
    heard = combined_audience(group.audience, [profile.audience])
    return with_profile_written(replace(group, audience=heard))
