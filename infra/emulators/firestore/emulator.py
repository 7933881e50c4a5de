"""Starts the Firestore emulator: the gRPC server, its admin endpoint, the fold of an idle log."""

import argparse
import asyncio
import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path

import grpc
import uvicorn

from ..listening import address, listen
from ..running import IDLE_S, Running
from . import time_to_live
from .admin import admin_app
from .engine import Engine
from .faults import Faults
from .index_rules import load
from .service import handler

MAX_MESSAGE = 64 << 20
"""What is received at all; requests over Firestore's own limit are then refused in its words."""

IDLE_SECONDS = 1.0


async def start(args: argparse.Namespace, data: Path) -> Running:
    engine = Engine(data, load(args.indexes), asyncio.get_running_loop().call_later)
    faults = Faults()
    server = grpc.aio.server(
        options=[
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.max_send_message_length", -1),
        ]
    )
    server.add_generic_rpc_handlers((handler(engine, faults),))
    try:
        port = server.add_insecure_port(f"{args.host}:{args.firestore_port}")
        listening = listen(args.host, 0)
    except (RuntimeError, OSError) as error:
        engine.close()
        raise OSError(f"cannot listen on {args.host}:{args.firestore_port}: {error}") from error
    await server.start()
    # What is loaded by now stays: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    web = _Web(
        uvicorn.Config(
            admin_app(engine, faults),
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_keep_alive=IDLE_S,
        )
    )
    tasks = [
        asyncio.create_task(web.serve(sockets=[listening])),
        asyncio.create_task(_fold_when_idle(engine)),
        asyncio.create_task(_expire_hourly(engine)),
    ]

    async def stop() -> None:
        web.should_exit = True
        for one in tasks[1:]:
            one.cancel()
        await server.stop(grace=1.0)
        await asyncio.gather(*tasks, return_exceptions=True)
        engine.close()

    endpoints = {"FIRESTORE_EMULATOR_HOST": f"{args.host}:{port}"}
    return Running(endpoints, stop, {"firestore": address(listening)})


class _Web(uvicorn.Server):
    """Signals belong to the command that runs the emulators."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _expire_hourly(engine: Engine) -> None:
    while True:
        await asyncio.sleep(time_to_live.SECONDS)
        time_to_live.expire(engine)


async def _fold_when_idle(engine: Engine) -> None:
    """Once nothing was written for a moment, the log goes into the file."""
    folded = engine.commits
    seen = folded
    while True:
        await asyncio.sleep(IDLE_SECONDS)
        if engine.commits == seen != folded and engine.checkpoint():
            folded = seen
        seen = engine.commits
