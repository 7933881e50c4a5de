"""The service google.firestore.v1.Firestore: which RPCs there are, and the door they share."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from . import protobuf
from .clock import note_arrival
from .engine import Engine
from .faults import Faults
from .protobuf import Context, Message
from .refusal import Refused
from .serve_lists import Lists
from .serve_reads import Reads
from .serve_writes import Writes

log = logging.getLogger(__name__)
SERVICE = "google.firestore.v1.Firestore"
MAX_REQUEST = 10 << 20
UNSERVED = (
    "CreateDocument",
    "DeleteDocument",
    "ExecutePipeline",
    "GetDocument",
    "Listen",
    "PartitionQuery",
    "UpdateDocument",
    "Write",
)

Method = Callable[[Message, Context], Awaitable[bytes | None]]


def handler(engine: Engine, faults: Faults) -> grpc.GenericRpcHandler:
    """What a gRPC server registers. Answers are bytes already."""
    reads, writes, lists = Reads(engine), Writes(engine), Lists(engine)
    unary: dict[str, tuple[Method, Any]] = {
        "Commit": (writes.commit, protobuf.CommitRequest),
        "BatchWrite": (writes.batch_write, protobuf.BatchWriteRequest),
        "BeginTransaction": (writes.begin, protobuf.BeginTransactionRequest),
        "Rollback": (writes.rollback, protobuf.RollbackRequest),
        "ListDocuments": (lists.list_documents, protobuf.ListDocumentsRequest),
        "ListCollectionIds": (lists.list_collection_ids, protobuf.ListCollectionIdsRequest),
    }
    stream: dict[str, tuple[Method, Any]] = {
        "BatchGetDocuments": (reads.batch_get, protobuf.BatchGetDocumentsRequest),
        "RunQuery": (reads.run_query, protobuf.RunQueryRequest),
        "RunAggregationQuery": (reads.run_aggregation, protobuf.RunAggregationQueryRequest),
    }
    handlers: dict[str, Any] = {name: _unserved(name) for name in UNSERVED}
    for name, (method, request) in unary.items():
        handlers[name] = grpc.unary_unary_rpc_method_handler(
            _door(name, method, engine, faults), _reader(request)
        )
    for name, (method, request) in stream.items():
        handlers[name] = grpc.unary_stream_rpc_method_handler(
            _door(name, method, engine, faults), _reader(request)
        )
    return grpc.method_handlers_generic_handler(SERVICE, handlers)


def _door(name: str, method: Method, engine: Engine, faults: Faults) -> Any:
    """Every RPC comes in here: counted, made to fail if told so, its refusals put on the wire."""
    rpcs = engine.counters.rpcs

    async def serve(request: Message, context: Context) -> Any:
        note_arrival()
        rpcs[name] = rpcs.get(name, 0) + 1
        try:
            if faults.active:
                await faults.suffer()
            if isinstance(request, Refused):
                raise request
            return await method(request, context)
        except Refused as refused:
            await context.abort(refused.code, refused.message)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("%s failed", name)
            await context.abort(grpc.StatusCode.INTERNAL, f"{name} failed in the emulator.")

    return serve


def _reader(request: Any) -> Callable[[bytes], Message]:
    """Decodes a request; one that cannot be served becomes its own refusal."""

    def read(data: bytes) -> Message:
        if len(data) > MAX_REQUEST:
            return Refused(
                grpc.StatusCode.INVALID_ARGUMENT,
                f"Request payload size exceeds the limit: {MAX_REQUEST} bytes.",
            )
        try:
            return request.FromString(data)
        except DecodeError:
            return Refused(
                grpc.StatusCode.INVALID_ARGUMENT, "The request is not a message of this method."
            )

    return read


def _unserved(name: str) -> Any:
    """An RPC that exists in the service but not here: said so, at once."""

    async def refuse(_: Any, context: Context) -> None:
        await context.abort(
            grpc.StatusCode.UNIMPLEMENTED, f"{name} is not implemented by this emulator."
        )

    if name in ("Listen", "Write"):
        return grpc.stream_stream_rpc_method_handler(refuse)
    if name == "ExecutePipeline":
        return grpc.unary_stream_rpc_method_handler(refuse)
    return grpc.unary_unary_rpc_method_handler(refuse)
