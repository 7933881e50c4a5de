"""`python -m infra.local`: the whole of Annals on this machine, offline, behind one port.

The four emulators, the five functions as they would deploy, and a schedule for the crons. What is
said here survives: stop it or kill it, start it again with the same --data, and it goes on.
"""

import argparse
import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from infra.addresses import free_port, kept_ports
from infra.announcement import STAND_IN, announcement, write_ready_file
from infra.check.steps import CannotGoOn
from infra.data_folder import CannotStart, owned
from infra.emulators.running import IDLE_S
from infra.pinecone_indexes import SPARSE, dense, make_indexes
from infra.processes import ROOT, Process, Processes
from infra.proxy import make_proxy
from infra.rotating_log import RotatingLog
from infra.secrets import as_environment, development_secrets
from infra.serve import GIVES_WAY
from infra.ticker import tick

SERVICE_ACCOUNT = "annals@annals-local.iam.gserviceaccount.com"
AUDIENCE = "annals"
INDEX = "annals"
WORDS_INDEX = "annals-words"
DIMENSIONS = 512
START_SECONDS = 90.0
LAST_PORT = 65_535
LAST_WORDS = 5


class ChildFailed(CannotStart):
    """A process of the local cloud does not run; it said why itself."""


class StoppedEarly(Exception):
    """A signal came before everything was up."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    parser.add_argument("--port", type=_port, default=8080, help="0 takes a free port")
    parser.add_argument("--data", type=Path, default=Path(".annals"), help="keeps everything")
    parser.add_argument("--ready-file", type=Path, help="receives base, key, endpoints, secrets")
    parser.add_argument("--log-file", type=Path, help="takes what all processes say, and rotates")
    parser.add_argument("--freshness-ms", type=int, default=200, help="how far Pinecone lags")
    own_server, own_model = own_chat_model(os.environ)
    parser.add_argument(
        "--chat-url",
        default=own_server,
        help="an OpenAI-compatible server to ask, with --chat-model; default: OPENAI_BASE_URL, if "
        "MEMORY_MODEL is set too",
    )
    parser.add_argument(
        "--chat-model",
        default=own_model,
        help=f"its model, instead of the stand-in {STAND_IN}; default: MEMORY_MODEL",
    )
    args = parser.parse_args(argv)
    # What is kept here is what people said, and the keys to it: for nobody else on this machine.
    os.umask(0o077)
    try:
        with owned(args.data) as data, _log(args.log_file) as log:
            asyncio.run(_run(args, data, Processes(log.fd if log else None)))
    except ChildFailed as failed:
        print(f"annals: {failed}; {_said(args.log_file)}", file=sys.stderr)
        return 1
    except CannotGoOn as refused:
        print(f"annals: {refused}", file=sys.stderr)
        return 1
    except StoppedEarly:
        print("annals: stopped before everything was up; nothing is lost", flush=True)
    return 0


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {LAST_PORT}")
    return int(text)


@contextlib.contextmanager
def _log(path: Path | None) -> Iterator[RotatingLog | None]:
    if path is None:
        yield None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError as error:
        raise CannotStart(f"the log {path} cannot be written: {error.strerror}") from error
    with RotatingLog(path) as log:
        yield log


def _said(log: Path | None) -> str:
    """The last words of the processes, and where the others are."""
    if log is None:
        return "what it said stands above"
    last = log.read_text("utf-8", errors="replace").splitlines()[-LAST_WORDS:]
    return "\n  ".join([f"{log} has all it said, which ends with:", *last])


async def _run(args: argparse.Namespace, data: Path, processes: Processes) -> None:
    stopping = _stop_on_signal()
    if args.ready_file:
        try:
            args.ready_file.unlink(missing_ok=True)
        except OSError as error:
            raise CannotStart(f"--ready-file {args.ready_file}: {error.strerror}") from error
    table = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())
    held = development_secrets(data)
    door = _listen(args.port)
    base = f"http://127.0.0.1:{door.getsockname()[1]}"
    try:
        print("annals: starting the emulators and five functions ...", flush=True)
        endpoints = await _start_emulators(args, data, processes, stopping)
        await make_indexes(
            {INDEX: dense(DIMENSIONS), WORDS_INDEX: SPARSE},
            api_key="local",
            host=endpoints["PINECONE_CONTROLLER_HOST"],
        )
        started = instances(table)
        ports = kept_ports(data, [one.name for one in started])
        environment = _environment(endpoints, held, started, ports) | _chat_model(
            args, endpoints["OPENAI_BASE_URL"]
        )
        for one in started:
            command = [sys.executable, "-m", "infra.serve", one.function]
            command += ["--port", str(ports[one.name]), *([GIVES_WAY] if one.gives_way else [])]
            await processes.start(Process(one.name, command, environment))
        await _answering(ports, processes, stopping)
        identity = {"service_account_email": SERVICE_ACCOUNT, "audience": AUDIENCE}
        background = [
            asyncio.create_task(processes.keep_alive()),
            asyncio.create_task(tick(table, base, endpoints["CLOUD_TASKS_ENDPOINT"], identity)),
        ]
        try:
            async with _served(make_proxy({name: _ports_of(name, ports) for name in table}), door):
                model = args.chat_model if args.chat_url else None
                print(announcement(base, held["key"], args.data, list(table), model), flush=True)
                if args.ready_file:
                    write_ready_file(args.ready_file, base, held, endpoints)
                await stopping.wait()
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
    finally:
        door.close()
        await processes.end()


SPARED = ("build_context",)
"""While one that was killed is started again, which takes seconds, its spare answers: as in a cloud
that has a second instance. A reply waits for it."""


def _ports_of(name: str, ports: Mapping[str, int]) -> list[int]:
    return [ports[one] for one in (name, f"{name}-spare") if one in ports]


@dataclass(frozen=True)
class Instance:
    """A function as it runs here, at `/name`. It gives way if nobody waits for what it does."""

    name: str
    function: str
    gives_way: bool


def instances(table: Mapping[str, Any]) -> list[Instance]:
    """Each function, once more where a reply waits for it, and once more for its tasks where these
    are apart."""
    made = []
    for name, row in table.items():
        made.append(Instance(name, name, gives_way=not row["min_instances"]))
        if name in SPARED:
            made.append(Instance(f"{name}-spare", name, gives_way=False))
        if row.get("tasks_apart"):
            made.append(Instance(f"{name}-tasks", name, gives_way=True))
    return made


@contextlib.asynccontextmanager
async def _served(app: Any, door: socket.socket) -> Any:
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=IDLE_S,
    )
    server = uvicorn.Server(config)
    # The signals are this module's: the server is told to stop, it does not listen for them.
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    serving = asyncio.create_task(server.serve(sockets=[door]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        server.force_exit = True
        await serving


async def _start_emulators(
    args: argparse.Namespace, data: Path, processes: Processes, stopping: asyncio.Event
) -> dict[str, Any]:
    """On ports chosen here, so that they come back where they were."""
    with tempfile.TemporaryDirectory(prefix="annals-local-") as scratch:
        ready = Path(scratch) / "ready"
        command = [sys.executable, "-m", "infra.emulators", "--data", str(data / "emulators")]
        command += ["--indexes", "infra/firestore.indexes.json", "--queues", "infra/queues.toml"]
        command += ["--freshness-ms", str(args.freshness_ms), "--ready-file", str(ready)]
        for name in ("firestore", "tasks", "tasks-admin", "pinecone", "openai"):
            command += [f"--{name}-port", str(free_port())]
        await processes.start(Process("the emulators", command, {"PYTHONUNBUFFERED": "1"}))
        for _ in range(int(START_SECONDS / 0.05)):
            if ready.exists():
                told: dict[str, Any] = json.loads(ready.read_text())
                return told
            if processes.ended():
                break
            if stopping.is_set():
                raise StoppedEarly
            await asyncio.sleep(0.05)
        raise ChildFailed("the emulators did not start")


def own_chat_model(environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The chat model that somebody has set for `make run`: its server and its name, or neither."""
    server, model = environment.get("OPENAI_BASE_URL"), environment.get("MEMORY_MODEL")
    return (server, model) if server and model else (None, None)


