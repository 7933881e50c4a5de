"""Where documents lie: a document's row, a collection, and the extra indexes of a collection id."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from .composites import Column, Composite
from .index_entries import (
    ASCENDING,
    CONTAINS,
    CUT,
    Entry,
    Indexed,
    Scopes,
    composite_values,
)
from .index_rules import Rules
from .names import path_text, segment_text
from .protobuf import Document, Message
from .values import descending

COMPOSITE = "composite"
NAMES = "names"


class Stored(NamedTuple):
    """A document as it lies in the table."""

    number: int
    body: bytes
    created: int
    updated: int

    def document(self) -> Message:
        """Decoded; its times are decoded with it and cleared by whoever writes it back."""
        return Document.FromString(self.body)


class Built:
    """Indexes kept for a collection id beyond the automatic ones: made when first asked for."""

    def __init__(self, database: str, collection: str) -> None:
        self.collection = collection
        self.scopes = Scopes(f"{database}\0{collection}")
        self.names = False
        self.ascending: set[str] = set()
        self.contains: set[str] = set()
        self.composites: dict[str, Composite] = {}

    def has(self, kind: str, what: str) -> bool:
        if kind == NAMES:
            return self.names
        if kind == COMPOSITE:
            return what in self.composites
        return what in (self.ascending if kind == ASCENDING else self.contains)

    def add(self, kind: str, what: str) -> None:
        if kind == NAMES:
            self.names = True
        elif kind == COMPOSITE:
            self.composites[what] = composite_from_json(what)
        else:
            (self.ascending if kind == ASCENDING else self.contains).add(what)


class Collection:
    """A collection that has documents: its number, and what its index entries need."""

    def __init__(
        self, number: int, database: str, path: bytes, name: str, built: Built, rules: Rules
    ) -> None:
        self.number = number
        self.database = database
        self.path = path
        self.name = name
        self.prefix = f"{database}/documents/".encode() + path_text(path) + b"/"
        self.scopes = Scopes(str(number))
        self.built = built
        self.rules = rules

    def document_name(self, document_id: bytes) -> bytes:
        return self.prefix + segment_text(document_id)

    def entries(self, document_id: bytes, document: Message) -> list[Entry]:
        """All index entries of a document here, each once."""
        indexed = Indexed(document)
        number = self.scopes.number
        built = self.built
        out: list[Entry] = list(self._group_entries(document_id, indexed)) if built.names else []
        if self.rules.enforced:
            self._leave_kept(indexed)
        out += [
            (number(ASCENDING, path), value[:CUT], document_id) for path, value in indexed.values
        ]
        for path, elements in indexed.elements:
            scope = number(CONTAINS, path)
            out += [(scope, element, document_id) for element in elements]
        for what, composite in built.composites.items():
            out += self.composite_entries(document_id, document, what, composite)
        return out

    def _leave_kept(self, indexed: Indexed) -> None:
        keeps, name = self.rules.keeps, self.name
        indexed.values = [one for one in indexed.values if keeps(name, one[0], False)]
        indexed.elements = [one for one in indexed.elements if keeps(name, one[0], True)]

    def _group_entries(self, document_id: bytes, indexed: Indexed) -> Iterator[Entry]:
        built = self.built
        number = built.scopes.number
        key = self.path + document_id
        yield number(NAMES, ""), b"", key
        if built.ascending:
            for path, value in indexed.values:
                if path in built.ascending:
                    yield number(ASCENDING, path), value[:CUT], key
        if built.contains:
            for path, elements in indexed.elements:
                if path in built.contains:
                    scope = number(CONTAINS, path)
                    for element in elements:
                        yield scope, element, key

    def composite_scope(self, what: str, composite: Composite) -> int:
        scopes = self.built.scopes if composite.group else self.scopes
        return scopes.number(COMPOSITE, what)

    def composite_entries(
        self, document_id: bytes, document: Message, what: str, composite: Composite
    ) -> Iterator[Entry]:
        """Names run in the last field's direction; in a descending index they are turned around."""
        key = self.path + document_id if composite.group else document_id
        if composite.name_descending:
            key = descending(key + b"\x00")
        scope = self.composite_scope(what, composite)
        for value in composite_values(document, composite):
            yield scope, value, key


def composite_json(composite: Composite) -> str:
    return json.dumps(
        [composite.collection, composite.group, composite.columns, composite.name_descending]
    )


def composite_from_json(text: str) -> Composite:
    collection, group, columns, name_descending = json.loads(text)
    made = tuple(Column(tuple(path), down, contains) for path, down, contains in columns)
    return Composite(collection, group, made, name_descending)
