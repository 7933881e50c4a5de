"""Which kinds of memory a question asks for."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.asked_kinds import agreement, asked_kinds
from shared.domain.memories.memory import KINDS
from shared.domain.similarity.calibration import TABLE, chance_of_answer, chance_of_matter
from shared.domain.text.language import Language

Chance = Callable[[str, Language, float, int], float]


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("大家是做什么工作的", {"trait"}),
        ("群里有什么规矩", {"taboo", "culture"}),
        ("几点开会", {"habit"}),
        ("大家怎么看加班", {"view"}),
        ("他们喜欢什么音乐", {"preference"}),
        ("项目进展如何", {"project"}),
        ("When do we meet?", {"habit"}),
        ("May we smoke here?", {"taboo", "culture"}),
        ("What is the opinion on tabs?", {"view"}),
        ("What do they do for a living?", {"trait"}),
        ("帮我写一首诗", set()),
        ("Who has the key?", set()),
        ("Who waters the plants?", set()),
    ],
)
def test_the_words_of_a_question_tell_what_kind_it_asks_for(question: str, kinds: set[str]) -> None:
    assert asked_kinds(question) == kinds


@given(st.text())
def test_only_kinds_that_exist_are_asked_for(question: str) -> None:
    assert asked_kinds(question) <= set(KINDS)


def test_a_kind_speaks_for_or_against_a_memory_unless_it_may_be_anything() -> None:
    asked = frozenset({"habit"})

    assert [agreement(asked, one) for one in ("habit", "view", "fact")] == [1, -1, 0]
    assert agreement(frozenset(), "habit") == 0


@pytest.mark.parametrize("chance", [chance_of_answer, chance_of_matter])
@pytest.mark.parametrize("model", [*TABLE, "nobody-measured-this"])
@given(st.sampled_from(Language), st.floats(-1, 1), st.floats(-1, 1))
def test_a_nearer_memory_of_the_kind_asked_for_is_likelier(
    chance: Chance, model: str, language: Language, one: float, other: float
) -> None:
    low, high = sorted((one, other))

    assert 0 <= chance(model, language, low, 0) <= chance(model, language, high, 0) <= 1
    less, plain, more = (chance(model, language, one, kinds) for kinds in (-1, 0, 1))
    assert less <= plain <= more
