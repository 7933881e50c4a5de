"""The RPCs that read: documents by name, queries, aggregations."""

import asyncio
from collections.abc import Hashable, Iterator
from contextlib import closing

from . import paths, protobuf
from .aggregation import Aggregation, Totals, parse_aggregations
from .answer_documents import Hit
from .engine import Engine, Moment, fingerprint, query_key
from .names import check_database, parse_document
from .protobuf import Context, Document, Message
from .query import Query
from .refusal import failed_precondition, invalid, unimplemented
from .required_index import refusal
from .structured_query import parse_query

AT_ONCE = 500
PAUSES = 8


async def moment_of(
    engine: Engine, database: str, request: Message, reads: list[Hashable]
) -> tuple[Moment, bytes]:
    """When to read, and the id of the transaction that begins with this read."""
    which = request.WhichOneof("consistency_selector")
    if which is None:
        return engine.moment(database, None, None), b""
    if which == "read_time":
        return engine.moment(database, None, protobuf.micros(request.read_time)), b""
    started = b""
    if which == "transaction":
        transaction = engine.transactions.get(request.transaction, database)
    else:
        transaction = engine.begin(database, request.new_transaction)
        started = transaction.id
    if not transaction.read_only and await engine.turns.take(transaction, reads):
        engine.refresh(transaction)
    return engine.moment(database, transaction, None), started


class Reads:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def batch_get(self, request: Message, context: Context) -> None:
        engine = self._engine
        database = check_database(request.database)
        names = [(parse_document(text), text) for text in dict.fromkeys(request.documents)]
        mask = None
        if request.HasField("mask"):
            mask = [paths.parse(path) for path in request.mask.field_paths]
        moment, started = await moment_of(engine, database, request, [name for name, _ in names])
        tail = protobuf.batch_get_tail(moment.time)
        # All are read before the first is sent: sending lets other requests in.
        answers = [protobuf.field(b"\x1a", started)] if started else []
        for name, text in names:
            stored = engine.get(name, moment)
            if stored is None:
                answers.append(protobuf.missing(text.encode(), tail))
            else:
                body = stored.body if mask is None else masked(stored.body, mask)
                answers.append(protobuf.found(text.encode(), body, tail))
        for answer in answers:
            await context.write(answer)

    async def run_query(self, request: Message, context: Context) -> None:
        if request.WhichOneof("query_type") is None:
            invalid("only structured queries are supported")
        _check_unexplained(request)
        query = parse_query(request.parent, request.structured_query)
        self._check_index(query)
        moment, started = await moment_of(self._engine, query.database, request, [query_key(query)])
        tail = protobuf.run_query_tail(moment.time)
        engine = self._engine
        hits = engine.reading(moment).hits(query)
        first, more = _take(hits)
        if moment.transaction is not None:
            whole = first + [hit for hit in hits if hit is not None] if more else first
            moment.transaction.queries.append((query, fingerprint(whole)))
            first, more = whole, False
        answers = [protobuf.field(b"\x12", started)] if started else []
        answers += [self._answer(hit, query, tail) for hit in first]
        if not more:
            if first:
                answers[-1] += protobuf.RUN_QUERY_DONE
            else:
                engine.counters.empty_queries += 1
                answers.append(tail + protobuf.RUN_QUERY_DONE)
            for answer in answers:
                await context.write(answer)
            return
        hits.close()
        with (
            engine.storage.snapshot() as connection,
            closing(engine.reading(moment, connection).hits(query)) as rest,
        ):
            for answer in answers:
                await context.write(answer)
            skip = len(first)
            for hit in rest:
                if hit is None:
                    await asyncio.sleep(0)
                elif skip:
                    skip -= 1
                else:
                    await context.write(self._answer(hit, query, tail))

    def _check_index(self, query: Query) -> None:
        missing = refusal(query, self._engine.storage.rules)
        if missing is not None:
            failed_precondition(missing)

    async def run_aggregation(self, request: Message, context: Context) -> None:
        if request.WhichOneof("query_type") is None:
            invalid("only structured aggregation queries are supported")
        _check_unexplained(request)
        asked = request.structured_aggregation_query
        aggregations = parse_aggregations(asked.aggregations)
        summed = list(dict.fromkeys(one.path for one in aggregations if one.path))
        query = parse_query(request.parent, asked.structured_query, summed)
        self._check_index(query)
        moment, started = await moment_of(self._engine, query.database, request, [query_key(query)])
        totals = await self._totals(query, aggregations, moment)
        self._engine.counters.empty_queries += 1
        if started:
            await context.write(protobuf.field(b"\x12", started))
        response = protobuf.RunAggregationQueryResponse()
        for alias, value in totals.result().items():
            response.result.aggregate_fields[alias].CopyFrom(value)
        response.read_time.seconds, micros = divmod(moment.time, protobuf.MICROS)
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
        with (
            engine.storage.snapshot() as connection,
            closing(engine.reading(moment, connection).hits(query)) as rest,
        ):
            for found in rest:
                if found is not None:
                    totals.add(found)
                else:
                    await asyncio.sleep(0)
                if totals.is_complete:
                    break
        return totals

    @staticmethod
    def _answer(hit: Hit, query: Query, tail: bytes) -> bytes:
        body = hit.stored.body
        if query.projection is not None:
            body = masked(body, list(query.projection))
        return protobuf.found(hit.name, body, tail)


def _check_unexplained(request: Message) -> None:
    if request.HasField("explain_options"):
        unimplemented("Query explain (explain_options) is not implemented by this emulator.")


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


def masked(body: bytes, mask: list[paths.Path]) -> bytes:
    """A stored document with only the fields asked for."""
    whole = Document.FromString(body)
    kept = paths.project(whole.fields, mask)
    kept.create_time.CopyFrom(whole.create_time)
    kept.update_time.CopyFrom(whole.update_time)
    return bytes(kept.SerializeToString())
