"""The one port of the local cloud, and the processes behind it, without a cloud."""

import asyncio
import sys
from pathlib import Path

import httpx
import pytest
from gunicorn.config import Keepalive  # type: ignore[import-untyped]
from httpx import Limits

from infra.addresses import free_port
from infra.emulators.running import IDLE_S as KEPT_FOR_CALLERS
from infra.processes import LONGEST_PAUSE_S, Process, Processes, pause_s
from infra.proxy import IDLE_S, make_proxy


def test_a_connection_is_given_up_before_the_functions_server_hangs_up() -> None:
    assert Keepalive.default > IDLE_S


def test_the_port_hangs_up_on_nobody_who_may_still_send() -> None:
    usual = Limits().keepalive_expiry

    assert usual is not None
    assert usual < KEPT_FOR_CALLERS


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "/", 405, "method_not_allowed"),
        ("TRACE", "/ingest_message/messages", 405, "method_not_allowed"),
        ("GET", "/nobody/x", 404, "not_found"),
        ("GET", "/ingest_message/x", 503, "unavailable"),
    ],
)
async def test_whatever_the_port_refuses_itself_it_refuses_in_the_products_shape(
    method: str, path: str, status: int, code: str
) -> None:
    proxy = httpx.ASGITransport(make_proxy({"ingest_message": [free_port()]}))
    async with httpx.AsyncClient(transport=proxy, base_url="http://local") as client:
        answer = await client.request(method, path)

    assert answer.status_code == status
    told = answer.json()
    assert (told["success"], told["error"]["code"]) == (False, code)


async def test_while_a_function_is_away_its_spare_answers() -> None:
    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        await writer.drain()
        writer.close()

    async def hung_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    spare = await asyncio.start_server(answered, "127.0.0.1", 0)
    dying = await asyncio.start_server(hung_up, "127.0.0.1", 0)
    port, killed = (one.sockets[0].getsockname()[1] for one in (spare, dying))
    async with spare, dying:
        for away, path, status in (
            (free_port(), "/build_context/context", 200),
            (free_port(), "/build_context/context/c1/feedback", 200),
            (killed, "/build_context/context", 200),
            (killed, "/build_context/context/c1/feedback", 503),  # it may have been taken
        ):
            proxy = httpx.ASGITransport(make_proxy({"build_context": [away, port]}))
            async with httpx.AsyncClient(transport=proxy, base_url="http://local") as client:
                assert (await client.post(path)).status_code == status, path


def test_what_cannot_run_is_started_again_after_growing_pauses() -> None:
    pauses = [pause_s(ends) for ends in range(12)]

    assert pauses[:2] == [0.0, 0.0]
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_S


MASTER = """
import os, socket, sys, time
door = socket.socket(); door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
door.bind(("127.0.0.1", int(sys.argv[1]))); door.listen()
open(sys.argv[2], "a").write(f"{os.getpid()}\\n")
os.fork()
time.sleep(60)
"""


async def test_the_worker_of_a_killed_master_does_not_keep_the_port(tmp_path: Path) -> None:
    """A master binds, its worker inherits the port; the master alone is killed."""
    started = tmp_path / "started"
    command = [sys.executable, "-c", MASTER, str(free_port()), str(started)]
    processes = Processes()
    master = await processes.start(Process("a master", command, {}))
    keeping = asyncio.create_task(processes.keep_alive())
    try:
        async with asyncio.timeout(30):
            while not started.exists() or not started.read_text():
                await asyncio.sleep(0.02)
            assert master.child is not None
            master.child.kill()
            while len(started.read_text().split()) < 2:
                await asyncio.sleep(0.02)
        assert not master.has_ended
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await processes.end()
