"""Starts one emulator in this process, or several as children that live and die with it.

One process each: the embedding of a text never delays a commit, and a crash stays where it is.
With --together several share this process: less memory, for those that seldom hold the processor.
"""

import argparse
import asyncio
import contextlib
import fcntl
import gc
import importlib
import json
import os
import signal
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, cast

from . import lifeline
from .catalogue import CATALOGUE
from .running import Running, Start


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"any of {', '.join(CATALOGUE)} (default: all)"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that keeps everything")
    parser.add_argument("--ready-file", type=Path, help="receives the endpoints when all answer")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--together", action="store_true", help="all of them in one process")
    for emulator in CATALOGUE.values():
        emulator.add_arguments(parser)
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in CATALOGUE]
    if unknown:
        parser.error(f"no such emulator: {', '.join(unknown)}; there are {', '.join(CATALOGUE)}")
    args.names = list(dict.fromkeys(args.names)) or list(CATALOGUE)
    return args


def main(argv: list[str]) -> int:
    args = parse(argv)
    lifeline.follow_parent()
    # What is kept may be what people said: for nobody else on this machine.
    os.umask(0o077)
    args.data.mkdir(parents=True, exist_ok=True)
    if args.ready_file:
        args.ready_file.unlink(missing_ok=True)
    try:
        if args.together or len(args.names) == 1:
            asyncio.run(_run_here(args))
        else:
            asyncio.run(_run_children(args, argv))
    except Refused as refused:
        print(f"emulators: {refused}", file=sys.stderr)
        return 1
    return 0


class Refused(Exception):
    """It cannot start or go on; the message says what to do."""


async def _run_here(args: argparse.Namespace) -> None:
    stopping = _stop_on_signal()
    async with contextlib.AsyncExitStack() as running:
        started = [(name, os.getpid(), await _start(name, args, running)) for name in args.names]
        # What is there now stays: it is not looked through for garbage again and again.
        gc.collect()
        gc.freeze()
        _announce(args, started)
        await stopping.wait()


async def _start(
    name: str, args: argparse.Namespace, running: contextlib.AsyncExitStack
) -> Running:
    """The emulator, stopped when `running` ends."""
    data = args.data / name
    data.mkdir(parents=True, exist_ok=True)
    running.enter_context(_sole_owner(data))
    start = cast(Start, importlib.import_module(CATALOGUE[name].module).start)
    try:
        emulator = await start(args, data)
    except OSError as error:
        raise Refused(f"{name} cannot start: {error}") from error
    except sqlite3.Error as error:
        raise Refused(
            f"{name} cannot start: what is kept in {data} cannot be read ({error}); put a copy "
            "of it back, or choose another --data"
        ) from error
    running.push_async_callback(emulator.stop)
    return emulator


async def _run_children(args: argparse.Namespace, argv: list[str]) -> None:
    """One child a name; the first that ends ends them all."""
    stopping = _stop_on_signal()
    read_end, write_end = os.pipe()
    children: dict[str, asyncio.subprocess.Process] = {}
    with tempfile.TemporaryDirectory(prefix="cloud-emulators-") as scratch:
        try:
            for name in args.names:
                children[name] = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    __package__,
                    *_child_arguments(argv, args.names, name, Path(scratch) / name),
                    env={**os.environ, lifeline.VARIABLE: str(read_end)},
                    pass_fds=[read_end],
                )
            started = await _started(children, Path(scratch), stopping)
            if started is not None:
                _announce(args, started)
                await _until_stopped(children, stopping)
        finally:
            for child in children.values():
                if child.returncode is None:
                    child.terminate()
            for child in children.values():
                await child.wait()
            os.close(write_end)
            os.close(read_end)


def _child_arguments(argv: list[str], names: list[str], name: str, ready: Path) -> list[str]:
    """The same options, one name, its own ready file (the last one given wins)."""
    options = [word for word in argv if word not in names]
    return [name, *options, "--ready-file", str(ready)]


async def _started(
    children: dict[str, asyncio.subprocess.Process], scratch: Path, stopping: asyncio.Event
) -> list[tuple[str, int, Running]] | None:
    """What every child announced, or None when told to stop before that."""
    while not all((scratch / name).exists() for name in children):
        _check_alive(children)
        if stopping.is_set():
            return None
        await asyncio.sleep(0.02)
    started = []
    for name, child in children.items():
        told = json.loads((scratch / name).read_text())
        admin = told.pop("admin")
        told.pop("pids")
        started.append((name, child.pid, Running(told, _nothing, admin)))
    return started


async def _until_stopped(
    children: dict[str, asyncio.subprocess.Process], stopping: asyncio.Event
) -> None:
    waits = [asyncio.create_task(child.wait()) for child in children.values()]
    told = asyncio.create_task(stopping.wait())
    _, pending = await asyncio.wait([*waits, told], return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    if not stopping.is_set():
        _check_alive(children)


def _check_alive(children: dict[str, asyncio.subprocess.Process]) -> None:
    for name, child in children.items():
        if child.returncode is not None:
            raise Refused(f"{name} ended by itself (exit code {child.returncode}); see above")


async def _nothing() -> None: ...


def _announce(args: argparse.Namespace, started: list[tuple[str, int, Running]]) -> None:
    """Write the ready file in one step, so that a reader never sees half of it."""
    told: dict[str, Any] = {}
    for _, _, running in started:
        told.update(running.endpoints)
    told["admin"] = {key: url for _, _, running in started for key, url in running.admin.items()}
    told["pids"] = {name: pid for name, pid, _ in started}
    if lifeline.VARIABLE not in os.environ:
        for key, value in told.items():
            if isinstance(value, str):
                print(f"{key}={value}", flush=True)
    if args.ready_file:
        args.ready_file.parent.mkdir(parents=True, exist_ok=True)
        draft = args.ready_file.with_name(args.ready_file.name + ".draft")
        draft.write_text(json.dumps(told, indent=2) + "\n")
        draft.replace(args.ready_file)


def _stop_on_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


@contextlib.contextmanager
def _sole_owner(data: Path) -> Any:
    """Two emulators on one folder would corrupt it: the second is refused."""
    lock: IO[str] = (data / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Refused(f"{data} is in use by another emulator; stop it or choose --data") from error
    try:
        yield
    finally:
        lock.close()
