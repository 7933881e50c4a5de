"""The RPCs of google.firestore.v1.Firestore."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import grpc

from infra.emulators.firestore import paths, wire
from infra.emulators.firestore.engine import Engine, Moment, fingerprint
from infra.emulators.firestore.names import check_database, parse_document, parse_parent
from infra.emulators.firestore.query import Query
from infra.emulators.firestore.refusal import Refused, invalid
from infra.emulators.firestore.run import Hit
from infra.emulators.firestore.structured import parse_query
from infra.emulators.firestore.transactions import Transaction
from infra.emulators.firestore.wire import Document, Message
from infra.emulators.firestore.writes import parse_write

log = logging.getLogger(__name__)
SERVICE = "google.firestore.v1.Firestore"
AT_ONCE = 500
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
        }
        stream = {
            "BatchGetDocuments": (self.batch_get, wire.BatchGetDocumentsRequest),
            "RunQuery": (self.run_query, wire.RunQueryRequest),
        }
        handlers: dict[str, Any] = {}
        for name, (method, request) in unary.items():
            handlers[name] = grpc.unary_unary_rpc_method_handler(
                self._door(name, method), request.FromString, None
            )
        for name, (method, request) in stream.items():
            handlers[name] = grpc.unary_stream_rpc_method_handler(
                self._door(name, method), request.FromString, None
            )
        return grpc.method_handlers_generic_handler(SERVICE, handlers)

    def _door(self, name: str, method: Callable[..., Awaitable[Any]]) -> Any:
        rpcs = self._engine.counters.rpcs

        async def serve(request: Message, context: Context) -> Any:
            rpcs[name] = rpcs.get(name, 0) + 1
            try:
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
        results, time = engine.commit(changes, transaction)
        return wire.commit_response(results, time)

    async def batch_write(self, request: Message, _: Context) -> bytes:
        database = check_database(request.database)
        changes = [parse_write(write, database) for write in request.writes]
        if len({change.name for change in changes}) < len(changes):
            invalid("the same document cannot be written more than once in a single request")
        response = wire.BatchWriteResponse()
        for updated, refused in self._engine.batch_write(changes):
            result = response.write_results.add()
            status = response.status.add()
            if refused is not None:
                status.code = refused.code.value[0]
                status.message = refused.message
            elif updated is not None:
                result.update_time.seconds, micros = divmod(updated, wire.MICROS)
                result.update_time.nanos = micros * 1000
        return bytes(response.SerializeToString())

    # ---- transactions

    async def begin(self, request: Message, _: Context) -> bytes:
        made = self._begin(check_database(request.database), request.options)
        return wire.field(b"\x0a", made.id)

    def _begin(self, database: str, options: Message) -> Transaction:
        made = self._engine.transactions.begin(database, options)
        if made.read_only and options.read_only.HasField("read_time"):
            made.read_time = wire.micros(options.read_only.read_time)
            self._engine.moment(database, made, None)
        return made

    async def rollback(self, request: Message, _: Context) -> bytes:
        check_database(request.database)
        self._engine.transactions.rollback(request.transaction)
        return b""

    def _moment(self, database: str, request: Message) -> tuple[Moment, bytes]:
        """When to read, and the id of the transaction that begins with this read."""
        which = request.WhichOneof("consistency_selector")
        transaction = None
        started = b""
        read_time = None
        if which == "transaction":
            transaction = self._engine.transactions.get(request.transaction, database)
        elif which == "new_transaction":
            transaction = self._begin(database, request.new_transaction)
            started = transaction.id
        elif which == "read_time":
            read_time = wire.micros(request.read_time)
        return self._engine.moment(database, transaction, read_time), started

    # ---- reads

    async def batch_get(self, request: Message, context: Context) -> None:
        engine = self._engine
        database = check_database(request.database)
        names = [(parse_document(text), text) for text in dict.fromkeys(request.documents)]
        mask = None
        if request.HasField("mask"):
            mask = [paths.parse(path) for path in request.mask.field_paths]
        moment, started = self._moment(database, request)
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
        moment, started = self._moment(query.database, request)
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

    @staticmethod
    def _answer(hit: Hit, query: Query, tail: bytes) -> bytes:
        body = hit.stored.body
        if query.projection is not None:
            body = _masked(body, list(query.projection))
        return wire.found(hit.name, body, tail)


def _take(hits: Iterator[Hit | None]) -> tuple[list[Hit], bool]:
    """The first hits; whether there are more, or finding them takes long."""
    first: list[Hit] = []
    pauses = 0
    for hit in hits:
        if hit is None:
            pauses += 1
            if pauses > 8:
                return first, True
            continue
        first.append(hit)
        if len(first) >= AT_ONCE:
            return first, True
    return first, False


def _masked(body: bytes, mask: list[paths.Path]) -> bytes:
    """A stored document with only the fields asked for."""
    whole = Document.FromString(body)
    kept = paths.project(whole.fields, mask)
    kept.create_time.CopyFrom(whole.create_time)
    kept.update_time.CopyFrom(whole.update_time)
    return bytes(kept.SerializeToString())


_ = (AsyncIterator, parse_parent)
