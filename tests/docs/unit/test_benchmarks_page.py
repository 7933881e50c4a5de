"""Every number of the page on benchmarks stands in the result that its row links."""

import re

import pytest

from tests.docs.pages import text_of
from tests.project import ROOT

PAGE = "docs/benchmarks.md"
ROWS = [line.split("|")[1:-1] for line in text_of(PAGE).splitlines() if "](../bench/" in line]
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip() for row in ROWS])
def test_its_number_is_in_the_result(row: list[str]) -> None:
    _, number, _, link = row
    (path,) = re.findall(r"\(\.\./(bench/results/[\w.]+)\)", link)
    measured = set(_NUMBER.findall((ROOT / path).read_text("utf-8")))

    assert set(_NUMBER.findall(number)) <= measured


def test_there_are_about_twenty() -> None:
    assert 15 <= len(ROWS) <= 30
