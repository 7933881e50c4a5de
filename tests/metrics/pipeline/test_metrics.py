"""Metrics agree with a count by hand over two instances; alerts fire when they should."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any

import pytest

from functions.build_context import handle_feedback, handle_metrics
from functions.ingest_message import handle_messages
from shared.config import variant_of
from shared.contracts.context import ContextAnswer
from shared.contracts.context_records import Feedback
from shared.contracts.jobs import evolve_job
from shared.domain.context.record import ContextRecord
from shared.domain.context.stats import Counted, built_stats
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import EvolutionReport, EvolutionStats
from shared.domain.memories.memory import Judged
from shared.domain.metrics.alerts import ALERT_LINE
from shared.domain.metrics.catalogue import METRICS_LINE, prometheus
from shared.stores.jobs import new_job
from shared.wiring import Services
from tests.context.contexts import ask, ingest, said
from tests.services import Clock, in_process

PROJECT = "metrics-of-a-project"


@pytest.fixture
async def instances(told: dict[str, Any], clock: Clock) -> AsyncIterator[list[Services]]:
    """Two of the same function, on one database that nobody else uses."""
    project = f"{PROJECT}-{id(clock)}"
    async with (
        in_process(told, clock, GOOGLE_CLOUD_PROJECT=project) as one,
        in_process(told, clock, GOOGLE_CLOUD_PROJECT=project) as other,
    ):
        yield [one, other]


async def measured(made: Services) -> dict[str, float | None]:
    return (await handle_metrics.metrics(3600, made)).metrics


async def firing(made: Services) -> set[str]:
    found = await handle_metrics.alerts(3600, made)
    return {one.name for one in found.alerts if one.is_firing}


async def test_they_agree_with_a_count_by_hand_over_two_instances(
    instances: list[Services], clock: Clock
) -> None:
    groups = [f"test:{number}-{id(clock)}" for number in range(3)]
    answers: list[ContextAnswer] = []
    for number, group in enumerate(groups):
        lines = [said(group, n, f"the plan for trip {n} is {number}", clock) for n in range(1, 9)]
        await ingest(instances[0], group, *lines)
    for turn in range(8):
        made, group = instances[turn % 2], groups[turn % 3]
        wish = {"message": "what is the plan for the trip?", "user_id": f"u{turn % 3}"}
        answers.append(await ask(made, group, **wish))
    for turn, used in ((0, 1), (1, 2)):
        record = await instances[1].contexts.find(answers[turn].context_id)
        told_of = Feedback(
            used_ids=[one.id for one in answers[turn].items[:used]], success_indicator=0.25 * used
        )
        deps = instances[turn]
        await handle_feedback.take_feedback(record, told_of, deps)

    values = [await measured(made) for made in instances]
    scores = [[i.score for i in one.items if i.kind == "message"] for one in answers]
    offered = [len(one.items) for one in answers[:2]]

    assert values[0] == values[1]
    found = values[0]
    assert found["contexts_built_per_hour"] == 8
    assert found["unique_groups_served"] == 3
    times = [one.timings_ms["total"] for one in answers]
    assert found["avg_context_build_time_ms"] == pytest.approx(fmean(times), abs=0.001)
    assert found["avg_context_message_count"] == pytest.approx(fmean(map(len, scores)))
    means = [fmean(one) for one in scores if one]
    assert found["avg_relevance_score"] == pytest.approx(fmean(means), abs=0.001)
    # Each instance meets three groups; the first time it knows none of them.
    assert found["context_cache_hit_rate"] == pytest.approx(2 / 8)
    assert found["fallback_rate"] == 0
    assert found["error_rate"] == 0
    assert found["user_satisfaction_score"] == pytest.approx((0.25 + 0.5) / 2)
    assert found["context_effectiveness_rate"] == pytest.approx(3 / sum(offered), abs=0.0001)
    saved = found["token_savings_rate"]
    assert saved is not None
    assert saved < 1
    assert await firing(instances[0]) <= {"late_messages"}


async def built(made: Services, count: int, **changes: Any) -> None:
    usual = Counted(
        mode="intelligent",
        is_failed=False,
        took_ms=40,
        scores=[0.6],
        tokens=50,
        plain_tokens=100,
        is_warm=True,
        items=1,
    )
    for number in range(count):
        record = ContextRecord(
            f"c{number}-{sorted(changes)}", "test:alerts", "intelligent", "",
            stats=built_stats(replace(usual, **changes)),
        )  # fmt: skip
        await made.contexts.add(record)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("fallbacks", {"mode": "traditional"}),
        ("errors", {"is_failed": True}),
        ("slow", {"took_ms": 5001.0}),
        ("low_scores", {"scores": [0.01]}),
    ],
)
async def test_an_alert_of_contexts_fires_when_its_condition_is_made(
    made: Services, name: str, changes: dict[str, Any]
) -> None:
    await built(made, 12)
    assert await firing(made) == set()
    await built(made, 12 if name == "low_scores" else 2, **changes)
    if name == "low_scores":
        await built(made, 24, **changes, is_warm=False)

    assert await firing(made) == {name}


async def test_a_failed_job_and_a_message_that_waits_are_told(made: Services, clock: Clock) -> None:
    done = replace(evolve_job("test:alerts", "a", clock()), state=JobState.DONE)
    await made.database.commit([new_job(done)])
    assert await firing(made) == set()
    failed = replace(evolve_job("test:alerts", "b", clock()), state=JobState.FAILED)
    await made.database.commit([new_job(failed)])
    assert await firing(made) == {"failed_jobs"}
    await ingest(made, "test:alerts", said("test:alerts", 1, "hello", clock))
    clock.turn(minutes=6)

    assert await firing(made) == {"failed_jobs", "late_messages"}


async def test_jobs_are_told_by_attempts_seconds_and_age(
    instances: list[Services], clock: Clock
) -> None:
    made = instances[0]
    judged = Judged(supported=6, contradicted=1, not_said=3)
    report = EvolutionReport(
        clock(), EvolutionStats(0, 0, 0, 0), "", (), None, None, masked=2, judged=judged
    )
    done = [
        replace(
            evolve_job("test:jobs", f"d{number}", clock()),
            state=JobState.DONE, attempts=number % 4 + 1, took_s=1200.0,
            report=report if number == 0 else None,
        )
        for number in range(12)
    ]  # fmt: skip
    waits = evolve_job("test:jobs", "w", clock())
    await made.database.commit([*map(new_job, done), new_job(waits)])
    clock.turn(minutes=16)

    found = await measured(made)

    assert found["job_attempts_mean"] == 2.5
    assert found["job_seconds_mean"] == 1200
    assert found["job_failure_rate"] == 0
    assert found["oldest_waiting_job_seconds"] == pytest.approx(16 * 60, abs=1)
    assert found["changes_supported_rate"] == 0.6
    assert (found["changes_contradicted"], found["changes_not_said"]) == (1, 3)
    assert found["secrets_masked"] == 2
    late = {"jobs_tried_again", "slow_jobs", "late_jobs", "memories_not_said"}
    assert await firing(made) == late


async def test_a_done_job_says_how_long_it_took(made: Services, clock: Clock) -> None:
    job = await made.jobs.ensure(evolve_job("test:took", "t", clock()))
    clock.turn(seconds=90)

    async def work(_: object) -> EvolutionReport:
        return EvolutionReport(clock(), EvolutionStats(0, 0, 0, 0), "", (), None, None)

    await made.worker.run(job.job_id, work)

    ended = await made.jobs.get(job.job_id)
    assert ended is not None
    assert ended.took_s == 90


async def test_the_schedule_logs_what_fires_and_nothing_else(
    instances: list[Services], clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "shared")
    made = instances[0]
    deps = made
    await handle_metrics.tell_alerts(3600, deps)
    assert [one for one in caplog.records if one.getMessage() == ALERT_LINE] == []

    job = replace(evolve_job("test:alerts", "c", clock()), state=JobState.FAILED)
    await made.database.commit([new_job(job)])
    await handle_metrics.tell_alerts(3600, deps)

    (line,) = [one for one in caplog.records if one.getMessage() == ALERT_LINE]
    assert vars(line)["fields"]["alert"] == "failed_jobs"
    lines = [vars(one)["fields"] for one in caplog.records if one.getMessage() == METRICS_LINE]
    assert [one["jobs_failed"] for one in lines] == [0, 1]


async def test_an_experiment_is_told_by_its_sides_and_all_together(
    told: dict[str, Any], clock: Clock
) -> None:
    tried = {"MEMORY_AB_SETTINGS": "max_context_messages=1", "MEMORY_AB_SHARE": "0.5"}
    project = f"{PROJECT}-ab-{id(clock)}"
    async with in_process(told, clock, GOOGLE_CLOUD_PROJECT=project, **tried) as made:
        sides: dict[str, list[ContextAnswer]] = {"": [], "a": [], "b": []}
        for number in range(6):
            group = f"test:{number}-{id(clock)}"
            if number == 5:
                own = {"max_context_messages": 2}
                await made.groups.change(group, partial(replace, settings=own), clock())
            lines = [said(group, n, f"the trip costs {n} euros", clock) for n in range(1, 7)]
            await ingest(made, group, *lines)
            answer = await ask(made, group, message="what does the trip cost?", user_id="u9")
            sides[variant_of(await made.groups.get(group), made.settings)].append(answer)
        found = await handle_metrics.metrics(3600, made)
        text = prometheus(found.metrics, 3600, found.variants)

    assert [len(sides[""]), len(sides["a"]) + len(sides["b"])] == [1, 5]
    assert found.metrics["contexts_built_per_hour"] == 6
    assert found.metrics["unique_groups_served"] == 6
    assert set(found.variants) == {key for key in ("a", "b") if sides[key]}
    for key, values in found.variants.items():
        counts = [sum(i.kind == "message" for i in one.items) for one in sides[key]]
        assert values["avg_context_message_count"] == pytest.approx(fmean(counts), abs=0.001)
        assert values["unique_groups_served"] == len(counts)
        assert max(counts) == 1 if key == "b" else min(counts) > 1
        assert f'{{window_seconds="3600",variant="{key}"}}' in text
        assert "jobs_failed" not in values


async def test_masked_messages_are_told_with_masked_statements(
    instances: list[Services], clock: Clock
) -> None:
    made, group_id = instances[0], f"test:masked-{id(clock)}"
    masks = {"mask_secrets_in_messages": True}
    await made.groups.change(group_id, partial(replace, settings=masks), clock())
    lines = [said(group_id, 1, "the pin is 4821", clock), said(group_id, 2, "see you", clock)]
    await handle_messages.ingest(group_id, lines, handle_messages.deps_for(made))
    assert (await measured(made))["secrets_masked"] == 1
    clock.turn(hours=2)

    assert (await measured(made))["secrets_masked"] == 0
