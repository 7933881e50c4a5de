"""How many tasks a queue may send now: a token bucket, a limit on concurrency, and how far it is
slowed down because its target said that it is overloaded. All pure."""

import math
from dataclasses import dataclass, replace

from .protobuf import SECOND


@dataclass(frozen=True)
class Limits:
    rate_per_second: float
    burst: int
    concurrency: int


@dataclass(frozen=True)
class Bucket:
    """Tokens as they stood at a moment; each dispatch takes one."""

    tokens: float
    at_us: int


def full(limits: Limits, now_us: int) -> Bucket:
    return Bucket(float(limits.burst), now_us)


def refilled(bucket: Bucket, limits: Limits, now_us: int) -> Bucket:
    """The bucket now. A clock that went backwards adds nothing."""
    gained = max(0, now_us - bucket.at_us) * limits.rate_per_second / SECOND
    return Bucket(min(float(limits.burst), bucket.tokens + gained), now_us)


def allowance(bucket: Bucket, limits: Limits, running: int) -> int:
    """How many tasks may start now."""
    return max(0, min(int(bucket.tokens), limits.concurrency - running))


def taken(bucket: Bucket, count: int) -> Bucket:
    return Bucket(bucket.tokens - count, bucket.at_us)


def next_token_us(bucket: Bucket, limits: Limits) -> int:
    """How long until a whole token is there."""
    lacking = max(0.0, 1.0 - bucket.tokens)
    return math.ceil(lacking * SECOND / limits.rate_per_second)


def burst_for(rate_per_second: float) -> int:
    """The burst size the service shows for a rate: 10 at 1 a second, 100 at 500."""
    return max(10, min(100, math.ceil(rate_per_second)))


OVERLOAD = (429, 503)
"""Answers that slow the whole queue down, not only the task that got one."""
_LEAST_SHARE = 1 / 32
"""However overloaded the target says it is, a trickle goes on."""
_HALVED_EVERY_US = SECOND
"""Many answers within a second are one complaint: they were sent before the first came back."""
_DOUBLED_EVERY_US = 10 * SECOND
"""Without a further complaint."""
_LONGEST_PAUSE_US = 3600 * SECOND


@dataclass(frozen=True)
class Throttle:
    """The share of its rate and concurrency that a queue uses, as it stood at a moment, and until
    when it sends nothing, as its target asked (`Retry-After`)."""

    share: float = 1.0
    at_us: int = 0
    not_before_us: int = 0


UNSLOWED = Throttle()


def overloaded(throttle: Throttle, now_us: int, retry_after_us: int = 0) -> Throttle:
    """Half of what it was, at most once a second."""
    not_before = max(throttle.not_before_us, now_us + min(retry_after_us, _LONGEST_PAUSE_US))
    current = recovered(throttle, now_us)
    if throttle.share < 1 and now_us - throttle.at_us < _HALVED_EVERY_US:
        return replace(throttle, not_before_us=not_before)
    return Throttle(max(_LEAST_SHARE, current.share / 2), now_us, not_before)


def recovered(throttle: Throttle, now_us: int) -> Throttle:
    """The share grows back by itself, steadily."""
    doublings = max(0, now_us - throttle.at_us) / _DOUBLED_EVERY_US
    share = 1.0 if doublings > 10 else min(1.0, throttle.share * 2**doublings)
    return Throttle(share, now_us, throttle.not_before_us)


def slowed(limits: Limits, throttle: Throttle) -> Limits:
    """The limits that hold while the queue is slowed down."""
    if throttle.share >= 1:
        return limits
    return Limits(
        limits.rate_per_second * throttle.share,
        max(1, int(limits.burst * throttle.share)),
        max(1, int(limits.concurrency * throttle.share)),
    )
