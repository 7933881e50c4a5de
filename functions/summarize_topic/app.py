"""The routes of summarize_topic: topics, their messages, and their summaries."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared import log
from shared.config import problems, settings
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.jobs import summarize_job
from shared.contracts.queues import queues
from shared.contracts.shown import shown_message, shown_summary, shown_topic
from shared.contracts.tasks import JobTask
from shared.domain.topics.topic import Topic
from shared.errors import NotFound
from shared.jobs.worker import Outcome, Ran
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

router = APIRouter()


async def _summarize(job_id: str) -> Ran:
    """The handler is imported here: only a run pays for it, not every cold start."""
    from functions.summarize_topic import handle_summarize

    made = services()
    deps = handle_summarize.Deps(
        groups=made.groups,
        topics=made.topics,
        messages=made.messages,
        vectors=made.vectors,
        model=made.model,
        embedder=made.embedder,
        now=made.now,
        model_budget_s=queues()["summarize"].model_budget_s,
    )
    return await made.worker.run(job_id, lambda work: handle_summarize.summarize(work, deps))


async def _seen(topic_id: str, caller: Caller) -> Topic:
    """Somebody else's topic is as unknown as one that does not exist."""
    topic = await services().topics.find(topic_id)
    if not caller.may_see(topic.group_id):
        raise NotFound(f"there is no topic {topic_id}")
    log.bind(group_id=topic.group_id)
    return topic


@router.get("/topics")
async def list_topics(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    is_active: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> dict[str, Any]:
    """The most recently used first."""
    caller.require("read", group_id)
    total, topics = await services().topics.listed(
        group_id, is_active=is_active, limit=limit, offset=offset
    )
    return {"success": True, "total": total, "topics": [shown_topic(one) for one in topics]}


@router.get("/topics/{topic_id}")
async def get_topic(topic_id: str, caller: TheCaller) -> dict[str, Any]:
    caller.require("read")
    topic = await _seen(topic_id, caller)
    newest = await services().topics.summaries(topic.group_id, topic_id, limit=1)
    summary = shown_summary(newest[0]) if newest else None
    return {"success": True, "topic": shown_topic(topic), "summary": summary}


@router.get("/topics/{topic_id}/summaries")
async def list_summaries(topic_id: str, caller: TheCaller, limit: Limit = 20) -> dict[str, Any]:
    """Every version, the newest first."""
    caller.require("read")
    topic = await _seen(topic_id, caller)
    found = await services().topics.summaries(topic.group_id, topic_id, limit=limit)
    return {
        "success": True,
        "total": topic.summary_version,
        "summaries": [shown_summary(one) for one in found],
    }


@router.get("/topics/{topic_id}/messages")
async def list_messages(
    topic_id: str,
    caller: TheCaller,
    since: Annotated[datetime | None, Query(alias="from")] = None,
    until: Annotated[datetime | None, Query(alias="to")] = None,
    limit: Limit = 100,
) -> dict[str, Any]:
    """What was said, oldest first."""
    caller.require("read")
    topic = await _seen(topic_id, caller)
    found = await services().messages.of_topic(
        topic.group_id, topic_id, limit=limit, since=since, until=until
    )
    return {
        "success": True,
        "total": topic.message_count,
        "messages": [shown_message(one) for one in found],
    }


@router.post("/topics/{topic_id}/summarize")
async def summarize_now(topic_id: str, caller: TheCaller) -> JSONResponse:
    """Make the next version now; 202 while another run holds the topic."""
    caller.require("manage")
    topic = await _seen(topic_id, caller)
    made = services()
    cause = f"by hand after {topic.summarized_count} of {topic.message_count}"
    job = await made.jobs.ensure(
        summarize_job(topic.group_id, topic_id, f"{cause}, {made.now().isoformat()}", made.now())
    )
    ran = await _summarize(job.job_id)
    if ran.outcome is Outcome.WAITING:
        body = {"success": True, "job_id": job.job_id, "status": "running"}
        return JSONResponse(body, 202)
    newest = await made.topics.summaries(topic.group_id, topic_id, limit=1)
    summary = shown_summary(newest[0]) if newest else None
    return JSONResponse({"success": True, "job_id": job.job_id, "summary": summary})


@router.post("/tasks/summarize")
async def summarize(task: JobTask) -> dict[str, Any]:
    log.bind(job_id=task.job_id)
    return {"success": True, "outcome": (await _summarize(task.job_id)).outcome.value}


@router.post("/cron/topics")
async def close_idle_topics() -> dict[str, Any]:
    """Topics nobody has spoken in for a while are closed and summarized, old ones archived."""
    from functions.summarize_topic import handle_close

    made = services()
    deps = handle_close.Deps(
        groups=made.groups,
        topics=made.topics,
        jobs=made.jobs,
        vectors=made.vectors,
        dispatch=made.dispatch,
        settings=made.settings,
        now=made.now,
    )
    return {"success": True, **await handle_close.close_idle(deps)}


app = create_app(
    "summarize_topic",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["summarize"].function_timeout_s,
)
