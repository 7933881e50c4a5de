"""Groups that talk for some days while everything runs, and what each piece of work was billed.

The real handlers, one at a time and in order of a turned clock: what was said, runs of attribution
and jobs at the moment that their tasks are due, the schedule, upkeep. Nothing is left waiting:
after the last day the clock goes on until every job is done and no group is due. Each piece of work
is booked to the group it was done for; what the schedule reads for nobody is booked apart.
"""

import heapq
import math
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.scale_counting import Billed, CountedQueue, CountedSpending, Meter
from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.evolve_group import handle_due, handle_evolve, handle_maintain
from functions.historian_job import handle_note, handle_profile
from functions.ingest_message import handle_attribute, handle_messages, handle_sweep
from functions.ingest_message.indexing import Indexing
from functions.ingest_message.routes_messages import end_turn
from functions.summarize_topic import handle_close, handle_summarize
from shared.contracts.context import ContextRequest
from shared.domain.ids import digest
from shared.domain.knowledge.event import Note
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.wiring import Services
from tests.services import Clock

A_CONTEXT_EVERY = 20
"""Messages, of which one is to the bot and wants a context and an answer."""
A_NOTE_EVERY = 5
"""Answers, of which one ends its turn with a note; every other of these tells something new."""
FIRST_MESSAGES = 40
"""Of a group, booked apart: its first lines are embedded as they come, and the first night looks at
little. What they leave waiting is paid by what comes after."""
PACES = {"sparse": 20, "busy": 200}
"""Messages a day of nine groups in ten, and of the tenth."""
SCHEDULE_EVERY = timedelta(hours=1)
"""The sweep and the closing of topics run more often in a deployment, to find the same work sooner:
what a look that finds nothing costs is told apart (`looks`)."""
NIGHT = 3
"""The hour at which groups that are due evolve."""
TELLS_EVERY = 1000
"""Messages between two lines of progress."""
PATIENT_S = 300.0
"""For models: operations are counted, not seconds, however busy the machine is."""
NOTHING: Mapping[str, int] = {}
_SPOKEN = re.compile(r"(?:\[\w+\] |\d\d:\d\d \S+ )?(?P<who>[^:\[\]]{1,30}): (?P<what>.+)")
_MARK = re.compile(r" #\d+$")


