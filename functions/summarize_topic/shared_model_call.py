"""One call of the model for several small topics of a group.

Each has a job of its own that waits. The first to run asks for all of them, and leaves what the
model said of the others, with its vector, on their jobs: they run then without a call.
"""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from functions.summarize_topic.write_summary import shown_talk
from shared import log
from shared.contracts.replies import SegmentSummary, TalkSummaries
from shared.domain.jobs.job import Job, JobState, KeptReply
from shared.domain.jobs.kinds import NO_COST, ModelCost, SummarizeTopic
from shared.domain.similarity.vectors import pack_half, unpack_half
from shared.domain.topics.bursts import bursts
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.shared_calls import MOST_TOPICS, SharedTalk, fitting, is_shared
from shared.domain.topics.summary import speakers
from shared.errors import NotFound, Transient
from shared.jobs.worker import JobInHand
from shared.stores.jobs import Jobs
from shared.wiring import Services

MOST_WAITING = 50
"""Pending jobs of a group that are read to find those which share a call."""
LINES = 100
"""Read of one of the others: it shared because it has fewer."""
KEYWORDS = 6
"""Hints of a talk: they are paid for with every talk."""
EMBEDDING_SHARE = 0.1
"""Of the time for models."""


@dataclass(frozen=True)
class SharedSummary:
    """What the model said of one talk, and the vector of that, if it was got."""

    reply: SegmentSummary
    vector: Sequence[float] = ()
    cost: ModelCost = NO_COST


@dataclass(frozen=True)
class ShareCall:
    """One call of the model for the talk of several topics."""

    made: Services
    budget_s: float

    async def told(self, work: JobInHand, own: SharedTalk, epoch: int) -> SharedSummary | None:
        """Of the talk of this job: what was said before, or is now, together with the others."""
        kept = kept_told(work.job, own.until, epoch)
        if kept is not None:
            return kept
        others = [
            job
            for job in await waiting_jobs(own.topic.group_id, self.made.jobs)
            if job.reply is None
        ]
        read = await asyncio.gather(
            *(self._talk(job) for job in others[:MOST_TOPICS] if job.job_id != own.job_id)
        )
        talks = fitting(own, [talk for talk in read if talk is not None])
        answer = await self.made.model.ask(
            "topics_summarize",
            TalkSummaries,
            {"talks": [_shown(n, talk) for n, talk in enumerate(talks, 1)]},
            group_id=own.topic.group_id,
            budget_s=self.budget_s / 2,
        )
        said = {summary.n: summary.segment for summary in answer.reply.talks}
        found = {talk.job_id: said[n] for n, talk in enumerate(talks, 1) if n in said}
        vectors = await self._vectors(own.topic.group_id, found)
        for talk in talks:
            if talk.job_id in found and talk.job_id != own.job_id:
                told = SharedSummary(found[talk.job_id], vectors.get(talk.job_id, ()))
                await self._hand_on(talk, told, epoch)
        if own.job_id not in found:
            return None
        told = SharedSummary(found[own.job_id], vectors.get(own.job_id, ()), answer.cost)
        await work.keep_reply(_kept(told, own.until, epoch))
        return told

    async def _talk(self, job: Job) -> SharedTalk | None:
        """None if its topic is gone, or has nothing that may be told."""
        asked = job.payload
        assert isinstance(asked, SummarizeTopic)
        try:
            topic = await self.made.topics.get(job.group_id, asked.topic_id)
        except NotFound:
            return None
        found, is_long = await self.made.messages.changed_in_topic(
            job.group_id, asked.topic_id, None, LINES
        )
        said = [message for message in found if message.is_readable]
        if not said or is_long:
            return None
        talk = bursts(said)
        words = keywords_of([burst.content for burst in talk], [], speakers(talk), limit=KEYWORDS)
        return SharedTalk(job.job_id, topic, tuple(words), talk, said[-1].message_id)

    async def _vectors(
        self, group_id: str, found: Mapping[str, SegmentSummary]
    ) -> dict[str, Sequence[float]]:
        """One call for all; without it each is embedded when it is indexed."""
        try:
            embedded = await self.made.embedder.embed(
                [summary_text(summary.title, summary.summary) for summary in found.values()],
                group_id=group_id,
                budget_s=self.budget_s * EMBEDDING_SHARE,
            )
        except Transient as error:
            log.warning("summaries_not_embedded", group_id=group_id, code=error.code)
            return {}
        return {text: vector for text, vector in zip(found, embedded, strict=True) if vector}

    async def _hand_on(self, talk: SharedTalk, told: SharedSummary, epoch: int) -> None:
        reply = _kept(told, talk.until, epoch)
        job = await self.made.jobs.keep_while_pending(talk.job_id, reply)
        if job.is_open:
            await self.made.dispatch.job(job)


async def waiting_jobs(group_id: str, jobs: Jobs) -> list[Job]:
    """The jobs of the group that wait for a shared call, the oldest first."""
    _, found = await jobs.listed(
        state=JobState.PENDING.value, group_id=group_id, limit=MOST_WAITING, offset=0
    )
    return [job for job in reversed(found) if _shares(job)]


def summary_text(title: str, content: str) -> str:
    """What a summary is found by."""
    return f"{title}\n{content}"


def kept_told(job: Job, until: str, epoch: int) -> SharedSummary | None:
    """What is on the job, if it is about these messages and nothing was forgotten since."""
    reply = job.reply
    if reply is None or reply.epoch != epoch or reply.until != until:
        return None
    kept = json.loads(reply.answer)
    told, _ = SegmentSummary.read(json.dumps(kept["said"]))
    if told is None:
        return None
    return SharedSummary(
        told, [float(number) for number in unpack_half(base64.b64decode(kept["vector"]))]
    )


def _kept(told: SharedSummary, until: str, epoch: int) -> KeptReply:
    vector = base64.b64encode(pack_half(told.vector)).decode() if told.vector else ""
    return KeptReply(json.dumps({"said": told.reply.model_dump(), "vector": vector}), epoch, until)


def _shares(job: Job) -> bool:
    return isinstance(job.payload, SummarizeTopic) and is_shared(job.payload.cause)


def _shown(n: int, talk: SharedTalk) -> dict[str, object]:
    return {
        "n": n,
        "title": talk.topic.title if talk.topic.is_titled else "",
        "keywords": list(talk.keywords),
        "messages": shown_talk(talk.bursts),
    }
