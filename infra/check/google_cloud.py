"""The project on Google Cloud: what must be there before a deployment, and what after it.

Only looks: no value of a secret is read, nothing is changed. Calls go through Google's own client
library, whose descriptions of the services come with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infra.check.steps import CannotGoOn, Step

PERMISSIONS = (
    "cloudfunctions.functions.create",
    "cloudscheduler.jobs.create",
    "cloudtasks.queues.create",
    "cloudtasks.queues.setIamPolicy",
    "datastore.databases.create",
    "datastore.indexes.create",
    "iam.serviceAccounts.actAs",
    "iam.serviceAccounts.create",
    "iam.serviceAccounts.setIamPolicy",
    "logging.logMetrics.create",
    "monitoring.alertPolicies.create",
    "resourcemanager.projects.setIamPolicy",
    "run.services.setIamPolicy",
    "run.services.update",
    "secretmanager.secrets.create",
    "secretmanager.secrets.setIamPolicy",
    "serviceusage.services.enable",
    "storage.buckets.create",
)
"""What the resources of infra/gcp ask of whoever applies them."""
PAGE = 200
NOT_FOUND = 404


class NotLoggedIn(CannotGoOn):
    """There are no credentials of the environment."""


@dataclass(frozen=True)
class Place:
    """What the settings of an environment name; `without` are secrets that it does not have."""

    project: str
    region: str
    environment: str
    without: frozenset[str] = frozenset()

    @property
    def prefix(self) -> str:
        return f"annals-{self.environment}"

    @property
    def parent(self) -> str:
        return f"projects/{self.project}/locations/{self.region}"

    @property
    def database(self) -> str:
        return f"projects/{self.project}/databases/{self.prefix}"

    def service(self, deployment: str) -> str:
        return f"{self.prefix}-{deployment}".replace("_", "-")

    def secret(self, name: str) -> str:
        return f"{self.prefix}-{name.lower().replace('_', '-')}"


class Google:
    """Google's services as they answer `http`, or the credentials of the environment."""

    def __init__(self, http: Any = None) -> None:
        self._http = http
        self._built: dict[str, Any] = {}

    def service(self, name: str, version: str) -> Any:
        from google.auth.exceptions import DefaultCredentialsError
        from googleapiclient.discovery import build

        if name not in self._built:
            try:
                self._built[name] = build(
                    name, version, http=self._http, static_discovery=True, cache_discovery=False
                )
            except DefaultCredentialsError as error:
                raise NotLoggedIn(
                    "nobody is logged in to Google Cloud: gcloud auth application-default login"
                ) from error
        return self._built[name]


def before(google: Google, place: Place, tables: Mapping[str, Any]) -> Iterator[Step]:
    """Project, billing, services, rights, and the secrets' values."""
    project = _asked(
        f"the project {place.project}",
        google.service("cloudresourcemanager", "v3")
        .projects()
        .get(name=f"projects/{place.project}"),
        "create it, or log in as somebody who may see it: gcloud auth application-default login",
    )
    yield project[0]
    if not project[0].is_ok:
        return
    yield _billing(google, place)
    yield _services(google, place, tables["apis"])
    yield _rights(google, place)
    yield from secrets(google, place, tables["secrets"])


def after(google: Google, place: Place, tables: Mapping[str, Any]) -> Iterator[Step]:
    """Secrets, database, indexes, queues, schedules, services."""
    yield from secrets(google, place, tables["secrets"])
    yield from documents_and_queues(google, place, tables)
    yield _schedules(google, place, tables["schedules"])
    yield from _deployments(google, place, tables["deployments"])


def documents_and_queues(google: Google, place: Place, tables: Mapping[str, Any]) -> Iterator[Step]:
    """What functions on AWS use here too."""
    yield from _indexes(google, place, tables["indexes"])
    yield _queues(google, place, tables["queues"])


def _asked(
    name: str, request: Any, to_do: str, if_refused: str = ""
) -> tuple[Step, Mapping[str, Any]]:
    """Only 404 says that something is not there; any other refusal says nothing about it, and
    `if_refused` is what to do then, if it is something else."""
    from google.auth.exceptions import GoogleAuthError
    from googleapiclient.errors import HttpError
    from httplib2 import HttpLib2Error

    try:
        found: Mapping[str, Any] = request.execute()
    except HttpError as error:
        is_known = error.status_code == NOT_FOUND
        advice = to_do if is_known else if_refused or to_do
        return Step(name, False, f"{advice} ({error.status_code}: {error.reason})", is_known), {}
    except (GoogleAuthError, HttpLib2Error, OSError) as error:
        return Step(name, False, f"Google Cloud did not answer: {error}", is_known=False), {}
    return Step(name, True), found


