"""Every link of every page leads somewhere, and every command named on one exists."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import code, documents, headings, links
from tests.project import ROOT

PAGES = [page.relative_to(ROOT).as_posix() for page in documents()]


@pytest.mark.parametrize("name", PAGES)
def test_links_to_files_and_headings_exist(name: str) -> None:
    page = ROOT / name
    broken = [link for link in links(page.read_text("utf-8")) if not _leads_somewhere(page, link)]

    assert broken == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](gone.md) [b](#here) [c](#there) [d](https://example.org)\n")

    assert [link for link in links(page.read_text()) if not _leads_somewhere(page, link)] == [
        "gone.md",
        "#there",
    ]


def _leads_somewhere(page: Path, link: str) -> bool:
    if "://" in link:
        return True
    path, _, heading = link.partition("#")
    target = (page.parent / path) if path else page
    if not target.exists():
        return False
    return not heading or heading in headings(target.read_text("utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_commands_named_on_a_page_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert _missing_commands((ROOT / name).read_text("utf-8"), targets) == set()


def test_a_missing_command_is_found() -> None:
    page = "`make run`, `make coffee`, `python -m bench.cold`, `.venv/bin/python -m infra.gone x`"

    assert _missing_commands(page, {"run"}) == {"make coffee", "python -m infra.gone"}


def _missing_commands(text: str, targets: set[str]) -> set[str]:
    named = code(text)
    made = set(re.findall(r"(?:^|\s)make ([a-z][a-z-]+)", named, re.MULTILINE))
    run = set(re.findall(r"python -m ((?:bench|infra|shared)[\w.]*\w)", named))
    return {f"make {target}" for target in made - targets} | {
        f"python -m {module}" for module in run if not _is_module(module)
    }


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
