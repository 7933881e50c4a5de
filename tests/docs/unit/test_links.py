"""Every link of every page leads somewhere."""

from pathlib import Path

import pytest

from tests.docs.pages import documents, headings, links
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

    assert [one for one in links(page.read_text()) if not _leads_somewhere(page, one)] == [
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
