"""OpenAPI describes every answer of every route: what it has when it succeeds, and when not."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from shared.config.deployment import FUNCTIONS

Schema = dict[str, Any]


def operations(function: str) -> Iterator[tuple[str, Schema, Schema]]:
    """Each route's name and description, and the schemas it refers to."""
    document = importlib.import_module(f"functions.{function}.app").app.openapi()
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield f"{method.upper()} {path}", told, document["components"]["schemas"]


def is_described(schema: Schema, named: Schema) -> bool:
    """Whether it says what the fields are: every choice has properties of its own."""
    if "$ref" in schema:
        return is_described(named[schema["$ref"].rpartition("/")[2]], named)
    if choices := schema.get("anyOf"):
        return all(is_described(one, named) for one in choices)
    return bool(schema.get("properties"))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_route_describes_what_it_answers(function: str) -> None:
    routes = list(operations(function))

    assert len(routes) > 2
    for name, told, named in routes:
        succeeds = {code: one for code, one in told["responses"].items() if code.startswith("2")}
        assert succeeds, name
        for code, answer in succeeds.items():
            content = answer.get("content", {})
            assert content or code == "204", f"{name} {code} has no content"
            for kind, body in content.items():
                is_json = kind == "application/json"
                assert not is_json or is_described(body["schema"], named), (
                    f"{name} {code}: its answer needs a model of shared/contracts"
                )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_route_describes_how_it_refuses(function: str) -> None:
    for name, told, named in operations(function):
        refused = told["responses"]["default"]["content"]["application/json"]["schema"]
        assert refused["$ref"].endswith("/ErrorBody"), name
        assert set(named["ErrorDetail"]["properties"]) == {"code", "message", "detail"}


@pytest.mark.parametrize(
    ("function", "route"),
    [
        ("evolve_group", "POST /memory/evolve/{group_id}"),
        ("summarize_topic", "POST /topics/{topic_id}/summarize"),
    ],
)
def test_work_that_goes_on_elsewhere_is_an_answer_too(function: str, route: str) -> None:
    told = {name: told for name, told, _ in operations(function)}[route]

    assert set(told["responses"]) >= {"200", "202"}
    assert told["responses"]["202"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/JobRunning"
    )


def test_the_body_of_messages_is_one_message_or_a_list_and_says_what_a_message_has() -> None:
    found = {name: (told, named) for name, told, named in operations("ingest_message")}
    told, named = found["POST /messages"]
    one, many = told["requestBody"]["content"]["application/json"]["schema"]["anyOf"]

    assert is_described(one, named)
    assert is_described(many["items"], named)
    assert (many["minItems"], many["maxItems"]) == (1, 500)
    message = named[one["$ref"].rpartition("/")[2]]
    assert set(message["required"]) == {"group_id", "message_id", "user_id", "create_time"}
    for name in ("group_id", "message_id", "user_id"):
        assert message["properties"][name]["pattern"], name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_ids_that_callers_make_say_what_they_may_be(function: str) -> None:
    for name, told, _ in operations(function):
        for one in told.get("parameters", []):
            if one["name"] in ("group_id", "message_id", "user_id"):
                choices = one["schema"].get("anyOf", [one["schema"]])
                assert any("pattern" in each for each in choices), f"{name}: {one['name']}"
