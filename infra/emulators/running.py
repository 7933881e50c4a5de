"""What every emulator offers the command that starts it."""

import argparse
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

IDLE_S = 75
"""Longer than clients keep an idle connection, so that none sends into one that is being closed."""


@dataclass(frozen=True)
class Running:
    """A started emulator: where it answers, and how to end it cleanly.

    `endpoints` are the environment variables a client sets, `admin` the URLs of its own controls.
    """

    endpoints: dict[str, str]
    stop: Callable[[], Awaitable[None]]
    admin: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Emulator:
    """One emulator as the command line knows it, before anything heavy is imported.

    `module` has `async def start(args: argparse.Namespace, data: Path) -> Running`.
    """

    name: str
    module: str
    add_arguments: Callable[[argparse.ArgumentParser], None]


Start = Callable[[argparse.Namespace, Path], Awaitable[Running]]
