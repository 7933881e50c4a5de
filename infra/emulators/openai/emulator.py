"""Starts the server inside the running loop; it answers while the encoder still loads."""

import argparse
import asyncio
import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from ..listening import address, listen
from ..running import IDLE_S, Running
from .app import Service, build_app
from .encoder import Encoder

GIVES_WAY = 5


class _Server(uvicorn.Server):
    """Leaves the process's signals to the command that started it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def start(args: argparse.Namespace, _: Path) -> Running:
    """The data folder stays empty: counts and faults are meant to die with the process."""
    if hasattr(os, "nice"):
        # Elsewhere a model has machines of its own: here it gives way to whoever answers people.
        os.nice(GIVES_WAY)
    listener = listen(args.host, args.openai_port)
    encoder = Encoder()
    config = uvicorn.Config(
        build_app(Service(encoder)),
        log_level="error",
        access_log=False,
        lifespan="off",
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=1,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_no_cut)
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            await serving
            raise OSError("the server ended before it started")
        await asyncio.sleep(0.005)

    async def stop() -> None:
        server.should_exit = True
        await serving
        encoder.close()

    base = address(listener)
    return Running({"OPENAI_BASE_URL": f"{base}/v1"}, stop, {"openai": f"{base}/admin"})


def _is_no_cut(record: logging.LogRecord) -> bool:
    """An answer that was cut on purpose is no error of the server's."""
    return "without completing response" not in record.getMessage()
