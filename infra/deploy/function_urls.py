"""The right to call a Function URL, as far as Terraform's provider cannot say it.

Since October 2025 a caller of a Function URL needs `lambda:InvokeFunction` beside
`lambda:InvokeFunctionUrl`, which Terraform grants. Without a condition it would let any account on
AWS call the function past its URL, with an event of its own making, such as that of a schedule. The
provider has no field for the condition "only through the URL", so AWS's own command grants the
right after every apply."""

from collections.abc import Iterable, Iterator

from infra.check.aws_account import AwsRefused, Run, admits_url_callers, function_name
from infra.deploy.environment import CannotDeploy

STATEMENT = "function-url-invoke"
ALIAS = "live"


def open_urls(deployments: Iterable[str], environment: str, region: str, run: Run) -> Iterator[str]:
    """Tells what was done."""
    for name in deployments:
        function = function_name(environment, name)
        try:
            if admits_url_callers(function, region, run):
                yield f"{function}: its URL may be called"
                continue
            run(permission(function, region))
        except AwsRefused as refused:
            raise CannotDeploy(f"{function}: its URL cannot be opened: {refused}") from refused
        yield f"{function}: its URL was opened to callers"


def permission(function: str, region: str) -> list[str]:
    words = ["lambda", "add-permission", "--function-name", function, "--qualifier", ALIAS]
    words += ["--region", region, "--statement-id", STATEMENT, "--principal", "*"]
    return [*words, "--action", "lambda:InvokeFunction", "--invoked-via-function-url"]
