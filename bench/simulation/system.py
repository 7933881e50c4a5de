"""What is simulated: queue, instances, services with their outages, the sweep. Times in seconds.

A group is as far as its oldest waiting line and its tasks. A run takes all that waits; one that
finds another run of its group ends at once and is sent again. What a service's outage does to a
run is what the product does: see `EFFECTS`.
"""

import math
import random
from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import simpy

from shared.domain.jobs.slots import Slots
from shared.domain.jobs.task_names import GRACE, tries_so_far

DAY_S = 86_400.0
SWEEP_S = 60.0
NOTHING_S = 0.05
"""A run that finds nothing to do, or another run of its group."""


@dataclass(frozen=True)
class Effect:
    """Of an outage on a run of attribution: it fails after so long, or takes so much longer."""

    fails_after_s: float | None = None
    longer_s: float = 0.0
    share: float = 1.0
    """Of runs that need the service."""


@dataclass(frozen=True)
class Outage:
    service: str
    begins: float
    ends: float


@dataclass(frozen=True)
class Work:
    """Of one run: processor and waiting, and how much the sum varies (its standard deviation over
    its mean)."""

    cpu_s: float
    waits_s: float
    varies: float = 0.6

    @property
    def seconds(self) -> float:
        return self.cpu_s + self.waits_s


@dataclass(frozen=True)
class Room:
    """The queue's limits and the instances'."""

    rate: float
    concurrency: int
    instances: int
    at_once: int
    cold_start_s: float
    attempts: int
    min_backoff_s: float
    max_backoff_s: float
    doublings: int


@dataclass
class Group:
    rate: float
    """Messages a second at the day's mean."""
    phase: float = 0.0
    """Of its slots: each group's begin at a moment of their own."""
    oldest: float | None = None
    newest_first: float = -1.0
    is_running: bool = False
    is_wanted: bool = False
    tasks: int = 0
    last_wait: float = 0.0
    tries: int = 0


@dataclass(order=True)
class Task:
    due: float
    group: Group = field(compare=False)
    attempt: int = field(default=1, compare=False)


