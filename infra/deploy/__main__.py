"""`python -m infra.deploy plan|apply|secrets|root-key --cloud gcp --env NAME [--function NAME]`.

Says what it will do and what it needs first. Terraform shows its plan and asks before it changes
anything. Secrets are asked for, never given on the command line.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence

from infra.check import aws_account, google_cloud
from infra.check.steps import CannotGoOn, Step
from infra.deploy.environment import CLOUDS, CannotDeploy, Environment
from infra.deploy.function_urls import open_urls
from infra.deploy.secret_values import fill, new_root_key
from infra.deploy.service_settings import complete
from infra.deploy.terraform import Terraform, keep_urls, targets_of

SECRETS_FIRST = ("google_project_service.api", "google_secret_manager_secret.this")
"""A secret must be there before it can have a value, and have one before a function starts."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.deploy", description=__doc__)
    parser.add_argument("what", choices=("plan", "apply", "secrets", "root-key"))
    parser.add_argument("--cloud", choices=CLOUDS, required=True)
    parser.add_argument("--env", required=True, help="its settings: infra/CLOUD/ENV.tfvars.json")
    parser.add_argument("--function", help="only this one's deployments")
    args = parser.parse_args(argv)
    environment = Environment(args.cloud, args.env)
    try:
        if args.what == "secrets":
            store_secrets(environment)
        elif args.what == "root-key":
            _told(new_root_key(environment))
        else:
            _deploy(environment, args.function, is_plan=args.what == "plan")
    except CannotGoOn as cannot:
        print(f"annals: {cannot}", file=sys.stderr)
        return 1
    return 0


def announced(environment: Environment, function: str | None, *, is_plan: bool) -> str:
    """What will be done, in a few lines; CannotDeploy with everything that must be done first."""
    settings = environment.settings()
    if missing := list(environment.missing(function)):
        raise CannotDeploy("first:\n  " + "\n  ".join(missing))
    where = settings.get("project") or f"AWS, documents in {settings.get('google_project')}"
    verb = "Shows what would change of" if is_plan else "Deploys"
    what = f"{', '.join(environment.deployments(function))}"
    if not environment.has_functions:
        what = "documents and queues, for functions on AWS"
    elif not function:
        what += ", with queues, schedules, alerts and everything else of the table"
    lines = [
        f"{verb} {what}",
        f"  to {where}, {settings['region']}, as annals-{environment.name}",
        f"  settings of {environment.settings_file.name}",
        f"  secrets that must have a value: {', '.join(environment.secrets()) or 'none'}",
    ]
    if not is_plan:
        lines.append("  Terraform shows the plan and asks before it changes anything.")
    return "\n".join(lines)


def _deploy(environment: Environment, function: str | None, *, is_plan: bool) -> None:
    print(announced(environment, function, is_plan=is_plan), flush=True)
    terraform = Terraform(environment)
    terraform.prepare()
    targets = targets_of(environment.deployments(function)) if function else []
    if is_plan:
        terraform.plan(targets)
        return
    if wrong := [step for step in _secret_steps(environment) if not step.is_ok]:
        raise CannotDeploy("first:\n  " + "\n  ".join(f"{one.name}: {one.to_do}" for one in wrong))
    terraform.apply(targets)
    if environment.cloud == "gcp" and environment.has_functions:
        rows = environment.tables()["deployments"]
        applied = {name: rows[name] for name in environment.deployments(function)}
        _told(complete(google_cloud.Google(), environment.place(), applied))
    if environment.cloud == "aws":
        region = environment.settings()["region"]
        deployments = environment.deployments(function)
        _told(open_urls(deployments, environment.name, region, aws_account.aws))
    is_whole_aws = environment.cloud == "aws" and not function
    # Lambda gives an address only to what exists, and each function needs the others'.
    if is_whole_aws and keep_urls(environment, terraform.output("task_urls")):
        print("The functions now learn each other's addresses: a second apply.", flush=True)
        terraform.apply()
    print(
        f"\nNow: .venv/bin/python -m infra.check after --cloud {environment.cloud} "
        f"--env {environment.name}"
    )


def store_secrets(environment: Environment, google: google_cloud.Google | None = None) -> None:
    """Asks for the values that are missing."""
    environment.settings()
    print(f"Asks for the secrets of annals-{environment.name} that have no value yet.", flush=True)
    if environment.cloud == "gcp":
        terraform = Terraform(environment)
        terraform.prepare()
        terraform.apply(SECRETS_FIRST)
    _told(fill(environment, missing_secrets(_secret_steps(environment, google))))


def missing_secrets(steps: Iterable[Step]) -> list[str]:
    """The names of those that have no value; CannotDeploy unless that is certain of all: a hash key
    that was there but not seen would be replaced, and every key with it."""
    found = list(steps)
    if unknown := [one for one in found if not one.is_known]:
        told = "\n  ".join(f"{one.name}: {one.to_do}" for one in unknown)
        raise CannotDeploy(
            f"it could not be found out which secrets have a value; none was changed:\n  {told}"
        )
    return [one.name.removeprefix("secret ") for one in found if not one.is_ok]


def _told(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def _secret_steps(
    environment: Environment, google: google_cloud.Google | None = None
) -> Iterable[Step]:
    """Whether each has a value."""
    if environment.cloud == "gcp":
        names = environment.tables()["secrets"]
        return google_cloud.secrets(google or google_cloud.Google(), environment.place(), names)
    region = environment.settings()["region"]
    return aws_account.secrets(
        environment.tables(), environment.name, region, environment.without(), aws_account.aws
    )


if __name__ == "__main__":
    sys.exit(main())
