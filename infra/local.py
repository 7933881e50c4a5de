"""`python -m infra.local`: the whole of Annals on this machine, offline, behind one port.

The four emulators, the five functions as they would deploy, and a schedule for the crons. What is
said here survives: stop it or kill it, start it again with the same --data, and it goes on.
"""

import argparse
import asyncio
import contextlib
import hashlib
import hmac
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from infra import lifeline
from infra.proxy import make_proxy
from infra.schedule import is_due

ROOT = Path(__file__).parent.parent
SERVICE_ACCOUNT = "annals@annals-local.iam.gserviceaccount.com"
AUDIENCE = "annals"
CRON_QUEUE = "cron"
START_SECONDS = 90.0


class CannotStart(Exception):
    """The local cloud cannot start; the message says what to do."""


@dataclass
class Process:
    """A child and how to start it again."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    child: asyncio.subprocess.Process | None = field(default=None, repr=False)

    async def start(self, life: int) -> None:
        self.child = await asyncio.create_subprocess_exec(
            *self.command,
            cwd=ROOT,
            env={**os.environ, **self.environment, lifeline.VARIABLE: str(life)},
            pass_fds=[life],
        )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free port")
    parser.add_argument("--data", type=Path, default=Path(".annals"), help="keeps everything")
    parser.add_argument("--ready-file", type=Path, help="receives base, key, endpoints, secrets")
    parser.add_argument("--freshness-ms", type=int, default=200, help="Pinecone's lag")
    args = parser.parse_args(argv)
    try:
        asyncio.run(_run(args))
    except CannotStart as refused:
        print(f"annals: {refused}", file=sys.stderr)
        return 1
    return 0


async def _run(args: argparse.Namespace) -> None:
    stopping = _stop_on_signal()
    data: Path = args.data.resolve()
    data.mkdir(parents=True, exist_ok=True)
    if args.ready_file:
        args.ready_file.unlink(missing_ok=True)
    table = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())
    door = _listen(args.port)
    base = f"http://127.0.0.1:{door.getsockname()[1]}"
    held = _development_secrets(data)
    read_end, write_end = os.pipe()
    processes: list[Process] = []
    try:
        emulators, endpoints = await _start_emulators(args, data, read_end)
        processes.append(emulators)
        environment = _environment(endpoints, base, held, list(table))
        ports = {name: _free_port() for name in table}
        for name, port in ports.items():
            command = [sys.executable, "-m", "infra.serve", name, "--port", str(port)]
            process = Process(name, command, environment)
            processes.append(process)
            await process.start(read_end)
        await _answering(ports, processes, stopping)
        if not stopping.is_set():
            await _serve(
                args, door, base, ports, table, processes, endpoints, held, stopping, read_end
            )
    finally:
        door.close()
        await _end(processes)
        os.close(write_end)
        os.close(read_end)


async def _serve(
    args: argparse.Namespace,
    door: socket.socket,
    base: str,
    ports: Mapping[str, int],
    table: Mapping[str, Any],
    processes: list[Process],
    endpoints: Mapping[str, Any],
    held: Mapping[str, Any],
    stopping: asyncio.Event,
    life: int,
) -> None:
    config = uvicorn.Config(
        make_proxy(ports), log_level="error", access_log=False, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    # The signals are this module's: the server is told to stop, it does not listen for them.
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    serving = asyncio.create_task(server.serve(sockets=[door]))
    ticking = asyncio.create_task(_tick(table, base, str(endpoints["CLOUD_TASKS_ENDPOINT"])))
    watching = asyncio.create_task(_watch(processes, life))
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        told = {
            "base": base,
            "key": held["key"],
            "endpoints": endpoints,
            "secrets": held["secrets"],
        }
        _announce(args, told, list(table))
        told_to_stop = asyncio.create_task(stopping.wait())
        await asyncio.wait([told_to_stop, watching], return_when=asyncio.FIRST_COMPLETED)
        if watching.done():
            watching.result()
        told_to_stop.cancel()
    finally:
        ticking.cancel()
        watching.cancel()
        server.should_exit = True
        await asyncio.gather(serving, ticking, watching, return_exceptions=True)


async def _start_emulators(
    args: argparse.Namespace, data: Path, life: int
) -> tuple[Process, dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="annals-local-") as scratch:
        ready = Path(scratch) / "ready"
        command = [sys.executable, "-m", "infra.emulators", "--data", str(data / "emulators")]
        command += ["--indexes", "infra/firestore.indexes.json", "--queues", "infra/queues.toml"]
        command += ["--freshness-ms", str(args.freshness_ms), "--ready-file", str(ready)]
        process = Process("emulators", command, {})
        await process.start(life)
        assert process.child is not None
        for _ in range(int(START_SECONDS / 0.05)):
            if ready.exists():
                return process, json.loads(ready.read_text())
            if process.child.returncode is not None:
                break
            await asyncio.sleep(0.05)
        raise CannotStart("the emulators did not start; what they said stands above")


def _environment(
    endpoints: Mapping[str, Any], base: str, held: Mapping[str, Any], functions: list[str]
) -> dict[str, str]:
    """What a deployment would set, with the emulators' endpoints."""
    kept = held["secrets"]
    return {
        "FIRESTORE_EMULATOR_HOST": endpoints["FIRESTORE_EMULATOR_HOST"],
        "CLOUD_TASKS_ENDPOINT": endpoints["CLOUD_TASKS_ENDPOINT"],
        "PINECONE_CONTROLLER_HOST": endpoints["PINECONE_CONTROLLER_HOST"],
        "OPENAI_BASE_URL": endpoints["OPENAI_BASE_URL"],
        "PINECONE_API_KEY": "local",
        "OPENAI_API_KEY": "local",
        "GOOGLE_CLOUD_PROJECT": "annals-local",
        "CLOUD_TASKS_LOCATION": "local",
        "ANNALS_TASK_AUTH": "oidc",
        "ANNALS_TASK_AUDIENCE": AUDIENCE,
        "ANNALS_TASK_SERVICE_ACCOUNT": SERVICE_ACCOUNT,
        "ANNALS_OIDC_CERTS_URL": f"{endpoints['admin']['tasks']}/certs",
        "ANNALS_HASH_KEY": held["hash_key"],
        "ANNALS_ROOT_KEY_HASH": _root_key_hash(held),
        "LARK_ENCRYPT_KEY": kept["lark"]["encrypt_key"],
        "LARK_VERIFICATION_TOKEN": kept["lark"]["verification_token"],
        "ONEBOT_SECRET": kept["onebot"]["secret"],
        "SLACK_SIGNING_SECRET": kept["slack"]["signing_secret"],
        "TELEGRAM_SECRET_TOKEN": kept["telegram"]["secret_token"],
        **{f"ANNALS_URL_{name.upper()}": f"{base}/{name}" for name in functions},
        # Five functions share two cores here; each serves with one worker.
        "WORKERS": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _development_secrets(data: Path) -> dict[str, Any]:
    """Made once for a data folder, so that keys and webhooks go on working after a restart."""
    path = data / "secrets.json"
    if not path.exists():
        held = {
            "key": f"annals_root_{secrets.token_hex(24)}",
            "hash_key": secrets.token_hex(24),
            "secrets": {
                "lark": {
                    "encrypt_key": secrets.token_hex(16),
                    "verification_token": secrets.token_hex(16),
                },
                "onebot": {"secret": secrets.token_hex(16)},
                "slack": {"signing_secret": secrets.token_hex(16)},
                "telegram": {"secret_token": secrets.token_hex(16)},
            },
        }
        draft = path.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(held, indent=2))
        draft.replace(path)
    held = json.loads(path.read_text())
    return dict(held)


