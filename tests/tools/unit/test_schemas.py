"""Tools as model APIs see them."""

import json
import re

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from functions.build_context.handle_tools import listed
from functions.build_context.tool_catalogue import TOOLS, Tool, tool_named
from shared.domain.key import SCOPES
from shared.errors import NotFound

NAMES = {
    "search_topics", "search_messages", "search_memories", "search_events", "search_profiles",
    "get_profile", "search_entities", "query_graph", "get_context", "add_memory", "get_memories",
    "end", "what_is_known_of_me", "dont_remember_me", "forget_me",
}  # fmt: skip
SEEDS = {
    "quick_search": "get_context",
    "topic_search": "search_topics",
    "cognitive.search_events": "search_events",
    "cognitive.get_profile": "get_profile",
    "cognitive.search_profiles": "search_profiles",
    "cognitive_search_events": "search_events",
}


def test_all_tools_are_listed_to_a_key_with_all_scopes() -> None:
    found = listed(SCOPES, with_aliases=False)

    assert {one.function.name for one in found.tools} == NAMES
    assert found.total == len(NAMES)
    assert set(found.details) == NAMES


def test_a_key_that_only_reads_is_shown_no_tool_that_writes() -> None:
    found = listed(frozenset({"read"}), with_aliases=True)

    assert {one.function.name for one in found.tools}.isdisjoint({"add_memory", "end"})
    assert all(one.is_read_only for one in found.details.values())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda one: one.name)
def test_a_schema_is_plain_enough_for_every_model_api(tool: Tool) -> None:
    schema = tool.parameters
    Draft202012Validator.check_schema(schema)
    Draft202012Validator.check_schema(tool.output_schema)

    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    text = json.dumps(schema)
    assert not any(word in text for word in ('"$ref"', '"anyOf"', '"title"', "group_id"))
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)


def test_names_in_schemas_have_no_dots() -> None:
    shown = {one.function.name for one in listed(SCOPES, with_aliases=True).tools}

    assert {name.replace(".", "_") for name in SEEDS} <= shown
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in shown)


@pytest.mark.parametrize("name", SEEDS)
def test_the_older_names_are_the_same_tools(name: str) -> None:
    assert tool_named(name).name == SEEDS[name]


def test_there_is_no_other_tool() -> None:
    with pytest.raises(NotFound):
        tool_named("delete_everything")


def test_nulls_and_older_parameter_names_are_understood() -> None:
    events = tool_named("search_events").arguments
    read = events.model_validate(
        {"query": "x", "target_user_id": "u1", "top_k": 3, "time_to": None}
    )

    assert read.model_dump(include={"user_id", "limit"}) == {"user_id": "u1", "limit": 3}


def test_who_may_end_a_turn_is_told_the_rules_in_both_languages() -> None:
    served = listed(frozenset({"read", "ingest"}), with_aliases=False)
    reading = listed(frozenset({"read"}), with_aliases=False)

    assert set(served.prompt_rules) == {"en", "zh"}
    assert all("`end`" in one and "`new_info`" in one for one in served.prompt_rules.values())
    assert reading.prompt_rules == {}
