"""The kind of a memory whose maker did not name one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import KINDS


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("每周日一起爬山", "habit"),
        ("禁止剧透", "taboo"),
        ("大家普遍认为远程办公效率更高", "view"),
        ("成员喜欢吃火锅", "preference"),
        ("多数人是儿科护士", "trait"),
        ("正在一起做一个播客", "project"),
        ("对新人友好", "culture"),
        ("数据存放在内网", "fact"),
        ("Members play chess every Friday", "habit"),
        ("Nobody deploys on Fridays", "taboo"),
        ("The team agrees that tabs are better", "view"),
        ("Members like jazz", "preference"),
        ("Most members are nurses", "trait"),
        ("They are recording an album", "project"),
        ("The key hangs behind the clock", "fact"),
    ],
)
def test_the_form_of_a_statement_tells_its_kind(statement: str, kind: str) -> None:
    assert guessed_kind(statement) == kind


@given(st.text())
def test_there_is_always_a_kind(statement: str) -> None:
    assert guessed_kind(statement) in KINDS
