"""The tail of a group: its last lines in one document, packed."""

import zlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from shared import log
from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.tail import Tail, UnindexedLine, shortened, without_lines
from shared.domain.topics.topic import Topic
from shared.errors import Broken
from shared.stores.database import Database, Snapshot, Write, merge, plus, put, server_time
from shared.stores.groups import group_path, raised_epoch
from shared.stores.records import Codec

MAX_BYTES = 800_000
"""Of the packed lines and vectors: a document has at most 1 MiB, and the oldest lines give way."""
LEVEL = 1
"""Three quarters smaller in a millisecond; more effort saves a few kilobytes."""


@dataclass(frozen=True)
class _Texts:
    """What is packed as JSON; the vectors stand beside it, one after the other."""

    lines: tuple[StoredMessage, ...]
    topics: tuple[Topic, ...]


_TEXTS = Codec(_Texts)


def tail_path(group_id: str) -> str:
    return f"{group_path(group_id)}/tail/last"


def put_tail(group_id: str, tail: Tail) -> Write:
    return put(tail_path(group_id), _fields(group_id, tail))


def forgotten_lines(group_id: str, message_ids: Iterable[str]) -> list[Write]:
    """Raises the group's epoch, and the tail's with it: it holds but for these lines."""
    names = {digest("recalled", one): True for one in message_ids}
    kept = {"epoch": plus(1), "recalled": names, "updated_at": server_time()}
    return [raised_epoch(group_id), merge(tail_path(group_id), kept)]


class Tails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, group_id: str) -> Tail | None:
        """None if there is none, or none that can be read: then it is made anew."""
        found = await self._database.get(tail_path(group_id))
        return _read(found) if found and found.data.get("texts") else None

    async def mark_indexed(self, group_id: str, message_ids: Collection[str]) -> None:
        """These have reached the index by another way than a run of attribution."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            tail = _read(read[0]) if read[0] and read[0].data.get("texts") else None
            if tail is None:
                return [], None
            left = tuple(one for one in tail.unindexed if one.message_id not in message_ids)
            return [put_tail(group_id, replace(tail, unindexed=left))], None

        await self._database.transact([tail_path(group_id)], decide)

    async def drop_lines(self, group_id: str, is_gone: Callable[[StoredMessage], bool]) -> None:
        """Lines that are no more, text and all, whoever else writes the tail meanwhile."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            tail = _read(read[0]) if read[0] and read[0].data.get("texts") else None
            gone = {one.message_id for one in tail.lines if is_gone(one)} if tail else set()
            is_marked = bool(read[0] and read[0].data.get("recalled"))
            if tail is None or not (gone or is_marked):
                return [], None
            return [put_tail(group_id, without_lines(tail, gone))], None

        await self._database.transact([tail_path(group_id)], decide)


def fitting(tail: Tail) -> Tail:
    """As much of it as one document holds: with long vectors its newer half, or less. Whoever
    counts on what it still owes to the index asks before it is stored."""
    while len(tail.lines) > 1 and _size(tail) > MAX_BYTES:
        half = tail.lines[len(tail.lines) // 2 :]
        gone = {one.message_id for one in tail.lines} - {one.message_id for one in half}
        tail = replace(without_lines(tail, gone), reaches_back_to=half[0].create_time)
    return tail


def _size(tail: Tail) -> int:
    vectors = sum(len(one.vector) for one in tail.lines)
    vectors += sum(len(one.vector) for one in tail.unindexed)
    # Its texts are pressed only if it is near: a character has at most four bytes, and a line some
    # fields besides.
    longest = sum(4 * len(one.content) + 2_000 for one in tail.lines) + 4_000 * len(tail.topics)
    return vectors + (longest if vectors + longest <= MAX_BYTES else len(_texts(tail)))


def _texts(tail: Tail) -> bytes:
    bare = [replace(shortened(one), vector=b"") for one in tail.lines]
    return zlib.compress(_TEXTS.json(_Texts(tuple(bare), tail.topics)), LEVEL)


def _fields(group_id: str, tail: Tail) -> dict[str, object]:
    tail = fitting(tail)
    texts = _texts(tail)
    vectors = b"".join(one.vector for one in tail.lines)
    owed = b"".join(one.vector for one in tail.unindexed)
    return {
        "group_id": group_id,
        "epoch": tail.epoch,
        "reaches_back_to": tail.reaches_back_to,
        "texts": texts,
        "vectors": vectors,
        "vector_sizes": [len(one.vector) for one in tail.lines],
        "cut": sorted(tail.cut),
        "unindexed": [one.message_id for one in tail.unindexed],
        "unindexed_vectors": owed,
        "unindexed_sizes": [len(one.vector) for one in tail.unindexed],
        "unindexed_topics": list(tail.unindexed_topics),
        "updated_at": server_time(),
    }


def _read(found: Snapshot) -> Tail | None:
    data = found.data
    try:
        texts = _TEXTS.from_json(zlib.decompress(data["texts"]), found.path)
    except (Broken, zlib.error):
        log.warning("tail_not_readable", path=found.path)
        return None
    vectors = _split(data["vectors"], data["vector_sizes"])
    lines = (replace(one, vector=vector) for one, vector in zip(texts.lines, vectors, strict=True))
    owed = _split(data["unindexed_vectors"], data["unindexed_sizes"])
    reaches: datetime = data["reaches_back_to"]
    tail = Tail(
        epoch=int(data["epoch"]),
        reaches_back_to=reaches,
        lines=tuple(lines),
        topics=texts.topics,
        cut=frozenset(data["cut"]),
        unindexed=tuple(map(UnindexedLine, data["unindexed"], owed)),
        unindexed_topics=tuple(data["unindexed_topics"]),
    )
    recalled = data.get("recalled") or {}
    gone = {one.message_id for one in tail.lines if digest("recalled", one.message_id) in recalled}
    return without_lines(tail, gone) if gone else tail


def _split(joined: bytes, sizes: list[int]) -> list[bytes]:
    parts, at = [], 0
    for size in sizes:
        parts.append(joined[at : at + size])
        at += size
    return parts
