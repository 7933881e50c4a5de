"""What a group may set otherwise than the deployment."""

from typing import Any

import pytest

from shared.config import Settings, effective, load
from shared.config.overrides import OVERRIDABLE
from shared.errors import InvalidInput


def test_no_overrides_change_nothing() -> None:
    assert effective(Settings(), {}) == Settings()


def test_a_group_overrides_weights_thresholds_and_switches() -> None:
    deployed, _ = load({"MEMORY_MAX_CONTEXT_MESSAGES": "30"})
    found = effective(
        deployed,
        {
            "reply_chain_weight": 1,
            "relevance_threshold": 0.1,
            "enable_intelligent_memory": False,
            "long_term_trigger": "keywords",
            "trigger_keywords": ["弹药", "ammo"],
            "auto_top_k": None,
        },
    )
    assert (found.reply_chain_weight, found.relevance_threshold) == (1.0, 0.1)
    assert found.enable_intelligent_memory is False
    assert found.trigger_keywords == ("弹药", "ammo")
    assert found.max_context_messages == 30
    assert found.auto_top_k == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such", 1),
        ("hash_key", "a" * 20),
        ("task_auth", "iam"),
        ("model", "dearest"),
        ("MEMORY_RELEVANCE_THRESHOLD", 0.5),
        ("relevance_threshold", "0.5"),
        ("relevance_threshold", 1.5),
        ("relevance_threshold", True),
        ("relevance_threshold", float("nan")),
        ("max_context_messages", 2.0),
        ("max_context_messages", True),
        ("enable_intelligent_memory", 1),
        ("long_term_trigger", "sometimes"),
        ("trigger_keywords", "one, two"),
        ("trigger_keywords", [1]),
    ],
)
def test_an_unknown_or_bad_override_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=name) as raised:
        effective(Settings(), {name: value})
    assert raised.value.detail["setting"] == name


@pytest.mark.parametrize(
    "overrides",
    [
        {"topic_join_threshold": 0.3},
        {"topic_ask_threshold": 0.9},
        {"core_threshold": 0.1},
        {name: 0 for name in OVERRIDABLE if name.endswith("_weight")},
    ],
)
def test_overrides_that_cannot_hold_with_the_rest_are_refused(overrides: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(overrides))):
        effective(Settings(), overrides)


def test_nothing_of_security_places_or_models_can_be_overridden() -> None:
    assert all(setting.env.startswith("MEMORY_") for setting in OVERRIDABLE.values())
    assert not [name for name in OVERRIDABLE if name.startswith(("model", "embedding"))]
