"""The emulators there are, with their options. Nothing heavy is imported here."""

import argparse
from pathlib import Path

from .running import Emulator


def _firestore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--firestore-port", type=int, default=0, help="0 takes a free port")
    parser.add_argument(
        "--indexes",
        type=Path,
        help="firestore.indexes.json; with it a query that lacks its index is refused",
    )


def _tasks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tasks-port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--tasks-admin-port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--queues", type=Path, help="queues.toml; its queues exist from the start")


def _pinecone(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pinecone-port", type=int, default=0, help="0 takes a free port")
    parser.add_argument(
        "--freshness-ms",
        type=int,
        default=0,
        help="how long an upsert or a delete stays invisible, as in the real service",
    )


def _openai(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--openai-port", type=int, default=0, help="0 takes a free port")


CATALOGUE = {
    emulator.name: emulator
    for emulator in (
        Emulator("firestore", f"{__package__}.firestore.emulator", _firestore),
        Emulator("tasks", f"{__package__}.tasks.emulator", _tasks),
        Emulator("pinecone", f"{__package__}.pinecone.emulator", _pinecone),
        Emulator("openai", f"{__package__}.openai.emulator", _openai),
    )
}
