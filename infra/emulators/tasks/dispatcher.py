"""Sends tasks when they are due: one lane a queue, woken by events and times, never polling."""

import asyncio
import time

from . import pacing
from .backoff import RetryPolicy
from .delivery import Delivery
from .faults import Fault, Faults, Kind
from .outcome import OUT_OF_REACH, End, Outcome, interrupted, settled
from .protobuf import SECOND, Message, State
from .queue_rules import limits_of, policy_of
from .store import Store
from .stored_task import TaskRow

_MOST_AT_ONCE = 50
"""Attempts started before the loop gets its turn again: calls must not wait for a burst."""

_LONGEST_SLEEP_US = 60 * SECOND
"""A far-off time is looked at again now and then, in case the machine's clock was set."""


def now_us() -> int:
    return time.time_ns() // 1000


class Lane:
    """A queue as the dispatcher sees it."""

    def __init__(self, queue: Message) -> None:
        self.name: str = queue.name
        self.running = 0
        self.wake = asyncio.Event()
        self.held: list[asyncio.Event] = []
        self.loop: asyncio.Task[None] | None = None
        self.configure(queue)
        self.bucket = pacing.full(self.limits, now_us())
        self.throttle = pacing.UNSLOWED

    def configure(self, queue: Message) -> None:
        self.is_paused = queue.state != State.RUNNING
        self.limits = limits_of(queue)
        self.policy: RetryPolicy = policy_of(queue.retry_config)
        self.wake.set()


class Dispatcher:
    def __init__(self, store: Store, delivery: Delivery, faults: Faults) -> None:
        self._store = store
        self._delivery = delivery
        self._faults = faults
        self._lanes: dict[str, Lane] = {}
        self._attempts: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()

    def start(self) -> None:
        """Take back what was being sent when the emulator last ended, then serve all queues."""
        queues = {queue.name: queue for queue in self._store.queues()}
        for row in self._store.in_flight():
            policy = _policy(row, policy_of(queues[row.queue].retry_config))
            self._store.update(interrupted(row, policy, now_us()))
        for queue in queues.values():
            self.configure(queue)

    async def stop(self) -> None:
        """Break off everything; what was being sent is sent again after the next start."""
        loops = [lane.loop for lane in self._lanes.values() if lane.loop is not None]
        ending = [*loops, *self._attempts]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)

    def configure(self, queue: Message) -> None:
        """Follow a queue that is new or has changed."""
        lane = self._lanes.get(queue.name)
        if lane is None:
            lane = self._lanes[queue.name] = Lane(queue)
            lane.loop = asyncio.create_task(self._serve(lane))
        else:
            lane.configure(queue)
        self._changed.set()

    def forget(self, queue: str) -> None:
        lane = self._lanes.pop(queue, None)
        if lane is not None and lane.loop is not None:
            lane.loop.cancel()
        self._changed.set()

    def wake(self, queue: str) -> None:
        """There may be something to send, or nothing any more."""
        if queue in self._lanes:
            self._lanes[queue].wake.set()
        self._changed.set()

    def run_now(self, name: str, queue: str) -> TaskRow:
        """Send a task whatever its queue's limits and state; returns it as it is being sent."""
        row = self._store.force(name, now_us())
        self._begin(self._lanes[queue], row)
        return row

    def share(self, queue: str) -> float:
        """How much of its rate a queue uses now; 1 unless its target said it is overloaded."""
        lane = self._lanes.get(queue)
        return pacing.recovered(lane.throttle, now_us()).share if lane else 1.0

    @property
    def running(self) -> int:
        return len(self._attempts)

    async def until_idle(self, horizon_us: int, timeout_s: float) -> bool:
        """Wait until nothing is being sent, nor due within the horizon; False if it takes longer.

        Tasks of paused queues do not count: nothing will happen to them.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while self.running or self._store.waiting(now_us() + horizon_us):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    async def _serve(self, lane: Lane) -> None:
        while True:
            lane.wake.clear()
            pause_us = self._send_due(lane)
            if pause_us == 0:
                await asyncio.sleep(0)
                continue
            try:
                async with asyncio.timeout(None if pause_us is None else pause_us / SECOND):
                    await lane.wake.wait()
            except TimeoutError:
                continue

    def _send_due(self, lane: Lane) -> int | None:
        """Start what may start now; how long to sleep then, or None until woken."""
        if lane.is_paused:
            return None
        now = now_us()
        if lane.throttle.not_before_us > now:
            return min(lane.throttle.not_before_us - now, _LONGEST_SLEEP_US)
        limits = pacing.slowed(lane.limits, pacing.recovered(lane.throttle, now))
        lane.bucket = pacing.refilled(lane.bucket, limits, now)
        allowed = pacing.allowance(lane.bucket, limits, lane.running)
        if allowed:
            rows = self._store.claim(lane.name, now, min(allowed, _MOST_AT_ONCE))
            lane.bucket = pacing.taken(lane.bucket, len(rows))
            for row in rows:
                self._begin(lane, row)
        due_us = self._store.next_due_us(lane.name)
        if due_us is None:
            return None
        if due_us > now:
            return min(due_us - now, _LONGEST_SLEEP_US)
        if lane.running >= limits.concurrency:
            return None
        return pacing.next_token_us(lane.bucket, limits)

    def _begin(self, lane: Lane, row: TaskRow) -> None:
        lane.running += 1
        attempt = asyncio.create_task(self._attempt(lane, row))
        self._attempts.add(attempt)
        attempt.add_done_callback(self._attempts.discard)
        attempt.add_done_callback(lambda _: self._changed.set())

    async def _attempt(self, lane: Lane, row: TaskRow) -> None:
        try:
            outcome = await self._deliver(lane, row)
        finally:
            lane.running -= 1
            lane.wake.set()
        if outcome is not None and outcome.is_overload:
            lane.throttle = pacing.overloaded(lane.throttle, now_us(), outcome.retry_after_us)
        current = self._store.task(row.name)
        if current is None:
            return  # deleted, purged or done by another attempt meanwhile
        if outcome is None:
            self._store.finish(current, End.LOST, now_us())
            return
        after, end = settled(current, outcome, _policy(current, lane.policy), now_us())
        if end is None:
            self._store.update(after)
        else:
            self._store.finish(after, end, now_us())

    async def _deliver(self, lane: Lane, row: TaskRow) -> Outcome | None:
        """The outcome of the attempt, or None if a fault made the whole task disappear."""
        fault = self._faults.strike(lane.name)
        if fault is not None and fault.kind is Kind.DROP:
            return OUT_OF_REACH
        if fault is not None and fault.kind is Kind.LOSE:
            return None
        if fault is not None and fault.kind is Kind.DUPLICATE:
            first, _ = await asyncio.gather(self._delivery.send(row), self._delivery.send(row))
            return first
        if fault is not None:
            await _held_back(lane, fault)
        outcome = await self._delivery.send(row)
        if fault is None:
            for held in lane.held:
                held.set()
        return outcome


async def _held_back(lane: Lane, fault: Fault) -> None:
    if fault.kind is Kind.DELAY:
        await asyncio.sleep(fault.delay_ms / 1000)
        return
    overtaken = asyncio.Event()
    lane.held.append(overtaken)
    try:
        async with asyncio.timeout(fault.delay_ms / 1000):
            await overtaken.wait()
    except TimeoutError:
        pass  # nothing came after it
    finally:
        lane.held.remove(overtaken)


def _policy(row: TaskRow, of_queue: RetryPolicy) -> RetryPolicy:
    task = row.request
    return policy_of(task.retry_config) if task.HasField("retry_config") else of_queue