def talk(language: str, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Who says what, from the talks that were written from life, round and round."""
    lines = []
    for folder in ("", "matters", "threads"):
        for path in sorted((Path(__file__).parent / "talks" / folder).glob("*.txt")):
            spoken = path.read_text("utf-8").partition("\n--\n")[0]
            if not spoken.startswith(language):
                continue
            found = (_SPOKEN.fullmatch(one) for one in spoken.splitlines()[1:])
            lines += [(one["who"], _MARK.sub("", one["what"])) for one in found if one]
    start = dice.randrange(len(lines))
    while True:
        yield from lines[start:]
        start = 0


def native(kind: str, *of: str) -> str:
    """An id as long as platforms make them: prompts pay for it."""
    return f"{kind}_{digest(*of)[:32]}"


def times(count: int, day: datetime, dice: random.Random) -> list[datetime]:
    """Bursts: people answer within a minute or so, and come back hours later."""
    found, at = [], day + timedelta(hours=8 + 2 * dice.random())
    least = min(PACES.values())
    for _ in range(count):
        pause = dice.expovariate(1 / 40) if dice.random() < 0.75 else dice.expovariate(1 / 5400)
        at += timedelta(seconds=pause * min(1.0, least / count))
        found.append(at)
    return found


@dataclass(frozen=True)
class Life:
    """So many groups that talk for so many days; part of a day only if it is the only one."""

    groups: int
    days: float


@dataclass
class Group:
    name: str
    pace: str
    talk: Iterator[tuple[str, str]]
    dice: random.Random
    said: int = 0
    answers: int = 0


@dataclass
class Book:
    """What was billed for one pace, by stage, and how often each stage was done."""

    billed: dict[str, Billed] = field(default_factory=lambda: defaultdict(Counter))
    done: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    placed: int = 0
    """Lines that runs of attribution read and wrote because they wait or are placed once more."""

    @property
    def all(self) -> Billed:
        return sum(self.billed.values(), Counter())

    def with_(self, other: "Book") -> "Book":
        both = Book(messages=self.messages + other.messages, placed=self.placed + other.placed)
        both.done = self.done + other.done
        for book in (self, other):
            for stage, billed in book.billed.items():
                both.billed[stage] += billed
        return both


class Town:
    def __init__(
        self,
        made: Services,
        clock: Clock,
        queue: CountedQueue,
        meter: Meter,
        paid: CountedSpending,
    ) -> None:
        self.made, self.clock, self.queue, self.meter, self.paid = made, clock, queue, meter, paid
        self.books = {pace: Book() for pace in PACES}
        self.firsts = {pace: Book() for pace in PACES}
        self.schedule = Book()
        self.paid_first: dict[str, dict[str, Billed]] = {}
        """What models were paid for a group until its first messages were said, by prompt."""
        self.looks: dict[str, int] = {}
        """Reads of one look of the schedule that finds nothing, by what looks."""
        self._groups: dict[str, Group] = {}
        self._may_owe: list[str] = []
        """Groups for which work may still wait once all is said."""

    async def lives(self, lives: Mapping[str, Sequence[Life]]) -> None:
        """So many groups of each pace, for so many days."""
        last = max(one.days for each in lives.values() for one in each)
        start = self.clock.at.replace(hour=0, minute=0, second=0, microsecond=0)
        start += timedelta(days=1)
        said: list[tuple[datetime, str]] = []
        for pace, each in lives.items():
            days = [one.days for one in each for _ in range(one.groups)]
            for number, lasting in enumerate(days):
                group = self._born(pace, number)
                for day in range(math.ceil(last) - math.ceil(lasting), math.ceil(last)):
                    at = start + timedelta(days=day)  # all end together
                    share = min(1.0, lasting)
                    count = round(PACES[pace] * share)
                    said += [(one, group.name) for one in times(count, at, group.dice)]
        await self._look_for_nothing()
        heapq.heapify(said)
        looks_at, all_said = start + SCHEDULE_EVERY, len(said)
        while said:
            looks_at = await self._until(min(looks_at, said[0][0]), looks_at)
            if said[0][0] < looks_at:
                if len(said) % TELLS_EVERY == 0:
                    told = f"{all_said - len(said)} of {all_said} messages"
                    print(told, file=sys.stderr, flush=True)
                _, name = heapq.heappop(said)
                await self._speak(self._groups[name])
        await self._pay_what_gathers()
        self._may_owe = list(self._groups)
        while await self._is_owed():
            looks_at = await self._until(looks_at, looks_at)

    def _born(self, pace: str, number: int) -> Group:
        name, language = f"bench:{pace}-{number}", ("zh", "en")[number % 2]
        lines = talk(language, random.Random(name))
        group = self._groups[name] = Group(name, pace, lines, random.Random(name))
        return group

    async def _until(self, at: datetime, looks_at: datetime) -> datetime:
        """All tasks until then, and the schedule if it is its hour; when its next hour is."""
        await self._tasks(at)
        self.clock.at = max(self.clock.at, at)
        if at < looks_at:
            return looks_at
        await self._look()
        return looks_at + SCHEDULE_EVERY

    async def _pay_what_gathers(self) -> None:
        """Lines that wait for others before they are embedded and indexed: one more line of each
        group, and all of them go now."""
        at_once = {"embed_every_messages": 1, "index_every_messages": 1}
        for group in self._groups.values():
            await self._say(group, "last", "Ann", "good night everybody")
            await self._attribute(group.name, at_once)

    def pace_of(self, group_id: str) -> str | None:
        return self._groups[group_id].pace if group_id in self._groups else None

    # ---- booking

    async def _booked(self, group_id: str | None, stage: str, work: Any) -> Any:
        """No vector outlives its piece of work: of thousands of groups an instance rarely sees
        one twice."""
        self.made.embedder._cache.clear()  # noqa: SLF001
        began = time.process_time()
        done = await work
        took = time.process_time() - began
        book = self._book(group_id)
        book.billed[stage].update(self.meter.since())
        book.billed[stage]["cpu ms"] += round(1000 * took)
        book.done[stage] += 1
        return done

    def _book(self, group_id: str | None) -> Book:
        group = self._groups.get(group_id or "")
        if group is None:
            return self.schedule
        books = self.firsts if group.said <= FIRST_MESSAGES else self.books
        return books[group.pace]

    # ---- what is said

    async def _speak(self, group: Group) -> None:
        who, what = next(group.talk)
        group.said += 1
        if group.said == FIRST_MESSAGES + 1:
            paid = self.paid.by_group[group.name]
            self.paid_first[group.name] = {name: Counter(one) for name, one in paid.items()}
        is_asked = group.said % A_CONTEXT_EVERY == 0
        message_id = f"m{group.said}"
        await self._say(group, message_id, who, what, is_asked=is_asked)
        if is_asked:
            await self._answer(group, message_id, who)

    async def _say(
        self, group: Group, message_id: str, who: str, what: str, *, is_asked: bool = False
    ) -> None:
        message = Message(
            group_id=group.name,
            message_id=native("om", group.name, message_id),
            user_id=native("ou", who),
            user_name=who,
            content=what,
            create_time=self.clock.at,
            is_mention_bot=is_asked,
            role="assistant" if who == "bot" else "user",
        )
        deps = self.made.deps(handle_messages.IngestDeps, analyse=analysed)
        work = handle_messages.ingest(group.name, [message], deps)
        await self._booked(group.name, "ingest", work)
        self._book(group.name).messages += 1

    async def _answer(self, group: Group, message_id: str, who: str) -> None:
        asked = native("om", group.name, message_id)
        request = ContextRequest(group_id=group.name, message_id=asked)
        deps = context_deps(self.made)
        await self._booked(group.name, "context", build_context(request, deps))
        self.clock.turn(seconds=5)
        group.answers += 1
        _, like_people = next(group.talk)
        await self._say(group, f"{message_id}-answer", "bot", f"@{who} {like_people}")
        if group.answers % A_NOTE_EVERY:
            return
        note = Note(
            group_id=group.name,
            user_id=native("ou", who),
            request_id=native("req", group.name, message_id),
            end_seq=1,
            action_summary=f"Answered {who} today and promised to look again tomorrow.",
            new_info=f"{who} is away until next Friday." if group.answers % 2 else "",
            force=False,
            message_ids=(asked,),
        )
        work = end_turn(note, self.made)
        await self._booked(group.name, "end", work)

    # ---- tasks

    async def _tasks(self, until: datetime) -> None:
        due = self.queue.due
        while due and due[0][0] <= until:
            at, _, path, body = heapq.heappop(due)
            self.clock.at = max(self.clock.at, at)
            if path == "/tasks/attribute":
                await self._attribute(body["group_id"])
            elif "job_id" in body:
                await self._job(body["job_id"])
            else:
                raise ValueError(f"nobody here does {path}")

    async def _attribute(self, group_id: str, otherwise: Mapping[str, int] = NOTHING) -> None:
        made = self.made
        indexing = Indexing(made.vectors, made.word_index)
        deps = made.deps(
            handle_attribute.AttributionDeps,
            indexing=indexing,
            model_budget_s=PATIENT_S,
            tables=None,
        )
        deps = replace(deps, settings=deps.settings.replaced(**otherwise))
        work = handle_attribute.attribute(group_id, deps)
        report = await self._booked(group_id, "attribute", work)
        self._book(group_id).placed += report.attributed + report.again

    async def _job(self, job_id: str) -> None:
        job = await self.made.jobs.get(job_id)
        assert job is not None
        self.meter.since()  # whose it is is a question of this bench alone
        await self._booked(job.group_id, job.kind, self._work(job_id, job.group_id, job.kind))

    async def _work(self, job_id: str, group_id: str, kind: str) -> None:
        """As the routes do it: one of them reads the job and its group to know its settings."""
        made = self.made
        group = None
        if kind == "evolve":
            await made.jobs.get(job_id)
            group = await made.groups.find(group_id)
        does: dict[str, Any] = {
            "summarize": lambda work: handle_summarize.run(work, made),
            "evolve": lambda work: handle_evolve.evolve(work, handle_evolve.deps_for(group, made)),
            "historian": lambda work: handle_note.run(work, made),
            "profile": lambda work: handle_profile.run(work, made),
        }
        await made.worker.run(job_id, does[kind])

    # ---- the schedule

    async def _look_for_nothing(self) -> None:
        self.meter.since()
        looks = {
            "sweep": self._sweep,
            "topics": self._close,
            "evolve": self._send_due,
            "maintain": self._maintain,
        }
        for name, look in looks.items():
            await look()
            self.looks[name] = self.meter.since()["reads"]

    async def _look(self) -> None:
        # Times of messages are the server's, the clock is ours: nothing may wait when the sweep
        # looks for what has waited too long.
        await self._tasks(self.clock.at + timedelta(minutes=1))
        for stage, look in {"sweep": self._sweep, "topics": self._close}.items():
            await self._found(stage, look())
        if self.clock.at.hour == NIGHT:
            await self._found("evolve", self._send_due())
            await self._found("maintain", self._maintain())

    async def _found(self, stage: str, work: Any) -> None:
        """What it reads when it finds nothing is the deployment's, not the groups'."""
        await self._booked(None, stage, work)
        self.schedule.billed[stage]["reads"] -= self.looks[stage]

    async def _sweep(self) -> None:
        made, grace = self.made, timedelta(seconds=60)
        await handle_sweep.sweep(made, grace)

    async def _close(self) -> None:
        while (await handle_close.close_idle(self.made)).is_more:
            pass

    async def _send_due(self) -> None:
        page = None
        while (found := await handle_due.send_due(self.made, page)).next_page:
            page = found.next_page

    async def _maintain(self) -> None:
        while (await handle_maintain.maintain(handle_maintain.deps_for(self.made))).is_more:
            pass

    async def _is_owed(self) -> bool:
        """Work that waits for its hour, however long."""
        made = self.made
        pending, _ = await made.jobs.listed(state="pending", group_id=None, limit=1, offset=0)
        is_owed = bool(self.queue.due or pending)
        while self._may_owe and not is_owed:  # who owes nothing now and says no more never will
            group = await made.groups.find(self._may_owe[-1])
            topics = await made.topics.active(self._may_owe[-1], 1)
            is_owed = bool((group and group.evolve_due) or topics)
            if not is_owed:
                self._may_owe.pop()
        self.meter.since()
        return is_owed
