"""What the READMEs show of the demo is what it printed, shortened and nothing else."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from infra.demo.script import read_talk
from infra.demo.show import cut
from infra.docs.excerpt import excerpt as shortened
from tests.docs.pages import READMES, blocks, commands, text_of

LEFT_OUT = "…"


def excerpt(readme: str) -> list[str]:
    """The block that shows the demo; lines of a lone ellipsis stand for what was left out."""
    block = next(one for one in blocks(text_of(readme), "text") if "One question" in one)
    return [line.rstrip() for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("readme", READMES)
def test_every_line_shown_was_printed_in_this_order(readme: str) -> None:
    printed = iter([line.rstrip() for line in text_of("docs/demo.txt").splitlines()])

    for line in excerpt(readme):
        if line.strip() != LEFT_OUT:
            assert line in printed, f"not printed, or not in this order: {line}"


@pytest.mark.parametrize("readme", READMES)
def test_what_is_left_out_is_marked(readme: str) -> None:
    """Two lines that follow each other in the excerpt followed each other in the output."""
    printed = [line.rstrip() for line in text_of("docs/demo.txt").splitlines() if line.strip()]
    shown = excerpt(readme)

    for line, after in pairwise(shown):
        if LEFT_OUT not in (line.strip(), after.strip()):
            assert any(pair == (line, after) for pair in pairwise(printed)), (
                f"something is missing without a mark before: {after}"
            )


@pytest.mark.parametrize("readme", READMES)
def test_the_number_of_messages_is_that_of_the_talk(readme: str) -> None:
    said = [step for step in read_talk(datetime(2026, 3, 2, tzinfo=UTC)) if step.kind == "say"]

    assert f" {len(said)} " in next(
        line for line in commands(text_of(readme)) if line.startswith("make demo")
    )


def test_a_line_is_cut_by_the_columns_it_takes() -> None:
    assert cut("a b", 3) == "a b"
    assert cut("山顶风很大", 10) == "山顶风很大"
    assert cut("山顶风很大", 9) == "山顶风很…"


def test_of_several_chats_the_first_is_shown_and_the_rest_is_marked() -> None:
    printed = "3 chats\n\nMemories ──────\nof each\nOne\n  a\nTwo\n  b\n\nEvents ──────\nall\n"

    assert shortened(printed) == (
        "3 chats\n\nMemories ──────\nof each\nOne\n  a\n  …\n\nEvents ──────\nall"
    )
