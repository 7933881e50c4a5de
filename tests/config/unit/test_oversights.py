"""Settings that leave something undone though none of them is bad."""

import re

import pytest

from shared.config import load
from shared.config.deployment import FUNCTIONS
from shared.config.load import oversights
from shared.config.models import PROMPTS
from tests.project import ROOT

WHOLE = {
    "PINECONE_API_KEY": "p",
    "OPENAI_API_KEY": "o",
    **{f"ANNALS_URL_{name.upper()}": f"https://{name}.example" for name in FUNCTIONS},
}


def told(**more: str) -> list[str]:
    return list(oversights(load({**WHOLE, **more})[0]))


def test_a_whole_environment_leaves_nothing_undone() -> None:
    assert told() == []


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_not_set_is_named(name: str) -> None:
    (warning,) = told(**{name: ""})

    assert warning.startswith(name)
    assert "not set" in warning


def test_models_with_keys_of_their_own_need_no_common_one() -> None:
    keys = ", ".join(f"{prompt}=sk-1" for prompt in PROMPTS)
    own = {"OPENAI_API_KEY": "", "MEMORY_TASK_API_KEYS": keys}

    assert told(**own, MEMORY_EMBEDDING_API_KEY="sk-2") == []
    assert told(**own) != []


@pytest.mark.parametrize("whose", ["", "GROUP_", "KEY_"])
def test_dollars_without_prices_bound_nothing_and_that_is_said(whose: str) -> None:
    name = f"MEMORY_{whose}BUDGET_DOLLARS"
    dollars = {name: "5", "MEMORY_MODEL": "big", "MEMORY_EMBEDDING_MODEL": "small"}

    assert told(**dollars) == [f"{name} without MEMORY_PRICES bounds nothing: no model has a price"]
    (warning,) = told(**dollars, MEMORY_PRICES="big=1/2", MEMORY_MODEL_MEMORY_EVOLVE="other")
    assert "does not bound small, other" in warning
    assert told(**dollars, MEMORY_PRICES="big=1/2, small=0.02") == []


@pytest.mark.parametrize("kind", ["CALLS", "TOKENS", "DOLLARS"])
@pytest.mark.parametrize("whose", ["", "GROUP_", "KEY_"])
@pytest.mark.parametrize("written", ["-5", "nan", "many", "inf"])
def test_a_bad_budget_counts_as_used_up_and_is_named(kind: str, whose: str, written: str) -> None:
    from shared.domain.usage import CallCounts, SpendingBounds

    env = f"MEMORY_{whose}BUDGET_{kind}"
    found, problems = load({**WHOLE, env: written})

    bounds = SpendingBounds(**{kind.lower(): getattr(found, f"{whose}BUDGET_{kind}".lower())})
    assert bounds.reached_by(CallCounts()), "before the first call of a day"
    (problem,) = [one for one in problems if not one.is_security]
    assert problem.message.startswith(f"{env}: {written!r} is not valid")
    assert problem.message.endswith("it counts as used up: no model is asked")


def test_bad_prices_are_told_what_prices_are() -> None:
    _, problems = load({"MEMORY_PRICES": "big: 1"})

    (problem,) = [one for one in problems if one.name == "MEMORY_PRICES"]
    assert "expected `model=prompt/completion` with numbers, separated by commas" in problem.message


def test_a_misspelt_name_of_a_deployment_is_pointed_out() -> None:
    _, problems = load({"ANNALS_SLOT_SECONDS": "2"})

    assert "ANNALS_SLOT_SECONDS is not the name of any setting" in [p.message for p in problems]


def test_names_of_our_clients_are_not_taken_for_misspelt_ones() -> None:
    pages = [*(ROOT / "clients").rglob("*.py"), *(ROOT / "clients").rglob("*.md")]
    named = {
        name
        for page in pages
        for name in re.findall(r"\bANNALS_[A-Z_]*[A-Z]\b", page.read_text("utf-8"))
    }

    _, problems = load(dict.fromkeys(named, "1"))

    assert "ANNALS_KEY" in named
    assert [one.name for one in problems if "not the name" in one.message] == []
