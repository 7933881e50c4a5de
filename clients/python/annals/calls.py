"""What each verb asks of which function. Pure; the clients send these."""

from collections.abc import Mapping, Sequence
from typing import Any

from annals.sending import Call, as_json, given, path_of

INGEST, CONTEXT, EVOLVE = "ingest_message", "build_context", "evolve_group"
SUMMARIZE, HISTORIAN = "summarize_topic", "historian_job"
NEXT_CURSOR = "X-Annals-Next-Cursor"
EXPORT_PAGE = 100
"""Records: the largest page that Annals gives."""


def store_messages(messages: Sequence[Mapping[str, Any]]) -> Call:
    return Call(INGEST, "POST", "/messages", body=list(messages))


def store_note(note: Mapping[str, Any]) -> Call:
    return Call(INGEST, "POST", "/end", body=dict(note))


def relay_event(platform: str, event: Mapping[str, Any]) -> Call:
    return Call(INGEST, "POST", path_of("webhooks", platform), body=dict(event))


def build_context(group_id: str, question: Mapping[str, Any]) -> Call:
    return Call(CONTEXT, "POST", "/context", body={"group_id": group_id, **question})


def give_feedback(context_id: str, said: Mapping[str, Any]) -> Call:
    return Call(CONTEXT, "POST", path_of("context", context_id, "feedback"), body=dict(said))


def list_contexts(group_id: str, *, limit: int | None, cursor: str | None) -> Call:
    query = {"group_id": group_id, "limit": limit, "cursor": cursor}
    return Call(CONTEXT, "GET", "/contexts", query)


def show_context(context_id: str) -> Call:
    return Call(CONTEXT, "GET", path_of("contexts", context_id))


def list_tools() -> Call:
    return Call(CONTEXT, "GET", "/tools")


def call_tool(
    group_id: str, name: str, arguments: Mapping[str, Any] | str, turn: Mapping[str, Any]
) -> Call:
    """`turn` is what only the host knows: `user_id`, `request_id`, `message_ids`."""
    body = {"group_id": group_id, **turn, "arguments": arguments}
    return Call(CONTEXT, "POST", path_of("tools", name), body=body)


def read_metrics() -> Call:
    return Call(CONTEXT, "GET", "/metrics", headers={"Accept": "application/json"})


def read_alerts() -> Call:
    return Call(CONTEXT, "GET", "/alerts")


def add_memory(group_id: str, statement: str, fields: Mapping[str, Any]) -> Call:
    body = {"statement": statement, **given(**fields)}
    return Call(EVOLVE, "POST", path_of("memory", group_id), body=body)


def list_memories(group_id: str, *, status: str | None, limit: int, offset: int) -> Call:
    query = {"status": status, "limit": limit, "offset": offset}
    return Call(EVOLVE, "GET", path_of("memory", "list", group_id), query)


def search_memories(group_id: str, text: str, *, limit: int, threshold: float | None) -> Call:
    """As a body, like all questions: access logs hold queries."""
    body = {"q": text, **given(limit=limit, threshold=threshold)}
    return Call(EVOLVE, "POST", path_of("memory", "search", group_id), body=body)


def update_memory(memory_id: str, statement: str, fields: Mapping[str, Any]) -> Call:
    body = {"statement": statement, **given(**fields)}
    return Call(EVOLVE, "PUT", path_of("memory", memory_id), body=body)


def delete_memory(memory_id: str, *, forget: bool) -> Call:
    query = {"forget": "true"} if forget else {}
    return Call(EVOLVE, "DELETE", path_of("memory", memory_id), query)


def restore_memory(memory_id: str) -> Call:
    return Call(EVOLVE, "PUT", path_of("memory", memory_id, "restore"))


def memory_history(memory_id: str) -> Call:
    return Call(EVOLVE, "GET", path_of("memory", "history", memory_id))


def memory_changes(group_id: str, *, days: int) -> Call:
    return Call(EVOLVE, "GET", path_of("memory", "changes", group_id), {"days": days})


def memory_stats(group_id: str) -> Call:
    return Call(EVOLVE, "GET", path_of("memory", "stats", group_id))


def evolve(group_id: str, *, days: int | None) -> Call:
    return Call(EVOLVE, "POST", path_of("memory", "evolve", group_id), {"days": days})


def list_topics(group_id: str, *, limit: int, cursor: str | None) -> Call:
    query = {"group_id": group_id, "limit": limit, "cursor": cursor}
    return Call(SUMMARIZE, "GET", "/topics", query)


