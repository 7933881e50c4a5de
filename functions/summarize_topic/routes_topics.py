"""Topics, and their summaries."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared import log
from shared.contracts.api import AskedTime, GroupId, Limit, Offset, WhichGroup
from shared.contracts.job_answers import JobRunning, accepted
from shared.contracts.jobs import summarize_job
from shared.contracts.topics import (
    FoundTopic,
    FoundTopics,
    MessageList,
    ShownDiff,
    ShownSummary,
    ShownTopic,
    SummaryAnswer,
    SummaryList,
    TopicAnswer,
    TopicList,
    TopicQuestion,
)
from shared.domain.jobs.kinds import NO_COST, SummaryReport
from shared.domain.topics.topic import Summary, Topic
from shared.jobs.worker import Outcome
from shared.runtime.auth import Caller, the_one_seen
from shared.runtime.route_access import TheCaller
from shared.runtime.search_routes import search_route
from shared.wiring import services

router = APIRouter()


async def _seen(topic_id: str, group_id: str | None, caller: Caller) -> Topic:
    found = await services().topics.by_id(topic_id)
    topic = the_one_seen(found, group_id, caller, f"topic {topic_id}")
    log.bind(group_id=topic.group_id)
    return topic


@router.get("/topics")
async def list_topics(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    is_active: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> TopicList:
    """The most recently used first."""
    caller.require("read", group_id)
    total, topics = await services().topics.listed(
        group_id, is_active=is_active, limit=limit, offset=offset
    )
    return TopicList(total=total, topics=[ShownTopic.from_record(topic) for topic in topics])


@search_route(router, "/topics/search")
async def search_topics(caller: TheCaller, asked: TopicQuestion) -> FoundTopics:
    """By words, by meaning or by both; only topics that `user_id` took part in, if it is given."""
    caller.require("read", asked.group_id)
    found = await services().topic_search.find(
        asked.group_id, asked.q, mode=asked.mode, limit=asked.limit, user_id=asked.user_id
    )
    shown = [
        FoundTopic(
            **ShownTopic.from_record(topic.topic).model_dump(),
            score=topic.score,
            keyword_score=topic.keyword_score,
            vector_score=topic.vector_score,
        )
        for topic in found
    ]
    return FoundTopics(total=len(shown), query=asked.q, mode=asked.mode, topics=shown)


@router.get("/topics/{topic_id}")
async def get_topic(topic_id: str, caller: TheCaller, group_id: WhichGroup = None) -> TopicAnswer:
    """A topic and its newest summary that is shown."""
    caller.require("read", group_id)
    topic = await _seen(topic_id, group_id, caller)
    shown = await services().topics.shown_summary(topic.group_id, topic_id)
    summary = ShownSummary.from_record(shown) if shown else None
    return TopicAnswer(topic=ShownTopic.from_record(topic), summary=summary)


@router.get("/topics/{topic_id}/summaries")
async def list_summaries(
    topic_id: str, caller: TheCaller, limit: Limit = 20, group_id: WhichGroup = None
) -> SummaryList:
    """Every version, the newest first."""
    caller.require("read", group_id)
    topic = await _seen(topic_id, group_id, caller)
    found = await services().topics.summaries(topic.group_id, topic_id, limit=limit)
    contents = {summary.version: summary.content for summary in found}
    shown = [_with_diff(summary, contents.get(summary.parent_version or 0)) for summary in found]
    return SummaryList(total=topic.summary_version, summaries=shown)


def _with_diff(summary: Summary, before: str | None) -> ShownSummary:
    """Against its parent, where that is in the same page."""
    shown = ShownSummary.from_record(summary)
    if before is None:
        return shown
    from shared.domain.topics.quality import changed_sentences

    added, removed = changed_sentences(before, summary.content)
    return shown.model_copy(update={"diff": ShownDiff(added=added, removed=removed)})


@router.get("/topics/{topic_id}/messages")
async def list_messages(
    topic_id: str,
    caller: TheCaller,
    since: Annotated[AskedTime | None, Query(alias="from")] = None,
    until: Annotated[AskedTime | None, Query(alias="to")] = None,
    limit: Limit = 100,
    group_id: WhichGroup = None,
) -> MessageList:
    """What was said, oldest first."""
    caller.require("read", group_id)
    topic = await _seen(topic_id, group_id, caller)
    found = await services().messages.of_topic(
        topic.group_id, topic_id, limit=limit, since=since, until=until
    )
    return MessageList(total=topic.message_count, messages=found)


@router.post(
    "/topics/{topic_id}/summarize",
    response_model=SummaryAnswer,
    responses={202: {"model": JobRunning}},
)
async def summarize_now(
    topic_id: str, caller: TheCaller, group_id: WhichGroup = None
) -> SummaryAnswer | JSONResponse:
    """Make the next version now; 202 while another run holds the topic."""
    from functions.summarize_topic import handle_summarize

    caller.require("manage", group_id)
    topic = await _seen(topic_id, group_id, caller)
    made = services()
    cause = f"by hand after {topic.summarized_count} of {topic.message_count}"
    job = await made.jobs.ensure(
        summarize_job(topic.group_id, topic_id, f"{cause}, {made.now().isoformat()}", made.now())
    )
    ran = await made.worker.run(job.job_id, lambda work: handle_summarize.run(work, made))
    if ran.outcome is Outcome.WAITING:
        return accepted(job.job_id)
    shown = await made.topics.shown_summary(topic.group_id, topic_id)
    summary = ShownSummary.from_record(shown) if shown and caller.may_read else None
    cost = ran.report.cost if isinstance(ran.report, SummaryReport) else NO_COST
    return SummaryAnswer(job_id=job.job_id, summary=summary, cost=cost)
