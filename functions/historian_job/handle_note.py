"""Turns an end-of-turn note into an event: rewritten in absolute words, stored, indexed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import profile_job, rewrite_job
from shared.contracts.prompts import prompt_message
from shared.contracts.queues import queues
from shared.contracts.replies import RewrittenNote
from shared.domain.group import Group, with_timezone
from shared.domain.historian.outage import MOST_TRIES
from shared.domain.historian.people import People, people_of
from shared.domain.historian.resolve import Resolved, resolve_note
from shared.domain.historian.rewrite import Wording, best_of, judged
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import NoteReport, RecordNote
from shared.domain.knowledge.event import Event, Note
from shared.domain.knowledge.profile import News
from shared.domain.knowledge.profile_subjects import told_of
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.errors import BadReply, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.language import Language, guess_language
from shared.search.vector_writes import put_as_stored
from shared.stores.events import Events, put_event
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id
from shared.wiring import Services

ROSTER_MESSAGES = 50
"""The newest messages of a group name those who are talking; one query."""
ROSTER_FOR = timedelta(days=30)
"""Who has been silent for longer is not whom a note means by a mere name."""
EMBEDDING_S = 20.0
"""For the event's vector: a call of its own, after the commit."""
MOST_VIEWPOINTS = 10
"""Each is a document; in a turn of more people nobody's part is their own."""
LEAST_CALL_S = 2.0
"""With less of the budget left than this, another rewrite could not be waited for."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    events: Events
    vectors: Vectors
    model: Model
    embedder: Embedder
    jobs: Jobs
    dispatch: Dispatch
    settings: Settings
    now: Callable[[], datetime]
    model_budget_s: float


@dataclass(frozen=True)
class Scene:
    """What a note is read with: its group, its messages, and everybody who may be meant; `members`
    are names by id, the bot's left out."""

    note: Note
    group: Group
    said: Sequence[StoredMessage]
    happened: datetime
    local: datetime
    people: People
    members: Mapping[str, str]
    resolved: Resolved

    @property
    def names(self) -> tuple[str, ...]:
        people = self.people
        return (*people.names, people.sender, people.bot, people.group, self.note.location)

    @property
    def source(self) -> str:
        return f"{self.note.action_summary}\n{self.note.new_info}"


async def run(work: JobInHand, made: Services) -> NoteReport:
    deps = made.deps(Deps, model_budget_s=queues()["historian"].model_budget_s)
    return await record_note(work, deps)


async def record_note(work: JobInHand, deps: Deps) -> NoteReport:
    """One event for one note, whoever asks how often."""
    asked = work.payload(RecordNote)
    note = asked.note
    if work.is_committed:
        report = work.report(NoteReport)
    else:
        report = await _recorded(note, asked.tries, work, deps)
    if report.event_id:
        await _index(note, deps)
    for job_id in report.profile_jobs:
        job = await deps.jobs.get(job_id)
        if job is not None and job.is_open:
            await deps.dispatch.job(job)
    return report


async def _recorded(note: Note, tries: int, work: JobInHand, deps: Deps) -> NoteReport:
    group = await deps.groups.change(
        note.group_id, lambda found: with_timezone(found, note.timezone), deps.now()
    )
    settings = settings_for(group, deps.settings)
    nothing = NoteReport("", is_absolute=True)
    if not settings.enable_cognitive:
        await work.commit(Plan(note.group_id, group.epoch, [], report=nothing))
        return nothing
    note = replace(note, timezone=note.timezone or settings.timezone or group.timezone or "UTC")
    if await _is_told_again(note, deps):
        log.info("new_info_left_out", group_id=note.group_id)
        note = replace(note, new_info="")
    if note.is_empty or await _is_taken_back(note, deps):
        await work.commit(Plan(note.group_id, group.epoch, [], report=nothing))
        return nothing
    scene = await _scene(note, group, deps)
    wording, rewrites, model_failed = await _worded(scene, deps)
    event = _event(scene, wording, rewrites)
    writes = [put_event(one) for one in (event, *_viewpoints(event, scene))]
    next_job = None
    if event.degraded:
        log.warning(
            "note_degraded",
            group_id=note.group_id,
            rewrites=rewrites,
            model_failed=model_failed,
            kinds=sorted({one.kind for one in wording.against}),
        )
        if model_failed and tries < MOST_TRIES:
            job = rewrite_job(note, tries + 1, deps.now())
            writes.append(new_job(job))
            next_job = job.job_id
    merges = _profile_jobs(scene, event, deps.now())
    writes += [new_job(one) for one in merges]
    report = NoteReport(
        event.event_id,
        event.is_absolute,
        rewrites,
        next_job,
        tuple(one.job_id for one in merges),
    )
    await work.commit(Plan(note.group_id, group.epoch, writes, report=report))
    return report


