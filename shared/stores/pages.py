"""Pages of older lines: a hundred in a document, kept in memory while they stay the same."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from shared import log
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import Page, PageOutline, line_bytes, said_at, with_each, with_lines
from shared.errors import Broken
from shared.stores.firestore import (
    Database,
    Query,
    Snapshot,
    Write,
    collection,
    delete,
    put,
    server_time,
    update,
)
from shared.stores.groups import group_path
from shared.stores.packed_lines import packed, unpacked

VALUES_A_QUERY = 30
"""Firestore takes no more values in one `array_contains_any`."""
PAGES_A_STEP = 20
"""Read at once where pages are changed: some megabytes."""
KEPT_BYTES = 24_000_000
"""Of an instance's memory: three groups of two thousand lines with vectors of 512 numbers."""


def page_path(group_id: str, page_id: str) -> str:
    return f"{group_path(group_id)}/pages/{page_id}"


def put_page(group_id: str, page: Page) -> Write:
    """Conflict if it changed since it was read: then something in it was forgotten."""
    path, fields = page_path(group_id, page.page_id), _fields(group_id, page)
    return put(path, fields) if page.revision is None else update(path, fields, page.revision)


class Pages:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[tuple[str, str, int, int], Page] = OrderedDict()
        self._bytes = 0

    async def get(self, group_id: str, outlines: Sequence[PageOutline], epoch: int) -> list[Page]:
        """Those that readers may see, in that order. What is in memory is of the same version, and
        since then nothing was forgotten in the group."""
        keys = [(group_id, outline.page_id, outline.version, epoch) for outline in outlines]
        lacking = [key for key in keys if key not in self._kept]
        read = await self._database.get_all([page_path(group_id, key[1]) for key in lacking])
        pages = {key: self._kept[key] for key in keys if key in self._kept}
        for key, snapshot in zip(lacking, read, strict=True):
            if snapshot is not None and (page := _read(snapshot)) is not None:
                pages[key] = page
        for key, page in pages.items():
            self._keep(key, page)
        return [pages[key] for key in keys if key in pages]

    async def at(self, group_id: str, times: Iterable[datetime], most: int) -> list[Page]:
        """The pages of these times, the first times first, at most so many."""
        found: dict[str, Page] = {}
        for time in times:
            if len(found) >= most:
                break
            if any(_spans(page, time) for page in found.values()):
                continue
            query = self._pages(group_id).where("last_at", ">=", time).order_by("last_at").limit(1)
            found |= {page.page_id: page for page in await self._find(query)}
        return list(found.values())

    async def newest(self, group_id: str, limit: int) -> list[PageOutline]:
        """Outlines of the newest, oldest first; the pages themselves stay where they are."""
        query = self._pages(group_id).largest_first("last_at").limit(limit)
        found = await self._database.find(
            query.select("page_id", "first_at", "last_at", "version", "size")
        )
        return [
            PageOutline(
                snapshot.data["page_id"],
                snapshot.data["first_at"],
                snapshot.data["last_at"],
                int(snapshot.data["version"]),
                int(snapshot.data["size"]),
            )
            for snapshot in reversed(found)
        ]

    async def changed_by(self, group_id: str, lines: Sequence[StoredMessage]) -> list[Page]:
        """The pages as they are to be with these lines, each put where it belongs by its time."""
        if not lines:
            return []
        in_order = sorted(lines, key=said_at)
        before = self._pages(group_id).where("last_at", "<", in_order[0].create_time)
        pages = await self._find(before.largest_first("last_at").limit(1))
        waiting = in_order
        while waiting:
            later = self._pages(group_id).where("last_at", ">=", waiting[0].create_time)
            found = await self._find(later.order_by("last_at").limit(1))
            if not found:
                pages += await self._find(self._pages(group_id).largest_first("last_at").limit(1))
                break
            pages += found
            waiting = [
                message
                for message in waiting
                if message.create_time > found[0].lines[-1].create_time
            ]
        known = {page.page_id: page for page in pages}
        return with_lines(
            sorted(known.values(), key=lambda page: said_at(page.lines[-1])), in_order
        )

    async def change_lines(
        self,
        group_id: str,
        named_in: str,
        values: Sequence[str],
        change: Callable[[StoredMessage], StoredMessage | None],
    ) -> None:
        """Each line of the pages that name one of the values (`message_ids`, `user_ids`) as it is
        to be, or left out: for forgetting."""
        for start in range(0, len(values), VALUES_A_QUERY):
            some = list(values[start : start + VALUES_A_QUERY])
            query = self._pages(group_id).where(named_in, "array_contains_any", some)
            for found in await self._database.find(query.select("page_id")):
                await self._change(found.path, change)

    async def drop_before(self, group_id: str, before: datetime) -> None:
        """Lines beyond their retention."""
        query = self._pages(group_id).where("first_at", "<", before).order_by("first_at")
        while found := await self._database.find(query.select("page_id").limit(PAGES_A_STEP)):
            for snapshot in found:
                await self._change(
                    snapshot.path, lambda line: line if line.create_time >= before else None
                )

    async def _change(
        self, path: str, change: Callable[[StoredMessage], StoredMessage | None]
    ) -> None:
        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            page = _read(read[0]) if read[0] else None
            if page is None:
                return [delete(path)] if read[0] else [], None
            new = with_each(page, change)
            if new is None:
                return [delete(path)], None
            group_id = page.lines[0].group_id
            return [put(path, _fields(group_id, new))] if new is not page else [], None

        await self._database.transact([path], decide)

    async def _find(self, query: Query) -> list[Page]:
        found = [_read(snapshot) for snapshot in await self._database.find(query)]
        return [page for page in found if page is not None]

    def _keep(self, key: tuple[str, str, int, int], page: Page) -> None:
        if key not in self._kept:
            self._bytes += _memory(page)
        self._kept[key] = page
        self._kept.move_to_end(key)
        while self._bytes > KEPT_BYTES:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= _memory(dropped)

    def _pages(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/pages")


def _spans(page: Page, time: datetime) -> bool:
    return page.lines[0].create_time <= time <= page.lines[-1].create_time


def _memory(page: Page) -> int:
    """About what it takes in memory: each line is an object of its own."""
    return sum(line_bytes(line) + 1_500 for line in page.lines)


def _fields(group_id: str, page: Page) -> dict[str, object]:
    outline = page.outline
    people = {line.user_id for line in page.lines}
    people |= {each.user_id for line in page.lines for each in line.mentions}
    return {
        "group_id": group_id,
        "page_id": page.page_id,
        "first_at": outline.first_at,
        "last_at": outline.last_at,
        "version": page.version,
        "size": outline.size,
        "message_ids": [line.message_id for line in page.lines],
        "user_ids": sorted(people),
        **packed(page.lines),
        "updated_at": server_time(),
    }


def _read(found: Snapshot) -> Page | None:
    try:
        lines, _ = unpacked(found.data, found.path)
    except Broken:
        log.warning("page_not_readable", path=found.path)
        return None
    return Page(found.data["page_id"], lines, int(found.data["version"]), found.updated_at)
