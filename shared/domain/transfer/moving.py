"""A group under another id: the platform counts its messages anew, so those of before get ids that
say where they come from, wherever they are named. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.domain.audience import combined_audience
from shared.domain.group import Cursor, Group
from shared.domain.ids import safe_id
from shared.domain.transfer.lines import ExportLine, for_group

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
        return {key: _renamed(one, before, key in MESSAGE_IDS) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(one, before, is_named) for one in value]
    return moved_id(before, value) if is_named and isinstance(value, str) and value else value


def taken_over(group: Group, old: Group) -> Group:
    """What holds for a group holds under its new id from its first message on; what was set or done
    there already stays."""
    cursors = {name: _moved_cursor(one, old.group_id) for name, one in old.cursors.items()}
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
        rounds_since_extraction=group.rounds_since_extraction + old.rounds_since_extraction,
        attributed_messages=group.attributed_messages + old.attributed_messages,
    )


def _moved_cursor(cursor: Cursor, before: str) -> Cursor:
    seen = tuple(moved_id(before, one) for one in cursor.seen)
    last = moved_id(before, cursor.message_id) if cursor.message_id else ""
    return replace(cursor, message_id=last, seen=seen)