def own_defaults(environment: Mapping[str, str]) -> dict[str, str]:
    """Other defaults than a deployment's; what somebody has set stays theirs."""
    here = {
        # One person at a keyboard tries it: topics within seconds, not cheaply for ten thousand.
        "ANNALS_SLOT_ORDINARY_SECONDS": "2",
        # All of a cloud on one machine: what takes a moment there may take seconds here.
        "ANNALS_SEND_TASK_SECONDS": "5",
        "ANNALS_WEBHOOK_DEADLINE_SECONDS": "10",
    }
    return {name: environment.get(name, value) for name, value in here.items()}


def _environment(
    endpoints: Mapping[str, Any],
    held: dict[str, Any],
    started: list[Instance],
    ports: Mapping[str, int],
) -> dict[str, str]:
    """What a deployment would set, with the emulators' endpoints."""
    return {
        "FIRESTORE_EMULATOR_HOST": endpoints["FIRESTORE_EMULATOR_HOST"],
        "CLOUD_TASKS_ENDPOINT": endpoints["CLOUD_TASKS_ENDPOINT"],
        "PINECONE_CONTROLLER_HOST": endpoints["PINECONE_CONTROLLER_HOST"],
        "OPENAI_BASE_URL": endpoints["OPENAI_BASE_URL"],
        "PINECONE_API_KEY": "local",
        "PINECONE_INDEX": INDEX,
        "PINECONE_WORDS_INDEX": WORDS_INDEX,
        "OPENAI_API_KEY": "local",
        "GOOGLE_CLOUD_PROJECT": "annals-local",
        "CLOUD_TASKS_LOCATION": "local",
        "ANNALS_TASK_AUTH": "oidc",
        "ANNALS_TASK_AUDIENCE": AUDIENCE,
        "ANNALS_TASK_SERVICE_ACCOUNT": SERVICE_ACCOUNT,
        "ANNALS_OIDC_CERTS_URL": f"{endpoints['admin']['tasks']}/certs/jwk",
        # The last instance of a function takes its tasks.
        **{
            f"ANNALS_URL_{one.function.upper()}": f"http://127.0.0.1:{ports[one.name]}"
            for one in started
        },
        **as_environment(held),
        **own_defaults(os.environ),
        # One worker each: five functions share this machine.
        "WORKERS": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _chat_model(args: argparse.Namespace, embeddings: str) -> dict[str, str]:
    """Another chat model, with the key that the environment has; embeddings stay where they are."""
    if not args.chat_url:
        return {}
    return {
        "OPENAI_BASE_URL": args.chat_url,
        "OPENAI_API_KEY": os.environ.get("OPENAI_API_KEY", "none"),
        "MEMORY_MODEL": args.chat_model or "",
        "MEMORY_EMBEDDING_BASE_URL": embeddings,
        "MEMORY_EMBEDDING_API_KEY": "local",
    }


async def _answering(
    ports: Mapping[str, int], processes: Processes, stopping: asyncio.Event
) -> None:
    """Wait until every function answers its health route."""
    waiting = dict(ports)
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        while waiting:
            for name, port in list(waiting.items()):
                with contextlib.suppress(httpx.TransportError):
                    answer = await client.get(f"http://127.0.0.1:{port}/health/live")
                    if answer.is_success:
                        del waiting[name]
            for process in processes.ended():
                raise ChildFailed(f"{process.name} ended at once")
            if stopping.is_set():
                raise StoppedEarly
            if asyncio.get_running_loop().time() > deadline:
                raise ChildFailed(f"{', '.join(waiting)} did not answer in time")
            await asyncio.sleep(0.05)


def _listen(port: int) -> socket.socket:
    # Named as TCP, or asyncio leaves Nagle on and every small answer waits 40 ms.
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(("127.0.0.1", port))
    except OSError as error:
        door.close()
        why = "taken" if error.errno == errno.EADDRINUSE else f"not to be had ({error.strerror})"
        raise CannotStart(f"port {port} is {why}; choose another: make run PORT=8081") from error
    door.listen(1024)
    return door


def _stop_on_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


if __name__ == "__main__":
    sys.exit(main())
