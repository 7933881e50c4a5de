"""Commands of an operator answer a mistake with a line that names it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT

WITHOUT_ACCOUNT = {
    "GOOGLE_APPLICATION_CREDENTIALS": "/nowhere/key.json",
    "CLOUDSDK_CONFIG": "/nowhere",
    "NO_GCE_CHECK": "true",
}


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, **WITHOUT_ACCOUNT},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["infra.check", "--url", "http://127.0.0.1:1", "--key-file", "nope"], "nope cannot be"),
        (["infra.check", "--ready-file", "nope"], "nope cannot be read"),
        (["infra.check", "--ready-file", "README.md"], "README.md is no ready file"),
        (["infra.demo", "--ready-file", "nope"], "nope cannot be read"),
        (["infra.demo", "--ready-file", "infra/tables.json"], "is no ready file"),
        (["infra.serve"], "required: --fd"),
        (["infra.reindex"], "gcloud auth application-default login"),
        (["infra.tables", "--check"], "unrecognized arguments: --check"),
        (["infra.docs", "--check"], "unrecognized arguments: --check"),
        (["infra.reindex", "--cloud", "gcp"], "--cloud and --env"),
    ],
)
def test_a_mistake_is_named(words: list[str], told: str) -> None:
    done = ran(*words)

    assert done.returncode != 0
    assert told in " ".join((done.stderr + done.stdout).split())


def test_a_cloud_that_has_gone_is_named(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ready.write_text('{"base": "http://127.0.0.1:1", "key": "k", "endpoints": {}}')

    done = ran("infra.demo", "--ready-file", str(ready))

    assert done.returncode == 1
    assert "http://127.0.0.1:1 does not answer" in " ".join(done.stdout.split())


def test_one_function_tells_how_it_is_served() -> None:
    assert "--tasks-fd" in ran("infra.serve", "--help").stdout
