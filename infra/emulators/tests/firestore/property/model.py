"""Firestore's documents and queries as plain Python, slow and easy to believe.

Every query looks at every document. Values are Python's own, with `Reference` for references;
a document is a dict under its path.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from google.cloud.firestore import GeoPoint
from google.cloud.firestore_v1.vector import Vector

Fields = dict[str, Any]
NAME = "__name__"
ABSENT = object()
INEQUALITIES = {"<", "<=", ">", ">=", "!=", "not-in"}
RANGES = {"<", "<=", ">", ">="}


@dataclass(frozen=True)
class Reference:
    path: str


# Values: one order over all of them.


def sort_key(value: Any) -> tuple[Any, ...]:
    """A tuple that Python compares as Firestore compares the values."""
    match value:
        case None:
            return (0,)
        case bool():
            return (1, value)
        case int() | float():
            return (2, 0) if is_nan(value) else (2, 1, value)
        case datetime():
            return (3, value)
        case str():
            return (4, value.encode())
        case bytes():
            return (5, value)
        case Reference():
            return (6, *(segment.encode() for segment in value.path.split("/")))
        case GeoPoint():
            return (7, value.latitude, value.longitude)
        case Vector():
            return (9, len(value), tuple(value))
        case list():
            return (8, *(sort_key(item) for item in value))
        case dict():
            return (10, *((key.encode(), sort_key(value[key])) for key in _by_bytes(value)))
    raise TypeError(f"no Firestore value: {value!r}")


def _by_bytes(keys: Mapping[str, Any]) -> list[str]:
    return sorted(keys, key=str.encode)


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def equal(left: Any, right: Any) -> bool:
    return sort_key(left) == sort_key(right)


# Filters.


@dataclass(frozen=True)
class Filter:
    path: str
    op: str
    value: Any


@dataclass(frozen=True)
class All:
    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Either:
    parts: tuple["Condition", ...]


Condition = Filter | All | Either


def filters_of(condition: Condition | None) -> Iterator[Filter]:
    match condition:
        case Filter():
            yield condition
        case All() | Either():
            for part in condition.parts:
                yield from filters_of(part)


def holds(condition: Condition, path: str, document: Fields) -> bool:
    match condition:
        case All():
            return all(holds(part, path, document) for part in condition.parts)
        case Either():
            return any(holds(part, path, document) for part in condition.parts)
    value = value_at(condition.path, path, document)
    return value is not ABSENT and _compares(value, condition.op, condition.value)


def _compares(value: Any, op: str, operand: Any) -> bool:
    """What one filter says of a field's value; null and NaN are found only by their own names."""
    match op:
        case "==":
            return equal(value, operand)
        case "!=":
            if is_nan(operand):
                return value is not None and not is_nan(value)
            return value is not None and not equal(value, operand)
        case "in":
            return any(_is_findable(item) and equal(value, item) for item in operand)
        case "not-in":
            if value is None or None in operand:
                return False
            return not any(_is_findable(item) and equal(value, item) for item in operand)
        case "array_contains":
            return isinstance(value, list) and any(equal(item, operand) for item in value)
        case "array_contains_any":
            return isinstance(value, list) and any(
                _is_findable(wanted) and equal(item, wanted) for item in value for wanted in operand
            )
    left, right = sort_key(value), sort_key(operand)
    if left[0] != right[0] or is_nan(value):
        return False
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]


def _is_findable(value: Any) -> bool:
    return value is not None and not is_nan(value)


def value_at(field_path: str, path: str, document: Fields) -> Any:
    """The value of a dotted field path, or ABSENT."""
    if field_path == NAME:
        return Reference(path)
    value: Any = document
    for name in field_path.split("."):
        if not isinstance(value, dict) or name not in value:
            return ABSENT
        value = value[name]
    return value


# Queries.


@dataclass(frozen=True)
class Order:
    path: str
    descending: bool = False


@dataclass(frozen=True)
class Cursor:
    """A place in the order; `inclusive` keeps what stands exactly there."""

    values: tuple[Any, ...]
    inclusive: bool


@dataclass(frozen=True)
class Query:
    """`collection` is a path, or with `everywhere` the id of a collection group."""

    collection: str
    everywhere: bool = False
    where: Condition | None = None
    orders: tuple[Order, ...] = ()
    start: Cursor | None = None
    end: Cursor | None = None
    offset: int = 0
    limit: int | None = None

    @property
    def all_orders(self) -> tuple[Order, ...]:
        """Those written down, then the fields of inequalities, then the name."""
        descending = self.orders[-1].descending if self.orders else False
        orders = {order.path: order for order in self.orders}
        unequal = {f.path for f in filters_of(self.where) if f.op in INEQUALITIES}
        for path in [*sorted(unequal - {NAME}), NAME]:
            orders.setdefault(path, Order(path, descending))
        return tuple(orders.values())


