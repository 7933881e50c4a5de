"""A question to Firestore: which collection, which documents, in what order, how many.

A query names nothing of a client or a project, so a store can build it without either;
`structured` makes the message that goes on the wire.
"""

import functools
from dataclasses import dataclass, replace
from typing import Any

from shared.stores.firestore.encoding import encode

NAME = "__name__"
"""The field that stands for a document's own name, to order and to page by."""

_OPERATORS = {
    "<": 1,
    "<=": 2,
    ">": 3,
    ">=": 4,
    "==": 5,
    "array_contains": 7,
    "in": 8,
    "array_contains_any": 9,
}
"""As the protocol numbers them (StructuredQuery.FieldFilter.Operator)."""

_AND = 1
_IS_NULL = 3
_ASCENDING, _DESCENDING = 1, 2
"""The protocol's numbers too, each of an enumeration of its own."""


@dataclass(frozen=True)
class DocumentPath:
    """The place of a document, where a value is asked for: `groups/lark:1`."""

    path: str


@dataclass(frozen=True)
class Query:
    """Each call gives another query and leaves this one as it is."""

    parent: str
    """The document whose collection is asked for; empty at the root."""
    collection_id: str
    is_everywhere: bool = False
    """Whether collections of that name count wherever they are, below the parent."""
    filters: tuple[tuple[str, str, Any], ...] = ()
    orders: tuple[tuple[str, bool], ...] = ()
    fields: tuple[str, ...] = ()
    after: tuple[Any, ...] = ()
    skipped: int = 0
    most: int | None = None

    def where(self, name: str, operator: str, value: Any) -> "Query":
        return replace(self, filters=(*self.filters, (name, operator, value)))

    def order_by(self, name: str, *, is_descending: bool = False) -> "Query":
        return replace(self, orders=(*self.orders, (name, is_descending)))

    def largest_first(self, name: str) -> "Query":
        """By a time, the newest; by a weight, the strongest."""
        return self.order_by(name, is_descending=True)

    def select(self, *names: str) -> "Query":
        """Only these fields of each document."""
        return replace(self, fields=names)

    def start_after(self, *values: Any) -> "Query":
        """From behind the document with these values, one for each `order_by`."""
        return replace(self, after=values)

    def offset(self, number: int) -> "Query":
        return replace(self, skipped=number)

    def limit(self, number: int) -> "Query":
        return replace(self, most=number)


def collection(path: str) -> Query:
    """The documents of one collection: `jobs`, `groups/lark:1/messages`."""
    parent, _, collection_id = path.rpartition("/")
    return Query(parent, collection_id)


MAX_SAME_ID = 500
"""Groups that hold a record of one id: each is a copy of another, by export and import."""


def collection_group(collection_id: str) -> Query:
    """The documents of every collection of that name, in all groups."""
    return Query("", collection_id, is_everywhere=True)


def structured(query: Query, documents: str) -> Any:
    """The message; `documents` is the root that every document's name begins with."""
    raw = _message_type()()
    source = raw.from_.add(collection_id=query.collection_id)
    source.all_descendants = query.is_everywhere
    for name in query.fields:
        raw.select.fields.add(field_path=name)
    _filter(raw, query, documents)
    for name, is_descending in query.orders:
        order = raw.order_by.add(direction=_DESCENDING if is_descending else _ASCENDING)
        order.field.field_path = name
    if query.after:
        raw.start_at.before = False
        for value in query.after:
            _value(raw.start_at.values.add(), value, documents)
    raw.offset = query.skipped
    if query.most is not None:
        raw.limit.value = query.most
    return raw


def _filter(raw: Any, query: Query, documents: str) -> None:
    """One filter stands by itself; several must all hold."""
    if len(query.filters) == 1:
        _one_filter(raw.where, *query.filters[0], documents)
    elif query.filters:
        raw.where.composite_filter.op = _AND
        for condition in query.filters:
            _one_filter(raw.where.composite_filter.filters.add(), *condition, documents)


def _one_filter(into: Any, name: str, operator: str, value: Any, documents: str) -> None:
    if value is None and operator == "==":
        into.unary_filter.field.field_path = name
        into.unary_filter.op = _IS_NULL
        return
    into.field_filter.field.field_path = name
    into.field_filter.op = _OPERATORS[operator]
    _value(into.field_filter.value, value, documents)


def _value(into: Any, value: Any, documents: str) -> None:
    if isinstance(value, DocumentPath):
        into.reference_value = f"{documents}/{value.path}"
    else:
        encode(into, value)


@functools.cache
def _message_type() -> Any:
    from google.cloud.firestore_v1.types.query import StructuredQuery

    return StructuredQuery.pb()
