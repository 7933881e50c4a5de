"""The table of queues, as the product reads it."""

import importlib
from pathlib import Path

import pytest

from shared.contracts.jobs import KINDS, JobKind, kinds_of
from shared.contracts.queues import Queue, queues, read_queues

ROW = """
[queues.one]
function = "ingest_message"
rate_per_second = 50
concurrency = 20
max_attempts = 8
min_backoff_s = 1
max_backoff_s = 60
max_doublings = 5
dispatch_deadline_s = {deadline}
function_timeout_s = 120
model_budget_s = 60
"""


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_kind_of_jobs_has_a_handler_of_its_own_in_the_function_of_its_queue(
    kind: JobKind,
) -> None:
    routes = importlib.import_module(f"functions.{kind.function}.routes_tasks")
    handlers = {name: routes._handler(name) for name in kinds_of(kind.function)}

    assert handlers[kind.name].__annotations__["return"] is kind.report
    assert len(set(handlers.values())) == len(handlers)


def test_every_queue_takes_something() -> None:
    assert {"attribute", "import", *(kind.queue for kind in KINDS.values())} == queues().keys()


@pytest.mark.parametrize("row", queues().values(), ids=lambda row: row.name)
def test_every_handler_ends_before_its_function_and_its_function_before_the_queue(
    row: Queue,
) -> None:
    assert row.model_budget_s < row.function_timeout_s < row.dispatch_deadline_s
    assert row.max_attempts > 1
    assert row.min_backoff_s <= row.max_backoff_s


def test_a_table_that_breaks_the_order_of_the_limits_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "queues.toml"
    table.write_text(ROW.format(deadline=150))
    assert read_queues(table)["one"].dispatch_deadline_s == 150
    table.write_text(ROW.format(deadline=110))
    with pytest.raises(ValueError, match="queue one"):
        read_queues(table)
