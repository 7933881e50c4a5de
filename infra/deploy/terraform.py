"""Terraform on one environment: a workspace each, its settings, and what it answers."""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from infra.deploy.environment import CannotDeploy, Environment


class Terraform:
    """The program itself asks before it changes anything."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def prepare(self) -> None:
        self._run("init", "-input=false")
        self._run("workspace", "select", "-or-create", self._environment.name)

    def plan(self, targets: Iterable[str] = ()) -> None:
        self._run("plan", *self.variables(), *(f"-target={one}" for one in targets))

    def apply(self, targets: Iterable[str] = ()) -> None:
        self._run("apply", *self.variables(), *(f"-target={one}" for one in targets))

    def output(self, name: str) -> Any:
        """What an output is after an apply."""
        done = self._done("output", "-json", name, is_captured=True)
        if done.returncode:
            raise CannotDeploy(f"nothing is deployed yet, or not from here: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def variables(self) -> list[str]:
        environment = self._environment
        found = [f"-var=environment={environment.name}"]
        found.append(f"-var-file={environment.settings_file.name}")
        if environment.urls_file.exists():
            found.append(f"-var-file={environment.urls_file.name}")
        return found

    def _run(self, *words: str) -> None:
        if self._done(*words).returncode:
            raise CannotDeploy(f"terraform {words[0]} did not come through; it said why above")

    def _done(self, *words: str, is_captured: bool = False) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(  # noqa: S603
                ["terraform", *words],  # noqa: S607
                cwd=self._environment.folder,
                capture_output=is_captured,
                text=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise CannotDeploy("terraform 1.9 or later is not installed") from error


def targets_of(deployments: Sequence[str]) -> list[str]:
    """Of one function: its deployments and what hangs on them, nothing else."""
    return [f'module.function["{name}"]' for name in deployments]


def keep_urls(environment: Environment, urls: Mapping[str, str]) -> bool:
    """Writes the addresses for the next apply; whether they are news to it."""
    text = json.dumps({"urls": dict(urls)}, indent=2, sort_keys=True) + "\n"
    path = environment.urls_file
    if path.exists() and path.read_text("utf-8") == text:
        return False
    path.write_text(text, "utf-8")
    return True
