"""A job's life, state by state."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.jobs.job import (
    Job,
    JobState,
    abandoned,
    after_failure,
    committed,
    retried,
    sent_again,
    started,
)
from shared.domain.jobs.kinds import EvolveGroup, NoteReport

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = NOW + timedelta(seconds=60)
JOB = Job(
    "j1",
    "evolve",
    "evolve",
    "lark:1",
    "lark:1:evolve",
    EvolveGroup(None),
    2,
    NOW,
    NOW,
)


def test_an_attempt_counts_from_its_start() -> None:
    running = started(JOB, LATER)

    assert (running.state, running.attempts, running.due_at) == (JobState.RUNNING, 1, LATER)


def test_a_failure_waits_while_attempts_are_left_and_then_is_final() -> None:
    once = after_failure(started(JOB, NOW), "oops", NOW, timedelta(seconds=60))
    twice = after_failure(started(once, LATER), "oops", LATER, timedelta(seconds=60))

    assert (once.state, once.due_at, once.error) == (JobState.PENDING, LATER, "oops")
    assert (twice.state, twice.is_open) == (JobState.FAILED, False)


def test_committed_work_stays_committed_through_failures_and_retries() -> None:
    done = committed(started(JOB, NOW), NoteReport("e1", is_absolute=True))
    waits = after_failure(done, "index down", NOW, timedelta(0))
    again = started(waits, NOW)
    failed = after_failure(again, "index down", NOW, timedelta(0))

    assert waits.state is again.state is JobState.COMMITTED
    assert failed.state is JobState.FAILED
    assert retried(failed, NOW).state is JobState.COMMITTED


def test_a_retry_starts_over_under_a_new_name() -> None:
    failed = replace(JOB, state=JobState.FAILED, attempts=2, error="x", generation=4)

    again = retried(failed, LATER)

    assert (again.state, again.attempts, again.error, again.generation) == (
        JobState.PENDING,
        0,
        None,
        5,
    )


@pytest.mark.parametrize(("attempts", "state"), [(1, JobState.PENDING), (2, JobState.FAILED)])
def test_a_dead_workers_job_is_taken_back_or_given_up(attempts: int, state: JobState) -> None:
    job = replace(JOB, state=JobState.RUNNING, attempts=attempts)

    assert abandoned(job, LATER).state is state


def test_an_error_is_kept_short() -> None:
    assert len(after_failure(JOB, "x" * 9000, NOW, timedelta(0)).error or "") == 500


def test_sending_again_takes_a_new_name_and_looks_again_later() -> None:
    again = sent_again(JOB, LATER)

    assert (again.generation, again.due_at) == (1, LATER)
