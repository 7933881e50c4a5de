"""`python -m infra.serve --fd N --tasks-fd M`: the five functions at `/<function>/...`.

Each is the app that functions-framework makes of the function's own `main.py`, as Cloud Run runs
it. This process imports them once and forks the ones that answer: some on the first socket, for
callers, and one on the second, for tasks and the schedule. They share what was imported, and one
that was killed is back in a moment; the sockets are the parent's, so callers wait in them.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

import uvicorn
from functions_framework.aio import create_asgi_app
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.emulators import lifeline
from infra.emulators.running import IDLE_S
from infra.ticker import tick
from shared.config.deployment import FUNCTIONS

ROOT = Path(__file__).parent.parent
NICENESS = 5
"""Of the process for tasks: it leaves the processor to those that people wait for."""
PAUSE_S = 1.0
"""Between two starts of a process that ends at once."""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m infra.serve", description=__doc__)
    parser.add_argument("--fd", type=int, required=True, help="the socket for callers")
    parser.add_argument("--tasks-fd", type=int, required=True, help="the socket for tasks")
    parser.add_argument("--processes", type=int, default=1, help="how many answer callers")
    args = parser.parse_args(argv)
    lifeline.follow_parent()
    sys.path.insert(0, str(ROOT))
    apps = Functions({name: function_app(name) for name in FUNCTIONS})
    # What is shared with the children stays shared: nobody looks through it for garbage.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGTERM, _stop)
    children = {_fork(apps, args.fd): args.fd for _ in range(args.processes)}
    children[_fork(apps, args.tasks_fd, is_for_tasks=True)] = args.tasks_fd
    try:
        while True:
            began = time.monotonic()
            ended, _ = os.wait()
            if time.monotonic() - began < PAUSE_S:
                time.sleep(PAUSE_S)
            fd = children.pop(ended)
            print("annals: a process of the functions ended; another begins", file=sys.stderr)
            children[_fork(apps, fd, is_for_tasks=fd == args.tasks_fd)] = fd
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _stop(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(0)


def _fork(apps: "Functions", fd: int, *, is_for_tasks: bool = False) -> int:
    """The id of a new process that serves the socket."""
    child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        asyncio.run(_serve(apps, fd, is_for_tasks=is_for_tasks))
    finally:
        # Not to return into the parent's code, which would fork again.
        os._exit(0)


async def _serve(apps: "Functions", fd: int, *, is_for_tasks: bool) -> None:
    config = uvicorn.Config(
        apps,
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    schedule = None
    if is_for_tasks:
        os.nice(NICENESS)
        schedule = asyncio.create_task(_schedule())
    await server.serve(sockets=[socket.socket(fileno=fd)])
    if schedule is not None:
        schedule.cancel()


async def _schedule() -> None:
    """The crons, as tasks to where tasks go."""
    table = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())
    places = {name: os.environ[f"ANNALS_URL_{name.upper()}"] for name in table}
    identity = {
        "service_account_email": os.environ["ANNALS_TASK_SERVICE_ACCOUNT"],
        "audience": os.environ["ANNALS_TASK_AUDIENCE"],
    }
    await tick(table, places, os.environ["CLOUD_TASKS_ENDPOINT"], identity)


def function_app(name: str) -> ASGIApp:
    """As the command `functions-framework --asgi` makes it."""
    source = ROOT / "functions" / name / "main.py"
    app: ASGIApp = create_asgi_app(name, str(source))  # type: ignore[no-untyped-call]
    return app


class Functions:
    """`/<function>/...` is the function's own `/...`."""

    def __init__(self, apps: Mapping[str, ASGIApp]) -> None:
        self._apps = apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, _, path = scope["path"].partition("/")
        name, _, rest = path.partition("/")
        app = self._apps.get(name)
        # functions-framework routes by a pattern that ends at a line break and answers in text.
        if app is None or "\n" in rest:
            await self._elsewhere(name)(scope, receive, send)
            return
        raw = scope["raw_path"].partition(f"/{name}".encode())[2]
        await app({**scope, "path": f"/{rest}", "raw_path": raw or b"/"}, receive, send)

    def _elsewhere(self, name: str) -> JSONResponse:
        if not name:
            return JSONResponse({"functions": {name: f"/{name}" for name in self._apps}})
        message = f"nothing is at this path; the functions are {', '.join(self._apps)}"
        error = {"code": "not_found", "message": message, "detail": {}}
        return JSONResponse({"success": False, "error": error}, 404)


if __name__ == "__main__":
    main(sys.argv[1:])
