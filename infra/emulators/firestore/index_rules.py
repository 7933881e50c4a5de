"""Which indexes there are: the automatic ones, and what `firestore.indexes.json` says.

The file has Firebase's form: `indexes` are composite, `fieldOverrides` replace a field's automatic
ones. A field inside a map takes its map's override, any field that of `*` in its collection, and
the collection `__default__` stands for all.
"""

import json
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from . import paths
from .composites import Column, Composite
from .refusal import Refused

COLLECTION = "COLLECTION"
GROUP = "COLLECTION_GROUP"
ASC, DESC, HAS = "ASCENDING", "DESCENDING", "CONTAINS"

Mode = tuple[str, str]
"""A single-field index: its scope and its order (or CONTAINS)."""

AUTOMATIC: frozenset[Mode] = frozenset({(COLLECTION, ASC), (COLLECTION, DESC), (COLLECTION, HAS)})


class BadIndexFile(OSError):
    """The index file cannot be used; the message says where it is wrong."""


class Rules:
    """Without a file nothing is enforced: every query is served, every field is indexed."""

    def __init__(
        self,
        composites: list[Composite] | None = None,
        overrides: dict[tuple[str, str], frozenset[Mode]] | None = None,
        time_to_live: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self.time_to_live = time_to_live
        self.enforced = composites is not None
        self.composites: dict[str, list[Composite]] = {}
        for one in composites or []:
            self.composites.setdefault(one.collection, []).append(one)
        self._overrides = overrides or {}
        self.modes = lru_cache(maxsize=20_000)(self._modes)
        self.keeps = lru_cache(maxsize=50_000)(self._keeps)

    @property
    def fingerprint(self) -> str:
        """Tells whether entries were written under the same overrides."""
        known = sorted((*key, *sorted(modes)) for key, modes in self._overrides.items())
        return blake2b(repr(known).encode(), digest_size=16).hexdigest()

    def _modes(self, collection: str, path: str) -> frozenset[Mode]:
        """The single-field indexes of a field."""
        if self._overrides:
            parts = paths.parse(path)
            for length in range(len(parts), 0, -1):
                found = self._overrides.get((collection, paths.path_text(parts[:length])))
                if found is not None:
                    return found
            for owner in (collection, "__default__"):
                found = self._overrides.get((owner, "*"))
                if found is not None:
                    return found
        return AUTOMATIC

    def _keeps(self, collection: str, path: str, contains: bool, group: bool = False) -> bool:
        """Whether entries of the field are kept for queries of that scope."""
        if not self.enforced:
            return True
        modes = self.modes(collection, path)
        scope = GROUP if group else COLLECTION
        if contains:
            return (scope, HAS) in modes
        return (scope, ASC) in modes or (scope, DESC) in modes


def load(file: Path | None) -> Rules:
    if file is None:
        return Rules()
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return parse(content)
    except (ValueError, KeyError, TypeError, AttributeError, Refused) as error:
        raise BadIndexFile(f"{file}: {error!r} is wrong in this index file") from error


def parse(content: dict[str, Any]) -> Rules:
    composites = [_composite(one) for one in content.get("indexes", [])]
    overrides: dict[tuple[str, str], frozenset[Mode]] = {}
    for one in content.get("fieldOverrides", []):
        path = one["fieldPath"]
        text = path if path == "*" else paths.path_text(paths.parse(path))
        modes = frozenset(
            (index.get("queryScope", COLLECTION), index.get("order") or index["arrayConfig"])
            for index in one["indexes"]
        )
        overrides[one["collectionGroup"], text] = modes
    time_to_live = frozenset(
        (one["collectionGroup"], one["fieldPath"])
        for one in content.get("fieldOverrides", [])
        if one.get("ttl")
    )
    return Rules([one for one in composites if one is not None], overrides, time_to_live)


def _composite(entry: dict[str, Any]) -> Composite | None:
    """None for an index of vectors: it serves no query served here."""
    columns: list[Column] = []
    name_descending: bool | None = None
    if entry.get("queryScope", COLLECTION) not in (COLLECTION, GROUP):
        raise ValueError(f"queryScope {entry['queryScope']}")
    for one in entry["fields"]:
        if "vectorConfig" in one:
            return None
        order = one.get("order")
        if order not in (ASC, DESC, None) or (order is None and one["arrayConfig"] != HAS):
            raise ValueError(f"field {one}")
        if one["fieldPath"] == paths.NAME:
            name_descending = order == DESC
        else:
            columns.append(Column(paths.parse(one["fieldPath"]), order == DESC, order is None))
    if name_descending is None:
        name_descending = columns[-1].descending
    group = entry.get("queryScope", COLLECTION) == GROUP
    return Composite(entry["collectionGroup"], group, tuple(columns), name_descending)
