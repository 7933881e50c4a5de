"""Which memories upkeep puts aside."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.upkeep import to_archive, waited_in_vain

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def memory(memory_id: str, strength: float, **changes: object) -> Memory:
    made = Memory(memory_id, "lark:1", f"says {memory_id}", 1, NOW, NOW, strength=strength)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_the_weak_go_and_then_the_weakest_beyond_the_cap() -> None:
    active = [memory(f"m{n}", n / 10) for n in range(10)]

    steps = to_archive(active, threshold=0.2, max_active=5, run_id="r", now=NOW)

    assert [one.new.memory_id for one in steps] == ["m0", "m1", "m2", "m3", "m4"]
    assert {one.new.status for one in steps} == {MemoryStatus.ARCHIVED}
    assert {one.new.version for one in steps} == {1}
    assert [one.change.reason for one in steps][1:3] == [
        "weaker than the threshold",
        "the weakest beyond the most a group may have",
    ]


def test_what_is_strong_enough_and_within_the_cap_stays() -> None:
    assert to_archive([memory("a", 0.2)], threshold=0.2, max_active=1, run_id="r", now=NOW) == []


def test_a_candidate_waits_for_so_many_days_and_was_never_active() -> None:
    held_back = replace(memory("k", 0.5), status=MemoryStatus.CANDIDATE)
    old = replace(held_back, memory_id="old", last_supported_at=NOW - timedelta(days=21))

    (step,) = waited_in_vain([held_back, old], days=21, run_id="r", now=NOW)

    assert (step.new.memory_id, step.new.status) == ("old", MemoryStatus.ARCHIVED)
    assert step.new.ended_at is None
