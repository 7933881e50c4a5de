"""What the emulator counts of its own work, and the faults it can be told to have."""

import statistics
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_KEPT_TIMES = 10_000


class Metrics:
    """Calls by name, errors by status, and the server's own time for each query.

    Wall time is what a client waits for; processor time is what a busy machine does not change.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._calls: Counter[str] = Counter()
        self._errors: Counter[int] = Counter()
        self._queries = 0
        self._query_ms: deque[tuple[float, float]] = deque(maxlen=_KEPT_TIMES)

    def call(self, name: str) -> None:
        self._calls[name] += 1

    def error(self, status: int) -> None:
        self._errors[status] += 1

    @contextmanager
    def query(self) -> Iterator[None]:
        """Times one query, unless it raises."""
        wall, processor = time.perf_counter(), time.thread_time()
        yield
        self._queries += 1
        self._query_ms.append(
            ((time.perf_counter() - wall) * 1000, (time.thread_time() - processor) * 1000)
        )

    def shown(self) -> dict[str, Any]:
        walls = sorted(wall for wall, _ in self._query_ms)
        processors = [processor for _, processor in self._query_ms]
        return {
            "calls": dict(self._calls),
            "errors": {str(status): count for status, count in self._errors.items()},
            "query_ms": {
                "count": self._queries,
                "median": round(statistics.median(walls), 3) if walls else None,
                "p95": round(walls[int(0.95 * (len(walls) - 1))], 3) if walls else None,
                "longest": round(walls[-1], 3) if walls else None,
                "cpu_median": round(statistics.median(processors), 3) if walls else None,
            },
        }


@dataclass(frozen=True)
class Faults:
    """Latency for the named calls (none named: all), and an error for a share of them."""

    latency_ms: float = 0.0
    status: int = 503
    share: float = 0.0
    retry_after: float | None = None
    calls: list[str] = field(default_factory=list)
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1 or self.latency_ms < 0 or not 400 <= self.status <= 599:
            raise ValueError("share is 0 to 1, latency_ms at least 0, status 400 to 599")

    def concern(self, call: str) -> bool:
        return not self.calls or call in self.calls
