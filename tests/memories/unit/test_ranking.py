"""Memories ranked for a question by words and meaning."""

import itertools
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.embedded_wording import embedded_as
from shared.domain.memories.memory import Memory
from shared.domain.memories.ranking import ranked_memories
from shared.domain.similarity.vectors import pack

MODEL = "usem3"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def memory(memory_id: str, statement: str, vector: list[float] | None = None) -> Memory:
    return Memory(
        memory_id,
        "test:g",
        statement,
        1,
        NOW,
        NOW,
        vector=pack(vector) if vector else b"",
        embedded_as=embedded_as(MODEL) if vector else "",
    )


def test_the_nearest_in_meaning_comes_first() -> None:
    known = [memory("a", "x", [0.0, 1.0]), memory("b", "y", [1.0, 0.2]), memory("c", "z", [1, 1])]

    found = ranked_memories(known, "?", [1.0, 0.0], MODEL)

    assert [one.memory.memory_id for one in found] == ["b", "c", "a"]
    assert found[0].reason == "near in meaning"


def test_a_rare_word_in_common_lifts_a_memory_above_a_nearer_one() -> None:
    known = [
        memory("a", "小林负责退款和对账", [0.9, 0.5]),
        memory("b", "阿杰负责登录", [0.95, 0.45]),
        memory("c", "老王负责搜索", [0.5, 0.9]),
    ]

    found = ranked_memories(known, "退款对账找谁", [1.0, 0.0], MODEL)

    assert found[0].memory.memory_id == "a"
    assert found[0].by_words > 0
    assert found[1].memory.memory_id == "b"


def test_a_name_that_every_memory_has_decides_nothing() -> None:
    likes = {"a": "tea", "b": "jam", "c": "owls"}
    known = [memory(letter, f"Tom likes {what}") for letter, what in likes.items()]

    found = ranked_memories(known, "Does Tom want jam?", None, MODEL)

    assert found[0].memory.memory_id == "b"
    assert found[0].by_words > 3 * found[1].by_words


def test_without_a_vector_words_alone_rank() -> None:
    known = [memory("a", "We meet in the old mill", [1.0, 0.0]), memory("b", "No dogs", [0.0, 1.0])]

    found = ranked_memories(known, "are dogs fine?", None, MODEL)

    assert [one.memory.memory_id for one in found] == ["b", "a"]
    assert found[0].reason == "same words"
    assert found[1].by_words == found[1].by_meaning == 0


def test_a_memory_of_another_model_is_ranked_by_its_words() -> None:
    known = [memory("a", "We meet in the old mill"), memory("b", "No dogs", [0.0, 1.0])]

    found = ranked_memories(known, "where is the mill?", [1.0, 0.0], MODEL)

    assert found[0].memory.memory_id == "a"


vectors = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3)
statements = st.text(alphabet="abc 猫狗鱼", min_size=1, max_size=12)


@given(st.lists(st.tuples(statements, vectors), max_size=8), statements, vectors)
def test_the_order_and_the_scores_agree_and_nothing_is_lost(
    known: list[tuple[str, list[float]]], asked: str, vector: list[float]
) -> None:
    memories = [memory(str(place), *one) for place, one in enumerate(known)]

    found = ranked_memories(memories, asked, vector, MODEL)

    assert sorted(one.memory.memory_id for one in found) == sorted(map(str, range(len(known))))
    told = [one.score for one in found]
    assert all(0 <= one <= 1 for one in told)
    assert all(high >= low - 1e-9 for high, low in itertools.pairwise(told))
