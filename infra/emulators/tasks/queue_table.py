"""`queues.toml` as the emulator reads it: each row a queue that exists from the start."""

import tomllib
from pathlib import Path
from typing import Any

from . import names
from .protobuf import SECOND, Message, Queue, duration
from .refusal import Refusal

_COLUMNS = {
    "function": str,
    "rate_per_second": float,
    "concurrency": int,
    "max_attempts": int,
    "min_backoff_s": float,
    "max_backoff_s": float,
    "max_doublings": int,
    "dispatch_deadline_s": int,
    "function_timeout_s": int,
    "model_budget_s": int,
}


class BadTable(OSError):
    """The table cannot be used; the message says where and why.

    To the command that starts an emulator it is the same as a file that cannot be read.
    """


def read(path: Path) -> list[Message]:
    """The queues of the table, as a client would ask for them."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadTable(f"{path}: {error}") from error
    try:
        return parsed(content)
    except BadTable as error:
        raise BadTable(f"{path}: {error}") from error


def parsed(content: dict[str, Any]) -> list[Message]:
    defaults = content.get("defaults", {})
    for key in ("project", "location"):
        if not isinstance(defaults.get(key), str):
            raise BadTable(f"[defaults] lacks {key}")
    parent = f"projects/{defaults['project']}/locations/{defaults['location']}"
    return [_queue(parent, id_, row) for id_, row in content.get("queues", {}).items()]


def _queue(parent: str, id_: str, row: dict[str, Any]) -> Message:
    for column, kind in _COLUMNS.items():
        if column not in row:
            raise BadTable(f"[queues.{id_}] lacks {column}")
        value = row[column]
        is_right = isinstance(value, int | float) if kind is float else isinstance(value, kind)
        if not is_right or isinstance(value, bool):
            raise BadTable(f"[queues.{id_}] {column} must be of type {kind.__name__}")
        # The API takes a zero for "not given" and would put its own default there.
        if kind is not str and value <= 0 and (column, value) != ("max_attempts", -1):
            raise BadTable(f"[queues.{id_}] {column} must be above 0")
    if not row["model_budget_s"] < row["function_timeout_s"] < row["dispatch_deadline_s"]:
        raise BadTable(
            f"[queues.{id_}] must have model_budget_s < function_timeout_s < dispatch_deadline_s"
        )
    try:
        name = names.queue(f"{parent}/queues/{id_}")
    except Refusal as refused:
        raise BadTable(f"[queues.{id_}] {refused}") from refused
    queue = Queue(name=name)
    queue.rate_limits.max_dispatches_per_second = row["rate_per_second"]
    queue.rate_limits.max_concurrent_dispatches = row["concurrency"]
    queue.retry_config.max_attempts = row["max_attempts"]
    queue.retry_config.max_doublings = row["max_doublings"]
    queue.retry_config.min_backoff.CopyFrom(duration(round(row["min_backoff_s"] * SECOND)))
    queue.retry_config.max_backoff.CopyFrom(duration(round(row["max_backoff_s"] * SECOND)))
    return queue