def _billing(google: Google, place: Place) -> Step:
    request = google.service("cloudbilling", "v1").projects()
    step, found = _asked(
        "billing is on",
        request.getBillingInfo(name=f"projects/{place.project}"),
        f"gcloud billing projects link {place.project} --billing-account=...",
    )
    if step.is_ok and not found.get("billingEnabled"):
        link = f"gcloud billing projects link {place.project} --billing-account=..."
        return Step("billing is on", False, link)
    return step


def _services(google: Google, place: Place, wanted: Sequence[str]) -> Step:
    listing = google.service("serviceusage", "v1").services()
    enable = f"gcloud services enable {' '.join(wanted)} --project={place.project}"
    step, found = _asked(
        "services are enabled",
        listing.list(parent=f"projects/{place.project}", filter="state:ENABLED", pageSize=PAGE),
        enable,
    )
    enabled = {one["config"]["name"] for one in found.get("services", ())}
    missing = [one for one in wanted if one not in enabled]
    if step.is_ok and missing:
        enable = f"gcloud services enable {' '.join(missing)} --project={place.project}"
        return Step("services are enabled", False, enable)
    return step


def _rights(google: Google, place: Place) -> Step:
    projects = google.service("cloudresourcemanager", "v3").projects()
    name = "you may deploy"
    step, found = _asked(
        name,
        projects.testIamPermissions(
            resource=f"projects/{place.project}", body={"permissions": list(PERMISSIONS)}
        ),
        "ask the project's owner",
    )
    missing = [one for one in PERMISSIONS if one not in found.get("permissions", ())]
    if step.is_ok and missing:
        return Step(name, False, f"ask the project's owner for: {', '.join(missing)}")
    return step


def secrets(google: Google, place: Place, names: Sequence[str]) -> Iterator[Step]:
    """Whether each has a value that functions can read: its newest version, enabled."""
    versions = google.service("secretmanager", "v1").projects().secrets().versions()
    for name in sorted(set(names) - place.without):
        path = f"projects/{place.project}/secrets/{place.secret(name)}"
        to_do = (
            f"make secrets CLOUD=gcp ENV={place.environment}, or name it in `without_secrets` if "
            "this deployment has none"
        )
        refused = "you could not look whether it has a value: secretmanager.versions.get"
        asked = versions.get(name=f"{path}/versions/latest")
        step, found = _asked(f"secret {name}", asked, to_do, refused)
        if step.is_ok and found.get("state") != "ENABLED":
            told = f"its newest version is {found.get('state')}"
            older, others = _asked(
                step.name, versions.list(parent=path, filter="state:ENABLED", pageSize=1), to_do
            )
            step = Step(step.name, False, f"{told}: {to_do}", older.is_known)
            if others.get("versions"):
                enable = f"gcloud secrets versions enable latest --secret={place.secret(name)}"
                told += f", though an older one has a value: {enable}, or destroy it and disable"
                step = Step(step.name, False, f"{told} the older ones", is_known=False)
        yield step


