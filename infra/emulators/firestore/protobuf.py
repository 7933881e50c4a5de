"""Protobuf classes of google.firestore.v1, and answers spliced from stored bytes.

The wheel ships proto-plus wrappers only; the classes underneath are taken from them, because
wrapping every value would cost more than serving it. A stored document is already in wire form,
so an answer is its name in front of those bytes: nothing is decoded to be encoded again.
"""

from functools import lru_cache
from typing import Any

from google.cloud.firestore_v1.types import aggregation_result, document, firestore, query, write

Message = Any
"""A raw protobuf message: the classes are made at run time, where no checker sees them."""

Context = Any
"""The context of a call on grpc.aio; `write` sends one answer of a stream."""


def _raw(wrapper: Any) -> Any:
    return type(wrapper.pb(wrapper()))


Document = _raw(document.Document)
Value = _raw(document.Value)
ArrayValue = _raw(document.ArrayValue)
Write = _raw(write.Write)
WriteResult = _raw(write.WriteResult)
StructuredQuery = _raw(query.StructuredQuery)
AggregationResult = _raw(aggregation_result.AggregationResult)
BatchGetDocumentsRequest = _raw(firestore.BatchGetDocumentsRequest)
BatchWriteRequest = _raw(firestore.BatchWriteRequest)
BatchWriteResponse = _raw(firestore.BatchWriteResponse)
BeginTransactionRequest = _raw(firestore.BeginTransactionRequest)
BeginTransactionResponse = _raw(firestore.BeginTransactionResponse)
CommitRequest = _raw(firestore.CommitRequest)
ListCollectionIdsRequest = _raw(firestore.ListCollectionIdsRequest)
ListCollectionIdsResponse = _raw(firestore.ListCollectionIdsResponse)
ListDocumentsRequest = _raw(firestore.ListDocumentsRequest)
RollbackRequest = _raw(firestore.RollbackRequest)
RunAggregationQueryRequest = _raw(firestore.RunAggregationQueryRequest)
RunAggregationQueryResponse = _raw(firestore.RunAggregationQueryResponse)
RunQueryRequest = _raw(firestore.RunQueryRequest)

MICROS = 1_000_000


_SHORT = [bytes((number,)) for number in range(0x80)]


def varint(number: int) -> bytes:
    if number < 0x80:
        return _SHORT[number]
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(tag: bytes, content: bytes) -> bytes:
    """A length-delimited field."""
    return tag + varint(len(content)) + content


@lru_cache(maxsize=1024)
def timestamp(micros: int) -> bytes:
    """A google.protobuf.Timestamp after 1970."""
    seconds, rest = divmod(micros, MICROS)
    if rest:
        return b"\x08" + varint(seconds) + b"\x10" + varint(rest * 1000)
    return b"\x08" + varint(seconds)


def stored_body(fields: bytes, created: int, updated: int) -> bytes:
    """What is kept of a document: everything of its message but the name."""
    return fields + _times(created, updated)


@lru_cache(maxsize=256)
def _times(created: int, updated: int) -> bytes:
    return field(b"\x1a", timestamp(created)) + field(b"\x22", timestamp(updated))


def document_bytes(name: bytes, body: bytes) -> bytes:
    return b"".join((b"\x0a", varint(len(name)), name, body))


def found(name: bytes, body: bytes, tail: bytes) -> bytes:
    """A BatchGetDocumentsResponse; RunQueryResponse has its document under the same number."""
    head = b"".join((b"\x0a", varint(len(name)), name))
    return b"".join((b"\x0a", varint(len(head) + len(body)), head, body, tail))


def missing(name: bytes, tail: bytes) -> bytes:
    return b"".join((b"\x12", varint(len(name)), name, tail))


def batch_get_tail(read_time: int, transaction: bytes = b"") -> bytes:
    tail = field(b"\x22", timestamp(read_time))
    return field(b"\x1a", transaction) + tail if transaction else tail


def run_query_tail(read_time: int, transaction: bytes = b"") -> bytes:
    tail = field(b"\x1a", timestamp(read_time))
    return field(b"\x12", transaction) + tail if transaction else tail


RUN_QUERY_DONE = b"\x30\x01"


@lru_cache(maxsize=256)
def write_result(updated: int, transform_results: bytes = b"") -> bytes:
    """A WriteResult inside CommitResponse; a delete (0) has no update time."""
    stamp = field(b"\x0a", timestamp(updated)) if updated else b""
    return field(b"\x0a", stamp + transform_results)


def commit_response(results: list[bytes], commit_time: int) -> bytes:
    return b"".join(results) + field(b"\x12", timestamp(commit_time))


def list_documents_response(documents: list[bytes], next_page_token: str) -> bytes:
    out = b"".join(field(b"\x0a", one) for one in documents)
    return out + field(b"\x12", next_page_token.encode()) if next_page_token else out


def micros(stamp: Message) -> int:
    """A Timestamp message as microseconds since 1970."""
    return int(stamp.seconds) * MICROS + int(stamp.nanos) // 1000
