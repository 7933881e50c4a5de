"""What readers are not shown while something is being forgotten. Pure.

A request to forget stands on its group until all that was made of it is gone. Meanwhile each record
is judged by its own provenance; one that continues an earlier version, whose sources it does not
repeat, is taken to be made of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.domain.group import BeingForgotten
from shared.domain.topics.topic import MAX_TOPIC_USERS

Fields = Mapping[str, Any]

KINDS = frozenset(
    {
        "messages", "topics", "summaries", "memories", "changes", "conflicts", "events", "profiles",
        "snapshots", "entities", "relations", "contexts", "digests", "tail",
        "pages",
    }
)  # fmt: skip
"""Collections below a group that hold what was said, or was made of it."""


@dataclass(frozen=True)
class Withheld:
    """All requests of one group; of a group that was deleted nothing is shown."""

    message_ids: frozenset[str] = field(default_factory=frozenset)
    topic_ids: frozenset[str] = field(default_factory=frozenset)
    user_ids: frozenset[str] = field(default_factory=frozenset)
    root_ids: frozenset[str] = field(default_factory=frozenset)
    is_all: bool = False

    @property
    def is_anything(self) -> bool:
        return self.is_all or bool(self.message_ids or self.user_ids or self.root_ids)

    @property
    def is_said(self) -> bool:
        """Whether it is something that people said, of which anything may have been made."""
        return bool(self.message_ids or self.user_ids)


NOTHING = Withheld()


def withheld(asked: Iterable[BeingForgotten], *, is_deleted: bool = False) -> Withheld:
    requests = list(asked)
    return Withheld(
        frozenset(each for request in requests for each in request.message_ids),
        frozenset(each for request in requests for each in request.topic_ids),
        frozenset(each for request in requests for each in request.user_ids),
        frozenset(each for request in requests for each in request.root_ids),
        is_deleted,
    )


def shown_fields(kind: str, data: Fields, hidden: Withheld) -> Fields | None:
    """A record as readers see it: whole, without its words, or not at all (None)."""
    if not hidden.is_anything or kind not in KINDS:
        return data
    if hidden.is_all:
        return None
    if kind == "contexts":
        return {**data, "llm_response": "", "user_feedback": ""}
    if kind == "topics":
        return _blank_topic(data) if _is_touched_topic(data, hidden) else data
    return None if _is_hidden(kind, data, hidden) else data


def _is_hidden(kind: str, data: Fields, hidden: Withheld) -> bool:
    users = hidden.user_ids
    match kind:
        case "messages":
            return data.get("user_id") in users
        case "tail":  # all lines in one: the messages themselves are read instead
            return bool(users)
        case "pages":
            is_theirs = not users.isdisjoint(data.get("user_ids") or ())
            return is_theirs or not hidden.message_ids.isdisjoint(data.get("message_ids") or ())
        case "memories":
            is_continued = hidden.is_said and int(data.get("version") or 1) > 1
            is_meant = data.get("subject") in users or _root(data) in hidden.root_ids
            return is_continued or is_meant or _made(data, hidden)
        case "changes":  # a row tells what a memory said, not of what that was made
            return hidden.is_said or _root(data) in hidden.root_ids
        case "conflicts":
            is_theirs = data.get("subject") in users
            return is_theirs or data.get("root_id") in hidden.root_ids or _made(data, hidden)
        case "summaries":
            is_continued = hidden.is_said and int(data.get("version") or 1) > 1
            return is_continued or _made(data, hidden, "message_ids")
        case "digests":
            topics = data.get("topic_ids") or ()
            is_touched = not hidden.topic_ids.isdisjoint(topics) or bool(users)
            return is_touched or _made(data, hidden, "message_ids")
        case "events":
            return data.get("user_id") in users or _made(data, hidden, "message_ids")
        case "profiles":
            return _is_of_them(data, hidden)
        case "snapshots":
            return _is_of_them(data.get("profile") or {}, hidden)
        case _:  # entities and relations
            return data.get("user_id") in users or _made(data, hidden)


def _made(data: Fields, hidden: Withheld, sources: str = "sources") -> bool:
    return not (
        hidden.message_ids.isdisjoint(data.get(sources) or ())
        and hidden.user_ids.isdisjoint(data.get("source_users") or ())
    )


def _is_of_them(profile: Fields, hidden: Withheld) -> bool:
    """A profile may repeat a memory, and does not say which."""
    is_theirs = profile.get("entity_id") in hidden.user_ids
    return is_theirs or bool(hidden.root_ids) or _made(profile, hidden)


def _root(data: Fields) -> str:
    return str(data.get("root_id") or data.get("memory_id") or "")


def _is_touched_topic(data: Fields, hidden: Withheld) -> bool:
    users = data.get("user_ids") or ()
    is_uncertain = bool(hidden.user_ids) and len(users) >= MAX_TOPIC_USERS
    is_theirs = is_uncertain or not hidden.user_ids.isdisjoint(users)
    return is_theirs or data.get("topic_id") in hidden.topic_ids


def _blank_topic(data: Fields) -> Fields:
    return {**data, "title": "", "description": "", "keywords": {}, "search_terms": []}