@dataclass
class Model:
    """A database: documents by path."""

    documents: dict[str, Fields] = field(default_factory=dict)

    def find(self, query: Query) -> list[str]:
        """Paths of what a query finds, in its order."""
        found = [path for path in self.documents if self._belongs(path, query)]
        for order in reversed(query.all_orders):
            found.sort(key=lambda path: self._key(order, path), reverse=order.descending)
        found = [path for path in found if self._is_within(path, query)]
        stop = None if query.limit is None else query.offset + query.limit
        return found[query.offset : stop]

    def _belongs(self, path: str, query: Query) -> bool:
        collection = path.rpartition("/")[0]
        if query.everywhere:
            collection = collection.rpartition("/")[2]
        document = self.documents[path]
        return (
            collection == query.collection
            and (query.where is None or holds(query.where, path, document))
            and all(value_at(o.path, path, document) is not ABSENT for o in query.all_orders)
        )

    def _key(self, order: Order, path: str) -> tuple[Any, ...]:
        return sort_key(value_at(order.path, path, self.documents[path]))

    def _is_within(self, path: str, query: Query) -> bool:
        if query.start is not None:
            side = self._side(path, query, query.start)
            if side < 0 or (side == 0 and not query.start.inclusive):
                return False
        if query.end is not None:
            side = self._side(path, query, query.end)
            if side > 0 or (side == 0 and not query.end.inclusive):
                return False
        return True

    def _side(self, path: str, query: Query, cursor: Cursor) -> int:
        """-1 before the cursor, 0 on it, 1 behind it."""
        for order, value in zip(query.orders, cursor.values, strict=False):
            mine, its = self._key(order, path), sort_key(value)
            if mine != its:
                return -1 if (mine < its) != order.descending else 1
        return 0

    # Listing.

    def children(self, parent: str) -> list[str]:
        """The next step of every path below a parent.

        Of a collection: its documents, missing ones above others included; of a document, or of
        the database (""): its collections.
        """
        start = f"{parent}/" if parent else ""
        below = [path.removeprefix(start) for path in self.documents if path.startswith(start)]
        return sorted({path.split("/")[0] for path in below}, key=str.encode)

    def below(self, collection: str) -> list[str]:
        """Paths of all documents in a collection and in what lies below it."""
        found = [path for path in self.documents if path.startswith(f"{collection}/")]
        return sorted(found, key=lambda path: sort_key(Reference(path)))

    # Writes.

    def set(self, path: str, data: Fields) -> None:
        self.documents[path] = data

    def merge(self, path: str, data: Fields) -> None:
        self.documents[path] = _merged(self.documents.get(path, {}), data)

    def update(self, path: str, changes: Mapping[str, Any]) -> None:
        """Changes by dotted paths, of a document that exists; ABSENT removes a field.

        Transforms come after the plain changes, whatever the order they are written in.
        """
        document = self.documents[path]
        for field_path, value in changes.items():
            if not isinstance(value, Transform):
                document = _replaced(document, field_path.split("."), value)
        for field_path, value in changes.items():
            if isinstance(value, Transform):
                old = value_at(field_path, path, document)
                document = _replaced(document, field_path.split("."), _transformed(old, value))
        self.documents[path] = document

    def delete(self, path: str) -> None:
        self.documents.pop(path, None)


@dataclass(frozen=True)
class Transform:
    kind: str
    operand: Any


def _transformed(old: Any, transform: Transform) -> Any:
    operand = transform.operand
    is_number = isinstance(old, int | float) and not isinstance(old, bool)
    match transform.kind:
        case "increment":
            return _sum(old, operand) if is_number else operand
        case "maximum" | "minimum":
            if not is_number or is_nan(operand):
                return operand
            wins = operand > old if transform.kind == "maximum" else operand < old
            return operand if wins else old
    items = old if isinstance(old, list) else []
    if transform.kind == "remove":
        return [item for item in items if not any(equal(item, gone) for gone in operand)]
    united = list(items)
    for new in operand:
        if not any(equal(item, new) for item in united):
            united.append(new)
    return united


def _sum(left: float, right: float) -> int | float:
    if isinstance(left, int) and isinstance(right, int):
        return max(-(2**63), min(2**63 - 1, left + right))
    return float(left) + float(right)


def _merged(old: Any, new: Fields) -> Fields:
    """Maps are merged into maps; anything else, an empty map too, replaces what was there."""
    merged = dict(old) if isinstance(old, dict) else {}
    for name, value in new.items():
        is_deeper = isinstance(value, dict) and value
        merged[name] = _merged(merged.get(name), value) if is_deeper else value
    return merged


def _replaced(old: Any, names: list[str], value: Any) -> Any:
    name, *deeper = names
    if not isinstance(old, dict):
        if value is ABSENT:
            return old
        old = {}
    if not deeper:
        kept = {key: item for key, item in old.items() if key != name}
        return kept if value is ABSENT else {**kept, name: value}
    if name not in old and value is ABSENT:
        return old
    return {**old, name: _replaced(old.get(name), deeper, value)}
