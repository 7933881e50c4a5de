"""Records as the API shows them: plain JSON, times in RFC 3339 UTC, no vectors."""

from datetime import UTC, datetime
from typing import Any

from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.key import StoredKey
from shared.domain.knowledge.event import Event
from shared.domain.memories.memory import Change, Memory
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.topic import Summary, Topic


def rfc3339(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def plain(value: Any) -> Any:
    """Any stored value as JSON."""
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def shown_message(message: StoredMessage) -> dict[str, Any]:
    return {
        "message_id": message.message_id,
        "group_id": message.group_id,
        "user_id": message.user_id,
        "user_name": message.user_name,
        "role": message.role,
        "content": message.content,
        "create_time": rfc3339(message.create_time),
        "edited_at": rfc3339(message.edited_at),
        "reply_message_id": message.reply_message_id,
        "topic_id": message.topic_id,
        "continues": message.continues,
        "state": message.state.value,
    }


def shown_topic(topic: Topic) -> dict[str, Any]:
    return {
        "topic_id": topic.topic_id,
        "group_id": topic.group_id,
        "title": topic.title,
        "description": topic.description,
        "creator_id": topic.creator_id,
        "keywords": dict(topic.keywords),
        "message_count": topic.message_count,
        "user_ids": list(topic.user_ids),
        "is_active": topic.is_active,
        "is_archived": topic.is_archived,
        "summary_version": topic.summary_version,
        "created_at": rfc3339(topic.created_at),
        "last_message_at": rfc3339(topic.last_message_at),
    }


def shown_summary(summary: Summary) -> dict[str, Any]:
    return {
        "topic_id": summary.topic_id,
        "version": summary.version,
        "title": summary.title,
        "content": summary.content,
        "generation_method": summary.generation_method,
        "keywords": list(summary.keywords),
        "people": list(summary.people),
        "decisions": list(summary.decisions),
        "open_questions": list(summary.open_questions),
        "span": plain(dict(summary.span)),
        "quality": plain(dict(summary.quality)),
        "message_count": len(summary.message_ids),
        "created_at": rfc3339(summary.created_at),
    }


def shown_memory(memory: Memory) -> dict[str, Any]:
    return {
        "memory_id": memory.memory_id,
        "group_id": memory.group_id,
        "statement": memory.statement,
        "kind": memory.kind,
        "subject": memory.subject,
        "version": memory.version,
        "parent_id": memory.parent_id,
        "superseded_by": memory.superseded_by,
        "change_summary": memory.change_summary,
        "status": memory.status.value,
        "strength": memory.strength,
        "core": memory.core,
        "tags": list(memory.tags),
        "sources": list(memory.sources),
        "source_users": list(memory.source_users),
        "created_at": rfc3339(memory.created_at),
        "updated_at": rfc3339(memory.updated_at),
        "last_supported_at": rfc3339(memory.last_supported_at),
    }


def shown_change(change: Change) -> dict[str, Any]:
    """As the evolution's own answer lists it; what a change has not is left out."""
    shown: dict[str, Any] = {"action": change.action}
    if change.old_id is not None:
        shown["old_id"] = change.old_id
    if change.action != "delete":
        shown["new_id"] = change.memory_id
    if change.old_statement is not None:
        shown["old_statement"] = change.old_statement
    if change.new_statement is not None:
        key = "statement" if change.action == "create" else "new_statement"
        shown[key] = change.new_statement
    return {**shown, "change_reason": change.reason, "version": change.version}


def shown_event(event: Event) -> dict[str, Any]:
    return {
        "event_id": event.event_id,
        "group_id": event.group_id,
        "canonical_text": event.canonical_text,
        "request_id": event.request_id,
        "end_seq": event.end_seq,
        "timestamp_utc": rfc3339(event.timestamp_utc),
        "timestamp_local": event.timestamp_local,
        "timezone": event.timezone,
        "location_abs": event.location_abs,
        "request_type": event.request_type,
        "user_id": event.user_id,
        "sender_id": event.sender_id,
        "message_ids": list(event.message_ids),
        "has_new_info": event.has_new_info,
        "is_absolute": event.is_absolute,
        "schema_version": event.schema_version,
    }


def shown_job(job: Job) -> dict[str, Any]:
    """Without its payload: that quotes people."""
    return {
        "job_id": job.job_id,
        "kind": job.kind,
        "queue": job.queue,
        "group_id": job.group_id,
        "state": job.state.value,
        "attempts": job.attempts,
        "max_attempts": job.max_attempts,
        "generation": job.generation,
        "error": job.error,
        "created_at": rfc3339(job.created_at),
        "due_at": rfc3339(job.due_at),
    }


def shown_key(key: StoredKey) -> dict[str, Any]:
    """Without its hash."""
    return {
        "key_id": key.key_id,
        "name": key.name,
        "scopes": sorted(key.scopes),
        "groups": list(key.groups),
        "created_at": rfc3339(key.created_at),
        "revoked_at": rfc3339(key.revoked_at),
    }


def shown_group(group: Group) -> dict[str, Any]:
    return {
        "group_id": group.group_id,
        "platform": group.platform,
        "name": group.name,
        "audience": group.audience,
        "settings": plain(dict(group.settings)),
        "opted_out": list(group.opted_out),
    }
