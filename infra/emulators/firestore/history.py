"""What documents were a short while ago, in memory only: for transactions and reads at a time.

Each commit leaves the versions it replaced. They are dropped when they are a minute old or take
too much room, but for those an open reader may still need.
"""

from collections import deque
from typing import NamedTuple

from .names import split_key
from .query import Query
from .storage import Storage
from .stored_collection import Collection, Stored

KEPT_MICROS = 70_000_000
KEPT_BYTES = 64 << 20


class Version(NamedTuple):
    """A document as it was before a commit changed it; `stored` is None where it did not exist."""

    database: str
    path: bytes
    name: str
    id: bytes
    stored: Stored | None

    def collection(self, storage: Storage) -> Collection:
        """The collection, even if its last document is gone since."""
        return storage.collection(self.database, self.path) or storage.gone_collection(
            self.database, self.path, self.name
        )


class History:
    def __init__(self, since: int) -> None:
        self._commits: deque[tuple[int, list[Version], int]] = deque()
        self._bytes = 0
        self.horizon = since
        """Reads at this time or later can be answered."""

    def add(self, time: int, replaced: list[Version]) -> None:
        size = sum(200 + len(one.stored.body) if one.stored else 200 for one in replaced)
        self._commits.append((time, replaced, size))
        self._bytes += size
        while self._commits and (
            self._commits[0][0] < time - KEPT_MICROS or self._bytes > KEPT_BYTES
        ):
            gone, _, size = self._commits.popleft()
            self._bytes -= size
            self.horizon = gone

    def changed_since(self, time: int) -> list[list[Version]]:
        """The commits after that time, newest first."""
        out = []
        for at, versions, _ in reversed(self._commits):
            if at <= time:
                break
            out.append(versions)
        return out

    def past(self, database: str, time: int) -> "Past | None":
        """How to see the database as it was; None where nothing changed since."""
        if not self._commits or self._commits[-1][0] <= time:
            return None
        return Past(self, database, time)


class Past:
    """One moment of one database: the versions that commits since then have replaced."""

    def __init__(self, history: History, database: str, time: int) -> None:
        self.versions: dict[tuple[bytes, bytes], Version] = {}
        for versions in history.changed_since(time):
            for version in reversed(versions):
                if version.database == database:
                    self.versions[version.path, version.id] = version

    def changes(self, query: Query) -> list[Version]:
        """The versions of documents in the query's reach."""
        if not self.versions:
            return []
        return [version for version in self.versions.values() if _reaches(query, version)]


def is_child(path: bytes, parent: bytes) -> bool:
    """Whether the collection lies directly below the document."""
    return path.startswith(parent) and len(split_key(path[len(parent) :])) == 1


def _reaches(query: Query, version: Version) -> bool:
    if query.collection and version.name != query.collection:
        return False
    if query.descendants:
        return version.path.startswith(query.parent)
    return is_child(version.path, query.parent)
