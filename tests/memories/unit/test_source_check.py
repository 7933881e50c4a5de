"""Whether its sources say what a memory states."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.memories.evolution import (
    EvolutionPlan,
    EvolutionRules,
    ModelLine,
    Source,
    Speakers,
    decide_evolution,
)
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.source_check import judged
from shared.domain.memories.verdict import Judged, Verdict

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("statement", "said", "verdict"),
    [
        ("Bram is allergic to nuts", "careful, I'm allergic to nuts", Verdict.SUPPORTED),
        ("Bram eats nuts", "I can't eat nuts", Verdict.CONTRADICTED),
        ("Bram does not eat nuts", "I eat nuts all the time", Verdict.CONTRADICTED),
        ("Bram lives in Oslo", "what a day, the bus was late", Verdict.NOT_SAID),
        ("阿泽喝奶茶", "我不喝奶茶", Verdict.CONTRADICTED),
        ("阿泽住在苏州", "今天的雨真大", Verdict.NOT_SAID),
        ("阿泽不喝奶茶", "奶茶别给我点了，我戒糖", Verdict.SUPPORTED),
        ("Hugo is allergic to lilies", "allergic to lilies so no bouquets", Verdict.SUPPORTED),
        ("阿泽住在苏州", "I live in Suzhou", Verdict.SUPPORTED),
        ("Bram agrees", "+1", Verdict.SUPPORTED),
    ],
)
def test_words_show_what_was_said_denied_or_never_said(
    statement: str, said: str, verdict: Verdict
) -> None:
    assert judged(statement, [said], ["Bram", "阿泽", "Hugo"]) is verdict


def planned(memories: list[Memory], *lines: ModelLine, **said: str) -> EvolutionPlan:
    sources = {
        name: Source(name[0], NOW - timedelta(hours=1), text, name[0].upper())
        for name, text in said.items()
    }
    return decide_evolution(
        memories,
        list(lines),
        group_id="test:g",
        run_id="r",
        now=NOW,
        speakers=Speakers(sources),
        rules=EvolutionRules(),
        is_same=lambda statement, memory: False,
    )


def line(
    statement: str, *sources: str, action: str = "create", old: str | None = None
) -> ModelLine:
    return ModelLine(action, old, statement, "why", subject="a", sources=sources)


def test_what_nobody_said_stays_a_candidate_and_is_counted() -> None:
    plan = planned(
        [],
        line("A keeps two cats", "a1"),
        line("A is a famous pilot of rockets", "a2"),
        a1="my two cats woke me, I keep them in",
        a2="lunch was fine",
    )

    assert {one.statement: one.status for one in plan.new} == {
        "A keeps two cats": MemoryStatus.ACTIVE,
        "A is a famous pilot of rockets": MemoryStatus.CANDIDATE,
    }
    assert plan.judged == Judged(supported=1, not_said=1)
    assert [one.verdict for one in plan.changes] == ["supported", "not_said"]


def test_an_active_memory_is_not_overwritten_by_what_nobody_said() -> None:
    cats = Memory("m", "test:g", "A keeps two cats", 1, NOW, NOW, subject="a", root_id="m")

    plan = planned(
        [cats],
        line("A flies rockets to Saturn", "a1", action="update", old="m"),
        a1="lunch was fine today",
    )

    assert plan.changed == ()
    assert [one.status for one in plan.new] == [MemoryStatus.CANDIDATE]


def test_a_made_up_candidate_is_not_borne_out_by_unrelated_lines() -> None:
    made_up = Memory(
        "m", "test:g", "A flies rockets to Saturn", 1, NOW - timedelta(days=3),
        NOW - timedelta(days=3), MemoryStatus.CANDIDATE, subject="a", root_id="m",
        sources=("a0",), source_users=("a",), verdict="not_said",
    )  # fmt: skip

    plan = planned(
        [made_up],
        ModelLine("keep", "m", sources=("a1", "b1")),
        a1="lunch was fine today",
        b1="the weather is awful",
    )

    assert all(one.status is not MemoryStatus.ACTIVE for one in plan.new)


def test_saying_it_later_bears_a_made_up_candidate_out() -> None:
    early = NOW - timedelta(days=3)
    guessed = Memory(
        "m", "test:g", "A flies rockets to Saturn", 1, early, early, MemoryStatus.CANDIDATE,
        subject="a", root_id="m", sources=("a0",), source_users=("a",), verdict="not_said",
    )  # fmt: skip

    plan = planned(
        [guessed],
        ModelLine("keep", "m", sources=("a1",)),
        a1="yes, I fly rockets, all the way to Saturn",
    )

    assert [one.status for one in plan.new] == [MemoryStatus.ACTIVE]
