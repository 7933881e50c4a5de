"""When a failed task is tried again, and when it is given up: pure arithmetic."""

from dataclasses import dataclass

from .protobuf import SECOND

RETENTION_US = 31 * 24 * 3600 * SECOND
"""No task lives longer, however patient its policy."""

_MOST_DOUBLINGS = 60
"""Beyond it any span exceeds every cap; the shift must stay small whatever a client asks for."""


@dataclass(frozen=True)
class RetryPolicy:
    """A queue's (or a task's own) retry settings; -1 attempts and 0 duration mean no limit."""

    max_attempts: int
    max_retry_us: int
    min_backoff_us: int
    max_backoff_us: int
    max_doublings: int


@dataclass(frozen=True)
class History:
    """What is known of a task after an attempt failed.

    `dispatches` counts every attempt sent, also one whose answer a crash swallowed; `failures`
    only those that are known to have failed.
    """

    dispatches: int
    failures: int
    first_dispatch_us: int
    created_us: int


def interval_us(policy: RetryPolicy, retry: int) -> int:
    """The wait before the given retry (1 is the first).

    It starts at the minimum, doubles `max_doublings` times, then grows by the last doubled step,
    and never exceeds the maximum.
    """
    doublings = min(retry - 1, policy.max_doublings, _MOST_DOUBLINGS)
    linear_steps = retry - doublings
    return min((policy.min_backoff_us << doublings) * linear_steps, policy.max_backoff_us)


def is_exhausted(policy: RetryPolicy, history: History, now_us: int) -> bool:
    """Whether every limit the policy sets has been reached (both, where both are set)."""
    if now_us - history.created_us >= RETENTION_US:
        return True
    limits = []
    if policy.max_attempts >= 0:
        limits.append(history.failures >= policy.max_attempts)
    if policy.max_retry_us > 0:
        limits.append(now_us - history.first_dispatch_us >= policy.max_retry_us)
    return bool(limits) and all(limits)


def next_attempt_us(policy: RetryPolicy, history: History, now_us: int) -> int | None:
    """When to try again a task that failed just now, or None to give it up."""
    if is_exhausted(policy, history, now_us):
        return None
    return now_us + interval_us(policy, history.dispatches)
