"""The parts of the client that are made from other files are what those files say today."""

import runpy
from collections.abc import Callable
from pathlib import Path

from tests.project import ROOT


def test_answers_and_the_client_for_threads_are_as_generated() -> None:
    made: Callable[[], dict[Path, str]] = runpy.run_path(
        str(ROOT / "clients" / "python" / "generate.py")
    )["made"]
    for path, source in made().items():
        assert path.read_text("utf-8") == source, f"{path.name}: run clients/python/generate.py"
