"""More processor for the starts that somebody waits for."""

import shutil
import subprocess
from collections.abc import Sequence

import pytest

from infra.check.google_cloud import Google
from infra.deploy.environment import CannotDeploy
from infra.deploy.startup_boost import boost, command
from infra.tables import tables
from tests.deploy.google import PLACE, Project

ROWS = tables()["deployments"]


class Gcloud:
    """Google's command, as far as it changes the project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.said: list[list[str]] = []

    def __call__(self, words: Sequence[str]) -> None:
        self.said.append(list(words))
        self._project.boosted.add(words[4])


def boosted(project: Project, gcloud: Gcloud) -> list[str]:
    return list(boost(Google(project), PLACE, ROWS, gcloud))


def test_those_that_somebody_waits_for_have_it_and_no_other() -> None:
    assert {name for name, row in ROWS.items() if row["startup_boost"]} == {
        "ingest_message",
        "build_context",
    }


def test_it_is_set_where_a_service_lacks_it_and_only_there() -> None:
    project = Project()
    project.boosted.discard("annals-prod-build-context")
    gcloud = Gcloud(project)

    assert boosted(project, gcloud) == [
        "annals-prod-ingest-message: has its start-up boost",
        "annals-prod-build-context: start-up boost set",
    ]
    assert gcloud.said == [command(PLACE, "annals-prod-build-context")]
    assert boosted(project, gcloud)[1] == "annals-prod-build-context: has its start-up boost"
    assert len(gcloud.said) == 1


def test_what_is_not_deployed_is_not_boosted() -> None:
    project = Project()
    del project.services["annals-prod-build-context"]
    with pytest.raises(CannotDeploy, match="annals-prod-build-context is not there"):
        boosted(project, Gcloud(project))


@pytest.mark.skipif(shutil.which("gcloud") is None, reason="gcloud is not installed")
def test_google_s_own_command_knows_these_words() -> None:
    """It looks at its words before it asks who is there."""
    words = command(PLACE, "annals-prod-build-context")
    known = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False)
    unknown = subprocess.run([*words, "--cpu-bost"], capture_output=True, text=True, check=False)

    assert known.returncode == 0
    assert "--[no-]cpu-boost" in known.stdout
    assert unknown.returncode == 2
    assert "unrecognized arguments" in unknown.stderr
