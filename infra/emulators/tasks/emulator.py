"""Puts the parts together and serves them: gRPC for clients, HTTP for the controls."""

import argparse
import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import grpc.aio
import uvicorn

from ..listening import address, listen
from ..running import IDLE_S, Running
from . import queue_rules, queue_table
from .admin import Admin
from .delivery import Delivery
from .dispatcher import Dispatcher, now_us
from .faults import Faults
from .protobuf import Message
from .refusal import Refusal
from .service import Service
from .store import Store
from .tokens import Signer

_HOUSEKEEPING_S = 5.0


async def start(args: argparse.Namespace, data: Path) -> Running:
    asked = queue_table.read(args.queues) if args.queues else []
    store = Store(data / "tasks.db")
    store.forget_old(now_us())
    _apply(store, asked)
    signer = Signer(data)
    delivery = Delivery(signer)
    faults = Faults()
    dispatcher = Dispatcher(store, delivery, faults)

    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((Service(store, dispatcher, faults).handler(),))
    port = _bound(server, args.host, args.tasks_port)
    admin_socket = listen(args.host, args.tasks_admin_port)
    web = _Web(
        uvicorn.Config(
            Admin(store, dispatcher, faults, signer).app(),
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=1,
        )
    )
    serving = asyncio.create_task(web.serve(sockets=[admin_socket]))
    await server.start()
    dispatcher.start()
    housekeeping = asyncio.create_task(_keep_house(store))

    async def stop() -> None:
        housekeeping.cancel()
        await server.stop(grace=0.5)
        web.should_exit = True
        await serving
        await dispatcher.stop()
        await delivery.close()
        store.close()

    return Running(
        {"CLOUD_TASKS_ENDPOINT": f"{args.host}:{port}"},
        stop,
        {"tasks": address(admin_socket)},
    )


class _Web(uvicorn.Server):
    """Leaves the signals to the command that started us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _apply(store: Store, asked: list[Message]) -> None:
    """Make the table's queues, or bring them up to date; others stay as they are."""
    for queue in asked:
        current = store.queue(queue.name)
        try:
            if current is None:
                store.put_queue(queue_rules.created(queue))
            else:
                store.put_queue(queue_rules.merged(current, queue, None))
        except Refusal as refused:
            raise queue_table.BadTable(f"{queue.name}: {refused}") from refused


async def _keep_house(store: Store) -> None:
    """Free old names, and leave no deleted bytes in the log for long."""
    while True:
        await asyncio.sleep(_HOUSEKEEPING_S)
        store.forget_old(now_us())
        store.checkpoint()


def _bound(server: grpc.aio.Server, host: str, port: int) -> int:
    try:
        return server.add_insecure_port(f"{host}:{port}")
    except RuntimeError as error:
        raise OSError(f"cannot listen on {host}:{port}") from error
