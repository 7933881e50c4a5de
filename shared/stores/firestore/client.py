"""Calls to one Firestore database, through the client that Google generates from the protocol.

The client is public and stable; the one above it (`google.cloud.firestore`) copies each document
twice. Errors are the SDK's own here, and `database` makes ours of them.
"""

import functools
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.stores.firestore.encoding import Document, document, time_of
from shared.stores.firestore.query import Query, structured

if TYPE_CHECKING:
    from google.cloud.firestore_v1.services.firestore import FirestoreAsyncClient

_ANY_SIZE = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
"""The service has limits of its own."""
_KEEPALIVE = ("grpc.keepalive_time_ms", 30_000)
"""As Google's own client has it: a connection that died is noticed."""
_COUNT = "count"


class Firestore:
    """One database of the service; `root` is its name."""

    def __init__(
        self, service: "FirestoreAsyncClient", root: str, metadata: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.service = service
        self.root = root
        self.documents = f"{root}/documents"
        self.metadata = (("google-cloud-resource-prefix", root), *metadata)

    async def close(self) -> None:
        await self.service.transport.close()  # type: ignore[no-untyped-call]

    def name(self, path: str) -> str:
        """A document's full name."""
        return f"{self.documents}/{path}"

    async def read(self, paths: Sequence[str]) -> list[Document]:
        """Those of the paths that exist, in no order."""
        _, read = await self._got(self._named(paths))
        return read

    async def read_in_transaction(
        self, paths: Sequence[str], failed: bytes
    ) -> tuple[bytes, list[Document]]:
        """The same, in a transaction that begins with it: its id comes first. `failed` is the id
        of the attempt before, which keeps its place in the line; empty for none."""
        request = self._named(paths)
        request.new_transaction.read_write.retry_transaction = failed
        return await self._got(request)

    async def find(self, query: Query) -> list[Document]:
        """What the query finds, in its order."""
        kind = _types().RunQueryRequest
        request = kind.pb()(
            parent=self._parent(query), structured_query=structured(query, self.documents)
        )
        stream = await self.service.run_query(kind.wrap(request), metadata=self.metadata)
        found = []
        async for answer in stream:
            raw = type(answer).pb(answer)
            if raw.HasField("document"):
                found.append(document(raw.document, raw.read_time))
        return found

    async def count(self, query: Query) -> int:
        return int((await self.sums(query, ()))[_COUNT])

    async def sums(self, query: Query, fields: Sequence[str]) -> dict[str, float]:
        """The number of documents, as `count`, and the sum of each field, by its path."""
        kind = _types().RunAggregationQueryRequest
        request = kind.pb()(parent=self._parent(query))
        asked = request.structured_aggregation_query
        asked.structured_query.CopyFrom(structured(query, self.documents))
        asked.aggregations.add(alias=_COUNT).count.SetInParent()
        for number, field in enumerate(fields):
            asked.aggregations.add(alias=f"sum_{number}").sum.field.field_path = field
        stream = await self.service.run_aggregation_query(
            kind.wrap(request), metadata=self.metadata
        )
        found = dict.fromkeys((_COUNT, *fields), 0.0)
        async for answer in stream:
            told = type(answer).pb(answer).result.aggregate_fields
            found[_COUNT] = float(told[_COUNT].integer_value)
            for number, field in enumerate(fields):
                value = told[f"sum_{number}"]
                found[field] = float(value.double_value or value.integer_value)
        return found

    async def commit(
        self, writes: Sequence[Any], transaction: bytes = b"", timeout_s: float | None = None
    ) -> datetime:
        """When it was done. Sent once: nobody knows what became of a commit that was not
        answered."""
        kind = _types().CommitRequest
        request = kind.pb()(database=self.root, writes=writes, transaction=transaction)
        answer = await self.service.commit(
            kind.wrap(request), retry=None, timeout=timeout_s, metadata=self.metadata
        )
        return time_of(type(answer).pb(answer).commit_time)

    async def roll_back(self, transaction: bytes) -> None:
        kind = _types().RollbackRequest
        request = kind.pb()(database=self.root, transaction=transaction)
        await self.service.rollback(kind.wrap(request), retry=None, metadata=self.metadata)

    def _parent(self, query: Query) -> str:
        return self.name(query.parent) if query.parent else self.documents

    def _named(self, paths: Sequence[str]) -> Any:
        names = [self.name(path) for path in paths]
        return _types().BatchGetDocumentsRequest.pb()(database=self.root, documents=names)

    async def _got(self, request: Any) -> tuple[bytes, list[Document]]:
        """The id of the transaction that began, if one did, and the documents."""
        stream = await self.service.batch_get_documents(
            _types().BatchGetDocumentsRequest.wrap(request), metadata=self.metadata
        )
        begun, read = b"", []
        async for answer in stream:
            raw = type(answer).pb(answer)
            begun = begun or raw.transaction
            if raw.HasField("found"):
                read.append(document(raw.found, raw.read_time))
        return begun, read


def connect(
    project: str,
    database: str = "(default)",
    emulator: str | None = None,
    credentials: Any = None,
) -> Firestore:
    """The database, with these credentials or those of the environment; or, at `host:port`, an
    emulator's, as its owner."""
    from google.cloud.firestore_v1.services.firestore import FirestoreAsyncClient
    from google.cloud.firestore_v1.services.firestore.transports import (
        FirestoreGrpcAsyncIOTransport,
    )

    root = f"projects/{project}/databases/{database}"
    if emulator:
        from grpc import aio

        channel: Any = aio.insecure_channel(emulator, options=_ANY_SIZE)
        metadata = [("authorization", "Bearer owner")]
    else:
        channel = FirestoreGrpcAsyncIOTransport.create_channel(
            FirestoreAsyncClient.DEFAULT_ENDPOINT,
            credentials=credentials,
            options=[_KEEPALIVE, *_ANY_SIZE],
        )
        metadata = []
    transport = FirestoreGrpcAsyncIOTransport(channel=channel)
    return Firestore(FirestoreAsyncClient(transport=transport), root, metadata)


@functools.cache
def _types() -> Any:
    from google.cloud.firestore_v1.types import firestore

    return firestore
