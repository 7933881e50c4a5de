"""One attempt over HTTP: its deadline, and a target that breaks off."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from infra.emulators.tasks.delivery import Delivery
from infra.emulators.tasks.outcome import OUT_OF_REACH, PAST_DEADLINE, Outcome
from infra.emulators.tasks.protobuf import Method, Task, duration
from infra.emulators.tasks.stored_task import TaskRow
from infra.emulators.tasks.tokens import Signer

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(talk: Talk) -> AsyncIterator[str]:
    """A server that says what it is told to, or nothing."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await talk(reader, writer)
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


@pytest.fixture
async def delivery(tmp_path: Path) -> AsyncIterator[Delivery]:
    sending = Delivery(Signer(tmp_path))
    yield sending
    await sending.close()


def task(url: str, deadline_us: int) -> TaskRow:
    message = Task(name="projects/p/locations/l/queues/q/tasks/t")
    message.http_request.url = url
    message.http_request.http_method = Method.POST
    message.dispatch_deadline.CopyFrom(duration(deadline_us))
    queue = "projects/p/locations/l/queues/q"
    return TaskRow(message.name, queue, message.SerializeToString(), 0, 0, dispatches=1)


async def test_a_target_that_never_answers_is_given_up_at_the_deadline(delivery: Delivery) -> None:
    hung_up = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()
        hung_up.set()

    async with serving(silent) as url:
        outcome = await delivery.send(task(url, deadline_us=50_000))
        assert outcome == PAST_DEADLINE
        assert (outcome.status, outcome.answered, outcome.succeeded) == (504, False, False)
        async with asyncio.timeout(10):
            await hung_up.wait()


async def test_the_deadline_covers_the_whole_answer(delivery: Delivery) -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        await reader.read()

    async with serving(endless) as url:
        assert await delivery.send(task(url, deadline_us=50_000)) == PAST_DEADLINE


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Len", b"nonsense\r\n\r\n"])
async def test_a_broken_answer_is_no_answer(delivery: Delivery, said: bytes) -> None:
    async def broken(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)

    async with serving(broken) as url:
        assert await delivery.send(task(url, deadline_us=10_000_000)) == OUT_OF_REACH


async def test_many_attempts_go_out_at_the_same_time(delivery: Delivery) -> None:
    everybody_is_here = asyncio.Barrier(100)

    async def patient(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await everybody_is_here.wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with serving(patient) as url:
        row = task(url, deadline_us=60_000_000)
        outcomes = await asyncio.gather(*[delivery.send(row) for _ in range(100)])
    assert set(outcomes) == {Outcome(204)}
