"""Which secrets `make secrets` takes for missing: one that is there but could not be seen is never
replaced."""

import json
import shutil
from pathlib import Path

import httplib2
import pytest

from infra.check.google_cloud import Google, secrets
from infra.deploy.__main__ import missing_secrets, store_secrets
from infra.deploy.environment import INFRA, CannotDeploy, Environment
from infra.tables import tables
from tests.deploy.google import PLACE, Project

HASH_KEY = PLACE.secret("ANNALS_HASH_KEY")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which commands are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def environment(folder: Path, cloud: str) -> Environment:
    infra = folder / "infra"
    shutil.copytree(INFRA / cloud, infra / cloud)
    shutil.copy(INFRA / "tables.json", infra)
    made = Environment(cloud, "prod", infra)
    mine = {"project": PLACE.project, "google_project": PLACE.project, "google_region": "r"}
    made.settings_file.write_text(json.dumps(mine))
    return made


def program(folder: Path, name: str, does: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o700)


def missing(project: Project) -> list[str]:
    return missing_secrets(secrets(Google(project), PLACE, tables()["secrets"]))


def test_what_is_not_there_or_has_no_enabled_version_is_missing() -> None:
    project = Project()
    del project.secrets[PLACE.secret("OPENAI_API_KEY")]
    project.secrets[PLACE.secret("PINECONE_API_KEY")] = "DESTROYED"

    assert missing(project) == ["OPENAI_API_KEY", "PINECONE_API_KEY"]


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_refusal_is_not_taken_for_a_missing_secret(status: int) -> None:
    project = Project()
    project.refusals["secretmanager"] = status

    with pytest.raises(
        CannotDeploy, match=f"none was changed(.|\n)*ANNALS_HASH_KEY.*{status}"
    ) as it:
        missing(project)
    assert "make secrets" not in str(it.value)


def test_a_value_of_before_that_is_still_enabled_is_not_replaced() -> None:
    project = Project()
    project.secrets[HASH_KEY] = "DISABLED"
    project.older_secrets.add(HASH_KEY)

    with pytest.raises(CannotDeploy, match="an older one has a value: gcloud secrets versions"):
        missing(project)


def test_a_network_that_fails_is_not_taken_for_a_missing_secret() -> None:
    class Offline(Project):
        def request(self, *_: object, **__: object) -> tuple[httplib2.Response, bytes]:
            raise httplib2.ServerNotFoundError("no such host")

    with pytest.raises(CannotDeploy, match="no such host"):
        missing(Offline())


def test_on_google_cloud_nothing_is_stored_where_reading_is_forbidden(
    tmp_path: Path, programs: Path
) -> None:
    stored = tmp_path / "stored"
    program(programs, "terraform", "exit 0")
    program(programs, "gcloud", f"echo stored > {stored}")
    project = Project()
    project.refusals["secretmanager"] = 403

    with pytest.raises(CannotDeploy, match="403"):
        store_secrets(environment(tmp_path, "gcp"), Google(project))

    assert not stored.exists()


def test_without_terraform_it_says_so(tmp_path: Path, programs: Path) -> None:
    with pytest.raises(CannotDeploy, match=r"terraform .* is not installed"):
        store_secrets(environment(tmp_path, "gcp"), Google(Project()))


def test_without_the_command_of_aws_it_says_so(tmp_path: Path, programs: Path) -> None:
    with pytest.raises(CannotDeploy, match="`aws` is not installed"):
        store_secrets(environment(tmp_path, "aws"))


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("echo no credentials >&2; exit 255", "no credentials"),
        ("exit 3", "ended with 3"),
        ("echo '<html>'", "no JSON"),
    ],
)
def test_a_command_of_aws_that_fails_ends_it(
    tmp_path: Path, programs: Path, does: str, told: str
) -> None:
    program(programs, "aws", does)

    with pytest.raises(CannotDeploy, match=told):
        store_secrets(environment(tmp_path, "aws"))
