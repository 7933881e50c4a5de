"""Makes the next version of a topic's summary from the last one and what was said since."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.contracts.prompts import prompt_message
from shared.contracts.replies import MergedSummary, SegmentSummary
from shared.domain.jobs.kinds import SummarizeTopic, SummaryReport
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.summary import is_new_since, next_summary, segments, simple_summary
from shared.domain.topics.topic import Summary, Topic
from shared.errors import BadReply, Transient
from shared.jobs.worker import JobInHand
from shared.stores.groups import Groups, Plan
from shared.stores.messages import Messages
from shared.stores.topics import Topics, patch_topic, put_summary
from shared.stores.vectors import Vector, VectorPlan, Vectors

MAX_MESSAGES = 500
"""Of a topic, the newest: ten summaries' worth of news."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    topics: Topics
    messages: Messages
    vectors: Vectors
    model: Model
    embedder: Embedder
    now: Callable[[], datetime]
    model_budget_s: float


async def summarize(work: JobInHand, deps: Deps) -> SummaryReport:
    """One job: the plan is committed once; its vector is put again on every repetition."""
    topic_id = work.payload(SummarizeTopic).topic_id
    report = (
        work.report(SummaryReport)
        if work.is_committed
        else await _next_version(work, topic_id, deps)
    )
    if report.version and not report.unchanged:
        await _index(work.job.group_id, topic_id, report.version, deps)
    return report


async def _next_version(work: JobInHand, topic_id: str, deps: Deps) -> SummaryReport:
    group_id = work.job.group_id
    group = await deps.groups.get(group_id)
    topic = await deps.topics.get(group_id, topic_id)
    versions = await deps.topics.summaries(group_id, topic_id, limit=1)
    previous = versions[0] if versions else None
    said = await deps.messages.of_topic(group_id, topic_id, limit=MAX_MESSAGES)
    new = [one for one in said if one.is_readable and is_new_since(previous, one)]
    if not new:
        return SummaryReport(topic_id, previous.version if previous else 0, unchanged=True)
    summary = await _summarized(topic, previous, new, deps)
    report = SummaryReport(topic_id, summary.version, unchanged=False)
    await work.commit(
        Plan(
            group_id,
            group.epoch,
            [
                put_summary(summary),
                patch_topic(
                    group_id,
                    topic_id,
                    summary_version=summary.version,
                    summarized_count=topic.message_count,
                    title=summary.title,
                    is_titled=topic.is_titled or summary.generation_method == "model",
                ),
            ],
            report=report,
        )
    )
    return report


async def _summarized(
    topic: Topic, previous: Summary | None, messages: Sequence[StoredMessage], deps: Deps
) -> Summary:
    """By the model; if it fails, an extract that says so."""
    before = previous.content if previous else ""
    try:
        parts = await asyncio.gather(*(_segment(topic, part, deps) for part in segments(messages)))
        data = {
            "topic": {"title": topic.title},
            "previous": before,
            "segments": [part.model_dump() for part in parts],
        }
        answer = await deps.model.ask(
            "summary_merge",
            MergedSummary,
            data,
            group_id=topic.group_id,
            budget_s=deps.model_budget_s / 2,
        )
    except (Transient, BadReply):
        content = simple_summary(before, messages)
        return next_summary(topic, previous, messages, content, method="simple", now=deps.now())
    merged = answer.reply
    return next_summary(
        topic,
        previous,
        messages,
        merged.summary,
        method="model",
        now=deps.now(),
        title=merged.title,
        keywords=merged.keywords,
        people=merged.people,
        decisions=merged.decisions,
        open_questions=merged.open_questions,
    )


async def _segment(topic: Topic, messages: Sequence[StoredMessage], deps: Deps) -> SegmentSummary:
    answer = await deps.model.ask(
        "segment_summarize",
        SegmentSummary,
        {"messages": [prompt_message(message) for message in messages]},
        group_id=topic.group_id,
        budget_s=deps.model_budget_s / 2,
    )
    return answer.reply


async def _index(group_id: str, topic_id: str, version: int, deps: Deps) -> None:
    """The summary's vector, and the topic's: it is the mean of its messages by now."""
    topic = await deps.topics.get(group_id, topic_id)
    summaries = await deps.topics.summaries(group_id, topic_id, limit=1)
    if not summaries or summaries[0].version != version:
        return
    values = await deps.embedder.embed_one(
        summaries[0].content, group_id=group_id, budget_s=deps.model_budget_s / 4
    )
    upserts = []
    if values is not None:
        upserts.append(Vector("summary", topic_id, values, version, summaries[0].created_at))
    if mean := topic.mean_in(deps.embedder.model):
        upserts.append(Vector("topic", topic_id, mean, version, topic.created_at))
    await deps.vectors.apply(group_id, VectorPlan(upserts))
