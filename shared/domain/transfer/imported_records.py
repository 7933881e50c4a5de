"""What an imported or moved group and its records bring along: opt-outs and privacy of both hold,
and nothing comes back that was forgotten since. Pure."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.domain.audience import KnownAudience, combined_audience
from shared.domain.group import Cursor, Group
from shared.domain.ids import safe_id
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.transfer.lines import ExportLine, for_group
from shared.errors import Conflict

OPTED_OUT = "it is of a member who does not want to be remembered here"


def settled_group(found: Group, exported: Group, *, is_own: bool) -> Group:
    """A group that has done nothing yet takes over the name, settings and cursors, but what was set
    here holds. Who opted out in either stays out; of the group's own backup only if it did nothing
    since: who came back in is in."""
    is_fresh = not (found.cursors or found.attributed_messages)
    if not is_fresh and is_own:
        return found
    opted_out = tuple(dict.fromkeys((*found.opted_out, *exported.opted_out)))
    if not is_fresh:
        return replace(found, opted_out=opted_out)
    return replace(
        exported,
        group_id=found.group_id,
        platform=found.platform,
        audience=found.audience,
        name=found.name or exported.name,
        settings={**exported.settings, **found.settings},
        timezone=found.timezone or exported.timezone,
        opted_out=opted_out,
        epoch=found.epoch,
        forgetting=found.forgetting,
        unindexed_since=found.unindexed_since,
        unpaged_since=found.unpaged_since,
        created_at=found.created_at,
        deleted_at=None,
        expires_at=None,
        stuck_since=None,
    )


def audience_for(known: KnownAudience, said: Collection[KnownAudience]) -> KnownAudience:
    """Of the group that the records come into: what was private stays so, and nothing that was said
    to others comes in between."""
    brought = combined_audience("unknown", said)
    if "unknown" not in (known, brought) and known != brought:
        other = "group" if known == "private" else "private chat"
        here = "private chat" if known == "private" else "group"
        raise Conflict(f"this is a {here}; what was said in a {other} is not imported into it")
    return combined_audience(known, said)


def audience_of(record: Any) -> KnownAudience | None:
    """For whom a record says that it is, if it does."""
    match getattr(record, "profile", record):
        case Group() | Profile() as known:
            return known.audience
        case StoredMessage(audience=audience):
            return audience
    return None


def is_members_own(record: Any, is_out: Callable[[str], bool]) -> bool:
    """Whether nothing but what a member left, or what is known of them, is in the record; a message
    is another matter, as its place in the talk is kept."""
    match getattr(record, "profile", record):
        case Profile(entity_type="user") as profile:
            return is_out(profile.entity_id)
        case Event() as event:
            return any(is_out(user_id) for user_id in (event.user_id, event.sender_id) if user_id)
        case Memory(subject=subject) if subject:
            return is_out(subject)
        case Entity(user_id=user_id) if user_id:
            return is_out(user_id)
    return False


MADE_OF = "it was made of something that was forgotten here"
NO_EARLIER = "what it continues is not here: it was forgotten, or comes later in the file"


def forgotten_lines(
    lines: Sequence[ExportLine], blank: Collection[str], known: Collection[str]
) -> dict[int, str]:
    """The places of those that are not to be taken, each with the reason. `blank` are messages that
    were taken back here, `known` memories that are here; versions may come in any order."""
    gone = set(blank)
    refused = {at: MADE_OF for at, one in enumerate(lines) if not gone.isdisjoint(sources_of(one))}
    told_again = {_topic(lines[at]) for at in refused if lines[at].kind == "summary"}
    for at, line in enumerate(lines):
        is_later = line.kind == "summary" and int(line.data.get("version") or 1) > 1
        if is_later and _topic(line) in told_again:
            refused.setdefault(at, NO_EARLIER)
    while lost := _lost(lines, refused, set(known)):
        refused |= dict.fromkeys(lost, NO_EARLIER)
    return refused


def _lost(lines: Sequence[ExportLine], refused: Collection[int], known: set[str]) -> list[int]:
    left = [(at, line) for at, line in enumerate(lines) if at not in refused]
    here = known | {str(line.data.get("memory_id")) for _, line in left if line.kind == "memory"}
    return [at for at, line in left if not here.issuperset(rests_on_memories(line))]


def sources_of(line: ExportLine) -> list[str]:
    """The messages that a record was made of; a profile's snapshot has them inside."""
    if line.kind in ("message", "group"):
        return []
    if (
        line.kind == "topic"
    ):  # it has no list; without its last line it was told again here, or went
        return [str(line.data.get("last_message_id") or "-")]
    data = line.data["profile"] if line.kind == "snapshot" else line.data
    return [*(data.get("sources") or ()), *(data.get("message_ids") or ())]


def rests_on_memories(line: ExportLine) -> list[str]:
    """The versions that a line repeats or continues."""
    data = line.data
    if line.kind == "memory":
        return [str(data["parent_id"])] if data.get("parent_id") else []
    if line.kind == "change":
        return [
            str(memory_id) for memory_id in (data.get("memory_id"), data.get("old_id")) if memory_id
        ]
    return []


def _topic(line: ExportLine) -> str:
    return line.id.partition("/")[0]


MESSAGE_IDS = frozenset(
    {"message_id", "reply_message_id", "reply_to_message_id", "root_message_id", "last_message_id"}
    | {"continues", "message_ids", "sources"}
)
"""Fields of any record that name messages."""


def moved_id(before: str, message_id: str) -> str:
    """`-77.5` was message 5 of `telegram:-77`."""
    return f"{before.partition(':')[2]}.{message_id}"


def moved_line(line: ExportLine, before: str, now: str) -> ExportLine:
    """The line as it stands in the group `now`."""
    own = for_group(line, now)
    data: dict[str, Any] = _renamed(own.data, before)
    if line.kind != "message":
        return ExportLine(own.kind, own.id, data)
    return ExportLine(own.kind, safe_id(str(data["message_id"])), data)


def _renamed(value: Any, before: str, is_named: bool = False) -> Any:
    if isinstance(value, Mapping):
        return {key: _renamed(item, before, key in MESSAGE_IDS) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(item, before, is_named) for item in value]
    return moved_id(before, value) if is_named and isinstance(value, str) and value else value


def taken_over(group: Group, old: Group) -> Group:
    """What holds for a group holds under its new id from its first message on; what was set or done
    there already stays."""
    cursors = {name: _moved_cursor(cursor, old.group_id) for name, cursor in old.cursors.items()}
    return replace(
        group,
        name=group.name or old.name,
        audience=combined_audience(group.audience, [old.audience]),
        settings={**old.settings, **group.settings},
        opted_out=tuple(dict.fromkeys((*old.opted_out, *group.opted_out))),
        cursors={**cursors, **group.cursors},
        timezone=group.timezone or old.timezone,
        evolve_due=group.evolve_due or old.evolve_due,
        evolve_due_at=group.evolve_due_at or old.evolve_due_at,
        review_at=group.review_at or old.review_at,
        digest_due_at=group.digest_due_at or old.digest_due_at,
        rounds_since_reading=group.rounds_since_reading + old.rounds_since_reading,
        attributed_messages=group.attributed_messages + old.attributed_messages,
    )


def _moved_cursor(cursor: Cursor, before: str) -> Cursor:
    seen = tuple(moved_id(before, message_id) for message_id in cursor.seen)
    last = moved_id(before, cursor.message_id) if cursor.message_id else ""
    return replace(cursor, message_id=last, seen=seen)
