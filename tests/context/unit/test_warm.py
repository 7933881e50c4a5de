"""The first context after a start finds everything imported."""

import json
import os
import subprocess
import sys

import pytest

from tests.project import ROOT

PROBE = """
import json, sys
import functions.build_context.main
print(json.dumps(sorted(sys.modules)))
"""
LATE = {"google.cloud.firestore_v1.services.firestore", "openai", "pinecone", "rjieba", "numpy"}
SET_UP = {"OPENAI_API_KEY": "local", "PINECONE_API_KEY": "local"}


@pytest.mark.parametrize(
    ("variables", "early"), [(SET_UP, LATE), ({}, set())], ids=["set up", "nothing set up"]
)
def test_what_the_first_context_needs_is_imported_while_the_process_starts(
    variables: dict[str, str], early: set[str]
) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=True,
    )

    assert LATE & set(json.loads(done.stdout.splitlines()[-1])) == early
