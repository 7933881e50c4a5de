"""More processor while an instance starts, for the functions whose row says so.

It is a setting of the Cloud Run service behind a function; neither the functions' API nor its
Terraform resource has a field. So it is set after every apply, by Google's own command, where the
service lacks it; `python -m infra.check after` looks whether it is there."""

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from infra.check.google_cloud import Google, Place, is_boosted, look_at_service
from infra.deploy.environment import CannotDeploy

Run = Callable[[Sequence[str]], None]


def boost(
    google: Google, place: Place, rows: Mapping[str, Any], run: Run | None = None
) -> Iterator[str]:
    """Tells what was done; `rows` are those of the deployments just applied."""
    for name, row in rows.items():
        if not row["startup_boost"]:
            continue
        service = place.service(name)
        step, found = look_at_service(google, place, name, "deploy it first")
        if not step.is_ok:
            raise CannotDeploy(f"{service} is not there: {step.to_do}")
        if is_boosted(found):
            yield f"{service}: has its start-up boost"
            continue
        (run or _run)(command(place, service))
        yield f"{service}: start-up boost set"


def command(place: Place, service: str) -> list[str]:
    words = ["gcloud", "run", "services", "update", service, "--cpu-boost"]
    return [*words, f"--region={place.region}", f"--project={place.project}", "--quiet"]


def _run(words: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError as error:
        raise CannotDeploy(f"the command {words[0]} is not installed") from error
    if done.returncode:
        raise CannotDeploy(f"{' '.join(words[:5])}: {done.stderr.strip()[:300]}")
