"""Child processes that live and die with this one, and are started again when they end."""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infra.emulators import lifeline

ROOT = Path(__file__).parent.parent
GRACE_S = 10.0


@dataclass
class Process:
    """A child and how to start it, the first time and again."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    child: asyncio.subprocess.Process | None = field(default=None, repr=False)

    @property
    def has_ended(self) -> bool:
        return self.child is not None and self.child.returncode is not None


class Processes:
    """Started in order, ended in reverse: what was started last still needs the first."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()
        self._all: list[Process] = []

    async def start(self, process: Process) -> Process:
        if process not in self._all:
            self._all.append(process)
        process.child = await asyncio.create_subprocess_exec(
            *process.command,
            cwd=ROOT,
            env={**os.environ, **process.environment, lifeline.VARIABLE: str(self._read_end)},
            pass_fds=[self._read_end],
        )
        return process

    def ended(self) -> list[Process]:
        return [process for process in self._all if process.has_ended]

    async def keep_alive(self) -> None:
        """As a cloud would: what ends is started again, on the same address."""
        while True:
            await asyncio.sleep(0.25)
            for process in self.ended():
                print(f"annals: {process.name} ended; starting it again", file=sys.stderr)
                await self.start(process)

    async def end(self) -> None:
        for process in reversed(self._all):
            if process.child is None or process.has_ended:
                continue
            with contextlib.suppress(ProcessLookupError):
                process.child.terminate()
            try:
                async with asyncio.timeout(GRACE_S):
                    await process.child.wait()
            except TimeoutError:
                process.child.kill()
                await process.child.wait()
        os.close(self._write_end)
        os.close(self._read_end)


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
