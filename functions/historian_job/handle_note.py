"""Turns an end-of-turn note into an event: rewritten in absolute words by the model, checked by the
gate, stored, indexed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from shared import log
from shared.config import settings_for
from shared.contracts.jobs import profile_job
from shared.contracts.prompts import ShortIds, as_table
from shared.contracts.replies import RewrittenNote
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.group import Group, with_timezone
from shared.domain.historian.calendar import calendar
from shared.domain.historian.gate import (
    GROUP,
    Finding,
    NoteSource,
    Wording,
    as_it_came,
    best_of,
    judged,
)
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import NoteReport, RecordNote
from shared.domain.knowledge.event import Event, Note
from shared.domain.knowledge.profile import EntityType, News
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.secrets import mask_secrets
from shared.errors import BadReply, Transient
from shared.jobs.worker import JobInHand
from shared.language import Language, guess_language, named_in
from shared.search.vector_writes import put_as_stored
from shared.stores.events import put_event
from shared.stores.groups import Plan
from shared.stores.jobs import new_job
from shared.stores.vectors import Vector, VectorPlan, vector_id
from shared.wiring import Services

ROSTER_MESSAGES = 50
"""The newest messages of a group name those who are talking; one query."""
ROSTER_FOR = timedelta(days=30)
"""Members who were silent for longer are not in the roster."""
MOST_CHARACTERS = 2_000
"""Of each message that the model is shown."""
EMBEDDING_S = 20.0
"""For the event's vector: a call of its own, after the commit."""
MOST_VIEWPOINTS = 10
"""Copies of an event, a document each; a turn of more people is nobody's own."""
LEAST_CALL_S = 2.0
"""With less of the budget left than this there is no other try."""
BOT = "bot"
"""The id of a bot that has not spoken in its group."""
NAMELESS = ("一位群成员", "a member of the group")
NAMELESS_BOT = ("助手", "the assistant")
"""Who has no name is called so, in Chinese and in English; never by the id."""


@dataclass(frozen=True)
class NoteScene:
    """What a note is read with: its group, its messages, and everybody who may be meant. `people`
    are names by id, the bot's among them; `members` are without any bot's. `local` is when it
    happened, in the zone of the note."""

    note: Note
    group: Group
    said: Sequence[StoredMessage]
    local: datetime
    people: Mapping[str, str]
    members: Mapping[str, str]
    bot_id: str

    @property
    def source(self) -> NoteSource:
        """What the gate holds a wording against."""
        note = self.note
        zone = self.local.tzinfo
        texts = [(message.content, message.create_time.astimezone(zone)) for message in self.said]
        everything = "\n".join([note.action_summary, note.new_info, *(text for text, _ in texts)])
        known = {note.user_id, self.bot_id, *(message.user_id for message in self.said)}
        known |= {who.user_id for message in self.said for who in message.mentions}
        known |= named_in(everything, self.people)
        return NoteSource(
            action_summary=note.action_summary,
            new_info=note.new_info,
            at=self.local,
            people=self.people,
            messages=texts,
            known=frozenset(known),
            others=(self.group.name, note.location),
        )


async def run(work: JobInHand, made: Services) -> NoteReport:
    """One event for one note, however often the job runs."""
    note = work.payload(RecordNote).note

    async def effects(report: NoteReport) -> None:
        if report.event_id:
            await _index(note, made)
        for job_id in report.profile_jobs:
            job = await made.jobs.get(job_id)
            if job is not None and job.is_open:
                await made.dispatch.job(job)

    return await work.run(NoteReport, lambda now: _recorded(note, now, made), effects)


async def _recorded(note: Note, work: JobInHand, made: Services) -> NoteReport:
    group = await made.groups.change(
        note.group_id, lambda found: with_timezone(found, note.timezone), made.now()
    )
    settings = settings_for(group, made.settings)
    nothing = NoteReport("", is_absolute=True)
    is_out = is_opted_out(group.opted_out, note.user_id, made.settings.hash_key)
    if is_out or not settings.enable_cognitive:
        await work.commit(Plan(note.group_id, group.epoch, [], report=nothing))
        return nothing
    note = replace(note, timezone=note.timezone or settings.timezone or group.timezone or "UTC")
    if await _is_told_again(note, made):
        log.info("new_info_left_out", group_id=note.group_id)
        note = replace(note, new_info="")
    if note.is_empty or await _is_taken_back(note, made):
        await work.commit(Plan(note.group_id, group.epoch, [], report=nothing))
        return nothing
    scene = await _scene(note, group, made)
    wording, rewrites = await _worded(scene, work, made)
    wording, masked = _masked(wording)
    event = _event(scene, wording, rewrites)
    writes = [put_event(record) for record in (event, *_viewpoints(event, scene))]
    if event.degraded:
        log.warning(
            "note_degraded",
            group_id=note.group_id,
            rewrites=rewrites,
            kinds=sorted({finding.kind for finding in wording.findings}),
        )
    jobs = _profile_jobs(scene, wording, event, made.now())
    writes += [new_job(job) for job in jobs]
    report = NoteReport(
        event.event_id, event.is_absolute, rewrites, tuple(job.job_id for job in jobs), masked
    )
    if masked:
        log.warning("secrets_masked", group_id=note.group_id, statements=masked)
    await work.commit(Plan(note.group_id, group.epoch, writes, report=report))
    return report


