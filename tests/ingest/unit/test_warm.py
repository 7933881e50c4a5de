"""What a first webhook needs is there when the process has started, and nothing for others."""

import json
import os
import subprocess
import sys

import pytest

from tests.project import ROOT

SCRIPT = """
import json, sys
import functions.ingest_message.main
print(json.dumps(sorted(sys.modules)))
"""
NEEDED = {
    "google.cloud.firestore_v1.services.firestore",
    "google.cloud.tasks_v2",
    "rjieba",
    "shared.platforms.registry",
}


@pytest.mark.parametrize(
    ("secrets", "there"), [({"ONEBOT_SECRET": "k"}, NEEDED), ({"PINECONE_API_KEY": "k"}, set())]
)
def test_a_started_process_has_imported_what_its_platforms_need(
    secrets: dict[str, str], there: set[str]
) -> None:
    environ = {"PATH": os.environ.get("PATH", ""), **secrets}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environ, capture_output=True, check=True
    )
    modules = set(json.loads(ran.stdout.splitlines()[-1]))

    assert modules & NEEDED == there
