"""The page on prompts tells of the cases that there are."""

import re

from bench.prompts.cases import cases_of
from shared.contracts.replies import REPLIES
from tests.project import ROOT


def test_the_table_has_every_prompt_with_its_cases() -> None:
    page = (ROOT / "docs" / "prompts.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| (\d+) \|", page, re.MULTILINE))
    counted = {prompt_id: len(cases_of(prompt_id)) for prompt_id in REPLIES}
    assert {name: int(count) for name, count in rows.items()} == counted
    assert f"{sum(counted.values())} labelled cases" in page
