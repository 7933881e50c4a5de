"""The RPCs of google.firestore.v1.Firestore."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from infra.emulators.firestore import listing, paths, wire
from infra.emulators.firestore.aggregation import Aggregation, Totals, parse_aggregations
from infra.emulators.firestore.engine import Engine, Moment, fingerprint, query_key
from infra.emulators.firestore.names import (
    check_collection_id,
    check_database,
    parse_document,
    parse_parent,
    path_text,
    segment_key,
    segment_text,
)
from infra.emulators.firestore.query import Query
from infra.emulators.firestore.refusal import Refused, failed_precondition, invalid, unimplemented
from infra.emulators.firestore.requirement import refusal
from infra.emulators.firestore.run import Hit
from infra.emulators.firestore.structured import parse_query
from infra.emulators.firestore.transactions import Transaction
from infra.emulators.firestore.wire import Document, Message
from infra.emulators.firestore.writes import parse_write

log = logging.getLogger(__name__)
SERVICE = "google.firestore.v1.Firestore"
AT_ONCE = 500
MAX_REQUEST = 10 << 20
PAUSES = 8
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
Context = Any


class Service:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def handler(self) -> grpc.GenericRpcHandler:
        unary = {
            "Commit": (self.commit, wire.CommitRequest),
            "BatchWrite": (self.batch_write, wire.BatchWriteRequest),
            "BeginTransaction": (self.begin, wire.BeginTransactionRequest),
            "Rollback": (self.rollback, wire.RollbackRequest),
            "ListDocuments": (self.list_documents, wire.ListDocumentsRequest),
            "ListCollectionIds": (self.list_collection_ids, wire.ListCollectionIdsRequest),
        }
        stream = {
            "BatchGetDocuments": (self.batch_get, wire.BatchGetDocumentsRequest),
            "RunQuery": (self.run_query, wire.RunQueryRequest),
            "RunAggregationQuery": (self.run_aggregation, wire.RunAggregationQueryRequest),
        }
        handlers: dict[str, Any] = {name: _unserved(name) for name in UNSERVED}
        for name, (method, request) in unary.items():
            handlers[name] = grpc.unary_unary_rpc_method_handler(
                self._door(name, method), _reader(request), None
            )
        for name, (streaming, request) in stream.items():
            handlers[name] = grpc.unary_stream_rpc_method_handler(
                self._door(name, streaming), _reader(request), None
            )
        return grpc.method_handlers_generic_handler(SERVICE, handlers)

    def _door(self, name: str, method: Callable[..., Awaitable[Any]]) -> Any:
        rpcs = self._engine.counters.rpcs

        async def serve(request: Message, context: Context) -> Any:
            rpcs[name] = rpcs.get(name, 0) + 1
            try:
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

    # ---- writes

    async def commit(self, request: Message, _: Context) -> bytes:
        engine = self._engine
        database = check_database(request.database)
        transaction = None
        if request.transaction:
            transaction = engine.transactions.get(request.transaction, database)
            if transaction.read_only and request.writes:
                invalid("Cannot modify entities in a read-only transaction.")
        changes = [parse_write(write, database) for write in request.writes]
        if transaction is None:
            await engine.turns.let_pass(change.name for change in changes)
        results, time = engine.commit(changes, transaction)
        return wire.commit_response(results, time)

    async def batch_write(self, request: Message, _: Context) -> bytes:
        database = check_database(request.database)
        changes = [parse_write(write, database) for write in request.writes]
        if len({change.name for change in changes}) < len(changes):
            invalid("the same document cannot be written more than once in a single request")
        results: list[bytes] = []
        statuses: list[bytes] = []
        for result, refused in self._engine.batch_write(changes):
            results.append(result)
            status = b""
            if refused is not None:
                message = wire.field(b"\x12", refused.message.encode())
                status = b"\x08" + wire.varint(refused.code.value[0]) + message
            statuses.append(wire.field(b"\x12", status))
        return b"".join(results + statuses)

    # ---- transactions

    async def begin(self, request: Message, _: Context) -> bytes:
        made = self._begin(check_database(request.database), request.options)
        return wire.field(b"\x0a", made.id)

    def _begin(self, database: str, options: Message) -> Transaction:
        made = self._engine.transactions.begin(database, options)
        if made.read_only:
            if options.read_only.HasField("read_time"):
                made.read_time = wire.micros(options.read_only.read_time)
            self._engine.moment(database, made, None)
        return made

    async def rollback(self, request: Message, _: Context) -> bytes:
        check_database(request.database)
        self._engine.transactions.rollback(request.transaction)
        return b""

    async def _moment(
        self, database: str, request: Message, reads: list[Hashable]
    ) -> tuple[Moment, bytes]:
        """When to read, and the id of the transaction that begins with this read."""
        engine = self._engine
        which = request.WhichOneof("consistency_selector")
        if which is None:
            return engine.moment(database, None, None), b""
        if which == "read_time":
            return engine.moment(database, None, wire.micros(request.read_time)), b""
        started = b""
        if which == "transaction":
            transaction = engine.transactions.get(request.transaction, database)
        else:
            transaction = self._begin(database, request.new_transaction)
            started = transaction.id
        if not transaction.read_only and await engine.turns.take(transaction, reads):
            engine.refresh(transaction)
        return engine.moment(database, transaction, None), started

    # ---- reads

    async def batch_get(self, request: Message, context: Context) -> None:
        engine = self._engine
        database = check_database(request.database)
        names = [(parse_document(text), text) for text in dict.fromkeys(request.documents)]
        mask = None
        if request.HasField("mask"):
            mask = [paths.parse(path) for path in request.mask.field_paths]
        moment, started = await self._moment(database, request, [name for name, _ in names])
        if started:
            await context.write(wire.field(b"\x1a", started))
        tail = wire.batch_get_tail(moment.time)
        # All are read before the first is sent: sending lets other requests in.
        answers = []
        for name, text in names:
            stored = engine.get(name, moment)
            if stored is None:
                answers.append(wire.missing(text.encode(), tail))
            else:
                body = stored.body if mask is None else _masked(stored.body, mask)
                answers.append(wire.found(text.encode(), body, tail))
        for answer in answers:
            await context.write(answer)

    async def run_query(self, request: Message, context: Context) -> None:
        if request.WhichOneof("query_type") is None:
            invalid("only structured queries are supported")
        query = parse_query(request.parent, request.structured_query)
        self._check_index(query)
        moment, started = await self._moment(query.database, request, [query_key(query)])
        if started:
            await context.write(wire.field(b"\x12", started))
        tail = wire.run_query_tail(moment.time)
        engine = self._engine
        hits = engine.reading(moment).hits(query)
        first, more = _take(hits)
        if moment.transaction is not None:
            whole = first + [hit for hit in hits if hit is not None] if more else first
            moment.transaction.queries.append((query, fingerprint(whole)))
            first, more = whole, False
        answers = [self._answer(hit, query, tail) for hit in first]
        if not more:
            if answers:
                answers[-1] += wire.RUN_QUERY_DONE
            else:
                answers.append(tail + wire.RUN_QUERY_DONE)
            for answer in answers:
                await context.write(answer)
            return
        with engine.storage.snapshot() as connection:
            rest = engine.reading(moment, connection).hits(query)
            del hits
            for answer in answers:
                await context.write(answer)
            skip = len(answers)
            for hit in rest:
                if hit is None:
                    await asyncio.sleep(0)
                elif skip:
                    skip -= 1
                else:
                    await context.write(self._answer(hit, query, tail))

    def _check_index(self, query: Query, summed: Iterable[paths.Path] = ()) -> None:
        missing = refusal(query, self._engine.storage.rules, summed)
        if missing is not None:
            failed_precondition(missing)

    async def run_aggregation(self, request: Message, context: Context) -> None:
        if request.WhichOneof("query_type") is None:
            invalid("only structured aggregation queries are supported")
        asked = request.structured_aggregation_query
        query = parse_query(request.parent, asked.structured_query)
        aggregations = parse_aggregations(asked.aggregations)
        self._check_index(query, [one.path for one in aggregations if one.path])
        moment, started = await self._moment(query.database, request, [query_key(query)])
        if started:
            await context.write(wire.field(b"\x12", started))
        totals = await self._totals(query, aggregations, moment)
        response = wire.RunAggregationQueryResponse()
        for alias, value in totals.result().items():
            response.result.aggregate_fields[alias].CopyFrom(value)
        response.read_time.seconds, micros = divmod(moment.time, wire.MICROS)
        response.read_time.nanos = micros * 1000
        await context.write(response.SerializeToString())

    async def _totals(
        self, query: Query, aggregations: list[Aggregation], moment: Moment
    ) -> Totals:
        engine = self._engine
        totals = Totals(aggregations)
        if moment.transaction is not None:
            hits = [hit for hit in engine.reading(moment).hits(query) if hit is not None]
            moment.transaction.queries.append((query, fingerprint(hits)))
            for hit in hits:
                totals.add(hit)
            return totals
        pauses = 0
        for found in engine.reading(moment).hits(query):
            if found is not None:
                totals.add(found)
            if totals.is_complete:
                return totals
            pauses += found is None
            if pauses > PAUSES:
                break
        else:
            return totals
        totals = Totals(aggregations)
        with engine.storage.snapshot() as connection:
            for found in engine.reading(moment, connection).hits(query):
                if found is not None:
                    totals.add(found)
                else:
                    await asyncio.sleep(0)
                if totals.is_complete:
                    break
        return totals

    # ---- listing

    async def list_documents(self, request: Message, _: Context) -> bytes:
        database, parent = parse_parent(request.parent)
        if request.collection_id:
            check_collection_id(request.collection_id)
        if request.show_missing and not request.collection_id:
            invalid("collection id must be set when show_missing is true")
        if request.show_missing and request.order_by:
            invalid("cannot specify an order when show_missing is true")
        most = listing.page_size(request.page_size)
        token = listing.from_token(request.page_token)
        query = listing.listing_query(
            database, parent, request.collection_id, request.order_by, token, most
        )
        moment, _started = await self._moment(database, request, [])
        hits = self._engine.reading(moment).hits(query)
        mask = None
        if request.HasField("mask"):
            mask = [paths.parse(path) for path in request.mask.field_paths]
        if request.show_missing:
            return self._list_with_missing(query, hits, token, most, mask)
        page = [hit for hit in hits if hit is not None]
        more = len(page) > most
        documents = [_document(hit, mask) for hit in page[:most]]
        return wire.list_documents_response(
            documents, listing.token_of(page[most - 1], query) if more else ""
        )

    def _list_with_missing(
        self,
        query: Query,
        hits: Iterator[Hit | None],
        token: list[bytes],
        most: int,
        mask: list[paths.Path] | None,
    ) -> bytes:
        path = query.parent + segment_key(query.collection)
        after = token[0][len(path) : -1] if token else b""
        absent = listing.segments_below(self._engine.storage, query.database, path, after)
        prefix = f"{query.database}/documents/".encode() + path_text(path) + b"/"
        documents: list[bytes] = []
        last = b""
        for segment, hit in listing.with_missing(hits, absent, path):
            if len(documents) == most:
                return wire.list_documents_response(
                    documents, listing.to_token([path + last + b"\x00"])
                )
            last = segment
            documents.append(
                _document(hit, mask)
                if hit is not None
                else wire.document_bytes(prefix + segment_text(segment), b"")
            )
        return wire.list_documents_response(documents, "")

    async def list_collection_ids(self, request: Message, _: Context) -> bytes:
        database, parent = parse_parent(request.parent)
        if request.WhichOneof("consistency_selector") is not None:
            unimplemented("ListCollectionIds at a read_time is not implemented by this emulator.")
        most = listing.page_size(request.page_size)
        after = listing.from_token(request.page_token)
        ids, token = listing.collection_ids(
            self._engine.storage, database, parent, after[0] if after else b"", most
        )
        response = wire.ListCollectionIdsResponse(collection_ids=ids, next_page_token=token)
        return bytes(response.SerializeToString())

    @staticmethod
    def _answer(hit: Hit, query: Query, tail: bytes) -> bytes:
        body = hit.stored.body
        if query.projection is not None:
            body = _masked(body, list(query.projection))
        return wire.found(hit.name, body, tail)


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


def _take(hits: Iterator[Hit | None]) -> tuple[list[Hit], bool]:
    """The first hits; whether there are more, or finding them takes long."""
    first: list[Hit] = []
    pauses = 0
    for hit in hits:
        if hit is None:
            pauses += 1
            if pauses > PAUSES:
                return first, True
            continue
        first.append(hit)
        if len(first) >= AT_ONCE:
            return first, True
    return first, False


def _document(hit: Hit, mask: list[paths.Path] | None) -> bytes:
    body = hit.stored.body
    return wire.document_bytes(hit.name, body if mask is None else _masked(body, mask))


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


def _masked(body: bytes, mask: list[paths.Path]) -> bytes:
    """A stored document with only the fields asked for."""
    whole = Document.FromString(body)
    kept = paths.project(whole.fields, mask)
    kept.create_time.CopyFrom(whole.create_time)
    kept.update_time.CopyFrom(whole.update_time)
    return bytes(kept.SerializeToString())
