"""The routes of historian_job: notes to events, forgetting, and what an operator needs."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from functions.historian_job import (
    handle_events,
    handle_forget,
    handle_groups,
    handle_jobs,
    handle_keys,
    handle_profiles,
)
from shared import log
from shared.config import problems, settings
from shared.config.memory import PROMPTS
from shared.contracts.api import AskedTime, GroupId, Id, Limit, Offset
from shared.contracts.events import EventList, ShownEvent
from shared.contracts.graph import (
    EntityAnswer,
    EntityChanges,
    EntityList,
    FoundEntity,
    GraphAnswer,
    ShownEntity,
    ShownRelation,
)
from shared.contracts.groups import GroupAnswer, MemberAnswer, OptOut, OptOutAnswer
from shared.contracts.job_answers import (
    ForgetAccepted,
    ForgetAnswer,
    JobAnswer,
    JobList,
    ReportedJob,
    RetryAccepted,
    ShownJob,
    TaskOutcome,
)
from shared.contracts.keys import KeyAnswer, KeyList, NewKey, NewKeyAnswer, ShownKey
from shared.contracts.managed_prompts import (
    NewPrompt,
    PromptAnswer,
    PromptList,
    PromptRollback,
    PromptVersions,
    ShownPrompt,
    ShownPromptText,
)
from shared.contracts.memories import ShownMemory
from shared.contracts.profiles import (
    ProfileAnswer,
    Rollback,
    ShownProfile,
    ShownSnapshot,
    SnapshotList,
)
from shared.contracts.queues import queues
from shared.contracts.tasks import JobTask
from shared.contracts.transfer import (
    NDJSON,
    NDJSON_OR_ERROR,
    NEXT_CURSOR,
    ImportFormat,
    ImportReport,
)
from shared.contracts.usage import UsageList
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import ForgetGroup, ForgetMember, ForgetMessage, ForgetReport
from shared.domain.knowledge.profile import EntityType
from shared.domain.knowledge.profile_markdown import markdown_of
from shared.domain.transfer.lines import written
from shared.errors import InvalidInput, NotFound
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

router = APIRouter()


@router.get("/events")
async def list_events(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    time_from: AskedTime | None = None,
    time_to: AskedTime | None = None,
    user_id: Annotated[str | None, Query(max_length=512)] = None,
    text: Annotated[str | None, Query(max_length=500)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", group_id)
    wanted = handle_events.Wanted(group_id, time_from, time_to, user_id, text, limit, offset)
    total, events = await handle_events.list_events(wanted, services().deps(handle_events.Deps))
    return EventList(total=total, events=[ShownEvent.of(one) for one in events])


@router.get("/profiles/{entity_type}/{entity_id}")
async def get_profile(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> ProfileAnswer:
    """What the group knows of a member or of itself, as Markdown with YAML front matter."""
    caller.require("read", group_id)
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    found = await handle_profiles.get(wanted, services().deps(handle_profiles.Deps))
    return ProfileAnswer(profile=ShownProfile.of(found))


@router.get("/profiles/{entity_type}/{entity_id}/snapshots")
async def list_snapshots(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> SnapshotList:
    """The versions that were overwritten and are kept, the newest first."""
    caller.require("read", group_id)
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    kept = await handle_profiles.snapshots(wanted, services().deps(handle_profiles.Deps))
    shown = [
        ShownSnapshot(
            version=one.version,
            taken_at=one.taken_at,
            updated_at=one.profile.updated_at,
            markdown=markdown_of(one.profile),
        )
        for one in kept
    ]
    return SnapshotList(total=len(shown), snapshots=shown)


@router.post("/profiles/{entity_type}/{entity_id}/rollback")
async def roll_back(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    asked: Rollback,
    caller: TheCaller,
) -> ProfileAnswer:
    """Back to the exact bytes of an earlier version; what it replaces is kept like any other."""
    from functions.historian_job import handle_merge

    caller.require("manage", group_id)
    made = services()
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    writing = made.deps(handle_merge.Deps, model_budget_s=0.0)
    deps = made.deps(handle_profiles.Deps)
    profile = await handle_profiles.roll_back(wanted, asked.version, deps, writing)
    return ProfileAnswer(profile=ShownProfile.of(profile))


@router.get("/graph")
async def graph(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    entity: Annotated[str, Query(min_length=1, max_length=512)],
    depth: Annotated[int, Query(ge=0, le=5)] = 2,
    relation_types: Annotated[list[str] | None, Query(max_length=30)] = None,
) -> GraphAnswer:
    """From an entity, by id or name, as many steps as asked for; over relations of some kinds
    only, if they are named. At most 100 edges an entity."""
    caller.require("read", group_id)
    kinds = _listed(relation_types)
    walk = await services().graph_search.walk(group_id, entity, depth=depth, relation_types=kinds)
    return GraphAnswer(
        group_id=group_id,
        nodes=[ShownEntity.of(one) for one in walk.entities],
        edges=[ShownRelation.of(one) for one in walk.relations],
        is_cut=walk.is_cut,
    )


@router.get("/entities/search")
async def search_entities(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    q: Annotated[str, Query(min_length=1, max_length=4096)],
    entity_types: Annotated[list[str] | None, Query(max_length=30)] = None,
    limit: Limit = 10,
) -> EntityList:
    """By name, words and meaning; the best first."""
    caller.require("read", group_id)
    hits = await services().graph_search.find(
        group_id, q, entity_types=_listed(entity_types), limit=limit
    )
    found = [
        FoundEntity(**ShownEntity.of(hit.entity).model_dump(), relevance=hit.score) for hit in hits
    ]
    return EntityList(total=len(found), entities=found)


@router.patch("/entities/{entity_id}")
async def change_entity(entity_id: str, asked: EntityChanges, caller: TheCaller) -> EntityAnswer:
    """Another name, type, description, aliases or metadata; its relations stay."""
    from functions.historian_job import handle_entities

    caller.require("manage")
    entity = await services().entities.find(entity_id)
    if not caller.may_see(entity.group_id):
        raise NotFound(f"there is no entity {entity_id}")
    caller.require("read", entity.group_id)
    deps = services().deps(handle_entities.Deps)
    return EntityAnswer(entity=ShownEntity.of(await handle_entities.change(entity, asked, deps)))


def _listed(given: list[str] | None) -> list[str]:
    """Named one by one, or in one with commas."""
    words = [word.strip().lower() for one in given or () for word in one.split(",")]
    return [word for word in dict.fromkeys(words) if word][:30]


@router.delete("/groups/{group_id}/messages/{message_id}", status_code=202)
async def forget_message(group_id: GroupId, message_id: Id, caller: TheCaller) -> ForgetAccepted:
    """Blank at once; what came of it goes in a job. The receipt tells when that is done."""
    caller.require("manage", group_id)
    deps = services().deps(handle_forget.Deps)
    job = await handle_forget.forget_message(group_id, message_id, deps)
    return ForgetAccepted(forget_id=job.job_id)


@router.delete("/groups/{group_id}/members/{user_id}", status_code=202)
async def forget_member(group_id: GroupId, user_id: Id, caller: TheCaller) -> ForgetAccepted:
    """All that a member said here and all that is kept of them; what others said stays."""
    caller.require("manage", group_id)
    deps = services().deps(handle_forget.Deps)
    job = await handle_forget.forget_member(group_id, user_id, deps)
    return ForgetAccepted(forget_id=job.job_id)


@router.delete("/groups/{group_id}", status_code=202)
async def forget_group(group_id: GroupId, caller: TheCaller) -> ForgetAccepted:
    """All of a group. A tombstone stays, which takes no messages and no late work."""
    caller.require("manage", group_id)
    deps = services().deps(handle_forget.Deps)
    job = await handle_forget.forget_group(group_id, deps)
    return ForgetAccepted(forget_id=job.job_id)


@router.get("/forgets/{forget_id}")
async def get_forget(forget_id: str, caller: TheCaller) -> ForgetAnswer:
    """How far a forgetting has come, and its receipt."""
    caller.require("manage")
    job = await _seen_job(forget_id, caller)
    if not isinstance(job.payload, ForgetMessage | ForgetMember | ForgetGroup):
        raise NotFound(f"there is no forget {forget_id}")
    receipt = job.report if isinstance(job.report, ForgetReport) else None
    return ForgetAnswer(forget_id=forget_id, state=job.state, error=job.error, receipt=receipt)


@router.get("/jobs")
async def list_jobs(
    caller: TheCaller,
    status: JobState | None = None,
    group_id: Annotated[GroupId | None, Query()] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> JobList:
    """The newest first. Without a group, only a key for all groups may ask."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    total, jobs = await services().jobs.listed(
        state=status.value if status else None, group_id=group_id, limit=limit, offset=offset
    )
    return JobList(total=total, jobs=[ShownJob.of(one) for one in jobs])


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, caller: TheCaller) -> JobAnswer:
    """One job, with its report once its work is committed."""
    caller.require("manage")
    return JobAnswer(job=ReportedJob.of(await _seen_job(job_id, caller)))


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(job_id: str, caller: TheCaller) -> RetryAccepted:
    """A failed job, once more: with fresh attempts, and from where it was."""
    caller.require("manage")
    await _seen_job(job_id, caller)
    job = await handle_jobs.retry(job_id, services().deps(handle_jobs.Deps))
    return RetryAccepted(job=ShownJob.of(job))


