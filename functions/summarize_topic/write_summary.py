"""Writes what is told of a talk: by the model, or by the talk's own lines; and judges it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared import log
from shared.clients.model import Model
from shared.config import Settings
from shared.contracts.prompts import TALK_COLUMNS, as_table, with_fewer_times
from shared.contracts.replies import MergedSummary, SegmentSummary, SummaryQuality
from shared.domain.jobs.kinds import NO_COST, ModelCost
from shared.domain.topics.bursts import Burst, segments
from shared.domain.topics.extractive_summary import extract, links_in
from shared.domain.topics.keywords import may_be_keyword
from shared.domain.topics.quality import Quality, measure
from shared.domain.topics.ranking import telling_words
from shared.domain.topics.summary import (
    EXTRACTIVE,
    MODEL,
    SIMPLE,
    Digest,
    asked_in_vain,
    carried_on,
    extracted,
    is_judged,
    needs_model,
    speakers,
    why_unusable,
)
from shared.domain.topics.topic import Summary, Topic
from shared.errors import BadReply, Transient

SEGMENTS_SHARE, MERGE_SHARE, QUALITY_SHARE = 0.5, 0.25, 0.15
"""Of the time for models."""
JUDGED_MESSAGES = 60
"""That the model sees when it judges a summary: the last ones."""


Shared = Callable[[], Awaitable[tuple[SegmentSummary, ModelCost] | None]]
"""What a call for several topics says of this one, and what it cost; None if nothing."""


@dataclass(frozen=True)
class WrittenSummary:
    digest: Digest
    segments: int
    cost: ModelCost


@dataclass(frozen=True)
class Writer:
    """One talk, told once. `base` is the version it starts from."""

    topic: Topic
    base: Summary | None
    talk: Sequence[Burst]
    keywords: Mapping[str, float]
    settings: Settings
    model: Model
    budget_s: float

    @property
    def before(self) -> str:
        return self.base.content if self.base else ""

    async def tell(self, *, waits: bool = False, shared: Shared | None = None) -> WrittenSummary:
        """By the model if the topic is worth it and does not wait for others, by what it says of
        several at once if they are `shared`; if the model fails, an extract that says so."""
        small = self.settings.small_topic_messages
        if waits or not needs_model(self.topic.message_count, self.base, small):
            return self._extracted(EXTRACTIVE)
        try:
            said = await shared() if shared else None
            if said is not None:
                return WrittenSummary(self._digest(said[0]), 1, said[1])
            return await self._asked()
        except (Transient, BadReply) as error:
            log.warning("summary_without_model", group_id=self.topic.group_id, code=error.code)
            is_in_vain = isinstance(error, BadReply) and asked_in_vain(self.topic)
            return self._extracted(EXTRACTIVE if is_in_vain else SIMPLE)

    def _extracted(self, method: str) -> WrittenSummary:
        found = extract(self.talk, self.keywords, self.before)
        digest = extracted(found, self.keywords, self.talk, method)
        return WrittenSummary(carried_on(self.base, digest, self.talk), 0, NO_COST)

    async def _asked(self) -> WrittenSummary:
        """One part is one call, the last summary in it; several are merged by one more."""
        parts = segments(self.talk)
        at_once = asyncio.Semaphore(self.settings.summary_concurrency)
        before = self.before if len(parts) == 1 else ""

        async def told_of(part: Sequence[Burst]) -> tuple[SegmentSummary, ModelCost]:
            data = {"previous": before, "messages": shown_talk(part)}
            async with at_once:
                answer = await self.model.ask(
                    "segment_summarize",
                    SegmentSummary,
                    {**self._hints(), **data},
                    group_id=self.topic.group_id,
                    budget_s=self.budget_s * SEGMENTS_SHARE,
                )
            return answer.reply, answer.cost

        answers = await asyncio.gather(*(told_of(part) for part in parts))
        cost = sum((spent for _, spent in answers), NO_COST)
        if len(parts) == 1:
            return WrittenSummary(self._digest(answers[0][0]), 1, cost)
        said = [reply.model_dump() for reply, _ in answers]
        merged = await self.model.ask(
            "summary_merge",
            MergedSummary,
            {**self._hints(), "previous": self.before, "segments": said},
            group_id=self.topic.group_id,
            budget_s=self.budget_s * MERGE_SHARE,
        )
        return WrittenSummary(self._digest(merged.reply), len(parts), cost + merged.cost)

    def _hints(self) -> dict[str, Any]:
        weighted = [{"keyword": word, "weight": weight} for word, weight in self.keywords.items()]
        title = self.topic.title if self.topic.is_titled else ""
        return {"topic": {"title": title}, "keywords": weighted}

    def _digest(self, reply: SegmentSummary) -> Digest:
        if problem := why_unusable(reply.summary, self.talk):
            raise BadReply(f"the model's summary cannot be used: {problem}")
        digest = Digest(
            content=reply.summary,
            method=MODEL,
            title=reply.title,
            keywords={
                keyword.keyword: keyword.weight
                for keyword in reply.keywords
                if may_be_keyword(keyword.keyword)
            },
            people=tuple(reply.people) or speakers(self.talk),
            decisions=tuple(reply.decisions),
            open_questions=tuple(reply.open_questions),
            links=links_in(self.talk),
            sentiment=reply.sentiment,
            said=telling_words(burst.content for burst in self.talk),
        )
        return carried_on(self.base, digest, self.talk)

    async def judge(
        self, digest: Digest, version: int, *, is_sampled: bool = True
    ) -> tuple[Quality, ModelCost]:
        """Measured always; judged by the model for a sample of what the model wrote."""
        share = self.settings.quality_sample if is_sampled else 0.0
        judged, cost = None, NO_COST
        if digest.method == MODEL and is_judged(self.topic.topic_id, version, share):
            last = self.talk[-JUDGED_MESSAGES:]
            data = {
                "topic": {"title": digest.title or self.topic.title},
                "summary": digest.content,
                "messages": shown_talk(last),
            }
            try:
                answer = await self.model.ask(
                    "summary_quality",
                    SummaryQuality,
                    data,
                    group_id=self.topic.group_id,
                    budget_s=self.budget_s * QUALITY_SHARE,
                )
            except (Transient, BadReply) as error:
                log.warning("summary_not_judged", group_id=self.topic.group_id, code=error.code)
            else:
                judged, cost = answer.reply.score, answer.cost
        return measure(digest.content, self.talk, judged, self.before), cost


def shown_talk(talk: Sequence[Burst]) -> dict[str, Any]:
    return as_table(with_fewer_times([_shown(burst) for burst in talk]), TALK_COLUMNS)


def _shown(burst: Burst) -> dict[str, Any]:
    """What somebody said in one go, as a prompt quotes it: nothing that a summary does not need,
    as every line is paid for."""
    shown = {
        "user_name": burst.user_name,
        "time": f"{burst.at:%Y-%m-%d %H:%M}",
        "content": burst.content,
    }
    return shown if burst.role == "user" else {**shown, "role": burst.role}
