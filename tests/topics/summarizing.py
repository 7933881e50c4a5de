"""One topic's summaries in process: what was said in it, runs of the handler, its versions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from functions.summarize_topic import handle_summarize
from shared.contracts.jobs import summarize_job
from shared.domain.jobs.kinds import SummaryReport
from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.topic import Summary, Topic
from shared.stores.firestore import Write, merge, server_time
from shared.stores.message_records import message_path
from shared.stores.topics import put_topic, topic_path
from shared.wiring import Services
from tests.topics.attributing import Attributing

TOPIC = "t1"


def patch_topic(group_id: str, topic_id: str, **fields: Any) -> Write:
    """Only the named fields, whatever the topic is by then."""
    return merge(topic_path(group_id, topic_id), {**fields, "updated_at": server_time()})


@dataclass
class Summarizing:
    """A topic on real stores, its messages put there without attribution. `deps` may be changed."""

    group: Attributing
    deps: Services = field(init=False)
    count: int = 0
    runs: int = 0

    def __post_init__(self) -> None:
        self.deps = self.group.made

    async def say(self, *lines: tuple[str, str]) -> None:
        """`lines` are (who, what), a minute apart."""
        made, clock = self.group.made, self.group.clock
        if not self.count:
            await made.groups.change(self.group.group_id, lambda found: found, clock())
            topic = Topic(TOPIC, self.group.group_id, "…", "u", clock(), clock())
            await made.topics.apply([put_topic(topic)])
        messages = {}
        for who, what in lines:
            self.count += 1
            clock.turn(minutes=1)
            one = self._stored(who, what)
            messages[one.message_id] = one
        for start in range(0, len(messages), 100):
            part = dict(list(messages.items())[start : start + 100])
            await made.messages.apply(part, {})
        patch = patch_topic(
            self.group.group_id, TOPIC, message_count=self.count, last_message_at=clock()
        )
        await made.topics.apply([patch])

    def _stored(self, who: str, what: str) -> StoredMessage:
        plain = StoredMessage(
            group_id=self.group.group_id,
            message_id=f"s{self.count:05d}",
            user_id=f"u-{who}",
            user_name=who,
            content=what,
            create_time=self.group.clock(),
            state=MessageState.ATTRIBUTED,
            topic_id=TOPIC,
        )
        features, terms = analysed(plain)
        return replace(plain, features=features, terms=terms)

    async def edit(self, number: int, content: str, *, at: datetime | None = None) -> None:
        """`at` is when it was edited by the platform's clock, if not now."""
        found = await self.group.made.messages.get_many(self.group.group_id, [f"s{number:05d}"])
        (one,) = found.values()
        self.group.clock.turn(minutes=1)
        edited = replace(one.message, content=content, edited_at=at or self.group.clock())
        await self.group.made.messages.apply({edited.message_id: edited}, found)

    async def run(self, cause: str = "") -> SummaryReport:
        """One job to its end."""
        made = self.group.made
        self.runs += 1
        wanted = summarize_job(
            self.group.group_id, TOPIC, cause or f"run {self.runs}", self.group.clock()
        )
        job = await made.jobs.ensure(wanted)
        ran = await made.worker.run(job.job_id, lambda work: handle_summarize.run(work, self.deps))
        assert isinstance(ran.report, SummaryReport), ran
        return ran.report

    async def versions(self) -> list[Summary]:
        return await self.group.made.topics.summaries(self.group.group_id, TOPIC, 50)

    async def topic(self) -> Topic:
        return await self.group.made.topics.get(self.group.group_id, TOPIC)

    async def later(self, **by: float) -> None:
        self.group.clock.at += timedelta(**by)


def path(summarizing: Summarizing, number: int) -> str:
    return message_path(summarizing.group.group_id, f"s{number:05d}")


def chatter(number: int, language: str = "en") -> Sequence[tuple[str, str]]:
    """So many lines about a boat, each a little different."""
    en = [
        "the boat needs new paint before the season, colour number {n}",
        "I can get the paint from the harbour shop for {n} pounds",
        "the sail has a tear of {n} centimetres near the mast",
        "we decided to meet at the dock on day {n}",
    ]
    zh = [
        "船得在开季前重新刷漆 色号{n}",
        "港口商店的油漆{n}块一桶",
        "船帆靠桅杆那边裂了{n}厘米",
        "那就{n}号在码头集合",
    ]
    lines = {"en": en, "zh": zh, "mixed": [*en[:2], *zh[2:]]}[language]
    return [(f"P{n % 5}", lines[n % len(lines)].format(n=n)) for n in range(number)]