async def _is_told_again(note: Note, deps: Deps) -> bool:
    """Whether another note has told something new of the same message: one a message is enough.
    Who is sure that it is worth it sends `force`."""
    if not note.new_info or note.force:
        return False
    others = await deps.events.told_in(note.group_id, note.told_in)
    return any(one.has_new_info and one.event_id != note.event_id for one in others)


def _viewpoints(event: Event, scene: Scene) -> list[Event]:
    """The event as each other member's own who took part, so that it is listed as theirs."""
    others = [
        one
        for one in event.source_users
        if one != event.user_id and one in scene.members and one not in scene.group.opted_out
    ]
    return [
        replace(event, event_id=f"{event.event_id}:{one}", user_id=one, viewpoint=one)
        for one in others[:MOST_VIEWPOINTS]
    ]


async def _is_taken_back(note: Note, deps: Deps) -> bool:
    """Whether a message that the note is about was recalled or forgotten: the note may quote it,
    and nobody could tell which of its words do."""
    found = await deps.messages.get_many(note.group_id, note.message_ids)
    return any(one.message.state is MessageState.RECALLED for one in found.values())


def _profile_jobs(scene: Scene, event: Event, now: datetime) -> list[Job]:
    """What is new of each, as a job of its own. A profile keeps absolute words only: a relative
    note waits until a model has answered."""
    if not event.new_info or not event.is_absolute:
        return []
    note = scene.note
    told = told_of(
        event.new_info,
        {**scene.members, note.user_id: scene.people.sender},
        group_id=note.group_id,
        sender_id=note.user_id,
        is_private=scene.group.audience == "private",
    )
    jobs: list[Job] = []
    for (kind, entity_id), sentences in told.items():
        if kind == "user" and entity_id in scene.group.opted_out:
            continue
        name = scene.members.get(entity_id, "") if kind == "user" else scene.group.name
        news = News(
            kind, entity_id, name, tuple(sentences), event.event_id,
            event.message_ids, event.source_users,
        )  # fmt: skip
        jobs.append(profile_job(note.group_id, news, event.event_id, now))
    return jobs


async def _scene(note: Note, group: Group, deps: Deps) -> Scene:
    found = await deps.messages.get_many(note.group_id, note.message_ids)
    said = [one.message for one in found.values() if one.message.is_readable]
    happened = max((one.create_time for one in said), default=note.received_at or deps.now())
    local = happened.astimezone(ZoneInfo(note.timezone))
    # Others may have spoken while the bot wrote its reply, and the note may name them.
    until = max(happened, note.received_at or happened)
    around = await deps.messages.recent(
        note.group_id, since=happened - ROSTER_FOR, until=until, limit=ROSTER_MESSAGES
    )
    readable = [one for one in (*around, *said) if one.is_readable]
    roster = {one.user_id: one.user_name for one in readable if one.user_name}
    for one in readable:
        roster |= {who.user_id: who.name for who in one.mentions if who.name}
    bots = [one.user_name for one in readable if one.role == "assistant" and one.user_name]
    bot_ids = {one.user_id for one in readable if one.role == "assistant"}
    members = {user_id: name for user_id, name in roster.items() if user_id not in bot_ids}
    people = people_of(
        sender_id=note.user_id,
        roster=roster,
        said=[(one.user_id, one.content) for one in said],
        bot=bots[-1] if bots else "",
        group=group.name,
        is_chinese=guess_language(note.action_summary + note.new_info) is Language.CHINESE,
    )
    resolved = resolve_note(note.action_summary, note.new_info, people, local, note.location)
    return Scene(note, group, said, happened, local, people, members, resolved)


