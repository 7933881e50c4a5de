"""Documents straight off and onto the wire, without what the SDK puts between.

Its snapshots copy each document twice, deeply, and its writes wrap each value in two objects: that
costs more than everything else in a read or a write. The requests and the service stay its own.
"""

import functools
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.errors import Broken

if TYPE_CHECKING:
    from google.cloud.firestore_v1.async_client import AsyncClient
    from google.cloud.firestore_v1.async_query import AsyncQuery


_AS_THEY_ARE = frozenset(
    {"string_value", "integer_value", "boolean_value", "double_value", "bytes_value"}
)

Document = tuple[str, dict[str, Any], datetime, datetime]
"""Its path, its fields, when it was written and when it was read, both with nanoseconds."""


async def documents(client: "AsyncClient", paths: Sequence[str]) -> list[Document]:
    """Those of the paths that exist, in no order."""
    _, read = await _got(client, _named(client, paths))
    return read


async def documents_and_transaction(
    client: "AsyncClient", paths: Sequence[str], failed: bytes
) -> tuple[bytes, list[Document]]:
    """The same, read in a transaction that begins with it: its id comes first. `failed` is the id
    of the attempt before, which keeps its place in the line; empty for none."""
    request = _named(client, paths)
    request.new_transaction.read_write.retry_transaction = failed
    return await _got(client, request)


async def commit_transaction(
    client: "AsyncClient", transaction: bytes, writes: Sequence[Any]
) -> None:
    """Sent once: nobody knows what became of a commit that was not answered."""
    message = _request_types().CommitRequest
    raw = message.pb()(
        database=client._database_string,  # noqa: SLF001
        writes=[type(one).pb(one) for one in writes],
        transaction=transaction,
    )
    await client._firestore_api.commit(  # noqa: SLF001
        message.wrap(raw),
        retry=None,
        metadata=client._rpc_metadata,  # noqa: SLF001
    )


async def roll_back(client: "AsyncClient", transaction: bytes) -> None:
    await client._firestore_api.rollback(  # noqa: SLF001
        request={"database": client._database_string, "transaction": transaction},  # noqa: SLF001
        retry=None,
        metadata=client._rpc_metadata,  # noqa: SLF001
    )


def _named(client: "AsyncClient", paths: Sequence[str]) -> Any:
    root = client._database_string  # noqa: SLF001
    return _request_types().BatchGetDocumentsRequest.pb()(
        database=root, documents=[f"{root}/documents/{path}" for path in paths]
    )


async def _got(client: "AsyncClient", request: Any) -> tuple[bytes, list[Document]]:
    """The id of the transaction that began, if one did, and the documents."""
    stream = await client._firestore_api.batch_get_documents(  # noqa: SLF001
        _request_types().BatchGetDocumentsRequest.wrap(request),
        metadata=client._rpc_metadata,  # noqa: SLF001
    )
    begun, read = b"", []
    async for answer in stream:
        raw = type(answer).pb(answer)
        begun = begun or raw.transaction
        if raw.HasField("found"):
            read.append(_document(raw.found, raw.read_time))
    return begun, read


async def found(client: "AsyncClient", query: "AsyncQuery") -> AsyncIterator[Document]:
    """What the query finds, in its order."""
    from google.api_core import gapic_v1

    asking: Any = query
    request, _, options = asking._prep_stream(None, gapic_v1.method.DEFAULT)  # noqa: SLF001
    stream = await client._firestore_api.run_query(  # noqa: SLF001
        request=request,
        metadata=client._rpc_metadata,  # noqa: SLF001
        **options,
    )
    async for answer in stream:
        raw = type(answer).pb(answer)
        if raw.HasField("document"):
            yield _document(raw.document, raw.read_time)


@functools.cache
def _request_types() -> Any:
    from google.cloud.firestore_v1.types import firestore

    return firestore


