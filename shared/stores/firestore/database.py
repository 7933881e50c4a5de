"""Firestore as the stores see it: paths, snapshots, writes, and errors of our own tree.

Every answer comes within a time limit, and no SDK error leaves this module.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from shared import log
from shared.errors import Broken, Conflict, Misconfigured, Transient
from shared.stores.firestore.client import Firestore
from shared.stores.firestore.encoding import (
    GONE,
    SERVER_TIME,
    Document,
    Plus,
    deletion,
    merged_fields,
    named_fields,
    whole_document,
)
from shared.stores.firestore.query import Query

T = TypeVar("T")

TIMEOUT_S = 10.0
"""A store that has not answered by then is out: a context's whole deadline is shorter."""
MAX_ATTEMPTS = 8
"""How often a transaction is tried where others keep coming between."""
ROLLBACK_S = 1.0
"""A courtesy to others, not worth waiting longer for."""


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
    """Sets the named fields; fails with Conflict if there is no such document."""
    return Write("update", path, data, unchanged_since)


def delete(path: str) -> Write:
    return Write("delete", path)


Decide = Callable[[list[Snapshot | None]], tuple[list[Write], T]]
"""What was read, in the order asked for -> what to write, and what to tell the caller."""


class Database:
    """All reads and writes of one Firestore database."""

    def __init__(self, firestore: Firestore, timeout_s: float = TIMEOUT_S) -> None:
        self.firestore = firestore
        self._timeout_s = timeout_s

    async def close(self) -> None:
        await self.firestore.close()

    async def get(self, path: str) -> Snapshot | None:
        return (await self.get_all([path]))[0]

    async def get_all(self, paths: Sequence[str]) -> list[Snapshot | None]:
        """In the order asked for, None where there is no such document; one round trip."""
        if not paths:
            return []
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                return _in_order(paths, await self.firestore.read(_once(paths)))

    async def commit(self, writes: Sequence[Write]) -> datetime:
        """All or nothing; Conflict if a precondition does not hold. Returns the commit time."""
        with _own_errors():
            return await self.firestore.commit(self._raw(writes), timeout_s=self._timeout_s)

    async def transact(self, paths: Sequence[str], decide: Decide[T]) -> T:
        """Read, decide, write, as one step that nobody else can come between.

        `decide` may run several times and must be pure; what it raises ends the transaction.
        """
        from google.api_core.exceptions import Aborted, InvalidArgument

        failed, is_refused = b"", False
        with _own_errors():
            async with asyncio.timeout(self._timeout_s):
                for _ in range(MAX_ATTEMPTS):
                    begun = b""
                    try:
                        begun, read = await self.firestore.read_in_transaction(_once(paths), failed)
                        writes, answer = decide(_in_order(paths, read))
                        await self.firestore.commit(self._raw(writes), begun)
                        return answer
                    except Aborted:
                        failed = begun or failed
                    except InvalidArgument:
                        # So is a transaction answered that the service no longer knows (it was
                        # restarted, or the transaction was open for too long). A new one that is
                        # refused as well was not the reason.
                        if is_refused:
                            raise
                        failed, is_refused = b"", True
                    except BaseException:
                        if begun:
                            await self._roll_back(begun)
                        raise
        raise Transient("Firestore has too many transactions on the same records")

    async def _roll_back(self, transaction: bytes) -> None:
        """Others need not wait until it expires; if they must, so be it."""
        with suppress(Exception):
            async with asyncio.timeout(ROLLBACK_S):
                await self.firestore.roll_back(transaction)

    async def find(self, query: Query) -> list[Snapshot]:
        with _own_errors(is_query=True):
            async with asyncio.timeout(self._timeout_s):
                return [Snapshot(*row) for row in await self.firestore.find(query)]

    async def count(self, query: Query) -> int:
        with _own_errors(is_query=True):
            async with asyncio.timeout(self._timeout_s):
                return await self.firestore.count(query)

    async def sums(self, query: Query, fields: Sequence[str]) -> dict[str, float]:
        """How many there are, as `count`, and the sum of each field. A document that lacks one of
        the fields counts for none."""
        with _own_errors(is_query=True):
            async with asyncio.timeout(self._timeout_s):
                return await self.firestore.sums(query, fields)

    def _raw(self, writes: Sequence[Write]) -> list[Any]:
        return [_message(self.firestore.name(write.path), write) for write in writes]


def _message(name: str, write: Write) -> Any:
    data = write.data or {}
    if write.op == "delete":
        return deletion(name)
    if write.op == "merge":
        return merged_fields(name, data)
    if write.op == "update":
        return named_fields(name, data, write.unchanged_since)
    return whole_document(name, data, is_new=write.op == "create")


def _once(paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(paths))


def _in_order(paths: Sequence[str], read: Sequence[Document]) -> list[Snapshot | None]:
    by_path = {row[0]: Snapshot(*row) for row in read}
    return [by_path.get(path) for path in paths]


def server_time() -> Any:
    """The database's own clock at the commit."""
    return SERVER_TIME


def gone() -> Any:
    """Takes a field away."""
    return GONE


def plus(amount: float) -> Any:
    """Adds to a number, whatever it is by then."""
    return Plus(amount)


@contextmanager
def _own_errors(*, is_query: bool = False) -> Iterator[None]:
    """SDK errors to ours, every one of them: readers go on without what cannot be read.

    Decided by the code and by what was asked, never by the text, which varies.
    """
    from google.api_core import exceptions as google
    from google.auth import exceptions as auth

    try:
        yield
    except (google.AlreadyExists, google.FailedPrecondition, google.NotFound) as error:
        if is_query and isinstance(error, google.FailedPrecondition):
            # Its text names fields, never values, and is the only place that says which index.
            log.error("firestore_index_missing", error=str(error))
            raise Misconfigured("Firestore lacks an index that a query needs") from error
        if is_query and isinstance(error, google.NotFound):
            raise Misconfigured("there is no such Firestore database") from error
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
