"""The tail of a group: its last lines in one document, packed."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, replace

from shared import log
from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import Page, PageOutline
from shared.domain.tail import Tail, UnindexedLine, paged, without_lines
from shared.errors import Broken
from shared.stores.firestore import Database, Snapshot, Write, merge, plus, put, server_time
from shared.stores.groups import group_path, raised_epoch
from shared.stores.packed_lines import joined, packed, packed_texts, split, unpacked

MAX_BYTES = 800_000
"""Of the packed lines and vectors: a document has at most 1 MiB, and the oldest lines give way."""


def tail_path(group_id: str) -> str:
    return f"{group_path(group_id)}/tail/last"


def put_tail(group_id: str, tail: Tail) -> Write:
    return put(tail_path(group_id), _fields(group_id, tail))


def forgotten_lines(group_id: str, message_ids: Iterable[str]) -> list[Write]:
    """Raises the group's epoch, and the tail's with it: it holds but for these lines."""
    names = {digest("recalled", message_id): True for message_id in message_ids}
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
            left = tuple(line for line in tail.unindexed if line.message_id not in message_ids)
            return [put_tail(group_id, replace(tail, unindexed=left))], None

        await self._database.transact([tail_path(group_id)], decide)

    async def drop_lines(self, group_id: str, is_gone: Callable[[StoredMessage], bool]) -> None:
        """Lines that are no more, text and all, whoever else writes the tail meanwhile."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            tail = _read(read[0]) if read[0] and read[0].data.get("texts") else None
            gone = {line.message_id for line in tail.lines if is_gone(line)} if tail else set()
            is_marked = bool(read[0] and read[0].data.get("recalled"))
            if tail is None or not (gone or is_marked):
                return [], None
            return [put_tail(group_id, without_lines(tail, gone))], None

        await self._database.transact([tail_path(group_id)], decide)


def paged_to_fit(tail: Tail) -> tuple[Tail, list[Page]]:
    """As much of it as one document holds, and the pages in which older lines leave: a hundred at a
    time, with long vectors fewer. Whoever counts on what it still owes to the index asks before it
    is stored."""
    tail, pages = paged(tail)
    while len(tail.lines) > 1 and _size(tail) > MAX_BYTES:
        tail, more = paged(tail, is_full=True)
        pages += more
    return tail, pages


def _size(tail: Tail) -> int:
    vectors = sum(len(line.vector) for line in tail.lines)
    vectors += sum(len(line.vector) for line in tail.unindexed)
    # Its texts are pressed only if it is near: a character has at most four bytes, and a line some
    # fields besides.
    longest = sum(4 * len(line.content) + 2_000 for line in tail.lines) + 4_000 * len(tail.topics)
    is_far = vectors + longest <= MAX_BYTES
    return vectors + (longest if is_far else len(packed_texts(tail.lines, tail.topics)))


def _fields(group_id: str, tail: Tail) -> dict[str, object]:
    owed, owed_sizes = joined(line.vector for line in tail.unindexed)
    return {
        "group_id": group_id,
        "epoch": tail.epoch,
        "reaches_back_to": tail.reaches_back_to,
        **packed(tail.lines, tail.topics),
        "pages": [asdict(page) for page in tail.pages],
        "unindexed": [line.message_id for line in tail.unindexed],
        "unindexed_vectors": owed,
        "unindexed_sizes": owed_sizes,
        "unindexed_topics": list(tail.unindexed_topics),
        "updated_at": server_time(),
    }


def _read(found: Snapshot) -> Tail | None:
    data = found.data
    try:
        lines, topics = unpacked(data, found.path)
    except Broken:
        log.warning("tail_not_readable", path=found.path)
        return None
    tail = Tail(
        epoch=int(data["epoch"]),
        reaches_back_to=data["reaches_back_to"],
        lines=lines,
        topics=topics,
        pages=tuple(PageOutline(**page) for page in data.get("pages") or ()),
        unindexed=tuple(
            map(
                UnindexedLine,
                data["unindexed"],
                split(data["unindexed_vectors"], data["unindexed_sizes"]),
            )
        ),
        unindexed_topics=tuple(data["unindexed_topics"]),
    )
    recalled = data.get("recalled") or {}
    gone = {
        line.message_id for line in tail.lines if digest("recalled", line.message_id) in recalled
    }
    return without_lines(tail, gone) if gone else tail
