"""The check of a project on Google Cloud: of each gap it says what to do."""

from collections.abc import Callable

import pytest

from infra.check.google_cloud import Google, after, before
from infra.check.steps import Step
from infra.tables import tables
from tests.deploy.google import PLACE, Project


def checked(project: Project) -> list[Step]:
    google = Google(project)
    return [*before(google, PLACE, tables()), *after(google, PLACE, tables())]


def test_a_whole_project_is_well() -> None:
    steps = checked(Project())

    assert [one for one in steps if not one.is_ok] == []
    assert len(steps) > 25


def test_it_changes_nothing_and_reads_no_secret() -> None:
    project = Project()
    checked(project)

    changing = [one for one in project.asked if not one.startswith("GET ")]
    assert {one.rpartition(":")[2] for one in changing} == {"testIamPermissions"}
    assert not any(":access" in one for one in project.asked)


def without_index(project: Project) -> None:
    del project.indexes[0]


def building_index(project: Project) -> None:
    project.indexes[0] = "CREATING"


def opened_worker(project: Project) -> None:
    project.services["annals-prod-ingest-message-tasks"] = True


def closed_door(project: Project) -> None:
    project.services["annals-prod-build-context"] = False


def broken_service(project: Project) -> None:
    told = {"state": "CONDITION_FAILED", "message": "the container did not start"}
    project.conditions["annals-prod-build-context"] = told


GAPS: list[tuple[Callable[[Project], object], str, str]] = [
    (lambda one: setattr(one, "is_there", False), "the project annals-test", "gcloud auth"),
    (lambda one: setattr(one, "is_paid", False), "billing is on", "gcloud billing"),
    (lambda one: one.apis.discard("run.googleapis.com"), "services are", "enable run.googleapis"),
    (lambda one: one.permissions.discard("iam.serviceAccounts.actAs"), "you may deploy", "actAs"),
    (lambda one: one.secrets.pop("annals-prod-openai-api-key"), "OPENAI_API_KEY", "make secrets"),
    (
        lambda one: one.secrets.update({"annals-prod-openai-api-key": "DISABLED"}),
        "OPENAI_API_KEY",
        "DISABLED",
    ),
    (without_index, "indexes are built", "1 are not there: make deploy-all"),
    (building_index, "indexes are built", "being built"),
    (lambda one: one.queues.pop("forget"), "queues run", "forget not there"),
    (lambda one: one.queues.update(evolve="PAUSED"), "queues run", "queues resume evolve"),
    (lambda one: one.schedules.pop("/cron/sweep"), "schedules are on", "/cron/sweep"),
    (
        lambda one: one.services.pop("annals-prod-evolve-group"),
        "annals-prod-evolve-group",
        "make deploy FN=evolve_group CLOUD=gcp ENV=prod",
    ),
    (opened_worker, "annals-prod-ingest-message-tasks is closed", "allUsers"),
    (closed_door, "annals-prod-build-context is open", "roles/run.invoker"),
    (
        lambda one: one.boosted.discard("annals-prod-build-context"),
        "annals-prod-build-context has its start-up boost",
        "make deploy FN=build_context",
    ),
    (broken_service, "service annals-prod-build-context", "the container did not start"),
]


@pytest.mark.parametrize(("take_away", "name", "to_do"), GAPS)
def test_a_gap_is_named_with_what_to_do(
    take_away: Callable[[Project], object], name: str, to_do: str
) -> None:
    project = Project()
    take_away(project)

    wrong = [one for one in checked(project) if not one.is_ok]

    assert any(name in one.name and to_do in one.to_do for one in wrong), wrong
