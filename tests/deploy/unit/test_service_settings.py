"""What a Cloud Run service gets after Terraform: a faster start, an audience for the queues."""

import shutil
import subprocess
from collections.abc import Sequence

import pytest

from infra.check.google_cloud import Google, after
from infra.deploy.environment import CannotDeploy
from infra.deploy.service_settings import command, complete
from infra.tables import tables
from tests.deploy.google import PLACE, Project

ROWS = tables()["deployments"]
BOOSTED = "annals-prod-build-context"
WORKER = "annals-prod-ingest-message-tasks"


class Gcloud:
    """Google's command, as far as it changes the project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.said: list[list[str]] = []

    def __call__(self, words: Sequence[str]) -> None:
        self.said.append(list(words))
        service = words[4]
        if "--cpu-boost" in words:
            self._project.boosted.add(service)
        for word in words:
            name, _, value = word.partition("=")
            if name == "--add-custom-audiences":
                self._project.audiences.setdefault(service, []).append(value)


def completed(project: Project, gcloud: Gcloud) -> list[str]:
    return list(complete(Google(project), PLACE, ROWS, gcloud))


def test_those_that_somebody_waits_for_start_faster_and_no_other() -> None:
    assert {name for name, row in ROWS.items() if row["startup_boost"]} == {
        "ingest_message",
        "build_context",
    }


def test_the_boost_is_set_where_a_service_lacks_it_and_only_there() -> None:
    project = Project()
    project.boosted.discard(BOOSTED)
    gcloud = Gcloud(project)

    assert f"{BOOSTED}: set --cpu-boost" in completed(project, gcloud)
    assert gcloud.said == [command(PLACE, BOOSTED, ["--cpu-boost"])]
    assert f"{BOOSTED}: has its settings" in completed(project, gcloud)
    assert len(gcloud.said) == 1


def test_a_closed_worker_takes_the_audience_that_the_queues_tokens_carry() -> None:
    """Without it Cloud Run answers every task with 401."""
    project = Project()
    project.audiences[WORKER] = []
    gcloud = Gcloud(project)
    refusals = [step for step in after(Google(project), PLACE, tables()) if not step.is_ok]

    assert [step.name for step in refusals] == [f"{WORKER} takes the queues' tokens"]
    completed(project, gcloud)
    assert project.audiences == {WORKER: ["annals-prod"]}
    assert all(step.is_ok for step in after(Google(project), PLACE, tables()))


def test_what_is_not_deployed_gets_no_settings() -> None:
    project = Project()
    del project.services[BOOSTED]
    with pytest.raises(CannotDeploy, match=f"{BOOSTED} is not there"):
        completed(project, Gcloud(project))


@pytest.mark.skipif(shutil.which("gcloud") is None, reason="gcloud is not installed")
def test_google_s_own_command_knows_these_words() -> None:
    """It looks at its words before it asks who is there."""
    words = command(PLACE, BOOSTED, ["--cpu-boost", "--add-custom-audiences=annals-prod"])
    known = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False)
    unknown = subprocess.run([*words, "--cpu-bost"], capture_output=True, text=True, check=False)

    assert known.returncode == 0
    assert "--[no-]cpu-boost" in known.stdout
    assert "--add-custom-audiences" in known.stdout
    assert unknown.returncode == 2
    assert "unrecognized arguments" in unknown.stderr
