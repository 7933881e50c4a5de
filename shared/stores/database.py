"""Firestore as the stores see it: paths, snapshots, writes, and errors of our own tree.

Every answer comes within a time limit, and no SDK error leaves this module.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from shared import log
from shared.errors import Broken, Conflict, Misconfigured, Transient
from shared.stores.firestore_encoding import (
    Document,
    commit_transaction,
    documents,
    documents_and_transaction,
    found,
    named_fields,
    roll_back,
    whole_document,
)

if TYPE_CHECKING:
    from google.cloud.firestore_v1.async_client import AsyncClient
    from google.cloud.firestore_v1.async_query import AsyncQuery

T = TypeVar("T")

TIMEOUT_S = 10.0
MAX_ATTEMPTS = 8
ROLLBACK_S = 1.0


@dataclass(frozen=True)
class Snapshot:
    """One document as it was read. `read_at` and `updated_at` are the database's own times, to the
    nanosecond: a precondition must name the very moment."""

    path: str
    data: Mapping[str, Any]
    updated_at: datetime
    read_at: datetime


@dataclass(frozen=True)
class Write:
    """One change of a commit. `unchanged_since` makes it fail if the document moved meanwhile."""

    op: str
    path: str
    data: Mapping[str, Any] | None = None
    unchanged_since: datetime | None = None


def create(path: str, data: Mapping[str, Any]) -> Write:
    """Fails with Conflict if the document exists."""
    return Write("create", path, data)


def put(path: str, data: Mapping[str, Any]) -> Write:
    """Replaces the document, whether it exists or not."""
    return Write("set", path, data)


def merge(path: str, data: Mapping[str, Any]) -> Write:
    """Sets the named fields, creating the document if need be."""
    return Write("merge", path, data)


def update(path: str, data: Mapping[str, Any], unchanged_since: datetime | None = None) -> Write:
    """Sets the named fields (dotted paths); fails with Conflict if there is no such document."""
    return Write("update", path, data, unchanged_since)


def delete(path: str) -> Write:
    return Write("delete", path)


Decide = Callable[[list[Snapshot | None]], tuple[list[Write], T]]
"""What was read, in the order asked for -> what to write, and what to tell the caller."""


class Database:
    """All reads and writes of one Firestore database."""

    def __init__(self, client: "AsyncClient", timeout_s: float = TIMEOUT_S) -> None:
        self.client = client
        self._timeout_s = timeout_s

    async def close(self) -> None:
        await self.client._firestore_api.transport.close()  # noqa: SLF001 - it has no close of its own

    async def get(self, path: str) -> Snapshot | None:
        return (await self.get_all([path]))[0]

    async def get_all(self, paths: Sequence[str]) -> list[Snapshot | None]:
        """In the order asked for, None where there is no such document; one round trip."""
        if not paths:
            return []
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                return _in_order(paths, await documents(self.client, _once(paths)))

    async def commit(self, writes: Sequence[Write]) -> datetime:
        """All or nothing; Conflict if a precondition does not hold. Returns the commit time."""
        batch = self.client.batch()
        self._add(batch, writes)
        with _own_errors():
            await batch.commit(retry=None, timeout=self._timeout_s)
        committed_at: Any = batch.commit_time
        return _plain(committed_at)

    async def transact(self, paths: Sequence[str], decide: Decide[T]) -> T:
        """Read, decide, write, as one step that nobody else can come between.

        `decide` may run several times and must be pure; what it raises ends the transaction.
        """
        from google.api_core.exceptions import Aborted, InvalidArgument

        failed = b""
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                for _ in range(MAX_ATTEMPTS):
                    begun, read = await documents_and_transaction(self.client, _once(paths), failed)
                    try:
                        writes, answer = decide(_in_order(paths, read))
                        batch = self.client.batch()
                        self._add(batch, writes)
                        await commit_transaction(self.client, begun, batch._write_pbs)  # noqa: SLF001
                        return answer
                    except Aborted:
                        failed = begun
                    except InvalidArgument as error:
                        if not _is_retired(error):
                            raise
                        failed = b""
                    except BaseException:
                        await self._roll_back(begun)
                        raise
        raise Transient("Firestore has too many transactions on the same records")

    async def _roll_back(self, transaction: bytes) -> None:
        """Others need not wait until it expires; if they must, so be it."""
        with suppress(Exception):
            async with asyncio.timeout(ROLLBACK_S):
                await roll_back(self.client, transaction)

    async def find(self, query: "AsyncQuery") -> list[Snapshot]:
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                return [Snapshot(*one) async for one in found(self.client, query)]

    async def count(self, query: "AsyncQuery") -> int:
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                counting: Any = query.count()
                rows = await counting.get()
        return int(rows[0][0].value)

    def _add(self, batch: Any, writes: Sequence[Write]) -> None:
        for write in writes:
            reference: Any = self.client.document(write.path)
            if write.op in ("create", "set"):
                name, is_new = reference._document_path, write.op == "create"  # noqa: SLF001
                raw = whole_document(name, write.data or {}, is_new=is_new)
                batch._add_write_pbs([raw])  # noqa: SLF001
            elif write.op == "merge":
                batch.set(reference, dict(write.data or {}), merge=True)
            elif write.op == "update":
                raw = named_fields(
                    reference._document_path,  # noqa: SLF001
                    write.data or {},
                    write.unchanged_since,
                )
                if raw is not None:
                    batch._add_write_pbs([raw])  # noqa: SLF001
                    continue
                option = (
                    self.client.write_option(last_update_time=write.unchanged_since)
                    if write.unchanged_since
                    else None
                )
                batch.update(reference, dict(write.data or {}), option=option)
            else:
                batch.delete(reference)


def _once(paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(paths))


def _in_order(paths: Sequence[str], read: Sequence[Document]) -> list[Snapshot | None]:
    by_path = {one[0]: Snapshot(*one) for one in read}
    return [by_path.get(path) for path in paths]


def _is_retired(error: Exception) -> bool:
    """Whether the service no longer knows the transaction: it was restarted, or the transaction
    was open for too long. Only the text tells this from a request that is wrong."""
    text = str(error).lower()
    return "transaction" in text and any(one in text for one in ("expired", "invalid", "closed"))


def _plain(time: Any) -> datetime:
    plain: datetime = time if isinstance(time, datetime) else time.ToDatetime()
    return plain


def where(field: str, operator: str, value: Any) -> Any:
    """A query's filter."""
    from google.cloud.firestore_v1.base_query import FieldFilter

    return FieldFilter(field, operator, value)


