"""The account on AWS, through the command `aws`: no value of a parameter is read."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from infra.check.steps import Step

Run = Callable[[Sequence[str]], Any]

ENOUGH_AT_ONCE = 100
"""A burst of webhooks, their tasks and contexts beside them: a busy group alone takes several."""


class AwsRefused(Exception):
    """The command failed; its words."""


def aws(words: Sequence[str]) -> Any:
    """What `aws ...` answers, read."""
    try:
        done = subprocess.run(  # noqa: S603
            ["aws", *words, "--output", "json"],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise AwsRefused("the command `aws` is not installed") from error
    if done.returncode:
        raise AwsRefused(done.stderr.strip()[:300] or f"`aws` ended with {done.returncode}")
    try:
        return json.loads(done.stdout or "null")
    except ValueError as error:
        raise AwsRefused(f"`aws` answered no JSON: {done.stdout[:300]!r}") from error


def before(
    tables: Mapping[str, Any], environment: str, region: str, without: frozenset[str], run: Run
) -> Iterator[Step]:
    """Who you are, and whether every parameter has a value."""
    try:
        account = run(["sts", "get-caller-identity"])["Account"]
    except AwsRefused as refused:
        yield Step("an account on AWS", False, f"aws configure ({refused})")
        return
    yield Step(f"account {account}", True)
    yield _quota(region, run)
    yield from secrets(tables, environment, region, without, run)


def _quota(region: str, run: Run) -> Step:
    """How many calls the account may serve at once; of a new account ten."""
    name = f"at least {ENOUGH_AT_ONCE} calls at once"
    asked = ["lambda", "get-account-settings", "--region", region]
    try:
        most = run(asked)["AccountLimit"]["ConcurrentExecutions"]
    except AwsRefused as refused:
        return Step(name, False, str(refused), is_known=False)
    advice = (
        f"the account may serve {most}; ask for more: aws service-quotas "
        f"request-service-quota-increase --service-code lambda --quota-code L-B99A9384 "
        f"--desired-value 1000 --region {region}"
    )
    return Step(name, most >= ENOUGH_AT_ONCE, "" if most >= ENOUGH_AT_ONCE else advice)


def after(
    tables: Mapping[str, Any], environment: str, region: str, without: frozenset[str], run: Run
) -> Iterator[Step]:
    yield from secrets(tables, environment, region, without, run)
    for name, row in tables["deployments"].items():
        function = function_name(environment, name)
        deploy = f"make deploy FN={row['function']} CLOUD=aws ENV={environment}"
        asked = ["lambda", "get-function-configuration", "--function-name", function]
        try:
            found = run([*asked, "--region", region, "--query", "{State: State, Why: StateReason}"])
        except AwsRefused as refused:
            yield Step(f"function {function}", False, f"{deploy} ({refused})")
            continue
        is_ok = found["State"] == "Active"
        advice = "" if is_ok else f"{found['State']}: {found['Why']}"
        yield Step(f"function {function}", is_ok, advice)
        try:
            is_open = admits_url_callers(function, region, run)
        except AwsRefused as refused:
            yield Step(f"URL of {function}", False, str(refused), is_known=False)
            continue
        yield Step(f"URL of {function}", is_open, "" if is_open else f"answers 403: {deploy}")


def function_name(environment: str, deployment: str) -> str:
    return f"annals-{environment}-{deployment}".replace("_", "-")


def admits_url_callers(function: str, region: str, run: Run) -> bool:
    """Whether a caller of its URL may also invoke it, which AWS asks for since October 2025."""
    asked = ["lambda", "get-policy", "--function-name", function, "--qualifier", "live"]
    try:
        policy = json.loads(run([*asked, "--region", region])["Policy"])
    except AwsRefused as refused:
        if "ResourceNotFoundException" in str(refused):
            return False
        raise
    return any(
        statement["Effect"] == "Allow"
        and statement["Action"] == "lambda:InvokeFunction"
        and "lambda:InvokedViaFunctionUrl" in statement.get("Condition", {}).get("Bool", {})
        for statement in policy["Statement"]
    )


def secrets(
    tables: Mapping[str, Any], environment: str, region: str, without: frozenset[str], run: Run
) -> Iterator[Step]:
    folder = f"/annals-{environment}/"
    asked = ["ssm", "describe-parameters", "--region", region, "--query", "Parameters[].Name"]
    asked += ["--parameter-filters", f"Key=Path,Option=Recursive,Values={folder.rstrip('/')}"]
    try:
        there = {one.removeprefix(folder) for one in run(asked)}
    except AwsRefused as refused:
        yield Step("parameters can be listed", False, str(refused), is_known=False)
        return
    for name in sorted(set(tables["secrets"]) - without):
        advice = (
            f"make secrets CLOUD=aws ENV={environment}, or name it in `without_secrets` if this "
            "deployment has none"
        )
        yield Step(f"secret {name}", name in there, "" if name in there else advice)
