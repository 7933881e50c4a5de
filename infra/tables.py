"""The tables of functions, queues, schedules, secrets and indexes as one JSON file for Terraform,
which reads no TOML: `python -m infra.tables` writes `infra/tables.json`, and which secrets the
examples leave out; tests compare."""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from infra.capacity import capacity, derived
from infra.rights import OF_PLATFORMS, queues_of, secrets_of
from shared.domain.metrics.alerts import ALERT_LINE, ALERTS
from shared.domain.metrics.catalogue import METRICS, METRICS_LINE, NAMESPACE
from shared.platforms.registry import PLATFORMS

ROOT = Path(__file__).parent
TABLES = ROOT / "tables.json"
EXAMPLES = tuple(ROOT / cloud / "example.tfvars.json" for cloud in ("gcp", "aws"))
_LEFT_OUT = re.compile(r'"without_secrets": \[[^\]]*\]')

APIS = (
    "artifactregistry.googleapis.com",
    "cloudbuild.googleapis.com",
    "cloudfunctions.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "cloudscheduler.googleapis.com",
    "cloudtasks.googleapis.com",
    "firestore.googleapis.com",
    "iam.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "run.googleapis.com",
    "secretmanager.googleapis.com",
    "sts.googleapis.com",
)
"""Services of Google Cloud that a deployment uses."""


OF_ONE_MACHINE = ("rate_per_second", "concurrency")
"""Columns of queues.toml that are for `make run`; a deployment's follow from its size."""
_EVERYWHERE = (
    "ANNALS_ATTRIBUTE_QUEUES",
    "ANNALS_SUMMARIZE_QUEUES",
    "ANNALS_TASK_AUDIENCE",
    "ANNALS_TASK_SERVICE_ACCOUNT",
    "CLOUD_TASKS_LOCATION",
    "FIRESTORE_DATABASE",
    "GOOGLE_CLOUD_PROJECT",
)
SETTINGS = {
    "gcp": (*_EVERYWHERE, "CLOUD_RUN_TIMEOUT_SECONDS", "FUNCTION_USE_ASGI"),
    "aws": (*_EVERYWHERE, "ANNALS_GOOGLE_EXTERNAL_ACCOUNT", "ANNALS_TASK_AUTH"),
}
"""Environment variables that a deployment sets for all functions, besides secrets, the addresses of
the functions and what an operator adds; the tests of Terraform compare."""


def alerts() -> dict[str, Any]:
    """By name: the log line that fires each, and what it means."""
    told = {one.name: one.about for one in ALERTS}
    return {
        name: {
            "line": row.get("line", ALERT_LINE),
            "where": {} if "line" in row else {"alert": name},
            "over": row.get("over", 0),
            "means": row.get("means") or told[name],
        }
        for name, row in _toml("alerts.toml").items()
    }


def metrics() -> dict[str, Any]:
    """Those of GET /metrics, which `/cron/alerts` logs in one line."""
    return {
        "line": METRICS_LINE,
        "namespace": NAMESPACE,
        "all": {
            one.name: {
                "means": one.about,
                "unit": {"Seconds": "s", "Milliseconds": "ms"}.get(one.unit, "1"),
            }
            for one in METRICS
        },
    }


def tables() -> dict[str, Any]:
    functions = _toml("functions.toml")
    queues = {
        name: {key: value for key, value in row.items() if key not in OF_ONE_MACHINE}
        for name, row in _toml("queues.toml")["queues"].items()
    }
    indexes = json.loads((ROOT / "firestore.indexes.json").read_text("utf-8"))
    return {
        "deployments": _deployments(functions),
        "queues": queues,
        "sizes": {name: derived(name) for name in capacity()["sizes"]},
        "schedules": [
            {"function": name, "route": route, "cron": when}
            for name, row in functions.items()
            for route, when in row["cron"].items()
        ],
        "secrets": sorted({name for one in functions for name in secrets_of(one)}),
        "alerts": alerts(),
        "metrics": metrics(),
        "environment": {
            cloud: sorted([*SETTINGS[cloud], *(f"ANNALS_URL_{one.upper()}" for one in functions)])
            for cloud in SETTINGS
        },
        "apis": list(APIS),
        "indexes": indexes["indexes"],
        "field_overrides": indexes["fieldOverrides"],
    }


def _deployments(functions: dict[str, Any]) -> dict[str, Any]:
    """One each, and one more for the tasks of a function that has them apart: the only one that
    nobody but the queues may call, so the only one that leaves tokens to the cloud's own check."""
    made: dict[str, Any] = {}
    for name, row in functions.items():
        secrets = secrets_of(name)
        common = {
            "function": name,
            "timeout_s": row["timeout_s"],
            "memory_mb": row["memory_mb"],
            "cpu": row["cpu"],
            "min_instances": row["min_instances"],
            "startup_boost": row["startup_boost"],
            "public": True,
            "task_auth": "oidc",
            "secrets": sorted(secrets),
            "queues": sorted(queues_of(name)),
        }
        made[name] = common
        if row.get("tasks_apart"):
            made[f"{name}-tasks"] = {
                **common,
                "min_instances": 0,
                "startup_boost": False,
                "public": False,
                "task_auth": "iam",
                "secrets": sorted(secrets - OF_PLATFORMS),
            }
    return made


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text("utf-8"))


def example(path: Path) -> str:
    """The example of a deployment, which asks for the secrets of no platform but Lark."""
    text = path.read_text("utf-8")
    left_out = {*json.loads(text)["without_secrets"]} - OF_PLATFORMS
    for platform in PLATFORMS.values():
        left_out |= {name.upper() for name in platform.secrets if platform.name != "lark"}
    return _LEFT_OUT.sub(f'"without_secrets": {json.dumps(sorted(left_out))}', text)


def rendered() -> str:
    return json.dumps(tables(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="python -m infra.tables", description=__doc__).parse_args(argv)
    TABLES.write_text(rendered(), "utf-8")
    for path in EXAMPLES:
        path.write_text(example(path), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
