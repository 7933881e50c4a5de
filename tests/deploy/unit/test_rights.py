"""Least rights: what each function may do is what its code does."""

import pytest

from infra.rights import OF_PLATFORMS, made_with, queues_of, secrets_of
from infra.tables import tables
from shared.config.deployment import FUNCTIONS
from shared.config.settings import CATALOGUE
from shared.contracts.jobs import KINDS
from shared.contracts.queues import queues

KEYS = {"ANNALS_HASH_KEY", "ANNALS_ROOT_KEY_HASH"}


def test_who_sends_stored_jobs_again_may_use_every_queue_of_jobs() -> None:
    of_jobs = {row.queue for row in KINDS.values()}

    assert queues_of("ingest_message") >= of_jobs | {"attribute", "import"}, "the sweep"
    assert queues_of("historian_job") >= of_jobs, "a retry by hand"


def test_a_lease_is_handed_on_to_whoever_waits_for_it() -> None:
    """Extraction waits for evolution's lease: evolve_group sends it when it is done. A memory is
    forgotten by a job. Upkeep fills pages under attribution's lease, which a task may wait for."""
    assert queues_of("evolve_group") == {"evolve", "historian", "forget", "attribute"}


def test_others_may_use_only_what_they_send_to() -> None:
    assert queues_of("summarize_topic") == {"summarize"}
    assert queues_of("build_context") == {"historian"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_checks_keys_and_only_the_door_knows_platforms(function: str) -> None:
    needed = secrets_of(function)

    assert needed >= KEYS
    assert (needed & OF_PLATFORMS) == (OF_PLATFORMS if function == "ingest_message" else set())


def test_a_service_is_made_with_the_secrets_of_its_parts() -> None:
    assert made_with()["vectors"] >= {"pinecone_api_key"}
    assert made_with()["message_search"] >= {"pinecone_api_key"}, "through its index"
    assert "pinecone_api_key" not in made_with()["messages"]


def test_the_deployments_rows_have_exactly_these() -> None:
    for name, row in tables()["deployments"].items():
        own = secrets_of(row["function"])
        is_for_tasks = name.endswith("-tasks")
        assert set(row["secrets"]) == (own - OF_PLATFORMS if is_for_tasks else own)
        assert set(row["queues"]) == queues_of(row["function"])


def test_every_secret_and_every_queue_belongs_to_somebody() -> None:
    rows = tables()
    assert set(rows["secrets"]) == {one.env for one in CATALOGUE.values() if one.secret}
    assert {one for row in rows["deployments"].values() for one in row["queues"]} == set(queues())
