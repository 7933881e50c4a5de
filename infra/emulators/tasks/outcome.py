"""How an attempt ended, and what becomes of its task: pure."""

from dataclasses import dataclass, replace
from enum import StrEnum

from .backoff import RetryPolicy, interval_us, next_attempt_us
from .pacing import OVERLOAD
from .stored_task import TaskRow

_CODES = {
    400: (3, "INVALID_ARGUMENT"),
    401: (16, "UNAUTHENTICATED"),
    403: (7, "PERMISSION_DENIED"),
    404: (5, "NOT_FOUND"),
    409: (10, "ABORTED"),
    429: (8, "RESOURCE_EXHAUSTED"),
    499: (1, "CANCELLED"),
    500: (13, "INTERNAL"),
    501: (12, "UNIMPLEMENTED"),
    503: (14, "UNAVAILABLE"),
    504: (4, "DEADLINE_EXCEEDED"),
}


@dataclass(frozen=True)
class Outcome:
    """An attempt's HTTP status; `answered` is False where the target said nothing.

    The status then is what the service tells of it: 504 past the deadline, 503 out of reach.
    """

    status: int
    answered: bool = True
    retry_after_us: int = 0
    """What an overloaded target asked for."""

    @property
    def is_overload(self) -> bool:
        return self.answered and self.status in OVERLOAD

    @property
    def succeeded(self) -> bool:
        return self.answered and 200 <= self.status <= 299

    @property
    def code(self) -> int:
        return self._rpc[0]

    @property
    def message(self) -> str:
        number, name = self._rpc
        return f"{name}({number}): HTTP status code {self.status}"

    @property
    def _rpc(self) -> tuple[int, str]:
        if self.succeeded:
            return 0, "OK"
        if self.status in _CODES:
            return _CODES[self.status]
        if 400 <= self.status <= 499:
            return 9, "FAILED_PRECONDITION"
        if 500 <= self.status <= 599:
            return 13, "INTERNAL"
        return 2, "UNKNOWN"


PAST_DEADLINE = Outcome(504, answered=False)
OUT_OF_REACH = Outcome(503, answered=False)


class End(StrEnum):
    """Why a task is no more."""

    DONE = "done"
    FAILED = "failed"
    DELETED = "deleted"
    LOST = "lost"


def settled(
    row: TaskRow, outcome: Outcome, policy: RetryPolicy, now_us: int
) -> tuple[TaskRow, End | None]:
    """The task after this attempt, and its end if this was the last one."""
    is_5xx = 500 <= outcome.status <= 599
    after = replace(
        row,
        in_flight=max(0, row.in_flight - 1),
        responses=row.responses + outcome.answered,
        executions=row.executions + (outcome.answered and not is_5xx),
        failures=row.failures + (not outcome.succeeded),
        attempt_response_us=now_us,
        attempt_code=outcome.code,
        attempt_message=outcome.message,
        previous_response=outcome.status,
    )
    if outcome.succeeded:
        return after, End.DONE
    retry_us = next_attempt_us(policy, after.history, now_us)
    if retry_us is None:
        return after, End.FAILED
    return replace(after, schedule_us=retry_us), None


def interrupted(row: TaskRow, policy: RetryPolicy, now_us: int) -> TaskRow:
    """The task after the emulator died while it was being sent.

    Nobody knows whether the target got it, so it is sent again: after the usual wait, and without
    counting towards its attempts.
    """
    return replace(
        row,
        in_flight=0,
        interruptions=row.interruptions + row.in_flight,
        schedule_us=now_us + interval_us(policy, row.dispatches),
    )
