"""One group's attribution in process: what was said, runs of the handler, the topics there are."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import httpx

from functions.ingest_message import handle_attribute, handle_messages
from functions.ingest_message.indexing import Indexing
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message, Recall
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.topic import Topic
from shared.wiring import Services
from tests.services import Clock
from tests.topics.tables import tables


def ingesting(made: Services) -> handle_messages.IngestDeps:
    return handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analysed, made.now)


def attributing(made: Services) -> handle_attribute.AttributionDeps:
    return handle_attribute.AttributionDeps(
        groups=made.groups,
        messages=made.messages,
        topics=made.topics,
        jobs=made.jobs,
        vectors=made.vectors,
        indexing=Indexing(made.vectors, made.word_index),
        tails=made.tails,
        pages=made.pages,
        embedder=made.embedder,
        model=made.model,
        worker=made.worker,
        dispatch=made.dispatch,
        settings=made.settings.replaced(index_every_messages=1),
        now=made.now,
        model_budget_s=30,
        tables=None,
    )


@dataclass
class Attributing:
    """A group on real stores. `deps` can be changed before a run: that is where faults go."""

    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str
    deps: handle_attribute.AttributionDeps = field(init=False)

    def __post_init__(self) -> None:
        self.deps = attributing(self.made)

    def message(
        self, number: int, user: str, content: str, *, at: datetime | None = None, **changes: Any
    ) -> Message:
        return Message(
            group_id=self.group_id,
            message_id=f"m{number}",
            user_id=user.lower(),
            user_name=user,
            content=content,
            create_time=at or self.clock() + timedelta(seconds=30 * number),
            **changes,
        )

    async def say(self, *arrivals: Message | Recall) -> None:
        await handle_messages.ingest(self.group_id, arrivals, ingesting(self.made))

    async def attribute(self) -> handle_attribute.AttributionReport:
        return await handle_attribute.attribute(self.group_id, self.deps)

    async def set(self, **settings: Any) -> None:
        """The group's own settings."""
        await self.made.groups.change(
            self.group_id, lambda group: replace(group, settings=settings), self.clock()
        )

    async def topics(self) -> list[Topic]:
        _, topics = await self.made.topics.listed(
            self.group_id, is_active=None, limit=200, offset=0
        )
        return topics

    async def messages(self, numbers: Sequence[int]) -> list[StoredMessage]:
        found = await self.made.messages.get_many(self.group_id, [f"m{n}" for n in numbers])
        return [found[f"m{n}"].message for n in numbers]

    async def talks(self, numbers: Sequence[int]) -> list[str | None]:
        """The topic of each, as the id of the first of these messages that is in it."""
        found = await self.messages(numbers)
        first: dict[str | None, str] = {}
        for one in found:
            first.setdefault(one.topic_id, one.message_id)
        return [first[one.topic_id] if one.topic_id else None for one in found]

    async def pending(self) -> list[str]:
        found = await self.made.messages.pending(self.group_id, 500)
        return [one.message.message_id for one in found]

    async def state(self) -> dict[str, Any]:
        """All that a run leaves behind."""
        topics = await self.topics()
        total, jobs = await self.made.jobs.listed(
            state=None, group_id=self.group_id, limit=100, offset=0
        )
        group = await self.made.groups.get(self.group_id)
        messages = await self.made.messages.since(self.group_id, None, 500)
        hits = await self.made.vectors.fetch(
            self.group_id, "message", [one.message_id for one in messages]
        )
        return {
            "topics": sorted(topics, key=lambda one: one.topic_id),
            "messages": sorted(
                (one.message_id, one.state, one.topic_id, one.continues) for one in messages
            ),
            "jobs": (total, sorted(job.job_id for job in jobs)),
            "rounds": group.rounds_since_reading,
            "due": group.evolve_due,
            "indexed": {key: tuple(values) for key, values in sorted(hits.items())},
        }

    def fault(self, kind: str, **options: Any) -> None:
        """The OpenAI emulator misbehaves, until `heal`."""
        answer = httpx.post(f"{self._admin}/faults", json={"kind": kind, **options})
        assert answer.status_code == 201, answer.text

    def heal(self) -> None:
        assert httpx.delete(f"{self._admin}/faults").status_code == 204

    def calls(self) -> tuple[int, int]:
        """Embedding calls, and calls that ask for topics, ever made."""
        counts = httpx.get(f"{self._admin}/counts").json()
        embeddings = counts["endpoints"].get("embeddings", {}).get("calls", 0)
        return embeddings, counts["prompts"].get("topic_attribute", {}).get("calls", 0)

    @property
    def _admin(self) -> str:
        return str(self.told["admin"]["openai"])


async def two_talks(group: Attributing) -> None:
    """m1 and m2 are about the release, m3 and m4 about lunch."""
    say = group.message
    await group.say(
        say(1, "Ann", "When do we ship the new release to the customers?"),
        say(2, "Bob", "The release ships to the customers on Friday", reply_message_id="m1"),
        say(3, "小王", "中午去哪里吃饭？"),
        say(4, "小李", "去楼下的面馆吃面吧", reply_message_id="m3"),
    )
    await group.attribute()


OPENS_ASIDES = tables(opens=2.0, lonely=0.1, same=6.0)
"""People speak on in their own topic; somebody new opens one, but not by much."""


def monologue(
    group: Attributing, numbers: Sequence[int], aside: int | None = None
) -> list[Message]:
    """Ann speaks all the time; at the place of the aside Eve does, once."""
    return [
        group.message(n, "Eve" if n == aside else "Ann", f"line {n} of something") for n in numbers
    ]
