"""Whether to try a failed call again, and when. Pure: time and chance are arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LEAST_CALL_S = 0.05
"""With less left than this, another try could not even be sent."""


@dataclass(frozen=True)
class RetryPolicy:
    """`attempts` counts the first one too; delays double from `first_s` up to `longest_s`."""

    attempts: int = 4
    first_s: float = 0.5
    longest_s: float = 8.0


def next_delay(
    policy: RetryPolicy,
    *,
    failures: int,
    left_s: float,
    asked_s: float | None = None,
    chance: float = 0.5,
) -> float | None:
    """Seconds to wait after `failures` failures in a row, or None to give up.

    Between half of the doubled delay and all of it, by `chance` in 0..1, so that callers who failed
    together do not come back together. Never sooner than the service asked, with a little added
    for the same reason, and never so late that nothing of the budget is left.
    """
    if failures >= policy.attempts:
        return None
    doubled = min(policy.longest_s, policy.first_s * 2 ** max(0, failures - 1))
    delay = doubled * (0.5 + 0.5 * chance)
    if asked_s is not None:
        delay = max(delay, asked_s + policy.first_s * 0.5 * chance)
    return delay if delay + LEAST_CALL_S <= left_s else None


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """What the service asks for, in seconds: milliseconds, seconds or a date; None if unreadable.

    `headers` has lower-case names.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())


def _number(text: str | None) -> float | None:
    """A finite number of at least zero."""
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
