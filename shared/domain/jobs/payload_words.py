"""What jobs quote of people, and jobs without it. Pure."""

from dataclasses import replace

from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.jobs.kinds import MergeProfile, Payload, RecordNote, RewriteNote
from shared.domain.knowledge.event import Note


def without_words(payload: Payload) -> Payload:
    """Of a job that is done: nobody needs the words again, so they are not kept twice."""
    if isinstance(payload, RecordNote | RewriteNote):
        return replace(payload, note=_silent(payload.note))
    if isinstance(payload, MergeProfile):
        return replace(payload, news=replace(payload.news, new_info=(), name=""))
    return payload


def is_made_of(payload: Payload, forgotten: Forgotten) -> bool:
    """Whether a job speaks of something that is forgotten."""
    if isinstance(payload, RecordNote | RewriteNote):
        note = payload.note
        return forgotten.touches(note.message_ids, [note.user_id])
    if isinstance(payload, MergeProfile):
        news = payload.news
        return forgotten.touches(news.sources, (*news.source_users, news.entity_id))
    return False


def _silent(note: Note) -> Note:
    return replace(note, action_summary="", new_info="", location="")
