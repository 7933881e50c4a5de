"""The READMEs are short and twins; the maintainers' map has every folder that one must know."""

import re

import pytest

from tests.docs.pages import READMES, blocks, commands, links, text_of
from tests.project import ROOT

MAPPED = ("functions", "shared", "infra", "tests", "bench", "docs", "clients", "requirements")


@pytest.mark.parametrize("name", READMES)
def test_a_readme_is_read_in_one_sitting(name: str) -> None:
    assert len(text_of(name).splitlines()) <= 150


def test_both_readmes_show_the_same_and_send_to_the_same_places() -> None:
    english, chinese = (text_of(name) for name in READMES)

    assert commands(english) == commands(chinese)
    for language in ("python", "text"):
        assert blocks(english, language) == blocks(chinese, language)
    assert _places(english) == _places(chinese)


def _places(text: str) -> set[str]:
    """Links without their headings, a page and its Chinese twin being one."""
    twins = {link.partition("#")[0].replace(".zh-CN.md", ".md") for link in links(text)}
    return twins - {"README.md", ""}


def test_the_map_has_every_folder_below_the_root_and_below_shared_and_infra() -> None:
    (shown,) = re.findall(
        r"^```text\n(functions/.*?)^```$",
        text_of("docs/architecture.md"),
        re.DOTALL | re.MULTILINE,
    )
    folders = {
        folder.name
        for parent in ("shared", "infra")
        for folder in (ROOT / parent).iterdir()
        if folder.is_dir() and folder.name != "__pycache__" and any(folder.glob("*.*"))
    }

    assert len(folders) > 10
    missing = {name for name in folders | set(MAPPED) if f"{name}/" not in shown}
    assert missing == set()