async def _seen_job(job_id: str, caller: Caller) -> Job:
    """Somebody else's job is as unknown as one that does not exist."""
    job = await services().jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job


@router.get(
    "/groups/{group_id}/export",
    response_class=PlainTextResponse,
    responses=NDJSON_OR_ERROR,
)
async def export_group(
    group_id: GroupId,
    caller: TheCaller,
    cursor: Annotated[str | None, Query(max_length=4096)] = None,
    limit: Limit = 200,
) -> Response:
    """A page of NDJSON, a line a record, parents first. The header `X-Annals-Next-Cursor` names
    the next page; the last page has none."""
    caller.require("manage", group_id)
    caller.require("read", group_id)
    await services().groups.get(group_id)
    page = await services().transfer.page(group_id, cursor, limit)
    text = "".join(f"{written(one)}\n" for one in page.lines)
    headers = {NEXT_CURSOR: page.cursor} if page.cursor else {}
    return Response(text, media_type=NDJSON, headers=headers)


@router.post("/groups/{group_id}/import")
async def import_group(
    group_id: GroupId,
    caller: TheCaller,
    request: Request,
    format: ImportFormat = "ndjson",  # noqa: A002 - it is the name in the query
) -> ImportReport:
    """A page of an export, or a file of an older system: `end_summaries.json`, a collection of
    memories, one profile in Markdown. What is there already stays as it is."""
    from functions.historian_job import handle_transfer

    caller.require("manage", group_id)
    try:
        body = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("the body is not UTF-8") from error
    deps = services().deps(handle_transfer.Deps)
    return await handle_transfer.take(group_id, body, format, deps)


