"""`make infra-test`: Terraform of both clouds, offline: format, validation, tests, planted errors.

Skips, and says so, what is not installed: terraform; the AWS provider (a folder of plugins beside
the usual ones, or `TERRAFORM_PLUGINS`); the packages that stand in for Google's (`.venv-infra`).
Where nothing at all could be checked it ends with 3: that is no success.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from infra.terraform_checks.discovery import complaints_of_indexes
from infra.terraform_checks.table_rules import complaints

HERE = Path(__file__).parent
INFRA = HERE.parent
ROOT = INFRA.parent
SCHEMAS = ROOT / ".venv-infra" / "bin" / "python"
PATIENCE_S = 120
NOTHING_CHECKED = 3


class Refused(Exception):
    """A check said no; its words."""


def plugins() -> Path | None:
    """A mirror of providers, laid out as terraform wants it."""
    named = os.environ.get("TERRAFORM_PLUGINS")
    usual = [Path(named)] if named else [Path.home() / ".terraform.d" / "plugins"]
    usual += [] if named else [*Path("/usr/share").glob("terraform*"), *Path("/opt").glob("*")]
    return next((one for one in usual if (one / "registry.terraform.io").is_dir()), None)


class Terraform:
    """The program on one cloud's folder, with its data elsewhere."""

    def __init__(self, folder: Path, scratch: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "TF_DATA_DIR": str(scratch / "data"),
            "TF_IN_AUTOMATION": "1",
            **environment,
        }

    def run(self, *words: str) -> str:
        done = subprocess.run(
            ["terraform", *words],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Refused(f"terraform {words[0]}: {(done.stdout + done.stderr)[-3000:]}")
        return done.stdout

    def check(self, *, with_tests: bool) -> None:
        self.run("fmt", "-check", "-recursive", ".")
        self.run("init", "-backend=false", "-input=false", "-no-color")
        self.run("validate", "-no-color")
        if with_tests and (self._folder / "tests").is_dir():
            self.run("test", "-no-color")


def check(infra: Path, cloud: str, environment: Mapping[str, str], *, with_tests: bool) -> None:
    """Raises Refused."""
    tables = json.loads((infra / "tables.json").read_text("utf-8"))
    if found := [*complaints(tables), *complaints_of_indexes(tables)]:
        raise Refused("; ".join(found))
    with tempfile.TemporaryDirectory(prefix="annals-terraform-") as scratch:
        terraform = Terraform(infra / cloud, Path(scratch), environment)
        terraform.check(with_tests=with_tests)


@contextmanager
def of_aws() -> Iterator[Mapping[str, str] | None]:
    mirror = plugins()
    if mirror is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="annals-terraform-") as scratch:
        config = Path(scratch) / "terraformrc"
        config.write_text(
            f'provider_installation {{\n  filesystem_mirror {{\n    path = "{mirror}"\n  }}\n}}\n'
        )
        yield {"TF_CLI_CONFIG_FILE": str(config)}


@contextmanager
def of_gcp() -> Iterator[Mapping[str, str] | None]:
    if not SCHEMAS.exists():
        yield None
        return
    names = {"resource": set[str](), "data": set[str]()}
    for path in (INFRA / "gcp").rglob("*.tf"):
        for line in path.read_text("utf-8").splitlines():
            words = line.split('"')
            if len(words) > 1 and words[0].strip() in names and words[1].startswith("google_"):
                names[words[0].strip()].add(words[1])
    with tempfile.TemporaryDirectory(prefix="annals-terraform-") as scratch:
        ready = Path(scratch) / "ready"
        config = Path(scratch) / "terraformrc"
        config.write_text("")
        command = [str(SCHEMAS), str(HERE / "google_schema.py"), *sorted(names["resource"])]
        command += ["--ready-file", str(ready), "--data", *sorted(names["data"])]
        provider = subprocess.Popen(command, stdin=subprocess.PIPE)
        try:
            until = time.monotonic() + PATIENCE_S
            while not ready.exists() or not ready.read_text():
                if provider.poll() is not None or time.monotonic() > until:
                    raise Refused("the schemas of Google's provider could not be served")
                time.sleep(0.1)
            yield {"TF_REATTACH_PROVIDERS": ready.read_text(), "TF_CLI_CONFIG_FILE": str(config)}
        finally:
            provider.kill()
            provider.communicate()


def planted(cloud: str, environment: Mapping[str, str]) -> int:
    """Each mistake, in a copy, must be refused; how many were not."""
    rows = tomllib.loads((HERE / "planted.toml").read_text("utf-8"))["mistake"]
    missed = 0
    for row in (one for one in rows if one["cloud"] == cloud):
        with tempfile.TemporaryDirectory(prefix="annals-planted-") as scratch:
            copy = Path(scratch) / "infra"
            copy.mkdir()
            shutil.copytree(INFRA / cloud, copy / cloud)
            shutil.copy(INFRA / "tables.json", copy)
            path = copy / cloud / row["file"]
            text = path.read_text("utf-8")
            assert row["old"] in text, f"{row['name']}: {row['file']} has no {row['old']!r}"
            path.write_text(text.replace(row["old"], row["new"], 1), "utf-8")
            try:
                check(copy, cloud, environment, with_tests=True)
            except Refused:
                print(f"  refused   {row['name']}")
            else:
                missed += 1
                print(f"  NOT SEEN  {row['name']}")
    return missed


def main(argv: Sequence[str]) -> int:
    arguments = argparse.ArgumentParser(prog="infra.terraform_checks", description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="without planted mistakes")
    quick = arguments.parse_args(argv).quick
    if shutil.which("terraform") is None:
        print("skipped: nothing was checked, terraform is not installed")
        return NOTHING_CHECKED
    failed = checked = 0
    for cloud, provider in (("aws", of_aws()), ("gcp", of_gcp())):
        with provider as environment:
            if environment is None:
                wanted = "its provider" if cloud == "aws" else "the packages of make infra-test"
                print(f"{cloud}: skipped, {wanted} not installed")
                continue
            checked += 1
            try:
                check(INFRA, cloud, environment, with_tests=not quick)
                print(f"{cloud}: formatted, valid" + ("" if quick else ", its tests pass"))
            except Refused as error:
                failed += 1
                print(f"{cloud}: REFUSED {error}")
            if not quick:
                failed += planted(cloud, environment)
    if not checked:
        print("skipped: nothing was checked")
        return NOTHING_CHECKED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
