"""The headers of a delivery: the task's own, less those the service keeps for itself."""

from . import names
from .protobuf import SECOND, Message
from .stored_task import TaskRow
from .task_rules import USER_AGENT

_REPLACED = {"host", "content-length", "user-agent", "connection", "transfer-encoding"}
_RESERVED = ("x-cloudtasks-", "x-google-", "x-appengine-")


def of_delivery(row: TaskRow, request: Message, token: str | None) -> dict[str, str]:
    """Everything the target sees, in lower case; `token` replaces the task's Authorization."""
    headers = {}
    for name, value in request.headers.items():
        lower = name.lower()
        if lower not in _REPLACED and not lower.startswith(_RESERVED):
            headers[lower] = value.strip()
    if request.body:
        headers.setdefault("content-type", "application/octet-stream")
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    scheduled_us = row.schedule_us if row.attempt_schedule_us is None else row.attempt_schedule_us
    headers |= {
        "user-agent": USER_AGENT,
        "x-cloudtasks-queuename": names.short(row.queue),
        "x-cloudtasks-taskname": names.short(row.name),
        "x-cloudtasks-taskretrycount": str(max(0, row.dispatches - 1)),
        "x-cloudtasks-taskexecutioncount": str(row.executions),
        "x-cloudtasks-tasketa": f"{scheduled_us / SECOND:.6f}",
    }
    if row.previous_response is not None:
        headers["x-cloudtasks-taskpreviousresponse"] = str(row.previous_response)
        # The service sends the reason empty for HTTP targets, and so do we.
        headers["x-cloudtasks-taskretryreason"] = ""
    return headers
