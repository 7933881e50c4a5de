"""What the store keeps, for how long, and what it takes back after a crash."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.emulators.tasks import queue_rules
from infra.emulators.tasks.backoff import RETENTION_US, RetryPolicy
from infra.emulators.tasks.outcome import End, Outcome, interrupted, settled
from infra.emulators.tasks.protobuf import Queue, Task
from infra.emulators.tasks.store import NAME_TAKEN_US, QUEUE_NAME_TAKEN_US, Store
from infra.emulators.tasks.stored_task import TaskRow

QUEUE = "projects/p/locations/l/queues/q"
POLICY = RetryPolicy(3, 0, 100, 1000, 2)


def task(id_: str, schedule_us: int = 0, created_us: int = 0) -> TaskRow:
    name = f"{QUEUE}/tasks/{id_}"
    return TaskRow(name, QUEUE, Task(name=name).SerializeToString(), created_us, schedule_us)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    kept = Store(tmp_path / "tasks.db")
    kept.put_queue(queue_rules.created(Queue(name=QUEUE)))
    yield kept
    kept.close()


def test_a_name_is_free_again_after_an_hour(store: Store) -> None:
    row = task("a")
    store.add(row)
    store.finish(row, End.DONE, now_us=1000)
    assert store.finished(row.name, 1000 + NAME_TAKEN_US - 1) is not None
    assert store.finished(row.name, 1000 + NAME_TAKEN_US) is None
    store.forget_old(1000 + NAME_TAKEN_US)
    assert store.all_finished(QUEUE) == []
    store.add(row)
    store.finish(row, End.FAILED, now_us=2000 + NAME_TAKEN_US)
    assert store.all_finished(QUEUE)[0].outcome == "failed"


def test_a_deleted_queue_is_free_again_after_three_days(store: Store) -> None:
    assert store.delete_queue(QUEUE, now_us=0)
    assert not store.delete_queue(QUEUE, now_us=0)
    assert store.existed(QUEUE, QUEUE_NAME_TAKEN_US - 1)
    assert not store.existed(QUEUE, QUEUE_NAME_TAKEN_US)


def test_tasks_past_the_retention_go_unless_they_are_being_sent(store: Store) -> None:
    for id_, created_us in (("old", 0), ("sent", 0), ("new", 1)):
        store.add(task(id_, created_us=created_us))
    store.force(f"{QUEUE}/tasks/sent", now_us=5)
    store.forget_old(RETENTION_US)
    assert [row.name[-3:] for row in store.tasks(QUEUE)] == ["new", "ent"]


def test_due_tasks_are_claimed_oldest_first_and_only_once(store: Store) -> None:
    for id_, schedule_us in (("c", 30), ("a", 10), ("b", 20), ("later", 99)):
        store.add(task(id_, schedule_us))
    first = store.claim(QUEUE, now_us=50, limit=2)
    assert [row.name[-1] for row in first] == ["a", "b"]
    assert {(row.in_flight, row.dispatches, row.attempt_dispatch_us) for row in first} == {
        (1, 1, 50)
    }
    assert [row.name[-1] for row in store.claim(QUEUE, now_us=50, limit=9)] == ["c"]
    assert store.claim(QUEUE, now_us=50, limit=9) == []
    assert store.next_due_us(QUEUE) == 99


def test_a_claim_is_known_after_a_crash(store: Store, tmp_path: Path) -> None:
    store.add(task("a"))
    store.claim(QUEUE, now_us=7, limit=1)
    again = Store(tmp_path / "tasks.db")  # as after a SIGKILL: the first was never closed
    (row,) = again.in_flight()
    back = interrupted(row, POLICY, now_us=1000)
    again.update(back)
    assert again.in_flight() == []
    assert again.task(row.name) == back
    assert (back.interruptions, back.failures, back.schedule_us) == (1, 0, 1100)
    again.close()


def test_an_attempt_that_fails_is_scheduled_again_and_the_last_one_ends_the_task() -> None:
    row = task("a")
    for dispatches, wait in ((1, 100), (2, 200)):
        row = TaskRow(**{**vars(row), "in_flight": 1, "dispatches": dispatches})
        row, end = settled(row, Outcome(500), POLICY, now_us=0)
        assert (end, row.schedule_us, row.in_flight) == (None, wait, 0)
    row = TaskRow(**{**vars(row), "in_flight": 1, "dispatches": 3})
    row, end = settled(row, Outcome(404), POLICY, now_us=0)
    assert (end, row.failures, row.responses, row.executions) == (End.FAILED, 3, 3, 1)


def test_a_second_attempt_of_the_same_task_does_not_hide_the_first() -> None:
    row = TaskRow(**{**vars(task("a")), "in_flight": 2, "dispatches": 2})
    after, _ = settled(row, Outcome(500), POLICY, now_us=0)
    assert after.in_flight == 1


def test_a_glance_adds_up(store: Store) -> None:
    for id_ in "abcd":
        store.add(task(id_, schedule_us=ord(id_)))
    (sent,) = store.claim(QUEUE, now_us=ord("a"), limit=1)
    (done,) = store.claim(QUEUE, now_us=ord("b"), limit=1)
    store.finish(done, End.DONE, now_us=200)
    (glance,) = store.glance()
    assert (glance.pending, glance.running, glance.done, glance.failed) == (2, 1, 1, 0)
    assert glance.oldest_eta_us == ord("c")
    assert store.waiting(ord("c")) == 1
    assert sent.name.endswith("a")


@pytest.mark.parametrize(
    ("status", "code", "name"),
    [(418, 9, "FAILED_PRECONDITION"), (502, 13, "INTERNAL"), (302, 2, "UNKNOWN"), (200, 0, "OK")],
)
def test_every_http_status_has_a_code(status: int, code: int, name: str) -> None:
    outcome = Outcome(status)
    assert outcome.code == code
    assert outcome.message == f"{name}({code}): HTTP status code {status}"
