"""The RPCs that write, and those that begin and end transactions."""

from . import protobuf
from .engine import Engine
from .names import check_database
from .protobuf import Context, Message
from .refusal import invalid
from .writes import parse_write


class Writes:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

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
        return protobuf.commit_response(results, time)

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
                message = protobuf.field(b"\x12", refused.message.encode())
                status = b"\x08" + protobuf.varint(refused.code.value[0]) + message
            statuses.append(protobuf.field(b"\x12", status))
        return b"".join(results + statuses)

    async def begin(self, request: Message, _: Context) -> bytes:
        made = self._engine.begin(check_database(request.database), request.options)
        return protobuf.field(b"\x0a", made.id)

    async def rollback(self, request: Message, _: Context) -> bytes:
        check_database(request.database)
        self._engine.transactions.rollback(request.transaction)
        return b""
