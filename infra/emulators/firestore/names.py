"""Resource names, and the keys that sort as Firestore sorts document names.

A key is the path's segments one after another, each ended by a zero byte, so that comparing bytes
compares segment by segment. `__id7__` is a number and comes before every string.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from .refusal import Refused, invalid

MAX_ID_BYTES = 1500
_RESERVED = re.compile(r"__.*__", re.DOTALL)
_NUMERIC = re.compile(r"__id(-?[0-9]+)__")
_INT64 = 1 << 63


class DocumentName(NamedTuple):
    """A document's place: its database, its collection's key, its own last segment."""

    database: str
    collection: bytes
    id: bytes

    @property
    def key(self) -> bytes:
        return self.collection + self.id


def escape(raw: bytes) -> bytes:
    """Bytes that keep their order and never hold a zero: the zero then ends them."""
    if b"\x01" in raw or b"\x00" in raw:
        return raw.replace(b"\x01", b"\x01\x02").replace(b"\x00", b"\x01\x01") + b"\x00"
    return raw + b"\x00"


def unescape(ended: bytes) -> bytes:
    raw = ended[:-1]
    if b"\x01" in raw:
        return raw.replace(b"\x01\x01", b"\x00").replace(b"\x01\x02", b"\x01")
    return raw


def segment_key(segment: str) -> bytes:
    numeric = _NUMERIC.fullmatch(segment) if segment.startswith("__id") else None
    if numeric and -_INT64 <= int(numeric[1]) < _INT64:
        return b"\x01\x00" + (int(numeric[1]) + _INT64).to_bytes(8, "big") + b"\x00"
    return escape(segment.encode())


def segment_text(key: bytes) -> bytes:
    """The segment behind its key, in UTF-8."""
    if key.startswith(b"\x01\x00"):
        return b"__id%d__" % (int.from_bytes(key[2:10], "big") - _INT64)
    return unescape(key)


def split_key(key: bytes) -> list[bytes]:
    """The keys of a path's segments."""
    segments = []
    start = 0
    while start < len(key):
        end = start + 11 if key.startswith(b"\x01\x00", start) else key.index(b"\x00", start) + 1
        segments.append(key[start:end])
        start = end
    return segments


def path_text(key: bytes) -> bytes:
    return b"/".join(map(segment_text, split_key(key)))


@lru_cache(maxsize=256)
def check_database(name: str, label: str = "Database name") -> str:
    """`projects/{project}/databases/{database}`, or refused."""
    _head(name, label, whole=True)
    return name


def _head(name: str, label: str, *, whole: bool) -> int:
    """Check `projects/P/databases/D` at the start of a name; returns where it ends."""
    at = 0
    for turn, expected in enumerate(("projects", None, "databases", None)):
        if turn:
            if name[at : at + 1] != "/":
                invalid(f'{label} "{name}" lacks "/" at index {at}.')
            at += 1
        end = name.find("/", at)
        end = len(name) if end < 0 else end
        segment = name[at:end]
        if expected and segment != expected:
            invalid(f'{label} "{name}" lacks "{expected}" at index {at}.')
        if not segment:
            invalid(f'{label} "{name}" lacks a resource id at index {at}.')
        at = end
    if whole and at != len(name):
        invalid(f'{label} "{name}" has trailing characters at index {at}.')
    return at


@lru_cache(maxsize=8192)
def parse_document(name: str, label: str = "Document name") -> DocumentName:
    """A document's name taken apart; refused with the place of the mistake."""
    database, segments = _parse(name, label)
    if not segments:
        invalid(f'{label} "{name}" lacks "/" at index {len(name)}.')
    for place, segment in enumerate(segments):
        _check_segment(segment, is_collection=place % 2 == 0)
    keys = [segment_key(segment) for segment in segments]
    return DocumentName(database, b"".join(keys[:-1]), keys[-1])


_PLAIN_ID = re.compile(r"[A-Za-z0-9][^/\x00\x01]{0,300}")


def parse_document_in(name: str, database: str) -> DocumentName:
    """The same, quicker for most names: many documents of one collection share all but the id."""
    parent, _, last = name.rpartition("/")
    if _PLAIN_ID.fullmatch(last):
        known = _collection_of(parent)
        if known is not None and known[0] == database:
            return DocumentName(database, known[1], last.encode() + b"\x00")
    return parse_document(name)


@lru_cache(maxsize=4096)
def _collection_of(text: str) -> tuple[str, bytes] | None:
    """A collection's database and key; None where the text is not a collection's name."""
    try:
        whole = parse_document(f"{text}/x")
    except Refused:
        return None
    return whole.database, whole.collection


@lru_cache(maxsize=1024)
def parse_parent(name: str) -> tuple[str, bytes]:
    """The parent of collections: the root (`.../documents`) or a document; its key."""
    database, segments = _parse(name, "Document parent name")
    for place, segment in enumerate(segments):
        _check_segment(segment, is_collection=place % 2 == 0)
    return database, b"".join(segment_key(segment) for segment in segments)


@lru_cache(maxsize=1024)
def parse_reference(name: str) -> tuple[str, bytes]:
    """A reference value: any database's document, whose ids may be reserved ones."""
    database, segments = _parse(name, "Resource name")
    if not segments:
        invalid(f'Resource name "{name}" lacks "/" at index {len(name)}.')
    return database, b"".join(segment_key(segment) for segment in segments)


def _parse(name: str, label: str) -> tuple[str, list[str]]:
    at = _head(name, label, whole=False)
    database = name[:at]
    if not name.startswith("/documents", at) or name[at + 10 : at + 11] not in ("", "/"):
        invalid(f'{label} "{name}" lacks "/documents" at index {at}.')
    at += 10
    if at == len(name):
        return database, []
    if name.endswith("/"):
        where = (
            'has invalid trailing "/".' if len(name) > at + 1 else 'is invalid: Omit trailing "/".'
        )
        invalid(f'{label} "{name}" {where}')
    segments = name[at + 1 :].split("/")
    at += 1
    for segment in segments:
        if not segment:
            invalid(f'{label} "{name}" lacks a resource id at index {at}.')
        if segment in (".", ".."):
            invalid(f'{label} "{name}" contains a resource id "{segment}" at index {at}.')
        at += len(segment) + 1
    if len(segments) % 2:
        invalid(f'{label} "{name}" lacks "/" at index {len(name)}.')
    return database, segments


def _check_segment(segment: str, *, is_collection: bool) -> None:
    if len(segment) * 4 > MAX_ID_BYTES and len(segment.encode()) > MAX_ID_BYTES:
        part = "kind" if is_collection else "name"
        invalid(f"The key path element {part} is longer than {MAX_ID_BYTES} bytes.")
    if segment.startswith("__") and _RESERVED.fullmatch(segment):
        if is_collection:
            invalid(f'Collection id "{segment}" is invalid because it is reserved.')
        if not _NUMERIC.fullmatch(segment):
            invalid(f'Resource id "{segment}" is invalid because it is reserved.')


def check_collection_id(name: str) -> str:
    if "/" in name:
        invalid(f'Collection id "{name}" is invalid because it contains "/".')
    if name in (".", ".."):
        invalid(f'Collection id "{name}" is invalid.')
    _check_segment(name, is_collection=True)
    return name
