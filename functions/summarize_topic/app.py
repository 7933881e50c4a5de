"""The routes of summarize_topic: topics, their summaries, and messages as they were said."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared import log
from shared.config import problems, settings
from shared.contracts.api import Answer, AskedTime, GroupId, Id, Limit, Offset
from shared.contracts.job_answers import JobRunning, TaskOutcome, accepted
from shared.contracts.jobs import summarize_job
from shared.contracts.paging import (
    MAX_CURSOR_CHARACTERS,
    PagePlace,
    read_place,
    write_place,
)
from shared.contracts.queues import queues
from shared.contracts.tasks import JobTask
from shared.contracts.topics import (
    ClosingAnswer,
    ClosingPage,
    DigestList,
    FoundTopic,
    FoundTopics,
    MessageAnswer,
    MessageList,
    MessagePage,
    ShownCost,
    ShownDiff,
    ShownDigest,
    ShownMessage,
    ShownSummary,
    ShownTopic,
    SummaryAnswer,
    SummaryList,
    TopicAnswer,
    TopicList,
    TopicQuestion,
    TopicQuestionBody,
    TuningAnswer,
)
from shared.domain.jobs.kinds import NO_COST, SummaryReport
from shared.domain.topics.topic import Summary, Topic
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
    deps = made.deps(handle_summarize.Deps, model_budget_s=queues()["summarize"].model_budget_s)
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
) -> TopicList:
    """The most recently used first."""
    caller.require("read", group_id)
    total, topics = await services().topics.listed(
        group_id, is_active=is_active, limit=limit, offset=offset
    )
    return TopicList(total=total, topics=[ShownTopic.of(one) for one in topics])


@router.get("/topics/search")
async def search_topics(caller: TheCaller, asked: Annotated[TopicQuestion, Query()]) -> FoundTopics:
    """By words, by meaning or by both; only topics that `user_id` took part in, if it is given."""
    caller.require("read", asked.group_id)
    found = await services().topic_search.find(
        asked.group_id, asked.q, mode=asked.mode, limit=asked.limit, user_id=asked.user_id
    )
    shown = [
        FoundTopic(
            **ShownTopic.of(one.topic).model_dump(),
            score=one.score,
            keyword_score=one.keyword_score,
            vector_score=one.vector_score,
        )
        for one in found
    ]
    return FoundTopics(total=len(shown), query=asked.q, mode=asked.mode, topics=shown)


@router.post("/topics/search")
async def search_topics_by_body(caller: TheCaller, asked: TopicQuestionBody) -> FoundTopics:
    """The same; the question stands in no access log."""
    return await search_topics(caller, asked)


@router.get("/topics/{topic_id}")
async def get_topic(topic_id: str, caller: TheCaller) -> TopicAnswer:
    """A topic and its newest summary that is shown."""
    caller.require("read")
    topic = await _seen(topic_id, caller)
    shown = await services().topics.shown_summary(topic.group_id, topic_id)
    summary = ShownSummary.of(shown) if shown else None
    return TopicAnswer(topic=ShownTopic.of(topic), summary=summary)


@router.get("/topics/{topic_id}/summaries")
async def list_summaries(topic_id: str, caller: TheCaller, limit: Limit = 20) -> SummaryList:
    """Every version, the newest first."""
    caller.require("read")
    topic = await _seen(topic_id, caller)
    found = await services().topics.summaries(topic.group_id, topic_id, limit=limit)
    contents = {one.version: one.content for one in found}
    shown = [_with_diff(one, contents.get(one.parent_version or 0)) for one in found]
    return SummaryList(total=topic.summary_version, summaries=shown)


def _with_diff(summary: Summary, before: str | None) -> ShownSummary:
    """Against its parent, where that is in the same page."""
    shown = ShownSummary.of(summary)
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
) -> MessageList:
    """What was said, oldest first."""
    caller.require("read")
    topic = await _seen(topic_id, caller)
    found = await services().messages.of_topic(
        topic.group_id, topic_id, limit=limit, since=since, until=until
    )
    return MessageList(total=topic.message_count, messages=[ShownMessage.of(one) for one in found])


@router.get("/groups/{group_id}/messages")
async def read_messages(
    group_id: GroupId,
    caller: TheCaller,
    since: Annotated[AskedTime | None, Query(alias="from")] = None,
    until: Annotated[AskedTime | None, Query(alias="to")] = None,
    user_id: Annotated[Id | None, Query()] = None,
    topic_id: Annotated[Id | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=MAX_CURSOR_CHARACTERS)] = None,
    limit: Limit = 50,
) -> MessagePage:
    """What was said, newest first, by time, person and topic; a recalled one is blank."""
    caller.require("read", group_id)
    place = read_place(cursor) if cursor else None
    total, found = await services().messages.page(
        group_id,
        since=since,
        until=until,
        user_id=user_id,
        topic_id=topic_id,
        after=(place.at, place.record_id) if place else None,
        limit=limit,
    )
    last = found[-1] if len(found) == limit else None
    return MessagePage(
        total=total,
        messages=[ShownMessage.of(one) for one in found],
        next_cursor=write_place(PagePlace(last.create_time, last.message_id)) if last else None,
    )


@router.get("/groups/{group_id}/messages/{message_id}")
async def read_message(group_id: GroupId, message_id: Id, caller: TheCaller) -> MessageAnswer:
    """One message as it is stored."""
    caller.require("read", group_id)
    found = await services().messages.get(group_id, message_id)
    if found is None:
        raise NotFound(f"there is no message {message_id} in {group_id}")
    return MessageAnswer(message=ShownMessage.of(found))


@router.post(
    "/topics/{topic_id}/summarize",
    response_model=SummaryAnswer,
    responses={202: {"model": JobRunning}},
)
async def summarize_now(topic_id: str, caller: TheCaller) -> SummaryAnswer | JSONResponse:
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
        return accepted(job.job_id)
    shown = await made.topics.shown_summary(topic.group_id, topic_id)
    summary = ShownSummary.of(shown) if shown and caller.may_read else None
    cost = ran.report.cost if isinstance(ran.report, SummaryReport) else NO_COST
    return SummaryAnswer(job_id=job.job_id, summary=summary, cost=ShownCost.of(cost))


@router.post("/groups/{group_id}/topics/tune")
async def tune_topics(group_id: GroupId, caller: TheCaller) -> TuningAnswer:
    """Learn from the group's native replies what tells its topics apart, and use it if later ones
    that were kept back bear it out."""
    from functions.summarize_topic import handle_tune

    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    done = await handle_tune.tune(group_id, services().deps(handle_tune.Deps))
    return TuningAnswer(
        replies=done.tuning.replies,
        kept_back=done.tuning.kept_back,
        before=done.tuning.before,
        after=done.tuning.after,
        is_taken=done.tuning.is_better,
        version=done.version,
        scales=dict(done.tuning.scales),
    )


@router.delete("/groups/{group_id}/topics/tune")
async def untune_topics(group_id: GroupId, caller: TheCaller) -> Answer:
    """Tell topics apart as in every other group again."""
    from functions.summarize_topic import handle_tune

    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    await handle_tune.untune(group_id, services().deps(handle_tune.Deps))
    return Answer()


@router.post("/tasks/summarize")
async def summarize(task: JobTask) -> TaskOutcome:
    """The next version of a topic's summary."""
    log.bind(job_id=task.job_id)
    return TaskOutcome(outcome=(await _summarize(task.job_id)).outcome.value)


