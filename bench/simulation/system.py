"""What is simulated: queue, instances, services with their outages, the sweep. Times in seconds.

A group is as far as its oldest waiting line and its tasks. What is said to the bot and what people
say among themselves are two streams of it: each sends one task a slot of its own length. A run
takes all that waits; one that finds another run of its group ends at once and is sent again. What
a service's outage does to a run is what the product does: see `effects` of `day`.
"""

import math
import random
from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import simpy

from shared.domain.jobs.attribution_tasks import GRACE, Slots, tries_so_far

DAY_S = 86_400.0
SWEEP_S = 60.0
MOST_BURST = 100
"""Tasks that a queue which was idle sends at once, as the service does."""


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
    nothing_s: float = 0.05
    """A run that finds nothing to do, or another run of its group."""

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
    next_oldest: float | None = None
    """Of what was said since the run began that is under way."""
    is_running: bool = False
    is_wanted: bool = False
    tasks: int = 0
    last_wait: float = 0.0
    tries: int = 0
    streams: list["Stream"] = field(default_factory=list)


@dataclass
class Stream:
    """What a group says that has slots of one length. `until`: the end of the slot that has its
    task; what is said before it sends no other."""

    share: float
    is_asked: bool
    until: float = -1.0
    goes_on_at: float = -1.0
    """When its next line comes within that slot, if a run has taken the ones before."""


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
        self._busy_at = busy_at
        self._outages, self._effects = outages, effects
        self._dice = random.Random(seed)
        self._ready: deque[Task] = deque()
        self._wake = env.event()
        self._in_flight = 0
        self._burst = max(10.0, min(MOST_BURST, room.rate))
        self._tokens, self._tokens_at = self._burst, env.now
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
        shares = {False: 1 - asked, True: asked}
        for one in groups:
            one.streams = [Stream(share, kind) for kind, share in shares.items() if share]
            for stream in one.streams:
                env.process(self._speaks(one, stream))
        env.process(self._dispatches())
        env.process(self._looks_and_sweeps())

    # ---- groups

    def _speaks(self, group: Group, stream: Stream) -> Generator[Any, Any, None]:
        """The first line of each slot in which something is said."""
        env, dice = self.env, self._dice
        while True:
            rate = group.rate * stream.share * self._busy_at(env.now)
            yield env.timeout(dice.expovariate(rate))
            if self._is_away("firestore"):
                continue  # not accepted: the platform sends it again later
            self._hears(group)
            slot = self.slots.slot(
                is_asked=stream.is_asked, last_wait=timedelta(seconds=group.last_wait)
            ).total_seconds()
            ends = slot - (env.now - group.phase * slot) % slot
            stream.until = env.now + ends
            if not self._is_away("tasks"):
                self._send(group, ends + GRACE.total_seconds())
            yield env.timeout(ends)

    def _hears(self, group: Group) -> None:
        """A line waits."""
        if group.oldest is None:
            group.oldest, group.tries = self.env.now, 0
        if group.is_running and group.next_oldest is None:
            group.next_oldest = self.env.now

    def _goes_on(self, group: Group) -> None:
        """A run took what was said of slots that are not over: the next line of each waits anew,
        for the task that its slot has. (Nothing remembers how long nobody spoke: when it comes does
        not depend on what was said before.)"""
        for stream in group.streams:
            now = self.env.now
            if stream.until <= now or stream.goes_on_at > now:
                continue
            rate = group.rate * stream.share * self._busy_at(now)
            stream.goes_on_at = now + self._dice.expovariate(rate)
            if stream.goes_on_at < stream.until:
                self._after(stream.goes_on_at - now, lambda _: self._hears_again(group))

    def _hears_again(self, group: Group) -> None:
        if not self._is_away("firestore"):
            self._hears(group)

    def _after(self, seconds: float, then: Callable[[Any], None]) -> None:
        timeout = self.env.timeout(seconds)
        assert timeout.callbacks is not None
        timeout.callbacks.append(then)

    def _send(self, group: Group, after: float) -> None:
        group.tasks += 1
        self._later(Task(self.env.now + after, group), after)

    def _later(self, task: Task, after: float) -> None:
        def ready(_: Any) -> None:
            self._ready.append(task)
            if not self._wake.triggered:
                self._wake.succeed()

        self._after(after, ready)

    # ---- the queue

    def _dispatches(self) -> Generator[Any, Any, None]:
        env, room = self.env, self.room
        while True:
            if (still := self._stands_still()) > 0:
                yield env.timeout(still)
                continue
            if not self._ready or self._in_flight >= room.concurrency:
                self._wake = env.event()
                yield self._wake
                continue
            gained = (env.now - self._tokens_at) * room.rate
            self._tokens = min(self._burst, self._tokens + gained)
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
            yield env.timeout(self.work.nothing_s)
            return True
        group.is_running, group.next_oldest, oldest = True, None, group.oldest
        self._goes_on(group)
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
        group.oldest = group.next_oldest
        group.tries = 0
        return True

    def _stands_still(self) -> float:
        """How long the queue still sends nothing: somebody paused it."""
        now = self.env.now
        paused = [one for one in self._outages if one.service == "queue"]
        return max((one.ends - now for one in paused if one.begins <= now < one.ends), default=0.0)

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