def search_topics(group_id: str, text: str, *, limit: int) -> Call:
    body = {"group_id": group_id, "q": text, "limit": limit}
    return Call(SUMMARIZE, "POST", "/topics/search", body=body)


def show_topic(topic_id: str) -> Call:
    return Call(SUMMARIZE, "GET", path_of("topics", topic_id))


def topic_summaries(topic_id: str) -> Call:
    return Call(SUMMARIZE, "GET", path_of("topics", topic_id, "summaries"))


def topic_messages(topic_id: str, *, limit: int) -> Call:
    return Call(SUMMARIZE, "GET", path_of("topics", topic_id, "messages"), {"limit": limit})


def summarize_topic(topic_id: str) -> Call:
    return Call(SUMMARIZE, "POST", path_of("topics", topic_id, "summarize"))


def list_events(group_id: str, query: Mapping[str, Any]) -> Call:
    asked = {name: as_json(value) for name, value in query.items()}
    return Call(HISTORIAN, "POST", "/events", body={"group_id": group_id, **asked})


def show_profile(group_id: str, entity_type: str, entity_id: str) -> Call:
    path = path_of("profiles", entity_type, entity_id)
    return Call(HISTORIAN, "GET", path, {"group_id": group_id})


def show_graph(group_id: str, entity: str, *, depth: int) -> Call:
    body = {"group_id": group_id, "entity": entity, "depth": depth}
    return Call(HISTORIAN, "POST", "/graph", body=body)


def search_entities(group_id: str, text: str, *, limit: int) -> Call:
    body = {"group_id": group_id, "q": text, "limit": limit}
    return Call(HISTORIAN, "POST", "/entities/search", body=body)


def list_jobs(*, status: str | None, group_id: str | None, limit: int) -> Call:
    query = {"status": status, "group_id": group_id, "limit": limit}
    return Call(HISTORIAN, "GET", "/jobs", query)


def show_job(job_id: str) -> Call:
    return Call(HISTORIAN, "GET", path_of("jobs", job_id))


def retry_job(job_id: str) -> Call:
    return Call(HISTORIAN, "POST", path_of("jobs", job_id, "retry"))


def forget(group_id: str, *, user_id: str | None, message_id: str | None) -> Call:
    """A message, a member, or the whole group."""
    parts = ["groups", group_id]
    if message_id is not None:
        parts += ["messages", message_id]
    elif user_id is not None:
        parts += ["members", user_id]
    return Call(HISTORIAN, "DELETE", path_of(*parts))


def opt_out(group_id: str, user_id: str, *, opted_out: bool) -> Call:
    path = path_of("groups", group_id, "members", user_id, "opt-out")
    return Call(HISTORIAN, "PUT", path, body={"opted_out": opted_out})


def export_group(group_id: str, *, cursor: str | None) -> Call:
    """Lines of JSON; the header NEXT_CURSOR names the next page."""
    query = {"cursor": cursor, "limit": EXPORT_PAGE}
    return Call(HISTORIAN, "GET", path_of("groups", group_id, "export"), query)


def import_group(group_id: str, lines: Sequence[str]) -> Call:
    path = path_of("groups", group_id, "import")
    return Call(HISTORIAN, "POST", path, text="".join(f"{one}\n" for one in lines))


def export_contexts(group_id: str) -> Call:
    return Call(CONTEXT, "GET", "/contexts/export", {"group_id": group_id})


def tune_group(group_id: str, *, apply: bool) -> Call:
    path = path_of("groups", group_id, "tune")
    return Call(CONTEXT, "POST", path, body={"apply": apply})


def group_settings(group_id: str) -> Call:
    return Call(HISTORIAN, "GET", path_of("groups", group_id, "settings"))


def put_group_settings(group_id: str, settings: Mapping[str, Any]) -> Call:
    return Call(HISTORIAN, "PUT", path_of("groups", group_id, "settings"), body=dict(settings))


def check_platform(platform: str) -> Call:
    return Call(INGEST, "GET", path_of("platforms", platform))


def show_forget(forget_id: str) -> Call:
    return Call(HISTORIAN, "GET", path_of("forgets", forget_id))


def is_live(function: str) -> Call:
    return Call(function, "GET", "/health/live")


def is_ready(function: str) -> Call:
    return Call(function, "GET", "/health/ready")
