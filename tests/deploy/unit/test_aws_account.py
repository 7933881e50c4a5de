"""The check of an account on AWS, by the words that the command `aws` is called with."""

from collections.abc import Sequence
from typing import Any

from infra.check.aws_account import AwsRefused, after, before
from infra.check.steps import Step
from infra.tables import tables

NONE: frozenset[str] = frozenset()


class Account:
    """Everything is there; tests take away."""

    def __init__(self) -> None:
        self.parameters = {f"/annals-prod/{one}" for one in tables()["secrets"]}
        self.functions = {
            f"annals-prod-{one}".replace("_", "-"): "Active" for one in tables()["deployments"]
        }
        self.asked: list[Sequence[str]] = []

    def __call__(self, words: Sequence[str]) -> Any:
        self.asked.append(words)
        match words[:2]:
            case ["sts", _]:
                return {"Account": "123456789012"}
            case ["ssm", "describe-parameters"]:
                return sorted(self.parameters)
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
