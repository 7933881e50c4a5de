"""Listing: the collections below a document, and the documents of a collection, missing ones too.

A document is missing when it does not exist but has something below it.
"""

import base64
import binascii
import heapq
import json
from collections.abc import Iterator

from . import paths
from .answer_documents import Hit
from .names import segment_text, split_key
from .query import Conjunction, Cursor, Order, Query
from .refusal import failed_precondition, invalid
from .storage import Storage
from .values import encode

PAGE = 300


def segments_below(storage: Storage, database: str, above: bytes, after: bytes) -> Iterator[bytes]:
    """Keys of the next segments of all paths that begin with `above`, in order, each once."""
    end = above[:-1] + b"\x01" if above else b"\xff"
    at = above + after[:-1] + b"\x01" if after else above
    while True:
        row = storage.main.execute(
            "SELECT path FROM collections WHERE database = ? AND path >= ? AND path < ?"
            " AND path <> ? ORDER BY path LIMIT 1",
            (database, at, end, above),
        ).fetchone()
        if row is None:
            return
        segment = split_key(row[0][len(above) :])[0]
        yield segment
        at = above + segment[:-1] + b"\x01"


def collection_ids(
    storage: Storage, database: str, parent: bytes, after: bytes, most: int
) -> tuple[list[str], str]:
    """One page, and the token of the next."""
    page: list[str] = []
    last = after
    for segment in segments_below(storage, database, parent, after):
        if len(page) == most:
            return page, to_token([last])
        page.append(segment_text(segment).decode())
        last = segment
    return page, ""


def to_token(parts: list[bytes]) -> str:
    return base64.urlsafe_b64encode(json.dumps([part.hex() for part in parts]).encode()).decode()


def from_token(token: str) -> list[bytes]:
    if not token:
        return []
    try:
        return [bytes.fromhex(part) for part in json.loads(base64.urlsafe_b64decode(token))]
    except (ValueError, TypeError, binascii.Error):
        invalid("invalid page token")


def page_size(asked: int) -> int:
    if asked < 0:
        invalid("Page size must be nonnegative.")
    return asked or PAGE


def listing_query(
    database: str, parent: bytes, collection: str, order_by: str, token: list[bytes], most: int
) -> Query:
    """The documents of a page, and one more to know whether there is a next."""
    orders, down = parse_order_by(order_by)
    if down and not orders:
        failed_precondition("Firestore does not support descending key scans")
    everything: tuple[Conjunction, ...] = ((),)
    start = Cursor(tuple(token), after=True) if token else None
    if start is not None and len(token) != len(orders) + 1:
        invalid("invalid page token")
    return Query(
        database=database,
        parent=parent,
        collection=collection,
        descendants=False,
        disjuncts=everything,
        orders=orders,
        name_descending=down,
        start=start,
        limit=most + 1,
    )


def parse_order_by(text: str) -> tuple[tuple[Order, ...], bool]:
    """`a, b.c desc, __name__` of ListDocuments."""
    orders: list[Order] = []
    down = False
    for part in filter(None, (one.strip() for one in text.split(","))):
        words = part.split()
        if len(words) > 2 or (len(words) == 2 and words[1].lower() not in ("asc", "desc")):
            invalid(f'Invalid order_by "{text}".')
        path = paths.parse(words[0])
        down = len(words) == 2 and words[1].lower() == "desc"
        if path == (paths.NAME,):
            break
        orders.append(Order(path, paths.path_text(path), down))
    return tuple(orders), down


def token_of(hit: Hit, query: Query) -> str:
    """Where the next page goes on."""
    values = []
    for order in query.orders:
        value = paths.lookup(hit.message.fields, order.path)
        assert value is not None
        values.append(encode(value))
    return to_token([*values, hit.key + b"\x00"])


def with_missing(
    hits: Iterator[Hit | None], missing: Iterator[bytes], path: bytes
) -> Iterator[tuple[bytes, Hit | None]]:
    """Ids of a collection in order; a missing document has no hit."""
    stored = ((hit.key[len(path) :], 0, hit) for hit in hits if hit is not None)
    absent = ((segment, 1, None) for segment in missing)
    last = b""
    for segment, _, hit in heapq.merge(stored, absent, key=lambda one: one[:2]):
        if segment != last:
            yield segment, hit
        last = segment
