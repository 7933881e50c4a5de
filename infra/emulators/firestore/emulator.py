"""Starts the Firestore emulator."""

import argparse
from pathlib import Path

import grpc

from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.rules import load
from infra.emulators.firestore.service import Service
from infra.emulators.running import Running

MAX_MESSAGE = 64 << 20
"""What is received at all; requests over Firestore's own limit are then refused in its words."""


async def start(args: argparse.Namespace, data: Path) -> Running:
    engine = Engine(data, load(args.indexes))
    server = grpc.aio.server(
        options=[
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.max_send_message_length", -1),
        ]
    )
    server.add_generic_rpc_handlers((Service(engine).handler(),))
    try:
        port = server.add_insecure_port(f"{args.host}:{args.firestore_port}")
    except RuntimeError as error:
        engine.close()
        raise OSError(str(error)) from error
    await server.start()

    async def stop() -> None:
        await server.stop(grace=1.0)
        engine.close()

    return Running({"FIRESTORE_EMULATOR_HOST": f"{args.host}:{port}"}, stop)
