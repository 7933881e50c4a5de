"""A group's documents for export, page by page, and for import, each taken once."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from shared.domain.ids import is_document_id, shard_of
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.transfer.lines import KINDS, PARENTS, ExportLine
from shared.errors import Broken, InvalidInput
from shared.stores.conflicts import CONFLICTS, put_conflict
from shared.stores.entities import ENTITIES, put_entity
from shared.stores.events import EVENTS, put_event
from shared.stores.firestore import (
    NAME,
    Database,
    DocumentPath,
    Snapshot,
    Write,
    collection,
    create,
)
from shared.stores.groups import GROUPS, group_path
from shared.stores.memories import CHANGES, MEMORIES, new_change, new_memory
from shared.stores.message_records import MESSAGES, new_message
from shared.stores.profiles import PROFILES, SNAPSHOTS, put_profile, put_snapshot
from shared.stores.records import Codec
from shared.stores.relations import RELATIONS, put_relation
from shared.stores.topics import SUMMARIES, TOPICS, put_summary, put_topic

COLLECTIONS = {
    "message": "messages",
    "topic": "topics",
    "summary": "summaries",
    "memory": "memories",
    "change": "changes",
    "conflict": "conflicts",
    "event": "events",
    "profile": "profiles",
    "snapshot": "snapshots",
    "entity": "entities",
    "relation": "relations",
    "context": "contexts",
}
OF_A_MEMBER = (
    ("message", "user_id"),
    ("memory", "subject"),
    ("event", "user_id"),
    ("profile", "profile_id"),
    ("entity", "user_id"),
    ("context", "user_id"),
)
"""By which field each kind of record is somebody's."""
CHILD_OF = {parent: child for child, parent in PARENTS.items()}
_READ = datetime(1970, 1, 1, tzinfo=UTC)
"""When a line was read does not matter: it comes from a file."""
MAX_CHILDREN = 1000
"""Versions below one document: years of them."""
_RECORDS: Mapping[str, Codec[Any]] = {
    "group": GROUPS,
    "message": MESSAGES,
    "topic": TOPICS,
    "summary": SUMMARIES,
    "memory": MEMORIES,
    "change": CHANGES,
    "conflict": CONFLICTS,
    "event": EVENTS,
    "profile": PROFILES,
    "snapshot": SNAPSHOTS,
    "entity": ENTITIES,
    "relation": RELATIONS,
}
_WRITES: Mapping[str, Callable[[Any], Write]] = {
    "message": new_message,
    "topic": put_topic,
    "summary": put_summary,
    "memory": new_memory,
    "change": new_change,
    "conflict": put_conflict,
    "event": put_event,
    "profile": put_profile,
    "snapshot": lambda record: put_snapshot(record.profile, record.taken_at),
    "entity": put_entity,
    "relation": put_relation,
}
"""How each record is written by its own store: under which path, and with what beside it."""
_DERIVED = ("profile_id", "terms", "name_keys", "ends", "typed_ends")
"""Fields that follow from the record, and by which it is found."""
_TIMES = ("received_at", "updated_at", "stored_at", "pending_since", "expires_at")
"""Which the database set once; a record that comes in keeps those it had."""


@dataclass(frozen=True)
class ExportPage:
    """`cursor` is where the next page begins; None after the last."""

    lines: Sequence[ExportLine]
    cursor: str | None


def line_path(group_id: str, line: ExportLine) -> str:
    if line.kind == "group":
        return group_path(group_id)
    parent, _, child = line.id.partition("/")
    kind = PARENTS.get(line.kind, line.kind)
    path = f"{group_path(group_id)}/{COLLECTIONS[kind]}/{parent}"
    return f"{path}/{COLLECTIONS[line.kind]}/{child}" if child else path


def record_of(line: ExportLine, group_id: str) -> Any:
    """The record that the line's data make; InvalidInput if they make none, or one of another
    group."""
    read = Snapshot(line_path(group_id, line), line.data, _READ, _READ)
    try:
        record = _RECORDS[line.kind].read(read)
    except Broken as error:
        named = f" ({_bad_fields(error.__cause__)})" if error.__cause__ else ""
        raise InvalidInput(f"no {line.kind} can be made of it{named}") from error
    owner = getattr(getattr(record, "profile", record), "group_id", group_id)
    if owner != group_id:
        raise InvalidInput("it belongs to another group")
    return record


def _bad_fields(error: BaseException) -> str:
    """By name only: what is wrong with them may quote them."""
    problems = error.errors() if isinstance(error, ValidationError) else []
    return ", ".join(dict.fromkeys(".".join(map(str, problem["loc"])) for problem in problems[:5]))


def as_stored(line: ExportLine, record: Any) -> ExportLine:
    """The line as the record's own store would have written it: InvalidInput if its id is not the
    one by which it would be looked for, or a field only looks like what it should be. Fields that
    the record has not are left out, those that follow from it are made."""
    codec = _RECORDS[line.kind]
    _check_as_read(line.data, codec.fields(record), line.kind)
    if line.kind == "group":
        return line
    own = _WRITES[line.kind](record)
    group_id = getattr(record, "profile", record).group_id
    if own.path != line_path(group_id, line):
        raise InvalidInput("id: it is not the one that its data say")
    written = own.data or {}
    names = codec.fields(record).keys() | set(_TIMES)
    data = {name: value for name, value in line.data.items() if name in names}
    derived = {name: written[name] for name in _DERIVED if name in written and name not in names}
    # A query that orders by a field finds no record without it.
    defaults = {name: written[name] for name in names - set(_TIMES) if name in written}
    return replace(line, data={**defaults, **data, **derived})


