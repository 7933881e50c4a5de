"""How many tasks a queue may send now: a token bucket and a limit on concurrency, both pure."""

import math
from dataclasses import dataclass

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
