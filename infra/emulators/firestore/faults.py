"""Failures on demand: a slow or an unavailable service."""

import asyncio
import random

import grpc

from .refusal import Refused


class Faults:
    """`latency_ms` delays every RPC; `unavailable` is the share of them refused."""

    def __init__(self) -> None:
        self.latency_ms = 0.0
        self.unavailable = 0.0

    @property
    def active(self) -> bool:
        return self.latency_ms > 0 or self.unavailable > 0

    def set(self, latency_ms: float = 0.0, unavailable: float = 0.0) -> None:
        if latency_ms < 0 or not 0 <= unavailable <= 1:
            raise ValueError("latency_ms must not be negative, unavailable lies between 0 and 1")
        self.latency_ms = latency_ms
        self.unavailable = unavailable

    async def suffer(self) -> None:
        if self.latency_ms:
            await asyncio.sleep(self.latency_ms / 1000)
        if random.random() < self.unavailable:  # noqa: S311 - no secret hangs on it
            raise Refused(grpc.StatusCode.UNAVAILABLE, "The service is unavailable (on demand).")
