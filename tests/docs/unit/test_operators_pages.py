"""What an operator copies from a page runs as it stands there."""

import re

import pytest

from tests.docs.pages import text_of
from tests.project import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for name in ("deploy*.md", "operations*.md")
    for path in (ROOT / "docs").glob(name)
)


@pytest.mark.parametrize("page", PAGES)
def test_our_modules_are_run_by_the_python_that_has_their_requirements(page: str) -> None:
    found = re.findall(r"(\S*)python -m infra[.\w]*\w", text_of(page))

    assert {before.rpartition("`")[2] for before in found} <= {".venv/bin/"}


@pytest.mark.parametrize("page", [page for page in PAGES if "make plan" in text_of(page)])
def test_bundles_are_made_before_a_plan_is(page: str) -> None:
    before, _, _ = text_of(page).partition("make plan")

    assert "make bundles" in before[-120:]
