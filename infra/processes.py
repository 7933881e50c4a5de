"""Child processes that live and die with this one, and are started again when they end."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from infra.emulators import lifeline

ROOT = Path(__file__).parent.parent
GRACE_S = 10.0
LOOKS_EVERY_S = 0.25
LIVES_AT_LEAST_S = 5.0
"""What ends sooner cannot run at all for now: it is started again after growing pauses..."""
LONGEST_PAUSE_S = 15.0
"""...up to this one, so that a lasting fault fills no log and takes no processor from the rest."""


@dataclass
class Process:
    """A child and how to start it, the first time and again."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    sockets: Sequence[int] = ()
    """What it listens on, opened here: they stay open while the child is started again."""
    child: asyncio.subprocess.Process | None = field(default=None, repr=False)
    started_at: float = 0.0
    ended_at: float | None = None
    early_ends: int = 0

    @property
    def has_ended(self) -> bool:
        return self.child is not None and self.child.returncode is not None


class Processes:
    """Started in order, ended in reverse: what was started last still needs the first."""

    def __init__(self, output: int | None = None) -> None:
        """`output` takes what they say; None leaves it to the terminal."""
        self._output = output
        self._read_end, self._write_end = os.pipe()
        self._all: list[Process] = []

    async def start(self, process: Process) -> Process:
        if process not in self._all:
            self._all.append(process)
        process.child = await asyncio.create_subprocess_exec(
            *process.command,
            cwd=ROOT,
            env={**os.environ, **process.environment, lifeline.VARIABLE: str(self._read_end)},
            pass_fds=[self._read_end, *process.sockets],
            stdout=self._output,
            stderr=self._output,
            # A group of its own, so that what it left behind can be told and ended.
            start_new_session=True,
        )
        process.started_at, process.ended_at = asyncio.get_running_loop().time(), None
        return process

    async def run(self, command: list[str], environment: Mapping[str, str]) -> int:
        """Its exit code, when it is done."""
        child = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self._output,
        )
        return await child.wait()

    def ended(self) -> list[Process]:
        return [process for process in self._all if process.has_ended]

    async def keep_alive(self) -> None:
        """As a cloud would: what ends is started again, on the same address. Its own children go
        first: a worker whose master was killed would keep the port for itself."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            now = asyncio.get_running_loop().time()
            for process in self.ended():
                if process.ended_at is None:
                    process.ended_at = now
                    is_early = now - process.started_at < LIVES_AT_LEAST_S
                    process.early_ends = process.early_ends + 1 if is_early else 0
                if now - process.ended_at < pause_s(process.early_ends):
                    continue
                _end_group(process)
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
            _end_group(process)
        os.close(self._write_end)
        os.close(self._read_end)


def pause_s(early_ends: int) -> float:
    """Before the next start, after so many ends in a row that came too soon. The first is taken for
    an accident."""
    return min(LONGEST_PAUSE_S, LOOKS_EVERY_S * 2**early_ends) if early_ends > 1 else 0.0


def _end_group(process: Process) -> None:
    """Whatever is left of an ended child's own children."""
    assert process.child is not None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.child.pid, signal.SIGKILL)
