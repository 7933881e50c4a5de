"""Every pipeline dies at its steps, again and again, and is taken up again by machines whose clocks
are wrong: what is stored in the end is what a model in memory says, nothing lost, nothing doubled.

`make test` has some crashes, `make faults` a thousand (CRASHES=1000, CRASH_MESSAGES=10000). A run
that failed says its seed, and CRASH_SEED takes it.
"""

import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from functions.historian_job import handle_forget
from shared.contracts.jobs import evolve_job, historian_job, summarize_job
from shared.domain.ids import namespace
from shared.domain.jobs.job import JobState
from shared.domain.jobs.lease import attribution_of
from shared.domain.knowledge.event import Note
from shared.domain.topics.topic import Topic
from shared.errors import Transient
from tests.forgetting.interleaving import Interleaving, Killed, freed, killed_at, stepped_stores
from tests.forgetting.whole_group import WholeGroup, vector_ids

CRASHES = int(os.environ.get("CRASHES", "24"))
MESSAGES = int(os.environ.get("CRASH_MESSAGES", "60"))
A_TURN = 50 if MESSAGES > 1000 else 10
FURTHEST = 80
"""Steps into a piece of work at which it may die; most have fewer."""
OFTEN = 0.75
"""How likely it dies once more."""
SKEW_S = 90.0
"""How far the clock of a machine is off, before or behind; longer than a lease, which is judged by
the database's time."""
pytestmark = pytest.mark.timeout(3600 if CRASHES > 100 else 300)
A_TRY = timedelta(seconds=5)
SUBJECTS = ("harbour", "violin", "glacier", "invoice", "marathon", "bakery", "orchid", "kayak")


@dataclass
class Reference:
    """What must be stored."""

    messages: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    """The job of each, by its event."""


