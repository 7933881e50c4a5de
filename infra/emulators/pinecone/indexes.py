"""Which indexes there are, in SQLite, and the open ones among them."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .index import Index
from .scoring import Metric

_SCHEMA = """
CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Description:
    """What a client chose when it created or configured an index; the dimension of an index
    without a dense field is 0."""

    name: str
    dimension: int
    metric: Metric
    cloud: str
    region: str
    deletion_protection: str = "disabled"
    tags: dict[str, str] = field(default_factory=dict)
    is_sparse: bool = False


class Indexes:
    """Every index has a folder of its own, named by a number that is never used again."""

    def __init__(self, folder: Path, freshness: float, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._freshness = freshness
        self._clock = clock
        self._db = sqlite3.connect(folder / "indexes.db", isolation_level=None)
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_SCHEMA)
        self._open: dict[str, Index] = {}
        self._remove_orphans()
        for description in self.all():
            self.open(description.name)

    def _remove_orphans(self) -> None:
        """A kill may come between an index's row and its folder: the row decides."""
        known = {str(row[0]) for row in self._db.execute("SELECT id FROM indexes")}
        for path in self._folder.glob("index-*"):
            if path.name.removeprefix("index-") not in known:
                shutil.rmtree(path)

    def close(self) -> None:
        for index in self._open.values():
            index.close()
        self._open.clear()
        self._rewrite()
        self._db.close()

    def all(self) -> list[Description]:
        rows = self._db.execute("SELECT description FROM indexes ORDER BY name")
        return [Description(**json.loads(row[0])) for row in rows]

    def get(self, name: str) -> Description | None:
        row = self._db.execute("SELECT description FROM indexes WHERE name = ?", (name,)).fetchone()
        return None if row is None else Description(**json.loads(row[0]))

    def create(self, description: Description) -> None:
        self._db.execute(
            "INSERT INTO indexes (name, description) VALUES (?, ?)",
            (description.name, _text(description)),
        )
        self.open(description.name)

    def configure(self, description: Description, **changes: Any) -> Description:
        changed = replace(description, **changes)
        self._db.execute(
            "UPDATE indexes SET description = ? WHERE name = ?", (_text(changed), changed.name)
        )
        return changed

    def delete(self, name: str) -> None:
        index = self.open(name)
        self._db.execute("DELETE FROM indexes WHERE name = ?", (name,))
        del self._open[name]
        index.destroy()

    def open(self, name: str) -> Index:
        """The index of that name; KeyError when there is none."""
        if name not in self._open:
            row = self._db.execute(
                "SELECT id, description FROM indexes WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                raise KeyError(name)
            chosen = Description(**json.loads(row[1]))
            folder = self._folder / f"index-{row[0]}"
            self._open[name] = Index(
                folder,
                chosen.dimension,
                chosen.metric,
                self._freshness,
                self._clock,
                is_sparse=chosen.is_sparse,
            )
        return self._open[name]

    def settle(self) -> None:
        for index in self._open.values():
            index.settle()

    def erase_remains(self) -> None:
        """From here on no file has a byte of what was deleted before."""
        for index in self._open.values():
            index.erase_remains()
        self._rewrite()

    def _rewrite(self) -> None:
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _text(description: Description) -> str:
    return json.dumps(vars(description))
