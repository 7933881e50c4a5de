"""The index entries of one document: for each field, map member and array element.

An entry is (scope, value, id). The scope is a number made from what is indexed (which collection
or collection group, which field, how), so no field name of a deleted document stays behind in a
table of names. The value of a single field is cut at 1500 bytes, as the service cuts it.
"""

from collections.abc import Iterable
from hashlib import blake2b

from .composites import Composite
from .paths import lookup, part_text
from .protobuf import Message
from .values import (
    ARRAY,
    END,
    MAP,
    descending,
    encode,
    is_vector,
    string,
    vector,
)

CUT = 1500
ASCENDING = "asc"
CONTAINS = "has"
_MAX_SCOPES = 20_000

Entry = tuple[int, bytes, bytes]


class Scopes:
    """The scope numbers of one owner: a collection, or a collection group of a database."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._known: dict[tuple[str, str], int] = {}

    def number(self, kind: str, what: str) -> int:
        known = self._known.get((kind, what))
        return known if known is not None else self._new(kind, what)

    def _new(self, kind: str, what: str) -> int:
        digest = blake2b(f"{self._owner}\0{kind}\0{what}".encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "big", signed=True)
        if len(self._known) >= _MAX_SCOPES:
            self._known.clear()
        self._known[kind, what] = number
        return number


class Indexed:
    """A document's indexable values, found in one walk."""

    def __init__(self, document: Message) -> None:
        self.values: list[tuple[str, bytes]] = []
        self.elements: list[tuple[str, Iterable[bytes]]] = []
        fields = document.fields
        for key in fields:
            self._walk(part_text(key), fields[key])

    def _walk(self, path: str, value: Message) -> bytes:
        kind = value.WhichOneof("value_type")
        if kind == "map_value" and not is_vector(value.map_value.fields):
            fields = value.map_value.fields
            parts = [MAP]
            for key in sorted(fields):
                parts.append(string(key))
                parts.append(self._walk(f"{path}.{part_text(key)}", fields[key]))
            parts.append(END)
            encoded = b"".join(parts)
        elif kind == "map_value":
            encoded = vector(value.map_value.fields)
        elif kind == "array_value":
            elements = [encode(element) for element in value.array_value.values]
            self.elements.append((path, {element[:CUT] for element in elements}))
            encoded = b"".join((ARRAY, *elements, END))
        else:
            encoded = encode(value)
        self.values.append((path, encoded))
        return encoded


def composite_values(document: Message, composite: Composite) -> list[bytes]:
    """The document's values in a composite index: one, several where an array is in it, or none."""
    rows = [b""]
    for column in composite.columns:
        value = lookup(document.fields, column.path)
        if value is None:
            return []
        if column.contains:
            if value.WhichOneof("value_type") != "array_value":
                return []
            elements = {encode(element) for element in value.array_value.values}
            rows = [row + element for row in rows for element in elements]
        else:
            encoded = encode(value)
            part = descending(encoded) if column.descending else encoded
            rows = [row + part for row in rows]
    return rows
