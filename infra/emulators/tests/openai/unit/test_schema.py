"""Answers fitted to schemas, tokens, and the ways a reply is spoilt."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from infra.emulators.openai.malformed_replies import missing_quotes, single_quotes, trailing_comma
from infra.emulators.openai.refusal import Refusal
from infra.emulators.openai.schema import check_strict, fit
from infra.emulators.openai.tokens import count, pieces

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "is_old": {"type": "boolean"},
        "nick": {"type": ["string", "null"]},
        "pet": {"anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]},
        "pets": {"type": "array", "items": {"$ref": "#/$defs/Pet"}, "maxItems": 3},
        "choice": {"anyOf": [{"type": "integer"}, {"const": "new"}]},
        "mood": {"enum": ["glad", "sad"]},
        "pair": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        "free": {},
    },
    "required": [
        "name", "age", "share", "is_old", "nick", "pet", "pets", "choice", "mood", "pair",
    ],
    "additionalProperties": False,
    "$defs": {
        "Pet": {
            "type": "object",
            "properties": {"kind": {"type": "string"}, "legs": {"type": "integer"}},
            "required": ["kind", "legs"],
            "additionalProperties": False,
        }
    },
}  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 500) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
NAMED = st.fixed_dictionaries(
    {}, optional={**dict.fromkeys(SCHEMA["properties"], JSON), "foreign": JSON}
)


@given(NAMED | JSON)
def test_whatever_is_fitted_follows_the_schema(value: Any) -> None:
    fitted = fit(value, SCHEMA, lambda name: f"a {name}")
    Draft202012Validator(SCHEMA).validate(fitted)


def test_what_follows_the_schema_stays_as_it_is() -> None:
    value = {
        "name": "Ida", "age": 3, "share": 0.5, "is_old": False, "nick": None,
        "pet": {"kind": "cat", "legs": 4}, "pets": [], "choice": "new", "mood": "sad",
        "pair": [1, 2], "free": {"any": ["thing"]},
    }  # fmt: skip
    assert fit(value, SCHEMA, lambda _: "") == value


def test_a_missing_text_is_filled_by_its_name() -> None:
    fitted = fit({}, SCHEMA, lambda name: f"a {name}")
    assert (fitted["name"], fitted["nick"], fitted["pet"]) == ("a name", None, None)


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "array"}, 'type: "object"'),
        ({"type": "object", "properties": {}}, "additionalProperties"),
        (
            {"type": "object", "additionalProperties": False, "properties": {"a": {}}},
            "Missing 'a'",
        ),
        (
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["a"],
                "properties": {"a": {"type": "array", "items": {"type": "object"}}},
            },
            "'items'",
        ),
    ],
)
def test_strict_mode_wants_closed_objects(schema: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal, match="Invalid schema for response_format 'n'") as refused:
        check_strict("n", schema)
    assert says in refused.value.message


@given(st.text())
def test_the_tokens_of_a_text_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text
    assert count(text) == len(pieces(text))


def test_tokens_come_in_the_usual_number() -> None:
    assert 8 <= count("The ferry leaves the harbour at noon.") <= 12
    assert count("渡轮中午离开港口") == 8


def test_the_spoilt_forms_are_those_of_the_table() -> None:
    line = json.dumps({"action": "keep", "old_id": "uuid-1"})
    assert missing_quotes(line) == "{action: keep, old_id: uuid-1}"
    assert trailing_comma('{"action": "keep"}') == '{"action": "keep",}'
    assert single_quotes('{"action": "keep"}') == "{'action': 'keep'}"


def test_an_apostrophe_survives_single_quotes() -> None:
    assert single_quotes('{"a": "it\'s"}') == "{'a': 'it\\'s'}"
