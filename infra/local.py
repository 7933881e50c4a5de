"""`python -m infra.local`: the whole of Annals on this machine, offline, behind one port.

The four emulators, the five functions as they would deploy, and a schedule for the crons. What is
said here survives: stop it or kill it, start it again with the same --data, and it goes on.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from infra.addresses import free_port, kept_listening, listening
from infra.announcement import STAND_IN, announcement, write_ready_file
from infra.check.steps import CannotGoOn
from infra.data_folder import CannotStart, owned
from infra.processes import ROOT, Process, Processes
from infra.rotating_log import RotatingLog
from infra.secrets import as_environment, development_secrets

SERVICE_ACCOUNT = "annals@annals-local.iam.gserviceaccount.com"
AUDIENCE = "annals"
INDEX = "annals"
WORDS_INDEX = "annals-words"
DIMENSIONS = 512
START_SECONDS = 90.0
LAST_PORT = 65_535
LAST_WORDS = 5
EMULATORS = (("firestore", "tasks", "pinecone"), ("openai",))
"""A process each: the embedding of a text never delays a commit."""


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
    door = listening(args.port)
    base = f"http://127.0.0.1:{door.getsockname()[1]}"
    try:
        print("annals: starting the emulators and five functions ...", flush=True)
        endpoints = await _start_emulators(args, data, processes, stopping)
        tasks_door = kept_listening(data)
        own = f"http://127.0.0.1:{tasks_door.getsockname()[1]}"
        environment = _environment(endpoints, held, list(table), own) | _chat_model(
            args, endpoints["OPENAI_BASE_URL"]
        )
        serve = [sys.executable, "-m", "infra.serve", "--fd", str(door.fileno())]
        serve += ["--tasks-fd", str(tasks_door.fileno())]
        serve += ["--processes", str(front_processes(os.cpu_count() or 1))]
        sockets = [door.fileno(), tasks_door.fileno()]
        await processes.start(Process("the functions", serve, environment, sockets))
        await _make_indexes(processes, environment)
        places = [f"{at}/{name}" for at in (base, own) for name in table]
        await _answering(places, processes, stopping)
        keeping = asyncio.create_task(processes.keep_alive())
        try:
            model = args.chat_model if args.chat_url else None
            print(announcement(base, held["key"], args.data, list(table), model), flush=True)
            if args.ready_file:
                write_ready_file(args.ready_file, base, held, endpoints)
            await stopping.wait()
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
    finally:
        door.close()
        await processes.end()


def front_processes(cores: int) -> int:
    """How many answer callers. Besides them: one for tasks, their parent, two of the emulators, and
    this one."""
    return max(1, min(4, cores // 2))


async def _start_emulators(
    args: argparse.Namespace, data: Path, processes: Processes, stopping: asyncio.Event
) -> dict[str, Any]:
    """On ports chosen here, so that they come back where they were."""
    with tempfile.TemporaryDirectory(prefix="annals-local-") as scratch:
        options = ["--data", str(data / "emulators"), "--freshness-ms", str(args.freshness_ms)]
        options += ["--indexes", "infra/firestore.indexes.json", "--queues", "infra/queues.toml"]
        for name in ("firestore", "tasks", "tasks-admin", "pinecone", "openai"):
            options += [f"--{name}-port", str(free_port())]
        files = []
        for number, names in enumerate(EMULATORS):
            files.append(Path(scratch) / f"ready-{number}")
            command = [sys.executable, "-m", "infra.emulators", *names, "--together", *options]
            command += ["--ready-file", str(files[-1])]
            name = f"the emulators ({', '.join(names)})"
            await processes.start(Process(name, command, {"PYTHONUNBUFFERED": "1"}))
        for _ in range(int(START_SECONDS / 0.05)):
            if all(file.exists() for file in files):
                told: dict[str, Any] = {"admin": {}}
                for file in files:
                    found = json.loads(file.read_text())
                    admin = told["admin"] | found["admin"]
                    told |= found | {"admin": admin}
                del told["pids"]
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
    functions: Sequence[str],
    tasks_at: str,
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
        **{f"ANNALS_URL_{name.upper()}": f"{tasks_at}/{name}" for name in functions},
        **as_environment(held),
        **own_defaults(os.environ),
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


async def _make_indexes(processes: Processes, environment: Mapping[str, str]) -> None:
    """In a process of its own: this one, which only waits, stays small."""
    command = [sys.executable, "-m", "infra.pinecone_indexes", "--dimensions", str(DIMENSIONS)]
    if await processes.run(command, environment):
        raise ChildFailed("Pinecone's indexes were not made")


async def _answering(places: Sequence[str], processes: Processes, stopping: asyncio.Event) -> None:
    """Wait until every function answers its health route, at every address."""
    waiting = list(places)
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        while waiting:
            with contextlib.suppress(httpx.TransportError):
                answer = await client.get(f"{waiting[0]}/health/live")
                if answer.is_success:
                    del waiting[0]
                    continue
            for process in processes.ended():
                raise ChildFailed(f"{process.name} ended at once")
            if stopping.is_set():
                raise StoppedEarly
            if asyncio.get_running_loop().time() > deadline:
                raise ChildFailed(f"{waiting[0]} did not answer in time")
            await asyncio.sleep(0.05)


def _stop_on_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


if __name__ == "__main__":
    sys.exit(main())
