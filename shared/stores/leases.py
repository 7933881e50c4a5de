"""Leases: who works on what, fenced by a token that rises with each holder."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.jobs.lease import LEASE_FOR, RENEW_EVERY, Lease, released, taken_by
from shared.errors import LostLease, Transient
from shared.stores.firestore import Database, Snapshot, Write, collection, put, server_time, update
from shared.stores.records import Codec


@dataclass(frozen=True)
class Held:
    """A lease in hand. `check` belongs into every commit made under it. `died` counts the holders
    before this one that did not come to an end."""

    name: str
    holder: str
    token: int
    died: int = 0

    @property
    def path(self) -> str:
        return lease_path(self.name)

    def check(self, snapshot: Snapshot | None) -> None:
        """LostLease unless the stored lease is still this one."""
        if snapshot is None or not LEASES.read(snapshot).held_by(self.holder, self.token):
            raise LostLease


def lease_path(name: str) -> str:
    return f"leases/{safe_id(name)}"


LEASES = Codec(Lease)
KEPT = timedelta(days=7)
"""One that nobody took for so long may go: the next holder begins a new one, and no plan that
carries an old token lives for days."""


class Leases:
    def __init__(
        self,
        database: Database,
        lasts: timedelta = LEASE_FOR,
        renew_every: timedelta = RENEW_EVERY,
    ) -> None:
        self._database = database
        self._lasts = lasts
        self._renew_every = renew_every

    async def take(self, name: str, holder: str) -> Held | None:
        """The lease, or None if another worker holds it: then it is marked as wanted."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], Held | None]:
            found = read[0]
            lease = LEASES.read(found) if found else Lease(name)
            if found and lease.is_taken(found.read_at, self._lasts):
                writes = [] if lease.wanted else [update(lease_path(name), {"wanted": True})]
                return writes, None
            lease = taken_by(lease, holder)
            held = Held(name, holder, lease.token, lease.died)
            return [put(lease_path(name), _fields(lease))], held

        return await self._database.transact([lease_path(name)], decide)

    async def renew(self, held: Held) -> None:
        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            held.check(read[0])
            return [update(held.path, {"renewed_at": server_time()})], None

        await self._database.transact([held.path], decide)

    async def release(self, held: Held, *, was_cut_short: bool = False) -> bool:
        """Give it back; tells whether another worker wanted it meanwhile."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], bool]:
            found = read[0]
            if found is None or not LEASES.read(found).held_by(held.holder, held.token):
                return [], False
            lease = LEASES.read(found)
            given_back = released(lease, was_cut_short=was_cut_short)
            fields = {**_fields(given_back), "expires_at": found.read_at + KEPT}
            return [put(held.path, fields)], lease.wanted

        return await self._database.transact([held.path], decide)

    async def want(self, name: str) -> None:
        """Let the next holder know, when it gives the lease back, that somebody waits."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            return ([update(lease_path(name), {"wanted": True})] if read[0] else []), None

        await self._database.transact([lease_path(name)], decide)

    @asynccontextmanager
    async def kept(self, held: Held) -> AsyncIterator[None]:
        """Renews the lease while the body works; a failed renewal cancels the body."""
        body = asyncio.current_task()
        assert body is not None
        failure: list[Transient] = []

        async def keep() -> None:
            try:
                while True:
                    await asyncio.sleep(self._renew_every.total_seconds())
                    await self.renew(held)
            except Transient as error:
                failure.append(error)
                body.cancel()

        keeper = asyncio.create_task(keep())
        try:
            yield
        except asyncio.CancelledError:
            if failure and body.uncancel() == 0:
                raise LostLease from failure[0]
            raise
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)

    async def expired_and_wanted(self, limit: int) -> list[str]:
        """Expired leases that another worker wanted."""
        query = collection("leases").where("wanted", "==", True).order_by("renewed_at").limit(limit)
        found = await self._database.find(query)
        return [
            str(snapshot.data["name"])
            for snapshot in found
            if not LEASES.read(snapshot).is_taken(snapshot.read_at, self._lasts)
        ]

    async def is_taken(self, name: str) -> bool:
        found = await self._database.get(lease_path(name))
        return found is not None and LEASES.read(found).is_taken(found.read_at, self._lasts)


def _fields(lease: Lease) -> dict[str, Any]:
    """`wanted` only where it is: so the index by time of those that are has few entries, not every
    lease that is taken anywhere."""
    fields = {**LEASES.fields(lease), "renewed_at": server_time()}
    if not lease.wanted:
        del fields["wanted"]
    return fields
