"""Pages: the lines of a group that are older than its tail, about a hundred to a document. Pure.

A page is written when it is full, as lines leave the tail; one that is edited or comes late is put
into the page of its time. So a whole group is read in a few documents, neighbours and all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage

PAGE_LINES = 100
PAGE_BYTES = 400_000
"""Of texts and vectors before they are packed; a document has at most 1 MiB. A hundred lines with
vectors of 1,536 numbers take 320 kB."""
CUT_AT = 8_000
"""Characters kept of a line, in the tail too: as much as a context ever shows of one."""
LISTED = 64
"""Pages that the tail lists, the newest: three times what a context reads at once."""


@dataclass(frozen=True)
class PageOutline:
    """What tells whether a page must be read: its times, and its version, which every change of its
    lines raises."""

    page_id: str
    first_at: datetime
    last_at: datetime
    version: int
    size: int


@dataclass(frozen=True)
class Page:
    """`lines` oldest first, each with its vector; `revision` is that of the document, if there is
    one already."""

    page_id: str
    lines: tuple[StoredMessage, ...]
    version: int = 1
    revision: datetime | None = None

    @property
    def outline(self) -> PageOutline:
        size = sum(map(line_bytes, self.lines))
        first, last = self.lines[0].create_time, self.lines[-1].create_time
        return PageOutline(self.page_id, first, last, self.version, size)


def line_bytes(line: StoredMessage) -> int:
    """About what a line takes in a page."""
    return len(line.content.encode()) + len(line.vector) + 200


def new_page(lines: Sequence[StoredMessage]) -> Page:
    """Its id comes of its first line, so that a repeated run writes the same page."""
    first = lines[0]
    return Page(digest("page", first.group_id, first.message_id), tuple(map(_kept, lines)))


def _kept(line: StoredMessage) -> StoredMessage:
    """What is needed of an old line; who is meant in it must be found by its mentions alone."""
    content = line.content if len(line.content) <= CUT_AT else line.content[:CUT_AT]
    return replace(line, content=content, features=None)


def chunks(lines: Sequence[StoredMessage]) -> list[list[StoredMessage]]:
    """As many lines as a page holds, in their order."""
    found: list[list[StoredMessage]] = []
    size = 0
    for line in lines:
        more = line_bytes(line)
        if not found or len(found[-1]) >= PAGE_LINES or size + more > PAGE_BYTES:
            found.append([])
            size = 0
        found[-1].append(line)
        size += more
    return found


def with_lines(pages: Sequence[Page], lines: Iterable[StoredMessage]) -> list[Page]:
    """The pages that change when these lines are put into them, new ones among them. `pages` are
    those around the lines, the one before them included, oldest first."""
    held = {line.message_id: n for n, page in enumerate(pages) for line in page.lines}
    changed: dict[int, dict[str, StoredMessage]] = {}
    beyond: list[StoredMessage] = []
    for line in sorted(lines, key=said_at):
        place = held.get(line.message_id)
        if place is None:
            place = next(
                (
                    n
                    for n, page in enumerate(pages)
                    if page.lines[-1].create_time >= line.create_time
                ),
                len(pages) - 1 if pages and len(pages[-1].lines) < PAGE_LINES else None,
            )
        if place is None:
            beyond.append(line)
        else:
            changed.setdefault(place, {})[line.message_id] = line
    made = [new_page(some) for some in chunks(beyond)]
    for place, own in changed.items():
        page = pages[place]
        whole = {message.message_id: message for message in page.lines} | own
        first, *others = chunks(sorted(whole.values(), key=said_at))
        made.append(replace(page, lines=tuple(map(_kept, first)), version=page.version + 1))
        made += [new_page(some) for some in others]
    return made


def with_each(page: Page, change: Callable[[StoredMessage], StoredMessage | None]) -> Page | None:
    """The page with each line as it is to be, None to leave it out; None if nothing is left."""
    lines = tuple(new for line in page.lines if (new := change(line)) is not None)
    if lines == page.lines:
        return page
    return replace(page, lines=lines, version=page.version + 1) if lines else None


def listed(known: Iterable[PageOutline], changed: Iterable[Page]) -> tuple[PageOutline, ...]:
    """The newest pages, oldest first, after some of them changed."""
    outlines = {page.page_id: page for page in known} | {
        page.page_id: page.outline for page in changed
    }
    ordered = sorted(outlines.values(), key=lambda page: (page.last_at, page.page_id))
    return tuple(ordered[-LISTED:])


def said_at(message: StoredMessage) -> tuple[datetime, str]:
    return message.create_time, message.message_id
