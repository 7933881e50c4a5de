"""Whether a document in memory belongs to a query's answer, and where in its order."""

from .paths import lookup
from .protobuf import Message
from .query import Conjunction, Constraint, Query, Range
from .values import descending, encode


def within(ranges: tuple[Range, ...], encoded: bytes) -> bool:
    return any(low <= encoded < high for low, high in ranges)


def satisfies(constraint: Constraint, key: bytes, fields: Message) -> bool:
    if constraint.on_name:
        return within(constraint.ranges, key + b"\x00")
    value = lookup(fields, constraint.path)
    if value is None:
        return False
    if not constraint.contains:
        return within(constraint.ranges, encode(value))
    if value.WhichOneof("value_type") != "array_value":
        return False
    return any(within(constraint.ranges, encode(element)) for element in value.array_value.values)


def satisfies_all(conjunction: Conjunction, key: bytes, fields: Message) -> bool:
    return all(satisfies(constraint, key, fields) for constraint in conjunction)


def sort_key(query: Query, key: bytes, fields: Message) -> bytes | None:
    """The document's place in the query's order; None where it lacks a field of the order."""
    parts = []
    for order in query.orders:
        value = lookup(fields, order.path)
        if value is None:
            return None
        encoded = encode(value)
        parts.append(descending(encoded) if order.descending else encoded)
    name = key + b"\x00"
    parts.append(descending(name) if query.name_descending else name)
    return b"".join(parts)


def in_window(query: Query, place: bytes) -> bool:
    start, end = query.window
    return start <= place and (end is None or place < end)


def place_of(query: Query, key: bytes, fields: Message) -> bytes | None:
    """Where the document stands in the answer before limit and offset; None: not in it."""
    if not any(satisfies_all(one, key, fields) for one in query.disjuncts):
        return None
    place = sort_key(query, key, fields)
    return place if place is not None and in_window(query, place) else None
