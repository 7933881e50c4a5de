"""The READMEs stay short, their maps are whole, and what they name is there."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import READMES, text_of
from tests.project import ROOT

MAPPED = ("functions", "shared", "infra", "tests", "bench", "docs", "requirements")
NAMED_TOGETHER = ("functions/", "tests/", "infra/emulators/", "infra/aws/", "infra/gcp/")
"""Folders whose own folders the maps describe by a pattern, or that have a map of their own."""
PLACEHOLDERS = {"<name>": "*", "<id>": "*", "<subject>": "*", "<technique>": "*"}


def _folders() -> list[Path]:
    """Folders of code and pages, by their path from the root."""
    found = []
    for top in MAPPED:
        for folder in (ROOT / top, *sorted((ROOT / top).rglob("*"))):
            path = folder.relative_to(ROOT).as_posix()
            is_ours = folder.is_dir() and any(one.is_file() for one in folder.iterdir())
            if is_ours and "__pycache__" not in path and not path.startswith(NAMED_TOGETHER):
                found.append(Path(path))
    return found


@pytest.mark.parametrize("name", READMES)
def test_a_readme_is_read_in_one_sitting(name: str) -> None:
    assert len(text_of(name).splitlines()) <= 250


@pytest.mark.parametrize("name", READMES)
def test_the_map_has_every_folder(name: str) -> None:
    (shown,) = re.findall(
        r"^```text\n(functions/.*?)^```$", text_of(name), re.DOTALL | re.MULTILINE
    )
    missing = [str(one) for one in _folders() if f"{one.name}/" not in shown]

    assert len(_folders()) > 20
    assert missing == []


def _paths(name: str) -> list[str]:
    """Paths from the root in the table of what to touch."""
    rows = [
        line for line in text_of(name).splitlines() if line.startswith("| ") and "|" in line[2:]
    ]
    tops = "|".join(MAPPED)
    return [path for row in rows for path in re.findall(rf"`((?:{tops})/[^`]+)`", row)]


@pytest.mark.parametrize("name", READMES)
def test_what_is_to_be_touched_is_there(name: str) -> None:
    assert len(_paths(name)) > 15
    for path in _paths(name):
        pattern = path.rstrip("/")
        for placeholder, anything in PLACEHOLDERS.items():
            pattern = pattern.replace(placeholder, anything)
        assert list(ROOT.glob(pattern)), f"{name} names {path}"


def test_both_readmes_send_to_the_same_places() -> None:
    english, chinese = (_paths(name) for name in READMES)

    assert english == chinese
