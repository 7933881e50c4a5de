"""The check of an account on AWS, by the words that the command `aws` is called with."""

import json
from collections.abc import Sequence
from typing import Any

from infra.check.aws_account import AwsRefused, after, before
from infra.check.steps import Step
from infra.deploy.function_urls import open_urls
from infra.tables import tables

NONE: frozenset[str] = frozenset()


def statement(action: str) -> dict[str, Any]:
    of_url = action == "lambda:InvokeFunction"
    condition = {"Bool": {"lambda:InvokedViaFunctionUrl": "true"}} if of_url else {}
    return {"Effect": "Allow", "Action": action, "Principal": "*", "Condition": condition}


class Account:
    """Everything is there; tests take away."""

    def __init__(self) -> None:
        self.parameters = {f"/annals-prod/{one}" for one in tables()["secrets"]}
        self.functions = {
            f"annals-prod-{one}".replace("_", "-"): "Active" for one in tables()["deployments"]
        }
        self.at_once = 1000
        self.policies = {
            name: [statement("lambda:InvokeFunctionUrl"), statement("lambda:InvokeFunction")]
            for name in self.functions
        }
        self.asked: list[Sequence[str]] = []

    def __call__(self, words: Sequence[str]) -> Any:
        self.asked.append(words)
        match words[:2]:
            case ["sts", _]:
                return {"Account": "123456789012"}
            case ["ssm", "describe-parameters"]:
                return sorted(self.parameters)
            case ["lambda", "get-account-settings"]:
                return {"AccountLimit": {"ConcurrentExecutions": self.at_once}}
            case ["lambda", "get-policy"]:
                if words[3] not in self.policies:
                    raise AwsRefused("ResourceNotFoundException: no policy")
                return {"Policy": json.dumps({"Statement": self.policies[words[3]]})}
            case ["lambda", "add-permission"]:
                self.policies.setdefault(words[3], []).append(statement("lambda:InvokeFunction"))
                return None
            case ["lambda", _]:
                if words[3] not in self.functions:
                    raise AwsRefused("ResourceNotFoundException")
                return {"State": self.functions[words[3]], "Why": "its image is gone"}
        raise AssertionError(words)


def wrong(account: Account, without: frozenset[str] = NONE) -> list[Step]:
    rows = tables()
    steps = [
        *before(rows, "prod", "eu-west-1", without, account),
        *after(rows, "prod", "eu-west-1", without, account),
    ]
    return [one for one in steps if not one.is_ok]


def test_a_whole_account_is_well_and_no_value_is_read() -> None:
    account = Account()

    assert wrong(account) == []
    assert not any("get-parameter" in word for words in account.asked for word in words)


def test_a_missing_parameter_is_named_unless_it_is_left_out() -> None:
    account = Account()
    account.parameters.discard("/annals-prod/SLACK_SIGNING_SECRET")

    assert "make secrets CLOUD=aws ENV=prod" in wrong(account)[0].to_do
    assert wrong(account, frozenset({"SLACK_SIGNING_SECRET"})) == []


def test_a_missing_and_a_broken_function_are_named() -> None:
    account = Account()
    del account.functions["annals-prod-evolve-group"]
    account.functions["annals-prod-build-context"] = "Failed"

    told = {one.name: one.to_do for one in wrong(account)}

    assert "make deploy FN=evolve_group" in told["function annals-prod-evolve-group"]
    assert told["function annals-prod-build-context"] == "Failed: its image is gone"


def test_without_an_account_nothing_else_is_asked() -> None:
    def nobody(words: Sequence[str]) -> Any:
        raise AwsRefused("no credentials")

    (step,) = before(tables(), "prod", "eu-west-1", NONE, nobody)
    assert not step.is_ok
    assert "aws configure" in step.to_do


def test_a_new_account_is_told_to_ask_for_more_calls_at_once() -> None:
    account = Account()
    account.at_once = 10

    (step,) = wrong(account)
    assert "may serve 10" in step.to_do
    assert "request-service-quota-increase" in step.to_do


def test_a_url_whose_callers_may_not_invoke_the_function_is_found_and_opened() -> None:
    """AWS answers such a caller with 403; only through the URL may everybody call."""
    account = Account()
    closed, bare = "annals-prod-build-context", "annals-prod-ingest-message"
    account.policies[closed] = [statement("lambda:InvokeFunctionUrl")]
    del account.policies[bare]
    assert {step.name for step in wrong(account)} == {f"URL of {closed}", f"URL of {bare}"}

    told = list(open_urls(tables()["deployments"], "prod", "eu-west-1", account))

    assert wrong(account) == []
    assert sum(line.endswith("was opened to callers") for line in told) == 2
    granted = [words for words in account.asked if words[1] == "add-permission"]
    assert all("--invoked-via-function-url" in words for words in granted)


def test_a_right_without_the_condition_is_not_taken_for_one() -> None:
    account = Account()
    account.policies["annals-prod-build-context"] = [
        {**statement("lambda:InvokeFunction"), "Condition": {}}
    ]

    assert [step.name for step in wrong(account)] == ["URL of annals-prod-build-context"]
