"""The page's tables of settings are what the code says."""

from pathlib import Path

import pytest

from shared.config.__main__ import BEGIN, END, main, render, updated
from shared.config.settings import CATALOGUE
from tests.project import ROOT

PAGE = ROOT / "docs" / "settings.md"


def test_the_readme_is_current() -> None:
    written = PAGE.read_text("utf-8")
    assert updated(written) == written, "run: make docs"


def test_every_setting_has_its_row() -> None:
    rendered = render()
    assert [env for _, s in CATALOGUE.items() if f"| `{(env := s.env)}`" not in rendered] == []
    assert all(line.count(" | ") == 3 for line in rendered.splitlines() if line.startswith("| `"))


def test_a_file_is_brought_up_to_date_and_keeps_its_other_text(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\na stale line\n{END}\nafter\n", "utf-8")
    main([str(page)])
    text = page.read_text("utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "a stale line" not in text
    assert "`MEMORY_MODEL`" in text


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="settings:begin"):
        updated("nothing here")


def test_the_command_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert capsys.readouterr().out == render()
