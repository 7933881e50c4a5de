"""What an imported group and its records bring along: opt-outs and privacy of both hold. Pure."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from shared.domain.audience import KnownAudience, combined_audience
from shared.domain.group import Group
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage
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
            return any(is_out(one) for one in (event.user_id, event.sender_id) if one)
        case Memory(subject=subject) if subject:
            return is_out(subject)
        case Entity(user_id=user_id) if user_id:
            return is_out(user_id)
    return False
