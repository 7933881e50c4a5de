"""A project on Google Cloud as far as the check looks at it: state that answers Google's own client
library. Every answer is held against Google's description of that answer."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

import httplib2
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from infra.check.google_cloud import PERMISSIONS, Place
from infra.tables import tables
from infra.terraform_checks.discovery import schema

PLACE = Place("annals-test", "europe-west1", "prod", frozenset({"SLACK_SIGNING_SECRET"}))
HEALTHY = {"state": "CONDITION_SUCCEEDED"}


class Project:
    """Everything is there; tests take away. `request` is what httplib2 has."""

    def __init__(self) -> None:
        rows = tables()
        self.is_there = True
        self.is_paid = True
        self.apis = set(rows["apis"])
        self.permissions = set(PERMISSIONS)
        self.secrets = {PLACE.secret(one): "ENABLED" for one in rows["secrets"]}
        self.secrets.pop(PLACE.secret("SLACK_SIGNING_SECRET"))
        self.indexes = {number: "READY" for number, _ in enumerate(rows["indexes"])}
        self.queues = dict.fromkeys(rows["queues"], "RUNNING")
        self.schedules = {one["route"]: "ENABLED" for one in rows["schedules"]}
        self.services = {
            PLACE.service(name): row["public"] for name, row in rows["deployments"].items()
        }
        self.boosted = {
            PLACE.service(name) for name, row in rows["deployments"].items() if row["startup_boost"]
        }
        self.audiences = {
            PLACE.service(name): [PLACE.prefix]
            for name, row in rows["deployments"].items()
            if not row["public"]
        }
        self.older_secrets: set[str] = set()
        self.refusals: dict[str, int] = {}
        self.conditions: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []

    def request(
        self, uri: str, method: str = "GET", body: Any = None, **_: Any
    ) -> tuple[httplib2.Response, bytes]:
        parts = urlsplit(uri)
        host, path = parts.netloc.partition(".")[0], unquote(parts.path)
        self.asked.append(f"{method} {host} {path}")
        found = self._found(host, path)
        status = self.refusals.get(host, 200 if found else 404)
        if found is None or status != 200:
            refusal = {"error": {"code": status, "message": "refused", "status": "REFUSED"}}
            return httplib2.Response({"status": status}), json.dumps(refusal).encode()
        version, name, answer = found
        Draft202012Validator(schema(host, version, name)).validate(answer)
        return httplib2.Response({"status": 200}), json.dumps(answer).encode()

    def close(self) -> None:
        """Nothing is open."""

    def _found(self, host: str, path: str) -> tuple[str, str, dict[str, Any]] | None:
        answers: dict[str, Callable[[str], tuple[str, str, dict[str, Any]] | None]] = {
            "cloudresourcemanager": self._projects,
            "cloudbilling": lambda _: (
                "v1",
                "ProjectBillingInfo",
                {"billingEnabled": self.is_paid},
            ),
            "serviceusage": self._apis,
            "secretmanager": self._secret,
            "firestore": self._documents,
            "cloudtasks": self._queues,
            "cloudscheduler": self._schedules,
            "run": self._services,
        }
        return answers[host](path)

    def _projects(self, path: str) -> tuple[str, str, dict[str, Any]] | None:
        if path.endswith(":testIamPermissions"):
            held = {"permissions": sorted(self.permissions)}
            return "v3", "TestIamPermissionsResponse", held
        return ("v3", "Project", {"name": path[4:]}) if self.is_there else None

    def _apis(self, _: str) -> tuple[str, str, dict[str, Any]]:
        rows = [{"config": {"name": one}, "state": "ENABLED"} for one in sorted(self.apis)]
        return "v1", "ListServicesResponse", {"services": rows}

    def _secret(self, path: str) -> tuple[str, str, dict[str, Any]] | None:
        assert not path.endswith(":access"), "nobody reads a secret's value"
        name = path.split("/")[5]
        if path.endswith("/versions"):
            rows = [{"state": "ENABLED"}] if name in self.older_secrets else []
            return "v1", "ListSecretVersionsResponse", {"versions": rows}
        state = self.secrets.get(name)
        return ("v1", "SecretVersion", {"state": state}) if state else None

    def _documents(self, path: str) -> tuple[str, str, dict[str, Any]]:
        if not path.endswith("/indexes"):
            return "v1", "GoogleFirestoreAdminV1Database", {"name": PLACE.database}
        rows = [
            {
                "name": f"{PLACE.database}/collectionGroups/{one['collectionGroup']}/indexes/{n}",
                "queryScope": one["queryScope"],
                "fields": [*one["fields"], {"fieldPath": "__name__", "order": "ASCENDING"}],
                "state": self.indexes[n],
            }
            for n, one in enumerate(tables()["indexes"])
            if n in self.indexes
        ]
        return "v1", "GoogleFirestoreAdminV1ListIndexesResponse", {"indexes": rows}

    def _queues(self, _: str) -> tuple[str, str, dict[str, Any]]:
        rows = [
            {"name": f"{PLACE.parent}/queues/{name}", "state": state}
            for name, state in self.queues.items()
        ]
        return "v2", "ListQueuesResponse", {"queues": rows}

    def _schedules(self, _: str) -> tuple[str, str, dict[str, Any]]:
        rows = [
            {"httpTarget": {"uri": f"https://annals.example{route}"}, "state": state}
            for route, state in self.schedules.items()
        ]
        return "v1", "ListJobsResponse", {"jobs": rows}

    def _services(self, path: str) -> tuple[str, str, dict[str, Any]] | None:
        name = path.rpartition("/")[2].partition(":")[0]
        if name not in self.services:
            return None
        if path.endswith(":getIamPolicy"):
            member = "allUsers" if self.services[name] else "serviceAccount:tasks@x.example"
            bindings = [{"role": "roles/run.invoker", "members": [member]}]
            return "v2", "GoogleIamV1Policy", {"bindings": bindings}
        told = self.conditions.get(name, HEALTHY)
        resources = {"startupCpuBoost": True} if name in self.boosted else {}
        template = {"containers": [{"image": "built", "resources": resources}]}
        answer = {
            "terminalCondition": told,
            "template": template,
            "customAudiences": self.audiences.get(name, []),
        }
        return "v2", "GoogleCloudRunV2Service", answer