def _masked(wording: Wording) -> tuple[Wording, int]:
    """Without the secrets in it, and how many of its two texts had some."""
    told, in_told = mask_secrets(wording.canonical_text)
    news, in_news = mask_secrets(wording.new_info)
    return replace(wording, canonical_text=told, new_info=news), bool(in_told) + bool(in_news)


async def _is_told_again(note: Note, made: Services) -> bool:
    """Whether another note already has new information from the same message: one is enough.
    Who is sure that it is worth it sends `force`."""
    if not note.new_info or note.force:
        return False
    others = await made.events.told_in(note.group_id, note.told_in)
    return any(other.has_new_info and other.event_id != note.event_id for other in others)


def _viewpoints(event: Event, scene: NoteScene) -> list[Event]:
    """A copy of the event for each other member who took part, listed as theirs."""
    others = [
        user_id
        for user_id in event.source_users
        if user_id != event.user_id
        and user_id in scene.members
        and user_id not in scene.group.opted_out
    ]
    return [
        replace(event, event_id=f"{event.event_id}:{user_id}", user_id=user_id, viewpoint=user_id)
        for user_id in others[:MOST_VIEWPOINTS]
    ]


async def _is_taken_back(note: Note, made: Services) -> bool:
    """Whether a message that the note is about was recalled or forgotten: the note may quote it,
    and nobody could tell which of its words do."""
    found = await made.messages.get_many(note.group_id, note.message_ids)
    return any(stored.message.state is MessageState.RECALLED for stored in found.values())


def _profile_jobs(scene: NoteScene, wording: Wording, event: Event, now: datetime) -> list[Job]:
    """What is new of one member or of the group, as a job of its own. A profile keeps absolute
    words only, and nothing of people whom the group does not know."""
    note, group, about = scene.note, scene.group, wording.about
    if not event.new_info or not event.is_absolute:
        return []
    if group.audience == "private" and about in ("", GROUP):
        about = note.user_id
    if (about not in scene.members and about != GROUP) or about in group.opted_out:
        return []
    kind: EntityType = "group" if about == GROUP else "user"
    name = group.name if about == GROUP else scene.members[about]
    news = News(
        kind,
        note.group_id if about == GROUP else about,
        "" if name in NAMELESS else name,
        (event.new_info,),
        event.event_id,
        event.message_ids,
        event.source_users,
    )
    return [profile_job(note.group_id, news, event.event_id, now)]


async def _scene(note: Note, group: Group, made: Services) -> NoteScene:
    found = await made.messages.get_many(note.group_id, note.message_ids)
    said = [stored.message for stored in found.values() if stored.message.is_readable]
    now = note.received_at or made.now()
    happened = max((message.create_time for message in said), default=now)
    # Others may have spoken while the bot wrote its reply, and the note may name them.
    until = max(happened, note.received_at or happened)
    around = await made.messages.recent(
        note.group_id, since=happened - ROSTER_FOR, until=until, limit=ROSTER_MESSAGES
    )
    local = happened.astimezone(ZoneInfo(note.timezone))
    return scene_of(note, group, said, [*around, *said], local)


def scene_of(
    note: Note,
    group: Group,
    said: Sequence[StoredMessage],
    around: Sequence[StoredMessage],
    local: datetime,
) -> NoteScene:
    """`said` are the note's own messages; who spoke `around` or was mentioned may be meant."""
    readable = [message for message in around if message.is_readable]
    people = {message.user_id: message.user_name for message in readable if message.user_name}
    for message in readable:
        people |= {who.user_id: who.name for who in message.mentions if who.name}
    bots = [message.user_id for message in readable if message.role == "assistant"]
    bot_id = bots[-1] if bots else BOT
    language = guess_language(note.action_summary + note.new_info)
    in_english = language is not Language.CHINESE
    people.setdefault(bot_id, NAMELESS_BOT[in_english])
    if note.user_id:
        people.setdefault(note.user_id, NAMELESS[in_english])
    members = {key: name for key, name in people.items() if key not in {bot_id, *bots}}
    return NoteScene(note, group, said, local, people, members, bot_id)