def _root_key_hash(held: Mapping[str, Any]) -> str:
    secret = held["key"].removeprefix("annals_root_")
    return hmac.new(held["hash_key"].encode(), secret.encode(), hashlib.sha256).hexdigest()


async def _answering(
    ports: Mapping[str, int], processes: list[Process], stopping: asyncio.Event
) -> None:
    """Wait until every function answers its health route."""
    waiting = dict(ports)
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        while waiting and not stopping.is_set():
            for name, port in list(waiting.items()):
                with contextlib.suppress(httpx.TransportError):
                    answer = await client.get(f"http://127.0.0.1:{port}/health/live")
                    if answer.is_success:
                        del waiting[name]
            for process in processes:
                if process.child is not None and process.child.returncode is not None:
                    raise CannotStart(f"{process.name} ended at once; what it said stands above")
            if asyncio.get_running_loop().time() > deadline:
                raise CannotStart(f"{', '.join(waiting)} did not answer in time")
            await asyncio.sleep(0.05)


async def _watch(processes: list[Process], life: int) -> None:
    """A function that dies is started again, as the cloud would; without emulators it ends."""
    while True:
        await asyncio.sleep(0.5)
        for process in processes:
            if process.child is None or process.child.returncode is None:
                continue
            if process.name == "emulators":
                raise CannotStart("the emulators ended; start again, nothing stored is lost")
            print(f"annals: {process.name} ended; starting it again", file=sys.stderr, flush=True)
            await process.start(life)


