"""What a group may set otherwise than the deployment."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.config import Settings, effective, load, settings_for, variant_of
from shared.config.overrides import OVERRIDABLE
from shared.domain.group import Group, new_group
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
    ("name", "text", "value"),
    [
        ("trigger_keywords", "记得,上次", ["记得", "上次"]),
        ("trigger_keywords", " one， two、three ", ["one", "two", "three"]),
        ("recall_weights", "near=1.5, words=0.5", {"near": 1.5, "words": 0.5}),
        ("relevance_threshold", " 0.5 ", 0.5),
        ("max_context_messages", "40", 40),
        ("enable_intelligent_memory", "off", False),
        ("long_term_trigger", "always", "always"),
        ("timezone", "Asia/Shanghai", "Asia/Shanghai"),
    ],
)
def test_a_group_writes_a_setting_as_the_environment_does_or_as_json(
    name: str, text: str, value: Any
) -> None:
    assert effective(Settings(), {name: text}) == effective(Settings(), {name: value})
    assert settings_for(of(1, **{name: text}), Settings()) == effective(Settings(), {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such", 1),
        ("hash_key", "a" * 20),
        ("task_auth", "iam"),
        ("model", "dearest"),
        ("MEMORY_RELEVANCE_THRESHOLD", 0.5),
        ("relevance_threshold", "half"),
        ("relevance_threshold", "1.5"),
        ("relevance_threshold", 1.5),
        ("relevance_threshold", True),
        ("relevance_threshold", float("nan")),
        ("max_context_messages", 2.0),
        ("max_context_messages", True),
        ("enable_intelligent_memory", 1),
        ("long_term_trigger", "sometimes"),
        ("trigger_keywords", [1]),
        ("recall_weights", "near"),
        ("recall_weights", "no_such=1"),
        ("recall_weights", {"near": "1.5"}),
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


def of(number: int, **settings: Any) -> Group:
    return replace(new_group(f"test:{number}", datetime(2026, 1, 1, tzinfo=UTC)), settings=settings)


def test_an_experiment_gives_the_same_share_of_groups_other_settings() -> None:
    tried = "relevance_threshold=0.1; trigger_keywords=one, two"
    settings, problems = load({"MEMORY_AB_SETTINGS": tried, "MEMORY_AB_SHARE": "0.3"})
    assert not [one for one in problems if one.name.startswith("MEMORY")]
    sides = [variant_of(of(number), settings) for number in range(2000)]
    wider = settings.replaced(ab_share=0.5)

    assert 0.25 < sides.count("b") / len(sides) < 0.35
    assert set(sides) == {"a", "b"}
    assert all(
        variant_of(of(number), wider) == "b" for number, one in enumerate(sides) if one == "b"
    )
    inside, outside = sides.index("b"), sides.index("a")
    assert settings_for(of(inside), settings).trigger_keywords == ("one", "two")
    assert settings_for(of(outside), settings).relevance_threshold == 0.3
    assert settings_for(of(inside, max_return=1), settings).relevance_threshold == 0.1
    own = of(inside, relevance_threshold=0.9)
    assert variant_of(own, settings) == ""
    assert settings_for(own, settings).trigger_keywords == load({})[0].trigger_keywords
    assert variant_of(of(inside), load({})[0]) == ""


@pytest.mark.parametrize(
    "written",
    [
        "nonsense",
        "no_such=1",
        "openai_api_key=x",
        "relevance_threshold=7",
        "archive_threshold=0.9; core_threshold=0.1",
    ],
)
def test_a_bad_experiment_is_none_and_is_named(written: str) -> None:
    settings, problems = load({"MEMORY_AB_SETTINGS": written})

    assert settings.ab_settings == {}
    assert [one.name for one in problems if one.name.startswith("MEMORY")] == ["MEMORY_AB_SETTINGS"]
