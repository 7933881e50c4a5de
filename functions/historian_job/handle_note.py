"""Turns an end-of-turn note into an event: rewritten in absolute words, stored, indexed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter

from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.contracts.replies import RewrittenNote
from shared.contracts.shown import rfc3339
from shared.domain.group import Group
from shared.domain.knowledge.event import Event, Note
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import BadReply, Transient
from shared.jobs.worker import Work
from shared.stores.events import Events, put_event
from shared.stores.groups import Groups, Plan
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors

NOTES = TypeAdapter(Note)


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


async def record_note(work: Work, deps: Deps) -> Mapping[str, Any]:
    """One event for one note, whoever asks how often."""
    note = NOTES.validate_python(work.job.payload["note"])
    if not work.is_committed:
        group = await deps.groups.change(note.group_id, lambda found: found, deps.now())
        messages = await deps.messages.get_many(note.group_id, note.message_ids)
        said = [found.message for found in messages.values() if found.message.is_readable]
        event = await _event(note, group, said, deps)
        result = {"event_id": event.event_id, "is_absolute": event.is_absolute}
        await work.commit(Plan(note.group_id, group.epoch, [put_event(event)], result=result))
    await _index(note, deps)
    return {"event_id": note.event_id}


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
        "messages": [
            {
                "id": one.message_id,
                "user_id": one.user_id,
                "user_name": one.user_name or one.user_id,
                "content": one.content,
                "create_time": rfc3339(one.create_time),
            }
            for one in said
        ],
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