async def _worded(scene: NoteScene, work: JobInHand, made: Services) -> tuple[Wording, int]:
    """The first wording that the gate lets through, else the best; and how many it refused. No
    answer at all leaves the job waiting; a reply that cannot be used counts as a try."""
    tried: list[Wording] = []
    refused = 0
    began = made.now()
    for _ in range(1 + made.settings.rewrite_max_retry):
        left = work.model_budget_s - (made.now() - began).total_seconds()
        if refused and left < LEAST_CALL_S:
            break
        try:
            wording = await _asked(scene, tried[-1].findings if tried else (), left, made)
        except BadReply:
            refused += 1
            continue
        except Transient as error:
            raise work.unanswered(error, made.now()) from error
        if wording.is_absolute:
            return wording, refused
        refused += 1
        tried.append(wording)
    note = scene.note
    unchanged = as_it_came(note.action_summary, note.new_info, scene.source.names)
    return best_of(tried, unchanged), refused


async def _asked(
    scene: NoteScene, findings: Sequence[Finding], budget_s: float, made: Services
) -> Wording:
    answer = await made.model.ask(
        "note_rewrite",
        RewrittenNote,
        question(scene, findings),
        group_id=scene.note.group_id,
        budget_s=budget_s,
    )
    return judged(wording_of(answer.reply, scene), scene.source)


def question(scene: NoteScene, findings: Sequence[Finding] = ()) -> dict[str, Any]:
    """`findings` are what the gate held against the last answer."""
    note, ids = scene.note, ShortIds(scene.people)
    roster = [{"id": ids.short(key), "name": name} for key, name in scene.people.items()]
    asked = {
        "action_summary": note.action_summary,
        "new_info": note.new_info,
        "sender": ids.short(note.user_id),
        "bot": ids.short(scene.bot_id),
        "roster": as_table(roster, ("id", "name")),
        "group_name": scene.group.name,
        "time": f"{scene.local:%Y-%m-%d %H:%M %A}",
        "timezone": note.timezone,
        "calendar": calendar(scene.local.date()),
        "location": note.location,
        "messages": [
            {
                "user_id": ids.short(message.user_id),
                "time": f"{message.create_time.astimezone(scene.local.tzinfo):%Y-%m-%d %H:%M}",
                "content": message.content[:MOST_CHARACTERS],
            }
            for message in scene.said
        ],
    }
    if findings:
        asked["findings"] = [asdict(finding) for finding in findings]
    return asked


def wording_of(reply: RewrittenNote, scene: NoteScene) -> Wording:
    """With whole ids. A model that gives a name where an id should be is understood if only one
    person has that name."""
    ids, names = ShortIds(scene.people), list(scene.people.values())

    def person(said: str | None) -> str:
        whole = ids.whole(said or "")
        if whole in scene.people or names.count(whole) != 1:
            return whole
        return next(key for key, name in scene.people.items() if name == whole)

    about = (reply.about or "").strip()
    new_info = reply.new_info if scene.note.new_info else ""
    return Wording(
        canonical_text=reply.canonical_text,
        new_info=new_info,
        actor=person(reply.actor) if scene.note.action_summary else "",
        meant=tuple(person(key) for key in reply.meant),
        about="" if not new_info else GROUP if about.lower() == GROUP else person(about),
    )


def _event(scene: NoteScene, wording: Wording, rewrites: int) -> Event:
    note = scene.note
    return Event(
        event_id=note.event_id,
        group_id=note.group_id,
        canonical_text=wording.canonical_text,
        request_id=note.request_id,
        end_seq=note.end_seq,
        timestamp_utc=scene.local.astimezone(UTC),
        timestamp_local=scene.local.isoformat(),
        timezone=note.timezone,
        location_abs=note.location,
        request_type=scene.group.audience,
        user_id=note.user_id,
        sender_id=note.user_id,
        message_ids=note.message_ids,
        source_users=tuple(
            sorted({note.user_id, *(message.user_id for message in scene.said)} - {""})
        ),
        has_new_info=bool(note.new_info),
        new_info=wording.new_info,
        is_absolute=wording.is_absolute,
        degraded=not wording.is_absolute,
        worded_by=wording.author,
        rewrites=rewrites,
        told_in=note.told_in,
    )


async def _index(note: Note, made: Services) -> None:
    group_id, event_id = note.group_id, note.event_id

    async def put(found: Mapping[str, Event]) -> None:
        event = found.get(event_id)
        if event is None:
            plan = VectorPlan(deletes=[vector_id("event", event_id)])
            await made.vectors.apply(group_id, plan)
            return
        values = await made.embedder.embed_one(
            event.canonical_text, group_id=group_id, budget_s=EMBEDDING_S
        )
        if values is not None:
            vector = Vector("event", event_id, values, time=event.timestamp_utc)
            await made.vectors.apply(group_id, VectorPlan([vector]))

    await put_as_stored(lambda: made.events.get_many(group_id, [event_id]), put)