def blank_line(line: ExportLine, message: StoredMessage) -> ExportLine:
    """The line of a message of which less is kept than the file has; it waits for nothing."""
    kept = MESSAGES.fields(message)
    data = {name: value for name, value in {**line.data, **kept}.items() if value is not None}
    return replace(
        line, data={name: value for name, value in data.items() if name != "pending_since"}
    )


def _check_as_read(raw: Any, read: Any, where: str) -> None:
    """A text that reads as a number or a time would be stored as a text, and sorted as one."""
    if isinstance(raw, Mapping) and isinstance(read, Mapping):
        for name in raw.keys() & read.keys():
            _check_as_read(raw[name], read[name], f"{where}.{name}")
    elif isinstance(raw, list | tuple) and isinstance(read, list | tuple):
        for at, (record, other) in enumerate(zip(raw, read, strict=True)):
            _check_as_read(record, other, f"{where}.{at}")
    elif raw != read or isinstance(raw, bool) != isinstance(read, bool):
        raise InvalidInput(f"{where.partition('.')[2]}: it is of the wrong type")


class Transfer:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, group_id: str, cursor: str | None, limit: int) -> ExportPage:
        """About `limit` documents in the order of the kinds, each with those below it."""
        kinds = [kind for kind in KINDS if kind not in PARENTS]
        kind, after = _opened(cursor, kinds)
        lines: list[ExportLine] = []
        for at, kind_left in enumerate(kinds[kinds.index(kind) :], kinds.index(kind)):
            found = await self._some(group_id, kind_left, after, limit - len(lines))
            for snapshot in found:
                lines += await self._with_children(kind_left, snapshot)
            if len(lines) >= limit and found:
                return ExportPage(lines, _sealed(kind_left, found[-1].path.rsplit("/", 1)[1]))
            after = ""
            if len(lines) >= limit and at + 1 < len(kinds):
                return ExportPage(lines, _sealed(kinds[at + 1], ""))
        return ExportPage(lines, None)

    async def member_page(
        self, group_id: str, user_id: str, cursor: str | None, limit: int
    ) -> ExportPage:
        """What is kept of one member, in the order of the kinds: about `limit` documents."""
        kinds = [kind for kind, _ in OF_A_MEMBER]
        kind, after = _opened(cursor, kinds)
        lines: list[ExportLine] = []
        for member_kind, name in OF_A_MEMBER[kinds.index(kind) :]:
            path = f"{group_path(group_id)}/{COLLECTIONS[member_kind]}"
            value = f"user:{user_id}" if member_kind == "profile" else user_id
            query = collection(path).where(name, "==", value).order_by(NAME).limit(limit)
            if after:
                query = query.start_after(DocumentPath(f"{path}/{after}"))
            found = await self._database.find(query)
            for snapshot in found:
                lines += await self._with_children(member_kind, snapshot)
            if len(found) == limit:
                return ExportPage(lines, _sealed(member_kind, found[-1].path.rsplit("/", 1)[1]))
            after = ""
        return ExportPage(lines, None)

    async def _some(self, group_id: str, kind: str, after: str, limit: int) -> list[Snapshot]:
        if kind == "group":
            found = await self._database.get(group_path(group_id))
            return [found] if found and not after else []
        path = f"{group_path(group_id)}/{COLLECTIONS[kind]}"
        query = collection(path).order_by(NAME).limit(max(1, limit))
        if after:
            query = query.start_after(DocumentPath(f"{path}/{after}"))
        return await self._database.find(query)

    async def _with_children(self, kind: str, snapshot: Snapshot) -> list[ExportLine]:
        own_id = snapshot.path.rsplit("/", 1)[1]
        # Which part of all groups it is in follows from the group, and is found anew on the way in.
        data = {name: value for name, value in snapshot.data.items() if name != "shard"}
        lines = [ExportLine(kind, own_id, data)]
        if child := CHILD_OF.get(kind):
            path = f"{snapshot.path}/{COLLECTIONS[child]}"
            below = collection(path).order_by(NAME).limit(MAX_CHILDREN)
            lines += [
                ExportLine(child, f"{own_id}/{snapshot.path.rsplit('/', 1)[1]}", snapshot.data)
                for snapshot in await self._database.find(below)
            ]
        return lines

    async def missing(self, group_id: str, lines: Sequence[ExportLine]) -> list[ExportLine]:
        """Those of the lines whose documents are not there yet."""
        read = await self._database.get_all([line_path(group_id, line) for line in lines])
        return [line for line, found in zip(lines, read, strict=True) if found is None]

    async def take(self, group_id: str, lines: Sequence[ExportLine]) -> None:
        """One commit; Conflict if one of them came to be meanwhile."""
        if lines:
            await self._database.commit(
                [create(line_path(group_id, line), _placed(group_id, line)) for line in lines]
            )


def _placed(group_id: str, line: ExportLine) -> dict[str, Any]:
    """What is looked for over all groups says which part of them it is in."""
    is_looked_for = line.kind in ("message", "topic")
    return {**line.data, "shard": shard_of(group_id)} if is_looked_for else dict(line.data)


def _sealed(kind: str, after: str) -> str:
    return base64.urlsafe_b64encode(f"{kind}/{after}".encode()).decode()


def _opened(cursor: str | None, kinds: Sequence[str]) -> tuple[str, str]:
    if cursor is None:
        return kinds[0], ""
    try:
        text = base64.b64decode(cursor.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("a cursor that no page gave") from error
    kind, _, after = text.partition("/")
    if kind not in kinds or (after and not is_document_id(after)):
        raise InvalidInput("a cursor that no page gave")
    return kind, after