def server_time() -> Any:
    """The database's own clock at the commit."""
    from google.cloud.firestore_v1 import SERVER_TIMESTAMP

    return SERVER_TIMESTAMP


def gone() -> Any:
    """Takes a field away."""
    from google.cloud.firestore_v1 import DELETE_FIELD

    return DELETE_FIELD


def plus(amount: float) -> Any:
    """Adds to a number, whatever it is by then."""
    from google.cloud.firestore_v1 import Increment

    return Increment(amount)


@contextmanager
def _own_errors() -> Iterator[None]:
    """SDK errors to ours, every one of them: readers go on without what cannot be read."""
    from google.api_core import exceptions as google
    from google.auth import exceptions as auth

    try:
        yield
    except (google.AlreadyExists, google.FailedPrecondition, google.NotFound) as error:
        if "requires an index" in str(error):
            # Its text names fields, never values, and is the only place that says which index.
            log.error("firestore_index_missing", error=str(error))
            raise Misconfigured("Firestore lacks an index that a query needs") from error
        raise Conflict("the record changed meanwhile", status=type(error).__name__) from error
    except (TimeoutError, google.RetryError) as error:
        raise Transient("Firestore did not answer in time") from error
    except (
        google.ServerError,
        google.Aborted,
        google.ResourceExhausted,
        google.Cancelled,
    ) as error:
        raise Transient(f"Firestore did not answer ({type(error).__name__})") from error
    except (google.Forbidden, google.Unauthorized, auth.GoogleAuthError) as error:
        reason = f"Firestore does not let us in ({type(error).__name__})"
        raise Misconfigured(reason) from error
    except google.GoogleAPIError as error:
        raise Broken(f"Firestore refused the request ({type(error).__name__})") from error