@router.get("/groups/{group_id}/settings")
async def get_settings(group_id: GroupId, caller: TheCaller) -> GroupAnswer:
    """What the group has set for itself."""
    caller.require("read", group_id)
    return GroupAnswer.of(await services().groups.get(group_id))


@router.put("/groups/{group_id}/settings")
async def put_settings(
    group_id: GroupId, changes: dict[str, Any], caller: TheCaller
) -> GroupAnswer:
    """This group's own values instead of the deployment's; they replace the former ones."""
    caller.require("manage", group_id)
    deps = services().deps(handle_groups.Deps)
    return GroupAnswer.of(await handle_groups.put_settings(group_id, changes, deps))


@router.put("/groups/{group_id}/members/{user_id}/opt-out")
async def opt_out(group_id: GroupId, user_id: Id, asked: OptOut, caller: TheCaller) -> OptOutAnswer:
    """From now on nothing this member says is kept but its place in the reply chain; with `forget`,
    what was kept so far goes too."""
    caller.require("manage", group_id)
    made = services()
    group = await handle_groups.opt_out(
        group_id, user_id, asked.opted_out, made.deps(handle_groups.Deps)
    )
    forget_id = None
    if asked.forget:
        deps = made.deps(handle_forget.Deps)
        forget_id = (await handle_forget.forget_member(group_id, user_id, deps)).job_id
    is_out = user_id in group.opted_out
    return OptOutAnswer(user_id=user_id, opted_out=is_out, forget_id=forget_id)


@router.get("/groups/{group_id}/members/{user_id}")
async def get_member(group_id: GroupId, user_id: Id, caller: TheCaller) -> MemberAnswer:
    """What this group knows of a member: their profile, what is remembered of them, their events,
    and how many of their messages are kept."""
    from functions.historian_job import handle_member

    caller.require("read", group_id)
    known = await handle_member.known_of(group_id, user_id, services().deps(handle_member.Deps))
    return MemberAnswer(
        group_id=group_id,
        user_id=user_id,
        opted_out=known.is_opted_out,
        messages=known.messages,
        profile=ShownProfile.of(known.profile) if known.profile else None,
        memories=[ShownMemory.of(one) for one in known.memories],
        events=[ShownEvent.of(one) for one in known.events],
    )


@router.get("/prompts")
async def list_prompts(caller: TheCaller) -> PromptList:
    """Each as it is asked now: the deployment's text, or the file."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    deps = services().deps(handle_prompts.Deps)
    found = [await handle_prompts.current(one, deps) for one in PROMPTS]
    return PromptList(total=len(found), prompts=[ShownPrompt.of(one) for one in found])


@router.get("/prompts/{prompt_id}")
async def get_prompt(prompt_id: Id, caller: TheCaller) -> PromptAnswer:
    """With the hash that stands in the log beside each call."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    prompt = await handle_prompts.current(prompt_id, services().deps(handle_prompts.Deps))
    return PromptAnswer(prompt=ShownPrompt.of(prompt))


