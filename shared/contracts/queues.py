"""The queues as `infra/queues.toml` has them: the one table that everybody reads."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[2] / "infra" / "queues.toml"
"""At the same place in the repository and in a bundle."""


@dataclass(frozen=True)
class Queue:
    """One row. Always: model_budget_s < function_timeout_s < dispatch_deadline_s, so that a
    handler ends by itself before the platform ends it, and the platform before the queue."""

    name: str
    function: str
    rate_per_second: float
    concurrency: int
    max_attempts: int
    min_backoff_s: float
    max_backoff_s: float
    max_doublings: int
    dispatch_deadline_s: float
    function_timeout_s: float
    model_budget_s: float

    def __post_init__(self) -> None:
        if not self.model_budget_s < self.function_timeout_s < self.dispatch_deadline_s:
            raise ValueError(
                f"queue {self.name}: model_budget_s, function_timeout_s and dispatch_deadline_s "
                "must rise in this order"
            )


@cache
def queues() -> Mapping[str, Queue]:
    """The rows by name; read once."""
    return read_queues(TABLE)


def read_queues(table: Path) -> Mapping[str, Queue]:
    with table.open("rb") as file:
        rows: dict[str, dict[str, Any]] = tomllib.load(file)["queues"]
    known = {field.name for field in fields(Queue)}
    return {
        name: Queue(name=name, **{key: value for key, value in row.items() if key in known})
        for name, row in rows.items()
    }
