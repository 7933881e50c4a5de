"""Everything the running emulator holds: its indexes, its counts, its faults, the accepted keys."""

import asyncio
import contextlib
import random

from .errors import ControlRefusal, DataRefusal, KeyRefusal
from .indexes import Indexes
from .metrics import Faults, Metrics


class State:
    """`keys` are the accepted API keys; while there are none, every key that is not blank is."""

    def __init__(self, indexes: Indexes) -> None:
        self.indexes = indexes
        self.watch = Metrics()
        self.ending = asyncio.Event()
        self.reset()

    def reset(self) -> None:
        """No counts, no faults, any key."""
        self.watch.reset()
        self.set_faults(Faults())
        self.keys: set[str] = set()

    def set_faults(self, faults: Faults) -> None:
        self.faults = faults
        self._random = random.Random(faults.seed)  # noqa: S311 - repeatable faults, no secret

    def check_key(self, key: str | None) -> None:
        if not key or not key.strip() or (self.keys and key not in self.keys):
            raise KeyRefusal

    async def delay(self, call: str) -> None:
        """The latency that was asked for; it does not hold up the end."""
        if self.faults.latency_ms and self.faults.concern(call):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.faults.latency_ms / 1000):
                    await self.ending.wait()

    def strike(self, call: str, *, is_data: bool) -> None:
        """Raise the fault that was asked for, on its share of calls, in the shape of its plane."""
        if not self.faults.concern(call) or self._random.random() >= self.faults.share:
            return
        status, message = self.faults.status, "A fault that the emulator was told to have"
        refusal = (
            DataRefusal.of_status(status, message) if is_data else ControlRefusal(status, message)
        )
        if self.faults.retry_after is not None:
            refusal.headers["retry-after"] = str(self.faults.retry_after)
        raise refusal