@router.put("/prompts/{prompt_id}")
async def override_prompt(prompt_id: Id, asked: NewPrompt, caller: TheCaller) -> PromptAnswer:
    """The deployment's own text, as a new version; used everywhere within a minute."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    deps = services().deps(handle_prompts.Deps)
    prompt = await handle_prompts.override(prompt_id, asked.text, asked.reason, caller.key_id, deps)
    return PromptAnswer(prompt=ShownPrompt.of(prompt))


@router.get("/prompts/{prompt_id}/versions")
async def list_prompt_versions(prompt_id: Id, caller: TheCaller) -> PromptVersions:
    """Every text it ever had beside the file, the newest first."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    found = await services().prompts.versions(handle_prompts.known(prompt_id))
    shown = [ShownPromptText.of(one) for one in found]
    return PromptVersions(total=len(shown), prompt_id=prompt_id, versions=shown)


@router.post("/prompts/{prompt_id}/rollback")
async def roll_back_prompt(prompt_id: Id, asked: PromptRollback, caller: TheCaller) -> PromptAnswer:
    """An earlier version again, as a new one; version 0 is the file."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    deps = services().deps(handle_prompts.Deps)
    prompt = await handle_prompts.roll_back(prompt_id, asked.version, caller.key_id, deps)
    return PromptAnswer(prompt=ShownPrompt.of(prompt))


@router.post("/keys", status_code=201)
async def add_key(asked: NewKey, caller: TheCaller, request: Request) -> NewKeyAnswer:
    """The key's text is shown this once: only a hash is kept. Nobody makes a key that reaches
    further than their own."""
    caller.require("manage")
    text, key = await handle_keys.add(asked, caller, services().deps(handle_keys.Deps))
    request.app.state.keys.forget(key.key_id)
    return NewKeyAnswer(key=str(text), **ShownKey.of(key).model_dump())


@router.get("/keys")
async def list_keys(caller: TheCaller, limit: Limit = 20, offset: Offset = 0) -> KeyList:
    """The newest first, revoked ones too."""
    caller.require_everywhere("manage")
    total, keys = await services().keys.listed(limit, offset)
    return KeyList(total=total, keys=[ShownKey.of(one) for one in keys])


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, caller: TheCaller, request: Request) -> KeyAnswer:
    """It and the keys made with it stop working at once here, and within a minute everywhere."""
    caller.require("manage")
    gone = await handle_keys.revoke(key_id, caller, services().deps(handle_keys.Deps))
    for one in gone:
        request.app.state.keys.forget(one.key_id)
    return KeyAnswer.of(gone[0])


@router.get("/usage")
async def usage(
    caller: TheCaller,
    group_id: Annotated[GroupId | None, Query()] = None,
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> UsageList:
    """What models cost, by day and group."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    today = services().now().date()
    first = (today - timedelta(days=days - 1)).isoformat()
    rows = await services().usage.totals(group_id, first, today.isoformat())
    return UsageList(total=len(rows), usage=rows)


@router.post("/tasks/historian")
async def historian(task: JobTask) -> TaskOutcome:
    """Makes an event of an end-of-turn note."""
    from functions.historian_job import handle_note

    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_note.Deps, model_budget_s=queues()["historian"].model_budget_s)
    ran = await made.worker.run(task.job_id, lambda work: handle_note.record_note(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/tasks/profile")
async def profile(task: JobTask) -> TaskOutcome:
    """Merges something new into a profile."""
    from functions.historian_job import handle_merge

    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_merge.Deps, model_budget_s=queues()["historian"].model_budget_s)
    ran = await made.worker.run(task.job_id, lambda work: handle_merge.merge_profile(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/tasks/extract")
async def extract(task: JobTask) -> TaskOutcome:
    """Reads facts, entities and relations out of a batch of rounds."""
    from functions.historian_job import handle_extract

    log.bind(job_id=task.job_id)
    made = services()
    job = await made.jobs.get(task.job_id)
    group = await made.groups.find(job.group_id) if job else None
    deps = handle_extract.deps_for(group, made)
    ran = await made.worker.run(task.job_id, lambda work: handle_extract.extract(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/tasks/forget")
async def forget(task: JobTask) -> TaskOutcome:
    """Removes what came of a message that is blank already."""
    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_forget.Deps)
    ran = await made.worker.run(task.job_id, lambda work: handle_forget.forget(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


app = create_app(
    "historian_job",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)
