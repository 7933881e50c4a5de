"""Half a character is refused wherever it stands, in front of every route."""

import json
from typing import Any

import pytest
from fastapi import APIRouter
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import InvalidInput
from shared.runtime.limits import check_text
from tests.runtime.serving import AS_ROOT, client, make_app

WHOLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
HALF = st.sampled_from(["\ud800", "\udfff", "a\ud83d", "\udc4db", "\udc4d\ud83d"])


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        texts | st.none() | st.integers() | st.booleans(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    )


@given(values(WHOLE | st.just("👍 \\ud800")))
def test_whole_text_passes(value: Any) -> None:
    check_text(json.dumps(value).encode())


@given(values(WHOLE), HALF, st.sampled_from(["text", "name", "deep", "listed"]))
def test_half_a_character_is_refused_wherever_it_stands(value: Any, half: str, place: str) -> None:
    body = {
        "text": {"a": value, "b": half},
        "name": {half: value},
        "deep": [{"a": {"b": [value, {"c": half}]}}],
        "listed": [value, half],
    }[place]

    with pytest.raises(InvalidInput):
        check_text(json.dumps(body).encode())


@pytest.mark.parametrize("body", [b"", b"{", b"\\ud800", b"[" * 100_000 + b'"\\ud800"', b"\xff"])
def test_what_is_no_json_is_left_to_its_reader(body: bytes) -> None:
    check_text(body)


async def test_no_route_sees_half_a_character() -> None:
    router = APIRouter()
    seen: list[Any] = []

    @router.put("/anything")
    async def anything(told: dict[str, Any]) -> dict[str, Any]:
        seen.append(told)
        return told

    app = make_app(router)
    async with client(app) as http:
        headers = {**AS_ROOT, "Content-Type": "application/json"}
        refused = await http.put("/anything", content=b'{"a": {"b": "\\uD800"}}', headers=headers)
        taken = await http.put("/anything", content=b'{"a": "\\uD83D\\uDC4D"}', headers=headers)

    assert refused.status_code == 400
    assert refused.json()["error"]["detail"]["problems"][0]["where"] == "body.a.b"
    assert taken.json() == {"a": "👍"}
    assert seen == [{"a": "👍"}]