@router.get("/groups/{group_id}/digests")
async def list_digests(group_id: GroupId, caller: TheCaller, limit: Limit = 20) -> DigestList:
    """What each week decided and left open, the newest first; empty unless digests are on."""
    caller.require("read", group_id)
    total, found = await services().digests.listed(group_id, limit)
    return DigestList(total=total, digests=[ShownDigest.of(one) for one in found])


@router.post("/tasks/digest")
async def tell_week(task: JobTask) -> TaskOutcome:
    """The digest of a week that is over."""
    from functions.summarize_topic import handle_digest

    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_digest.Deps)
    ran = await made.worker.run(task.job_id, lambda work: handle_digest.tell_week(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/cron/topics")
async def close_idle_topics(page: ClosingPage | None = None) -> ClosingAnswer:
    """Topics nobody has spoken in for a while are closed and summarized, old ones archived, weeks
    that are over told: a page a call, and a task for the next one until none is due."""
    from functions.summarize_topic import handle_close, handle_digest

    made = services()
    done = await handle_close.close_idle(made.deps(handle_close.Deps))
    digests = await handle_digest.send_due(made.deps(handle_digest.Deps))
    is_more = done.is_more and bool(done.total or done.archived or done.summaries)
    if is_more or digests.is_more:
        number = page.number + 1 if page is not None else 1
        run = page.run if page is not None else made.now().isoformat(timespec="minutes")
        await made.dispatch.next_page(
            "summarize",
            "/cron/topics",
            f"closing {run} {number}",
            ClosingPage(run=run, number=number).model_dump(),
        )
    return ClosingAnswer(
        total=done.total,
        archived=done.archived,
        summaries=done.summaries,
        digests=digests.total,
        is_more=done.is_more or digests.is_more,
    )


app = create_app(
    "summarize_topic",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["summarize"].function_timeout_s,
)
