"""One environment of one cloud: its settings in `infra/<cloud>/<environment>.tfvars.json`, which
hold no secret and are not committed, and what a deployment needs before it can start."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.check.google_cloud import Place
from infra.check.steps import CannotGoOn

INFRA = Path(__file__).parents[1]
CLOUDS = ("gcp", "aws")
DEFAULTS = {
    "gcp": {"region": "europe-west1", "size": "10000"},
    "aws": {"region": "eu-west-1", "size": "10000"},
}
"""Those of the two files variables.tf; a test compares."""
YOURS = "your "
"""So begin the values of an example that everybody must replace."""
_NAME = re.compile(r"[a-z][a-z0-9]{0,11}")


class CannotDeploy(CannotGoOn):
    """Before anything was changed, or because Terraform did not come through."""


@dataclass(frozen=True)
class Environment:
    cloud: str
    name: str
    infra: Path = INFRA

    @property
    def folder(self) -> Path:
        return self.infra / self.cloud

    @property
    def settings_file(self) -> Path:
        return self.folder / f"{self.name}.tfvars.json"

    @property
    def urls_file(self) -> Path:
        """On AWS: the addresses that the first apply made, for the second."""
        return self.folder / f"{self.name}.urls.tfvars.json"

    @property
    def bundles(self) -> Path:
        return self.infra.parent / "dist"

    def tables(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.infra / "tables.json").read_text("utf-8"))
        return found

    def sized_tables(self) -> dict[str, Any]:
        """With the queues that there are for the environment's size."""
        found = self.tables()
        size = str(self.settings()["size"])
        if size not in found["sizes"]:
            raise CannotDeploy(
                f"{self._shown(self.settings_file)}: size is {size!r}, but there are "
                f"{', '.join(sorted(found['sizes'], key=int))}"
            )
        return {**found, "queues": found["sizes"][size]["queues"]}

    def settings(self) -> dict[str, Any]:
        if not _NAME.fullmatch(self.name):
            raise CannotDeploy(f"ENV={self.name}: 1 to 12 small letters and digits, a letter first")
        if not self.settings_file.exists():
            example = self.folder / "example.tfvars.json"
            raise CannotDeploy(
                f"there is no {self._shown(self.settings_file)}: copy {self._shown(example)} and "
                "put your own values in (no secrets)"
            )
        try:
            given = json.loads(self.settings_file.read_text("utf-8"))
        except ValueError as error:
            raise CannotDeploy(f"{self._shown(self.settings_file)} is no JSON: {error}") from error
        if not isinstance(given, dict):
            raise CannotDeploy(
                f"{self._shown(self.settings_file)} is no JSON object: settings by their names"
            )
        return {**DEFAULTS[self.cloud], **given}

    @property
    def has_functions(self) -> bool:
        """Not where Google Cloud only holds the documents and queues of functions on AWS."""
        return bool(self.settings().get("with_functions", True))

    def without(self) -> frozenset[str]:
        if not self.has_functions:
            return frozenset(self.tables()["secrets"])
        return frozenset(self.settings().get("without_secrets", ()))

    def secrets(self) -> list[str]:
        """The names of those that this environment has."""
        return sorted(set(self.tables()["secrets"]) - self.without())

    def place(self) -> Place:
        """Where it is on Google Cloud; for one on AWS, where its documents and queues are."""
        settings = self.settings()
        of_google = "google_" if self.cloud == "aws" else ""
        names = (f"{of_google}project", f"{of_google}region")
        for name in names:
            if _is_placeholder(settings.get(name, YOURS)):
                raise CannotDeploy(f"{self._shown(self.settings_file)} has no {name} of your own")
        project, region = (str(settings[name]) for name in names)
        return Place(project, region, self.name, self.without())

    def deployments(self, function: str | None) -> list[str]:
        """The rows of the table, or those of one function."""
        rows = self.tables()["deployments"]
        found = [name for name, row in rows.items() if function in (None, row["function"])]
        if not found:
            known = sorted({row["function"] for row in rows.values()})
            raise CannotDeploy(f"FN={function}: there is no such function, but {', '.join(known)}")
        return found

    def missing(
        self, function: str | None, which: Callable[[str], str | None] = shutil.which
    ) -> Iterator[str]:
        """What must be done first, each with how."""
        if which("terraform") is None:
            yield "terraform 1.9 or later is not installed"
        rows = self.tables()["deployments"]
        needed = self.deployments(function) if self.has_functions else []
        for one in sorted({rows[name]["function"] for name in needed}):
            bundle = self.bundles / f"{one}-{self.cloud}.zip"
            if not bundle.exists():
                runtime = " LAMBDA=python3.13" if self.cloud == "aws" else ""
                build = f"make bundle FN={one} CLOUD={self.cloud}{runtime}"
                yield f"{bundle.name} is not built: {build}"
        example = json.loads((self.folder / "example.tfvars.json").read_text("utf-8"))
        settings = self.settings()
        unset = {name: YOURS for name in _placeholders(example) if name in example}
        if not self.has_functions:
            settings.pop("settings", None)
        for name in _placeholders({**unset, **settings}):
            yield f"{self._shown(self.settings_file)} has no {name} of your own"

    def _shown(self, path: Path) -> str:
        return path.relative_to(self.infra.parent).as_posix()


def _placeholders(settings: Mapping[str, Any], of: str = "") -> Iterator[str]:
    """The names of values that are still those of the example, however deep they stand."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _placeholders(value, f"{of}{name}.")
        elif _is_placeholder(value):
            yield f"{of}{name}"


def _is_placeholder(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(YOURS)