async def _worded(scene: Scene, deps: Deps) -> tuple[Wording, int, bool]:
    """The best wording, how many of the model's were refused, and whether the model failed."""
    resolved = scene.resolved
    by_rules = judged(
        resolved.joined(is_chinese=scene.people.is_chinese),
        resolved.learnt,
        "rules",
        source=scene.source,
        names=scene.names,
    )
    tried: list[Wording] = []
    began = deps.now()
    for _ in range(1 + deps.settings.rewrite_max_retry):
        left = deps.model_budget_s - (deps.now() - began).total_seconds()
        try:
            if left < LEAST_CALL_S and tried:
                raise Transient("the model took the whole budget of this note")
            wording = await _asked(scene, tried[-1] if tried else None, left, deps)
        except (Transient, BadReply):
            return best_of([by_rules, *tried]), len(tried), True
        if wording.is_absolute:
            return wording, len(tried), False
        tried.append(wording)
    return best_of([by_rules, *tried]), len(tried), False


async def _asked(scene: Scene, last: Wording | None, budget_s: float, deps: Deps) -> Wording:
    answer = await deps.model.ask(
        "note_rewrite",
        RewrittenNote,
        question(scene, last),
        group_id=scene.note.group_id,
        budget_s=budget_s,
    )
    reply = answer.reply
    new_info = (reply.new_info or scene.resolved.learnt) if scene.note.new_info else ""
    return judged(reply.canonical_text, new_info, "model", source=scene.source, names=scene.names)


def question(scene: Scene, last: Wording | None) -> dict[str, Any]:
    note, people = scene.note, scene.people
    asked = {
        "action_summary": note.action_summary,
        "new_info": note.new_info,
        "time": scene.local.isoformat(),
        "timezone": note.timezone,
        "location": note.location,
        "group_name": scene.group.name,
        "bot_name": people.bot,
        "sender": {"user_id": note.user_id, "user_name": people.sender},
        "people": list(people.names),
        "messages": [prompt_message(one) for one in scene.said],
        "resolved": {
            "action_summary": scene.resolved.did,
            "new_info": scene.resolved.learnt,
            "dates": [asdict(one) for one in scene.resolved.dates],
        },
    }
    if last is not None:
        asked["violations"] = [asdict(one) for one in last.against]
    return asked


def _event(scene: Scene, wording: Wording, rewrites: int) -> Event:
    note = scene.note
    as_it_is = " ".join(part for part in (note.action_summary, note.new_info) if part)
    return Event(
        event_id=note.event_id,
        group_id=note.group_id,
        canonical_text=wording.canonical_text or as_it_is,
        request_id=note.request_id,
        end_seq=note.end_seq,
        timestamp_utc=scene.happened,
        timestamp_local=scene.local.isoformat(),
        timezone=note.timezone,
        location_abs=note.location,
        request_type=scene.group.audience,
        user_id=note.user_id,
        sender_id=note.user_id,
        message_ids=note.message_ids,
        source_users=tuple(sorted({note.user_id, *(one.user_id for one in scene.said)})),
        has_new_info=bool(note.new_info),
        new_info=wording.new_info,
        is_absolute=wording.is_absolute,
        degraded=not wording.is_absolute,
        worded_by=wording.author,
        rewrites=rewrites,
        told_in=note.told_in,
    )


async def _index(note: Note, deps: Deps) -> None:
    group_id, event_id = note.group_id, note.event_id

    async def put(found: Mapping[str, Event]) -> None:
        event = found.get(event_id)
        if event is None:
            plan = VectorPlan(deletes=[vector_id("event", event_id)])
            await deps.vectors.apply(group_id, plan)
            return
        values = await deps.embedder.embed_one(
            event.canonical_text, group_id=group_id, budget_s=EMBEDDING_S
        )
        if values is not None:
            vector = Vector("event", event_id, values, time=event.timestamp_utc)
            await deps.vectors.apply(group_id, VectorPlan([vector]))

    await put_as_stored(lambda: deps.events.get_many(group_id, [event_id]), put)
