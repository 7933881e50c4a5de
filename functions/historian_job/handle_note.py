"""Turns an end-of-turn note into an event: rewritten in absolute words, stored, indexed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.contracts.prompts import prompt_message
from shared.contracts.replies import RewrittenNote
from shared.domain.group import Group
from shared.domain.jobs.kinds import NoteReport, RecordNote
from shared.domain.knowledge.event import Event, Note
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import BadReply, Transient
from shared.jobs.worker import JobInHand
from shared.stores.events import Events, put_event
from shared.stores.groups import Groups, Plan
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    events: Events
    vectors: Vectors
    model: Model
    embedder: Embedder
    now: Callable[[], datetime]
    model_budget_s: float


async def record_note(work: JobInHand, deps: Deps) -> NoteReport:
    """One event for one note, whoever asks how often."""
    note = work.payload(RecordNote).note
    report = work.report(NoteReport) if work.is_committed else await _recorded(note, work, deps)
    await _index(note, deps)
    return report


async def _recorded(note: Note, work: JobInHand, deps: Deps) -> NoteReport:
    group = await deps.groups.change(note.group_id, lambda found: found, deps.now())
    messages = await deps.messages.get_many(note.group_id, note.message_ids)
    said = [found.message for found in messages.values() if found.message.is_readable]
    event = await _event(note, group, said, deps)
    report = NoteReport(event.event_id, event.is_absolute)
    await work.commit(Plan(note.group_id, group.epoch, [put_event(event)], report=report))
    return report


async def _event(note: Note, group: Group, said: list[StoredMessage], deps: Deps) -> Event:
    happened = max((one.create_time for one in said), default=note.received_at or deps.now())
    local = happened.astimezone(ZoneInfo(note.timezone))
    as_it_is = " ".join(part for part in (note.action_summary, note.new_info) if part)
    try:
        answer = await deps.model.ask(
            "note_rewrite",
            RewrittenNote,
            _question(note, group, said, local),
            group_id=note.group_id,
            budget_s=deps.model_budget_s,
        )
        text, new_info, is_absolute = answer.reply.canonical_text, answer.reply.new_info, True
    except (Transient, BadReply):
        text, new_info, is_absolute = as_it_is, note.new_info, False
    return Event(
        event_id=note.event_id,
        group_id=note.group_id,
        canonical_text=text or as_it_is,
        request_id=note.request_id,
        end_seq=note.end_seq,
        timestamp_utc=happened,
        timestamp_local=local.isoformat(),
        timezone=note.timezone,
        location_abs=note.location,
        request_type=group.audience,
        user_id=note.user_id,
        sender_id=note.user_id,
        message_ids=note.message_ids,
        source_users=tuple(sorted({note.user_id, *(one.user_id for one in said)})),
        has_new_info=bool(note.new_info),
        new_info=new_info or "",
        is_absolute=is_absolute,
    )


def _question(
    note: Note, group: Group, said: list[StoredMessage], local: datetime
) -> dict[str, Any]:
    names = {one.user_id: one.user_name for one in said if one.user_name}
    return {
        "action_summary": note.action_summary,
        "new_info": note.new_info,
        "time": local.isoformat(),
        "timezone": note.timezone,
        "location": note.location,
        "group_name": group.name,
        "sender": {"user_id": note.user_id, "user_name": names.get(note.user_id, note.user_id)},
        "messages": [prompt_message(one) for one in said],
    }


async def _index(note: Note, deps: Deps) -> None:
    found = await deps.events.get_many(note.group_id, [note.event_id])
    event = found.get(note.event_id)
    if event is None:
        return
    values = await deps.embedder.embed_one(
        event.canonical_text, group_id=note.group_id, budget_s=deps.model_budget_s / 4
    )
    if values is not None:
        vector = Vector("event", event.event_id, values, time=event.timestamp_utc)
        await deps.vectors.apply(note.group_id, VectorPlan([vector]))