class System:
    def __init__(
        self,
        env: simpy.Environment,
        groups: list[Group],
        work: Work,
        room: Room,
        slots: Slots,
        *,
        asked: float,
        busy_at: Any,
        outages: list[Outage],
        effects: Mapping[str, Effect],
        seed: int = 1,
    ) -> None:
        self.env, self.groups, self.work, self.room, self.slots = env, groups, work, room, slots
        self._asked, self._busy_at = asked, busy_at
        self._outages, self._effects = outages, effects
        self._dice = random.Random(seed)
        self._due: list[Any] = []
        self._ready: deque[Task] = deque()
        self._wake = env.event()
        self._in_flight = 0
        self._tokens = float(room.rate)
        self._tokens_at = 0.0
        self._up = 1
        self._starting = 0
        self._busy = 0
        self._waiting_for_room: deque[simpy.Event] = deque()
        sigma = math.sqrt(math.log(1 + work.varies**2))
        self._mu, self._sigma = math.log(work.seconds) - sigma**2 / 2, sigma
        self.waits: list[tuple[float, float]] = []
        """When a run was done, and how long its oldest line had waited."""
        self.oldest_by_minute: list[tuple[float, float]] = []
        self.runs = self.failures = 0
        for one in groups:
            env.process(self._speaks(one))
        env.process(self._dispatches())
        env.process(self._looks_and_sweeps())

    # ---- groups

    def _speaks(self, group: Group) -> Generator[Any, Any, None]:
        """One round a slot in which something is said."""
        env, dice = self.env, self._dice
        while True:
            rate = group.rate * self._busy_at(env.now)
            yield env.timeout(dice.expovariate(rate))
            if self._is_away("firestore"):
                continue  # not accepted: the platform sends it again later
            group.newest_first = env.now
            if group.oldest is None:
                group.oldest, group.tries = env.now, 0
            slot = self.slots.slot(
                is_asked=dice.random() < self._asked,
                last_wait=timedelta(seconds=group.last_wait),
            ).total_seconds()
            ends = slot - (env.now - group.phase * slot) % slot
            if not self._is_away("tasks"):
                self._send(group, ends + GRACE.total_seconds())
            yield env.timeout(ends)

    def _send(self, group: Group, after: float) -> None:
        group.tasks += 1
        self._later(Task(self.env.now + after, group), after)

    def _later(self, task: Task, after: float) -> None:
        def ready(_: Any) -> None:
            self._ready.append(task)
            if not self._wake.triggered:
                self._wake.succeed()

        timeout = self.env.timeout(after)
        assert timeout.callbacks is not None
        timeout.callbacks.append(ready)

    # ---- the queue

    def _dispatches(self) -> Generator[Any, Any, None]:
        env, room = self.env, self.room
        while True:
            if not self._ready or self._in_flight >= room.concurrency:
                self._wake = env.event()
                yield self._wake
                continue
            gained = (env.now - self._tokens_at) * room.rate
            self._tokens = min(max(10.0, room.rate), self._tokens + gained)
            self._tokens_at = env.now
            if self._tokens < 1:
                yield env.timeout(max(0.001, (1 - self._tokens) / room.rate))
                continue
            self._tokens -= 1
            self._in_flight += 1
            env.process(self._runs(self._ready.popleft()))

    def _runs(self, task: Task) -> Generator[Any, Any, None]:
        yield from self._an_instance()
        is_done = yield from self._attributes(task.group)
        self._gives_back()
        self._in_flight -= 1
        if not self._wake.triggered:
            self._wake.succeed()
        if is_done:
            task.group.tasks -= 1
            return
        self.failures += 1
        if task.attempt >= self.room.attempts:
            task.group.tasks -= 1  # dropped: only the sweep can help
            return
        doublings = min(task.attempt - 1, self.room.doublings)
        pause = min(self.room.max_backoff_s, self.room.min_backoff_s * 2**doublings)
        self._later(Task(0, task.group, task.attempt + 1), pause)

    # ---- instances

    def _an_instance(self) -> Generator[Any, Any, None]:
        """A place on one that is up; while most are taken another is started."""
        places = self._up * self.room.at_once
        if self._busy >= 0.7 * (places + self._starting * self.room.at_once) and (
            self._up + self._starting < self.room.instances
        ):
            self.env.process(self._starts())
        while self._busy >= self._up * self.room.at_once:
            room = self.env.event()
            self._waiting_for_room.append(room)
            yield room
        self._busy += 1

    def _starts(self) -> Generator[Any, Any, None]:
        self._starting += 1
        yield self.env.timeout(self.room.cold_start_s)
        self._starting -= 1
        self._up += 1
        for _ in range(min(self.room.at_once, len(self._waiting_for_room))):
            self._waiting_for_room.popleft().succeed()

    def _gives_back(self) -> None:
        self._busy -= 1
        if self._waiting_for_room:
            self._waiting_for_room.popleft().succeed()

    # ---- the work

    def _attributes(self, group: Group) -> Generator[Any, Any, bool]:
        """Whether it came through."""
        env = self.env
        if group.is_running or group.oldest is None:
            group.is_wanted = group.is_wanted or group.is_running
            yield env.timeout(NOTHING_S)
            return True
        group.is_running, began, oldest = True, env.now, group.oldest
        seconds = self._dice.lognormvariate(self._mu, self._sigma)
        fails_after = None
        for name, effect in self._effects.items():
            if self._is_away(name) and self._dice.random() < effect.share:
                seconds += effect.longer_s
                if effect.fails_after_s is not None:
                    fails_after = effect.fails_after_s
        # Many at once share the processor.
        load = self._busy / self._up * self.work.cpu_s / self.work.seconds
        seconds *= max(1.0, load)
        yield env.timeout(seconds if fails_after is None else fails_after)
        group.is_running = False
        if group.is_wanted:
            group.is_wanted = False
            self._send(group, 2 * self._dice.random() + GRACE.total_seconds())
        if fails_after is not None:
            return False
        self.runs += 1
        group.last_wait = env.now - oldest
        self.waits.append((env.now, group.last_wait))
        group.oldest = group.newest_first if group.newest_first > began else None
        group.tries = 0
        return True

    def _is_away(self, service: str) -> bool:
        now = self.env.now
        return any(one.service == service and one.begins <= now < one.ends for one in self._outages)

    # ---- each minute

    def _looks_and_sweeps(self) -> Generator[Any, Any, None]:
        grace = timedelta(seconds=SWEEP_S)
        while True:
            yield self.env.timeout(SWEEP_S)
            now, oldest = self.env.now, 0.0
            can_send = not (self._is_away("tasks") or self._is_away("firestore"))
            for group in self.groups:
                if group.oldest is None:
                    continue
                age = now - group.oldest
                oldest = max(oldest, age)
                if age >= SWEEP_S and not group.tasks and can_send:
                    tries = tries_so_far(timedelta(seconds=age), grace)
                    if tries > group.tries:
                        group.tries = tries
                        self._send(group, 0.0)
            self.oldest_by_minute.append((now, oldest))
