"""The settings that hold for a group: always some, whatever is stored."""

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.config import Settings, effective, settings_for
from shared.config.overrides import OVERRIDABLE
from shared.domain.group import Group

VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


def of(**overrides: Any) -> Settings:
    return settings_for(Group("lark:1", "lark", settings=overrides), Settings())


def test_a_group_that_does_not_exist_has_the_deployments() -> None:
    assert settings_for(None, Settings()) == Settings()


def test_a_value_that_is_not_valid_gives_way_alone_and_is_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)

    found = of(max_active_memories=-1, core_threshold=0.9, was_renamed=True)

    assert found == Settings(core_threshold=0.9)
    told = [vars(record)["fields"] for record in caplog.records]
    assert {one["group_id"] for one in told} == {"lark:1"}
    assert "max_active_memories" in told[0]["reason"]
    assert "was_renamed" in told[1]["reason"]


def test_values_that_cannot_hold_together_both_give_way() -> None:
    found = of(topic_join_threshold=0.3, topic_ask_threshold=0.6, auto_top_k=5)

    assert found == Settings(auto_top_k=5)


@given(st.dictionaries(st.sampled_from(sorted(OVERRIDABLE)) | st.text(max_size=5), VALUES))
def test_whatever_is_stored_some_settings_hold_and_they_are_valid(stored: dict[str, Any]) -> None:
    found = of(**stored)

    own = {name: getattr(found, name) for name in OVERRIDABLE}
    assert effective(Settings(), own) == found
