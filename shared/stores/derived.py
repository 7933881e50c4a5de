"""Records of a group found by what they were made of, and removed so that nothing comes between.

Forgetting works with these: what is removed must not have changed since it was looked at, or what
it became meanwhile would stay.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.errors import Conflict
from shared.stores.firestore import (
    NAME,
    Database,
    DocumentPath,
    Query,
    Snapshot,
    Write,
    collection,
    delete,
    merge,
    plus,
    server_time,
    update,
)
from shared.stores.groups import forgotten, group_path
from shared.stores.jobs import job_path
from shared.stores.tails import tail_path

VALUES_A_QUERY = 30
"""Firestore takes no more values in one `array_contains_any`."""
PAGE = 100
"""Fewer than a commit takes: a page is dealt with in one."""
WRITES_A_COMMIT = 150
"""Well below the 500 writes that a commit may have, and small enough beside whole profiles."""

COLLECTIONS = (
    "messages", "topics", "summaries", "memories", "changes", "conflicts", "events", "profiles",
    "snapshots", "entities", "relations", "contexts", "digests", "tail",
    "pages",
)  # fmt: skip
"""All that stand below a group; `summaries` below its topics, `snapshots` below its profiles."""
BELOW = {"topics": "summaries", "profiles": "snapshots"}
OF_THE_GROUP = tuple(name for name in COLLECTIONS if name not in BELOW.values())


Counts = Mapping[str, Mapping[str, int]]
"""`removed` and `rederived`, each by kind."""


@dataclass(frozen=True)
class CountedWrite:
    write: Write
    counts: Counts


@dataclass
class Changes:
    """What a step of forgetting does: writes, each with what it counts; what they rest on; and the
    vectors and offers that go with them."""

    writes: list[CountedWrite] = field(default_factory=list)
    read: dict[str, datetime] = field(default_factory=dict)
    vectors: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    """As contexts name what they offered, `kind:id`."""

    def rests_on(self, *snapshots: Snapshot) -> None:
        self.read.update({snapshot.path: snapshot.updated_at for snapshot in snapshots})

    def remove(self, kind: str, snapshot: Snapshot, vector: str = "", offered: str = "") -> None:
        self.rests_on(snapshot)
        counts = {kind: 1, **({"vectors": 1} if vector else {})}
        self.writes.append(CountedWrite(delete(snapshot.path), {"removed": counts}))
        self.vectors += [vector] if vector else []
        self.offered += [offered] if offered else []

    def rewrite(self, kind: str, snapshot: Snapshot, write: Write) -> None:
        """Made again of what is left."""
        self.write(snapshot, write, {"rederived": {kind: 1}})

    def write(self, snapshot: Snapshot, write: Write, counts: Counts) -> None:
        self.rests_on(snapshot)
        self.writes.append(CountedWrite(write, counts))


class Derived:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def made_of(
        self, group_id: str, kind: str, named_in: str, values: Iterable[str]
    ) -> list[Snapshot]:
        """Those of a collection that name one of the values in a list."""
        wanted = sorted(set(values))
        found: dict[str, Snapshot] = {}
        for start in range(0, len(wanted), VALUES_A_QUERY):
            some = wanted[start : start + VALUES_A_QUERY]
            query = collection(f"{group_path(group_id)}/{kind}").where(
                named_in, "array_contains_any", some
            )
            found |= {snapshot.path: snapshot for snapshot in await self._all(query)}
        return list(found.values())

    async def where(
        self, group_id: str, kind: str, name: str, value: str, limit: int | None = None
    ) -> list[Snapshot]:
        query = collection(f"{group_path(group_id)}/{kind}").where(name, "==", value)
        return await self._all(query.limit(limit) if limit else query)

    async def page_where(
        self, group_id: str, kind: str, name: str, value: str, after: str | None
    ) -> list[Snapshot]:
        """A page of those by name, from behind the document at `after`."""
        query = collection(f"{group_path(group_id)}/{kind}").where(name, "==", value)
        query = query.order_by(NAME).limit(PAGE)
        if after is not None:
            query = query.start_after(DocumentPath(after))
        return await self._database.find(query)

    async def below(self, snapshot: Snapshot, kind: str) -> list[Snapshot]:
        """A topic's summaries, a profile's snapshots."""
        return await self._all(collection(f"{snapshot.path}/{kind}"))

    async def page(self, group_id: str, kind: str, after: str | None = None) -> list[Snapshot]:
        """A page of a collection by name, from behind the document at `after`."""
        query = collection(f"{group_path(group_id)}/{kind}").order_by(NAME).limit(PAGE)
        if after is not None:
            query = query.start_after(DocumentPath(after))
        return await self._database.find(query)

    async def get(self, paths: Sequence[str]) -> list[Snapshot]:
        return [snapshot for snapshot in await self._database.get_all(paths) if snapshot]

    async def jobs_page(
        self, group_id: str, skip: int, states: Sequence[str] = ()
    ) -> list[Snapshot]:
        query = collection("jobs").where("group_id", "==", group_id)
        if states:
            query = query.where("state", "in", list(states))
        return await self._database.find(query.largest_first("created_at").offset(skip).limit(PAGE))

    async def apply(self, group_id: str, changes: Changes, job_id: str) -> None:
        """Several commits if need be, each whole: the writes, what they count on the job, and an
        epoch more, so that a plan that read what is gone is thrown away. Conflict if something
        changed since it was read."""
        for at in range(0, len(changes.writes), WRITES_A_COMMIT):
            some = changes.writes[at : at + WRITES_A_COMMIT]
            writes = [write.write for write in some]
            also = [*writes, *_raised(group_id), *_counted(job_id, some)]
            read = {
                write.path: changes.read[write.path]
                for write in writes
                if write.path in changes.read
            }
            await self._commit_unless_changed(group_id, also, read)

    async def _commit_unless_changed(
        self, group_id: str, writes: list[Write], read: Mapping[str, datetime]
    ) -> None:
        def decide(found: list[Snapshot | None]) -> tuple[list[Write], None]:
            moments = [snapshot.updated_at if snapshot else None for snapshot in found[1:]]
            if moments != list(read.values()):
                raise Conflict("a record changed while it was being forgotten")
            return writes, None

        await self._database.transact([group_path(group_id), *read], decide)

    async def delete_all(self, snapshots: Sequence[Snapshot], job_id: str, kind: str) -> None:
        """Of a group that is a tombstone already: nobody writes there any more."""
        for start in range(0, len(snapshots), WRITES_A_COMMIT):
            some = snapshots[start : start + WRITES_A_COMMIT]
            counted = [
                CountedWrite(delete(snapshot.path), {"removed": {kind: 1}}) for snapshot in some
            ]
            writes = [write.write for write in counted]
            await self._database.commit([*writes, *_counted(job_id, counted)])

    async def count_on(self, job_id: str, removed: Mapping[str, int]) -> None:
        await self._database.commit([merge(job_path(job_id), _added({"removed": removed}))])

    async def all_gone(self, group_id: str, job_id: str) -> None:
        """Nothing that readers could be shown is left of what this job forgets."""
        await self._database.commit([forgotten(group_id, job_id)])

    async def _all(self, query: Query) -> list[Snapshot]:
        return await self._database.find(query)


def _raised(group_id: str) -> list[Write]:
    """The group's epoch and the tail's with it: the tail holds, its lines are dropped apart."""
    return [
        update(group_path(group_id), {"epoch": plus(1), "updated_at": server_time()}),
        merge(tail_path(group_id), {"epoch": plus(1)}),
    ]


def _counted(job_id: str, writes: Sequence[CountedWrite]) -> list[Write]:
    """Counted in the commit that does it: a repetition counts nothing twice."""
    totals: dict[str, dict[str, int]] = {}
    for write in writes:
        for what, counts in write.counts.items():
            for kind, number in counts.items():
                so_far = totals.setdefault(what, {})
                so_far[kind] = so_far.get(kind, 0) + number
    return [merge(job_path(job_id), _added(totals))] if totals else []


def _added(totals: Counts) -> dict[str, dict[str, object]]:
    return {
        what: {kind: plus(number) for kind, number in counts.items()}
        for what, counts in totals.items()
    }
