"""A task as it is kept: the request as it was admitted, and what has happened to it since."""

from dataclasses import dataclass, fields

from .backoff import History
from .protobuf import Message, Task, timestamp


@dataclass(frozen=True)
class TaskRow:
    """One row of the table `tasks`; the columns have these names.

    `in_flight` counts attempts sent and not yet answered. `failures` counts the attempts known to
    have failed, `interruptions` those whose answer was lost because the emulator was killed.
    """

    name: str
    queue: str
    task: bytes
    created_us: int
    schedule_us: int
    in_flight: int = 0
    dispatches: int = 0
    responses: int = 0
    executions: int = 0
    failures: int = 0
    interruptions: int = 0
    first_dispatch_us: int | None = None
    attempt_schedule_us: int | None = None
    attempt_dispatch_us: int | None = None
    attempt_response_us: int | None = None
    attempt_code: int | None = None
    attempt_message: str | None = None
    previous_response: int | None = None

    @property
    def request(self) -> Message:
        """The task as it was admitted, without what happened since."""
        return Task.FromString(self.task)

    @property
    def history(self) -> History:
        first = self.created_us if self.first_dispatch_us is None else self.first_dispatch_us
        return History(self.dispatches, self.failures, first, self.created_us)

    def message(self) -> Message:
        """The task as the API shows it."""
        task = self.request
        task.schedule_time.CopyFrom(timestamp(self.schedule_us))
        task.dispatch_count = self.dispatches
        task.response_count = self.responses
        if self.first_dispatch_us is not None:
            task.first_attempt.dispatch_time.CopyFrom(timestamp(self.first_dispatch_us))
        last = task.last_attempt
        for field, us in (
            ("schedule_time", self.attempt_schedule_us),
            ("dispatch_time", self.attempt_dispatch_us),
            ("response_time", self.attempt_response_us),
        ):
            if us is not None and self.dispatches:
                getattr(last, field).CopyFrom(timestamp(us))
        if self.attempt_code is not None:
            last.response_status.code = self.attempt_code
            last.response_status.message = self.attempt_message
        return task


COLUMNS = tuple(field.name for field in fields(TaskRow))


@dataclass(frozen=True)
class Finished:
    """What is left of a task that is no more: enough to refuse its name and to tell its end."""

    name: str
    queue: str
    outcome: str
    dispatches: int
    failures: int
    interruptions: int
    finished_us: int


@dataclass(frozen=True)
class Glance:
    """A queue in numbers. `done` and `failed` count since the queue was made."""

    name: str
    paused: bool
    pending: int
    running: int
    done: int
    failed: int
    oldest_eta_us: int | None
