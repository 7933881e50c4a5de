"""What the Cloud Run service behind a function needs and Terraform has no field for.

Two settings: more processor while an instance starts, and, for a worker that only the queues may
call, the audience that their tokens carry. Cloud Run refuses a token (401) unless its audience is
the service's own address or one it was told. Neither the functions' API nor its Terraform resource
has these fields, so they are set after every apply, by Google's own command, where the service
lacks them; `python -m infra.check after` looks whether they are there."""

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from infra.check.google_cloud import Google, Place, admits, is_boosted, look_at_service
from infra.deploy.environment import CannotDeploy

Run = Callable[[Sequence[str]], None]


def complete(
    google: Google, place: Place, rows: Mapping[str, Any], run: Run | None = None
) -> Iterator[str]:
    """Tells what was done; `rows` are those of the deployments just applied."""
    for name, row in rows.items():
        is_closed = not row["public"]
        if not (row["startup_boost"] or is_closed):
            continue
        service = place.service(name)
        step, found = look_at_service(google, place, name, "deploy it first")
        if not step.is_ok:
            raise CannotDeploy(f"{service} is not there: {step.to_do}")
        flags = []
        if row["startup_boost"] and not is_boosted(found):
            flags.append("--cpu-boost")
        if is_closed and not admits(found, place.prefix):
            flags.append(f"--add-custom-audiences={place.prefix}")
        if flags:
            (run or _run)(command(place, service, flags))
        yield f"{service}: {'set ' + ' '.join(flags) if flags else 'has its settings'}"


def command(place: Place, service: str, flags: Sequence[str]) -> list[str]:
    words = ["gcloud", "run", "services", "update", service, *flags]
    return [*words, f"--region={place.region}", f"--project={place.project}", "--quiet"]


def _run(words: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError as error:
        raise CannotDeploy(f"the command {words[0]} is not installed") from error
    if done.returncode:
        raise CannotDeploy(f"{' '.join(words[:5])}: {done.stderr.strip()[:300]}")