async def _tick(table: Mapping[str, Any], base: str, endpoint: str) -> None:
    """The schedule: each due cron becomes a task with a token, as Cloud Scheduler sends it."""
    import grpc.aio
    from google.api_core.exceptions import AlreadyExists, GoogleAPICallError
    from google.cloud import tasks_v2
    from google.cloud.tasks_v2.services.cloud_tasks.transports import (
        CloudTasksGrpcAsyncIOTransport,
    )

    channel = grpc.aio.insecure_channel(endpoint)
    client = tasks_v2.CloudTasksAsyncClient(
        transport=CloudTasksGrpcAsyncIOTransport(channel=channel)
    )
    parent = "projects/annals-local/locations/local"
    queue = f"{parent}/queues/{CRON_QUEUE}"
    try:
        with contextlib.suppress(AlreadyExists):
            cron_queue = {"name": queue, "retry_config": {"max_attempts": 1}}
            await client.create_queue(request={"parent": parent, "queue": cron_queue})
        while True:
            now = datetime.now(UTC).replace(second=0, microsecond=0)
            following = now + timedelta(minutes=1)
            await asyncio.sleep(max(0.0, (following - datetime.now(UTC)).total_seconds()))
            for function, row in table.items():
                for path, expression in row["cron"].items():
                    if is_due(expression, following):
                        with contextlib.suppress(GoogleAPICallError):
                            task = _cron_task(queue, base, function, path, following)
                            await client.create_task(request={"parent": queue, "task": task})
    finally:
        await channel.close()


def _cron_task(queue: str, base: str, function: str, path: str, at: datetime) -> dict[str, Any]:
    url = f"{base}/{function}{path}"
    prefix = hashlib.sha256(url.encode()).hexdigest()[:16]
    return {
        "name": f"{queue}/tasks/{prefix}-{int(at.timestamp())}",
        "http_request": {
            "url": url,
            "http_method": "POST",
            "headers": {"Content-Type": "application/json"},
            "body": b"{}",
            "oidc_token": {"service_account_email": SERVICE_ACCOUNT, "audience": AUDIENCE},
        },
    }


def _announce(args: argparse.Namespace, told: Mapping[str, Any], functions: list[str]) -> None:
    base, key = told["base"], told["key"]
    print(
        f"""
Annals is running at {base} (data in {args.data}; Ctrl-C stops it, nothing is lost).

  functions   {", ".join(f"/{name}" for name in functions)}
  your key    {key}

Say something, wait a few seconds, then ask for the context of a reply:

  curl -s {base}/ingest_message/messages -H 'Authorization: Bearer {key}' \\
    -H 'Content-Type: application/json' -d '{{"group_id": "demo:1", "message_id": "m1", \\
    "user_id": "u1", "user_name": "Ada", "content": "Shall we ship on Friday?", \\
    "role": "user", "create_time": "{datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}"}}'

  curl -s {base}/build_context/context -H 'Authorization: Bearer {key}' \\
    -H 'Content-Type: application/json' -d '{{"group_id": "demo:1", "message_id": "m1"}}'

  API pages   {base}/ingest_message/docs
""",
        flush=True,
    )
    if args.ready_file:
        args.ready_file.parent.mkdir(parents=True, exist_ok=True)
        draft = args.ready_file.with_name(args.ready_file.name + ".draft")
        draft.write_text(json.dumps(told, indent=2) + "\n")
        draft.replace(args.ready_file)


def _listen(port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(("127.0.0.1", port))
    except OSError as error:
        door.close()
        raise CannotStart(f"port {port} is taken; choose another with --port (or PORT=)") from error
    door.listen(1024)
    return door


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _stop_on_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping


async def _end(processes: list[Process]) -> None:
    """The functions first: they still talk to the emulators while they finish."""
    for process in reversed(processes):
        if process.child is not None and process.child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.child.terminate()
            try:
                async with asyncio.timeout(10):
                    await process.child.wait()
            except TimeoutError:
                process.child.kill()
                await process.child.wait()


if __name__ == "__main__":
    sys.exit(main())