def _indexes(google: Google, place: Place, wanted: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    databases = google.service("firestore", "v1").projects().databases()
    deploy = f"make deploy-all CLOUD=gcp ENV={place.environment}"
    step, _ = _asked(f"database {place.prefix}", databases.get(name=place.database), deploy)
    yield step
    if not step.is_ok:
        return
    listing = databases.collectionGroups().indexes()
    step, found = _asked(
        "indexes are built",
        listing.list(parent=f"{place.database}/collectionGroups/-", pageSize=PAGE),
        deploy,
    )
    if not step.is_ok:
        yield step
        return
    states = {_shape(one, _group_of(one["name"])): one["state"] for one in found.get("indexes", ())}
    missing = [one for one in wanted if states.get(_shape(one, one["collectionGroup"])) is None]
    building = [
        one for one in wanted if states.get(_shape(one, one["collectionGroup"])) == "CREATING"
    ]
    advice = f"{len(missing)} are not there: {deploy}" if missing else ""
    if building:
        advice = f"{len(building)} are being built; wait some minutes. {advice}".strip()
    yield Step(f"{len(wanted)} indexes are built", not advice, advice)


def _group_of(name: str) -> str:
    """`.../collectionGroups/{group}/indexes/{id}`."""
    return name.split("/")[-3]


def _shape(index: Mapping[str, Any], group: str) -> tuple[str, ...]:
    """Firestore adds the document's name at the end by itself."""
    fields = [
        f"{one['fieldPath']} {one.get('order') or one.get('arrayConfig')}"
        for one in index["fields"]
        if one["fieldPath"] != "__name__"
    ]
    return (group, index["queryScope"], *fields)


def _queues(google: Google, place: Place, wanted: Mapping[str, Any]) -> Step:
    queues = google.service("cloudtasks", "v2").projects().locations().queues()
    deploy = f"make deploy-all CLOUD=gcp ENV={place.environment}"
    name = f"{len(wanted)} queues run"
    step, found = _asked(name, queues.list(parent=place.parent, pageSize=PAGE), deploy)
    states = {one["name"].split("/")[-1]: one["state"] for one in found.get("queues", ())}
    missing = [one for one in wanted if one not in states]
    paused = [one for one in wanted if one in states and states[one] != "RUNNING"]
    if step.is_ok and (missing or paused):
        told = [f"{', '.join(missing)} not there: {deploy}"] if missing else []
        told += [f"gcloud tasks queues resume {one} --location={place.region}" for one in paused]
        return Step(name, False, "; ".join(told))
    return step


def _schedules(google: Google, place: Place, wanted: Sequence[Mapping[str, Any]]) -> Step:
    jobs = google.service("cloudscheduler", "v1").projects().locations().jobs()
    deploy = f"make deploy-all CLOUD=gcp ENV={place.environment}"
    name = f"{len(wanted)} schedules are on"
    step, found = _asked(name, jobs.list(parent=place.parent, pageSize=PAGE), deploy)
    enabled = {
        one["httpTarget"]["uri"].partition("/cron/")[2]
        for one in found.get("jobs", ())
        if one.get("state") == "ENABLED" and "httpTarget" in one
    }
    missing = [one["route"] for one in wanted if one["route"].removeprefix("/cron/") not in enabled]
    if step.is_ok and missing:
        return Step(name, False, f"{', '.join(missing)} not there or paused: {deploy}")
    return step


def _deployments(google: Google, place: Place, wanted: Mapping[str, Any]) -> Iterator[Step]:
    """Each service there and well, and set as its row says: open to everybody or to the queues
    alone, which must carry an audience it takes; more processor as it starts."""
    services = google.service("run", "v2").projects().locations().services()
    for name, row in wanted.items():
        service = place.service(name)
        deploy = f"make deploy FN={row['function']} CLOUD=gcp ENV={place.environment}"
        step, found = look_at_service(google, place, name, deploy)
        state = found.get("terminalCondition", {}).get("state")
        if step.is_ok and state != "CONDITION_SUCCEEDED":
            words = found.get("terminalCondition", {}).get("message", "see its log")
            step = Step(step.name, False, f"{state}: {words}")
        yield step
        if not step.is_ok:
            continue
        path = f"{place.parent}/services/{service}"
        yield _invokers(services, path, service, is_public=row["public"], deploy=deploy)
        if row["startup_boost"]:
            has = is_boosted(found)
            yield Step(f"{service} has its start-up boost", has, "" if has else deploy)
        if not row["public"]:
            has = admits(found, place.prefix)
            yield Step(f"{service} takes the queues' tokens", has, "" if has else deploy)


def look_at_service(
    google: Google, place: Place, deployment: str, to_do: str
) -> tuple[Step, Mapping[str, Any]]:
    """The Cloud Run service of a deployment, as it is there."""
    services = google.service("run", "v2").projects().locations().services()
    service = place.service(deployment)
    path = f"{place.parent}/services/{service}"
    return _asked(f"service {service}", services.get(name=path), to_do)


def is_boosted(service: Mapping[str, Any]) -> bool:
    containers = service.get("template", {}).get("containers", ())
    return any(one.get("resources", {}).get("startupCpuBoost") for one in containers)


def admits(service: Mapping[str, Any], audience: str) -> bool:
    """Whether Cloud Run lets tokens with this audience through to the service."""
    return audience in service.get("customAudiences", ())


def _invokers(services: Any, path: str, service: str, *, is_public: bool, deploy: str) -> Step:
    name = f"{service} is {'open' if is_public else 'closed to all but the queues'}"
    step, found = _asked(name, services.getIamPolicy(resource=path), deploy)
    admitted = {
        member
        for binding in found.get("bindings", ())
        if binding["role"] == "roles/run.invoker"
        for member in binding["members"]
    }
    is_open = bool(admitted & {"allUsers", "allAuthenticatedUsers"})
    if step.is_ok and is_open is not is_public:
        return Step(name, False, f"roles/run.invoker is held by {sorted(admitted)}: {deploy}")
    return step
