"""Wipes the unused space of SQLite's pages, where rebalancing leaves copies of moved cells.

`secure_delete` overwrites what is deleted where it stands, but a cell that was moved between
pages earlier may still lie, whole, in the gap of the page it came from. Only pages that went
through the log can hold such a copy, so only those are looked at. The layout is that of the
published file format: a page's header, its cell pointers, a gap, its cells, free blocks among them.
"""

import os
import struct
from collections.abc import Iterable
from pathlib import Path

_WAL_HEADER = 32
_FRAME_HEADER = 24
_FILE_HEADER = 100
_PAGE_SIZE_AT = 16
_LEAVES = (0x0A, 0x0D)
_INTERIORS = (0x02, 0x05)
_header = struct.Struct(">BHHH")
_block = struct.Struct(">HH")


def logged_pages(log: Path, page_size: int) -> set[int]:
    """The numbers of the pages that stand in the write-ahead log."""
    pages: set[int] = set()
    try:
        with log.open("rb") as file:
            at = _WAL_HEADER
            while True:
                file.seek(at)
                number = file.read(4)
                if len(number) < 4:
                    return pages
                pages.add(int.from_bytes(number, "big"))
                at += _FRAME_HEADER + page_size
    except FileNotFoundError:
        return pages


def scrub(file: int, pages: Iterable[int], page_size: int) -> None:
    """Zero what no cell uses in these pages of the open database file.

    Nothing SQLite reads is touched, so its own cache of these pages stays true.
    """
    for number in sorted(pages):
        start = (number - 1) * page_size
        page = os.pread(file, page_size, start)
        if len(page) < page_size:
            continue
        for low, high in unused(page, _FILE_HEADER if number == 1 else 0):
            if page.count(0, low, high) != high - low:
                os.pwrite(file, bytes(high - low), start + low)


def unused(page: bytes, header: int = 0) -> list[tuple[int, int]]:
    """The ranges of a page that hold nothing: its gap and the insides of its free blocks.

    A page that is no b-tree page (an overflow page, a free one) begins with a page number, whose
    first byte is zero in any file under 64 GiB, and is left alone.
    """
    kind, block, cells, content = _header.unpack_from(page, header)
    if kind not in _LEAVES and kind not in _INTERIORS:
        return []
    pointers = header + (8 if kind in _LEAVES else 12)
    ranges = [(pointers + 2 * cells, content or 65536)]
    while block:
        following, size = _block.unpack_from(page, block)
        ranges.append((block + 4, block + size))
        block = following
    return [(low, high) for low, high in ranges if low < high <= len(page)]
