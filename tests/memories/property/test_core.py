"""Properties: which memories are core moves only when it is decided, never with strength alone."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.context.fitting import fit
from shared.domain.context.sections import relevant_memories, stable_offers
from shared.domain.memories.memory import Memory, MemoryStatus, with_core
from shared.domain.memories.ranking import ranked_memories

AT = datetime(2026, 3, 1, tzinfo=UTC)
GROUP = "lark:oc_1"
STRENGTHS = st.floats(0, 1)


def memory(number: int, strength: float, status: MemoryStatus) -> Memory:
    return Memory(
        f"k{number}",
        GROUP,
        f"Members play game {number}",
        1,
        AT,
        AT,
        status,
        strength=strength,
        root_id=f"r{97 * number % 100:02}",
    )


MEMORIES = st.lists(
    st.builds(memory, st.integers(1, 99), STRENGTHS, st.sampled_from(MemoryStatus)),
    max_size=12,
    unique_by=lambda one: one.memory_id,
)


def stable(memories: list[Memory]) -> str:
    offers = stable_offers(GROUP, [], memories, speaker_id=None, shares_profiles=False)
    return fit(offers, [], [], names={}, max_tokens=800).stable


@given(MEMORIES, st.lists(STRENGTHS, min_size=12, max_size=12))
def test_strength_alone_leaves_the_stable_part_as_it_is_byte_by_byte(
    memories: list[Memory], strengths: list[float]
) -> None:
    decided = [with_core(one, 0.8) for one in memories]
    moved = [replace(one, strength=new) for one, new in zip(decided, strengths, strict=False)]
    # They are read the strongest first, so strength also changes the order they come in.
    moved.sort(key=lambda one: -one.strength)

    assert stable(moved) == stable(decided)


@given(MEMORIES, st.lists(STRENGTHS, min_size=12, max_size=12))
def test_a_decision_makes_it_what_strength_says(
    memories: list[Memory], strengths: list[float]
) -> None:
    decided = [with_core(one, 0.8) for one in memories]
    moved = [replace(one, strength=new) for one, new in zip(decided, strengths, strict=False)]

    after = [with_core(one, 0.8) for one in moved]

    active = [one for one in after if one.status is MemoryStatus.ACTIVE]
    assert {one.memory_id for one in after if one.core} == {
        one.memory_id for one in active if one.strength >= 0.8
    }
    assert [with_core(one, 0.8) for one in after] == after
    shown = stable(after)
    offered = relevant_memories(
        GROUP, ranked_memories(after, "", None, "usem3"), least=0.0, limit=99
    )
    assert {one.id for one in offered} == {one.memory_id for one in active if not one.core}
    assert bool(shown) == any(one.core for one in active)