def _document(raw: Any, read_time: Any) -> Document:
    time = _time_type().from_timestamp_pb
    return (
        raw.name.split("/", 5)[5],
        decoded(raw.fields),
        time(raw.update_time),
        time(read_time),
    )


def decoded(fields: Any) -> dict[str, Any]:
    """The fields of a document; times keep their nanoseconds."""
    return {name: _decode(value) for name, value in fields.items()}


def _decode(value: Any) -> Any:
    kind = value.WhichOneof("value_type")
    if kind in _AS_THEY_ARE:
        return getattr(value, kind)
    if kind == "null_value":
        return None
    if kind == "timestamp_value":
        return _time_type().from_timestamp_pb(value.timestamp_value)
    if kind == "array_value":
        return [_decode(one) for one in value.array_value.values]
    if kind == "map_value":
        return decoded(value.map_value.fields)
    raise Broken(f"a stored document has a {kind}, which none of ours has")


@functools.cache
def _time_type() -> Any:
    from google.api_core.datetime_helpers import DatetimeWithNanoseconds

    return DatetimeWithNanoseconds


def whole_document(name: str, data: Mapping[str, Any], *, is_new: bool) -> Any:
    """The write that puts a whole document; the database's own time where the fields ask for it."""
    from google.cloud.firestore_v1 import SERVER_TIMESTAMP

    message = _write_type()
    raw = message.pb()()
    raw.update.name = name
    for field, value in data.items():
        if value is SERVER_TIMESTAMP:
            raw.update_transforms.add(field_path=field, set_to_server_value=1)
        else:
            _encode(raw.update.fields[field], value)
    if is_new:
        raw.current_document.exists = False
    return message.wrap(raw)


def named_fields(name: str, data: Mapping[str, Any], unchanged_since: datetime | None) -> Any:
    """The write that sets fields of a document that exists, or takes them away; None if only the
    SDK can make it: a field inside a map, or a change that depends on what is there."""
    from google.cloud.firestore_v1 import DELETE_FIELD, SERVER_TIMESTAMP
    from google.cloud.firestore_v1.transforms import _NumericValue, _ValueList

    if any(
        not field.isidentifier()
        or not field.isascii()
        or isinstance(value, _NumericValue | _ValueList)
        for field, value in data.items()
    ):
        return None
    message = _write_type()
    raw = message.pb()()
    raw.update.name = name
    raw.update_mask.SetInParent()
    for field, value in sorted(data.items()):
        if value is SERVER_TIMESTAMP:
            raw.update_transforms.add(field_path=field, set_to_server_value=1)
            continue
        raw.update_mask.field_paths.append(field)
        if value is not DELETE_FIELD:
            _encode(raw.update.fields[field], value)
    if unchanged_since is None:
        raw.current_document.exists = True
    else:
        _encode_time(raw.current_document.update_time, unchanged_since)
    return message.wrap(raw)


@functools.cache
def _write_type() -> Any:
    from google.cloud.firestore_v1.types.write import Write

    return Write


def _encode(into: Any, value: Any) -> None:
    if value is None:
        into.null_value = 0
    elif isinstance(value, bool):
        into.boolean_value = value
    elif isinstance(value, int):
        into.integer_value = value
    elif isinstance(value, float):
        into.double_value = value
    elif isinstance(value, str):
        into.string_value = value
    elif isinstance(value, bytes):
        into.bytes_value = value
    elif isinstance(value, datetime):
        _encode_time(into.timestamp_value, value)
    elif isinstance(value, Mapping):
        into.map_value.SetInParent()
        for key, one in value.items():
            _encode(into.map_value.fields[key], one)
    elif isinstance(value, list | tuple | set | frozenset):
        into.array_value.SetInParent()
        for one in value:
            _encode(into.array_value.values.add(), one)
    else:
        raise TypeError(f"a document has no {type(value).__name__}")


def _encode_time(into: Any, value: datetime) -> None:
    if hasattr(value, "timestamp_pb"):
        into.CopyFrom(value.timestamp_pb())
    else:
        into.FromDatetime(value)