@dataclass
class Dying:
    """Does a piece of work though it dies on the way, and counts where."""

    whole: WholeGroup
    rng: random.Random
    left: int
    died_in: Counter[str] = field(default_factory=Counter)

    async def do(self, name: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Until it comes through; each try is another machine, with a clock of its own."""
        at = 0
        true = self.whole.clock.at
        while True:
            self.whole.clock.at = true + timedelta(seconds=self.rng.uniform(-SKEW_S, SKEW_S))
            dies = self.left > 0 and self.rng.random() < OFTEN
            at = min(FURTHEST, at + self.rng.randint(1, 9)) if dies else 0
            between = Interleaving(at or None, killed_at)
            plain = self.whole.model
            self.whole.model = between.over(plain, "ask")
            try:
                with stepped_stores(self.whole.made, between):
                    await work()
                return
            except Killed:
                self.left -= 1
                self.died_in[name] += 1
                await freed(self.whole.made)
            except Transient:
                pass  # a busy machine; the queue sends it again
            finally:
                self.whole.model = plain
                self.whole.clock.at = true = true + A_TRY


async def test_every_pipeline_dies_at_its_steps_and_ends_as_if_it_had_not(
    whole: WholeGroup,
) -> None:
    whole.patience = 10_000
    seed = int(os.environ.get("CRASH_SEED") or random.randrange(2**32))
    rng = random.Random(seed)
    dying, told = Dying(whole, rng, CRASHES), Reference()
    for turn in range(MESSAGES // A_TURN):
        await _turn(turn, whole, dying, told)
        if turn % 20 == 19:
            died = sum(dying.died_in.values())
            print(f"{len(told.messages)} messages, {died} crashes", flush=True)
    while dying.left > 0:
        await _turn(MESSAGES // A_TURN + CRASHES - dying.left, whole, dying, told)
    await whole.attribute()
    await whole.run_all()
    problems = await _compared(whole, told)
    where = dict(dying.died_in)
    print(f"\n{len(told.messages)} messages, {sum(where.values())} crashes {where}, seed {seed}")
    print("\n".join(problems))
    assert problems == [], f"seed {seed}, crashes {where}"
    assert sum(where.values()) >= CRASHES


async def _turn(turn: int, whole: WholeGroup, dying: Dying, told: Reference) -> None:
    """Said, placed, noted, told, learnt, and one line taken back; each may die anywhere."""
    subject = SUBJECTS[turn % len(SUBJECTS)]
    lines = [
        (("Ann", "Bob", "Cid", "Bot")[n % 4], f"about the {subject} {turn} part {n}")
        for n in range(A_TURN)
    ]
    began, at = whole._said, whole.clock()

    async def say() -> None:
        whole._said = began  # the platform delivers the same lines again
        told.messages.update(await whole.say(*lines, said_at=at))

    await dying.do("ingest", say)
    await dying.do("attribution", whole.attribute)
    first = f"m{began + 1:05}"
    note = Note(
        group_id=whole.group_id, user_id="u-ann", request_id=f"r{turn}", end_seq=0,
        action_summary=f"Ann spoke of the {subject}", new_info=f"Ann likes the {subject}",
        force=False, message_ids=(first,), received_at=whole.clock(),
    )  # fmt: skip
    jobs = [historian_job(note, whole.clock())]
    told.notes[note.event_id] = jobs[0].job_id
    if turn % 2 == 1:
        jobs.append(evolve_job(whole.group_id, f"turn {turn}", whole.clock()))
    message = await whole.made.messages.get(whole.group_id, first)
    if turn % 3 == 2 and message and message.topic_id:
        jobs.append(summarize_job(whole.group_id, message.topic_id, f"{turn}", whole.clock()))
    for job in jobs:
        await dying.do("a job's commit", lambda job=job: whole.start(job))  # type: ignore[misc]
    await dying.do("jobs", whole.run_all)
    if turn % 5 == 4:
        gone = f"m{began + 2:05}"
        told.forgotten.add(gone)

        async def forget() -> None:
            await handle_forget.forget_message(whole.group_id, gone, whole.forgetting())
            await whole.run_all()

        await dying.do("forgetting", forget)


async def _compared(whole: WholeGroup, told: Reference) -> list[str]:
    """Firestore with the reference, Pinecone with Firestore, and every job and lease at rest."""
    made, group_id = whole.made, whole.group_id
    problems: list[str] = []
    stored = {one.message_id: one for one in await _all_messages(whole)}
    problems += [f"lost message {one}" for one in told.messages - set(stored)]
    problems += [f"message {one} of nobody" for one in set(stored) - told.messages]
    readable = {key for key, one in stored.items() if one.is_readable}
    problems += [f"{one} is not forgotten" for one in readable & told.forgotten]
    placed = Counter(one.topic_id for key, one in stored.items() if key in readable)
    problems += [f"{placed[None]} messages without a topic"] if placed[None] else []
    topics: list[Topic] = []
    for offset in range(0, 100_000, 200):
        _, some = await made.topics.listed(group_id, is_active=None, limit=200, offset=offset)
        topics += some
        if len(some) < 200:
            break
    for topic in topics:
        if topic.message_count != placed[topic.topic_id]:
            was = f"{topic.message_count}, and has {placed[topic.topic_id]}"
            problems.append(f"topic {topic.topic_id} counts {was}")
    _, found = await made.events.listed(
        group_id, time_from=None, time_to=None, limit=5000, offset=0
    )
    names = Counter(one.event_id for one in found)
    problems += [f"event {one} {count} times" for one, count in names.items() if count > 1]
    _, jobs = await made.jobs.listed(state=None, group_id=group_id, limit=5000, offset=0)
    given_up = {one.job_id for one in jobs if one.state is JobState.FAILED and one.error}
    kept = {key for key, job_id in told.notes.items() if job_id not in given_up}
    problems += [f"lost note {one}" for one in kept - set(names)]
    problems += [
        f"job {one.job_id} is {one.state.value} since {one.due_at} after {one.attempts} attempts, "
        f"made {one.created_at}: {one.error}"
        for one in jobs
        if one.state is not JobState.DONE and not (one.state is JobState.FAILED and one.error)
        and one.due_at <= whole.clock()
    ]  # fmt: skip
    if await made.leases.is_taken(attribution_of(group_id)):
        problems.append("a lease is held by nobody")
    problems += await _vectors_that_disagree(whole, readable, {one.topic_id for one in topics})
    return problems


async def _all_messages(whole: WholeGroup) -> list[Any]:
    found: list[Any] = []
    after = None
    while True:
        _, page = await whole.made.messages.page(
            whole.group_id, since=None, until=None, user_id=None, topic_id=None, after=after,
            limit=200,
        )  # fmt: skip
        found += page
        if len(page) < 200:
            return found
        after = (page[-1].create_time, page[-1].message_id)


async def _vectors_that_disagree(
    whole: WholeGroup, readable: set[str], topics: set[str]
) -> list[str]:
    """A vector without its record; a memory or an event without its vector."""
    made, group_id = whole.made, whole.group_id
    index = await made.vectors._index()
    known = {one async for one in vector_ids(index, namespace(group_id))}
    active = {one.memory_id for one in await made.memories.active(group_id, 500)}
    problems = []
    for one in known:
        kind, _, own = one.partition("#")
        is_there = {"message": own in readable, "topic": own in topics, "memory": own in active}
        if not is_there.get(kind, True):
            problems.append(f"the index has {one}, which is gone")
    problems += [f"memory {one} is not indexed" for one in active if f"memory#{one}" not in known]
    return problems
