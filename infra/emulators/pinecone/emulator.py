"""Starts the Pinecone emulator: one port for the control plane, the data plane and the admin."""

import argparse
import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from ..listening import address, listen
from ..running import IDLE_S, Running

if TYPE_CHECKING:
    from .indexes import Indexes

_SETTLE_SECONDS = 1.0
_MOST_HEADER_BYTES = 1024 * 1024
"""A fetch names up to a thousand ids in its address line."""


async def start(args: argparse.Namespace, data: Path) -> Running:
    # One pass over a large matrix is bound by memory, not by cores: a second BLAS thread gains
    # little on an idle machine and loses much on a busy one. It must be said before numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .indexes import Indexes
    from .server import application
    from .state import State

    listener = listen(args.host, args.pinecone_port)
    state = State(Indexes(data, args.freshness_ms / 1000, time.monotonic))
    config = uvicorn.Config(
        application(state),
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started:
        if serving.done():
            raise OSError("the HTTP server ended before it had begun") from serving.exception()
        await asyncio.sleep(0.001)
    settling = asyncio.create_task(_settle_for_ever(state.indexes))

    async def stop() -> None:
        settling.cancel()
        state.ending.set()
        server.should_exit = True
        await serving
        state.indexes.close()

    base = address(listener)
    return Running({"PINECONE_CONTROLLER_HOST": base}, stop, {"pinecone": f"{base}/admin"})


class _Server(uvicorn.Server):
    """The command that started us handles signals, not the server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _settle_for_ever(indexes: "Indexes") -> None:
    while True:
        await asyncio.sleep(_SETTLE_SECONDS)
        indexes.settle()
