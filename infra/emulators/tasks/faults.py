"""Faults on demand: which delivery is dropped, lost, doubled, delayed or held back, and
whose tasks are not taken."""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from . import names


class Kind(StrEnum):
    """What happens to a delivery.

    drop: nothing reaches the target; the attempt has failed and is retried.
    lose: nothing reaches the target and the task is gone, as if the service had forgotten it.
    duplicate: the target gets the same attempt twice, at the same time.
    delay: the target gets it later, by `delay_ms`.
    reorder: held back until a later delivery of the queue has been answered, at most `delay_ms`.
    refuse: not a delivery: CreateTask is refused with PERMISSION_DENIED, as for a caller without
    the right to add tasks, or to act as the account that they name.
    """

    DROP = "drop"
    LOSE = "lose"
    DUPLICATE = "duplicate"
    DELAY = "delay"
    REORDER = "reorder"
    REFUSE = "refuse"


class BadFault(ValueError):
    """A fault that was asked for in a way that makes no sense; the message says what."""


@dataclass
class Fault:
    """Strikes a share of the deliveries, or the next N of them, of one queue or of all."""

    kind: Kind
    queue: str | None
    share: float | None
    remaining: int | None
    delay_ms: int
    dice: random.Random = field(repr=False)
    struck: int = 0

    def strikes(self, queue: str) -> bool:
        """Whether this time it does, which then counts."""
        if self.queue is not None and self.queue not in (queue, names.short(queue)):
            return False
        if self.remaining is not None:
            if self.remaining == 0:
                return False
            self.remaining -= 1
        elif self.dice.random() >= (self.share or 0.0):
            return False
        self.struck += 1
        return True

    def told(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "queue": self.queue,
            "share": self.share,
            "next": self.remaining,
            "delay_ms": self.delay_ms,
            "struck": self.struck,
        }


class Faults:
    """The faults in force, oldest first; the first that strikes a delivery is the only one."""

    def __init__(self) -> None:
        self._all: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._all.append(fault)

    def clear(self) -> None:
        self._all.clear()

    def told(self) -> list[dict[str, Any]]:
        return [fault.told() for fault in self._all]

    def strike(self, queue: str) -> Fault | None:
        """The fault of a delivery, if any."""
        faults = (fault for fault in self._all if fault.kind is not Kind.REFUSE)
        return next((fault for fault in faults if fault.strikes(queue)), None)

    def refuses(self, queue: str) -> bool:
        """Whether a task for the queue is not taken."""
        return any(fault.kind is Kind.REFUSE and fault.strikes(queue) for fault in self._all)


def parsed(asked: Any) -> Fault:
    """A fault from the JSON of a request: exactly one of `share` and `next`."""
    if not isinstance(asked, dict):
        raise BadFault("a fault is a JSON object")
    unknown = set(asked) - {"kind", "queue", "share", "next", "delay_ms", "seed"}
    if unknown:
        raise BadFault(f"unknown fields: {', '.join(sorted(unknown))}")
    if asked.get("kind") not in list(Kind):
        raise BadFault(f"kind is one of {', '.join(Kind)}")
    share, count = asked.get("share"), asked.get("next")
    if (share is None) == (count is None):
        raise BadFault("give either share (of the deliveries) or next (how many)")
    if share is not None and not (_is_number(share) and 0 < share <= 1):
        raise BadFault("share is a number above 0, at most 1")
    if count is not None and not (_is_whole(count) and count > 0):
        raise BadFault("next is a positive whole number")
    delay_ms = asked.get("delay_ms", 1000)
    if not (_is_whole(delay_ms) and 0 <= delay_ms <= 600_000):
        raise BadFault("delay_ms is a whole number up to 600000")
    queue = asked.get("queue")
    if queue is not None and not isinstance(queue, str):
        raise BadFault("queue is a queue's id or full name")
    dice = random.Random(asked.get("seed"))  # noqa: S311 - repeatable on purpose
    return Fault(Kind(asked["kind"]), queue, share, count, delay_ms, dice)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
