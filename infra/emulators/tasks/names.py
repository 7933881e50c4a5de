"""Resource names and the ids in them: what is well formed, and the words of a refusal."""

import re
from dataclasses import dataclass

from .refusal import invalid

_PROJECT = r"[A-Za-z0-9.:-]+"
_LOCATION = re.compile(rf"projects/{_PROJECT}/locations/[A-Za-z0-9-]+")
_QUEUE = re.compile(rf"({_LOCATION.pattern})/queues/([^/]+)")
_TASK = re.compile(rf"({_LOCATION.pattern}/queues/[^/]+)/tasks/(.*)", re.DOTALL)
_QUEUE_ID = re.compile(r"[A-Za-z0-9-]{1,100}")
_TASK_ID = re.compile(r"[A-Za-z0-9_-]{1,500}")


@dataclass(frozen=True)
class TaskName:
    queue: str
    id: str

    @property
    def full(self) -> str:
        return f"{self.queue}/tasks/{self.id}"


def location(text: str) -> str:
    if not _LOCATION.fullmatch(text):
        raise invalid(
            'Location name must be formatted: "projects/<PROJECT_ID>/locations/<LOCATION_ID>".'
        )
    return text


def queue(text: str) -> str:
    found = _QUEUE.fullmatch(text)
    if found is None:
        raise invalid(
            'Queue name must be formatted: "projects/<PROJECT_ID>/locations/<LOCATION_ID>/'
            'queues/<QUEUE_ID>".'
        )
    if not _QUEUE_ID.fullmatch(found[2]):
        raise invalid(
            f'Queue ID "{found[2]}" can contain only letters ([A-Za-z]), numbers ([0-9]), or '
            "hyphens (-). Queue ID must be between 1 and 100 characters."
        )
    return text


def task(text: str) -> TaskName:
    found = _TASK.fullmatch(text)
    if found is None:
        raise invalid(
            'Task name must be formatted: "projects/<PROJECT_ID>/locations/<LOCATION_ID>/'
            'queues/<QUEUE_ID>/tasks/<TASK_ID>".'
        )
    if not _TASK_ID.fullmatch(found[2]):
        raise invalid(
            f'Task ID "{found[2]}" can contain only letters ([A-Za-z]), numbers ([0-9]), hyphens '
            "(-), or underscores (_). Task ID must between 1 and 500 characters."
        )
    return TaskName(queue(found[1]), found[2])


def short(name: str) -> str:
    """The last segment: a queue's or a task's own id."""
    return name.rpartition("/")[2]
