"""Generated requests to every route of the five OpenAPI documents: no answer is a 500, and every
answer is one that the document describes.

`CASES` sets how many requests an operation gets of each sort, valid by the document and not.
"""

import os
from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shared.config.deployment import FUNCTIONS
from tests.local_cloud import LocalCloud
from tests.runtime.unit.test_described_answers import operations

CASES = int(os.environ.get("CASES", "3"))
"""Few, and the same at every run; with CASES set they are many and always others."""
AS_DESCRIBED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SORTS = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
PROTOCOLS = ("/mcp",)
"""Refuses in the words of its own protocol, JSON-RPC: there only a server's error is one."""
STARTS_WORK = ("DELETE /groups/{group_id}",)
"""Would take away the group that the others are asked about."""


def routes() -> Iterator[tuple[str, str]]:
    for function in FUNCTIONS:
        for name, _, _ in operations(function):
            yield function, name


@cache
def schema_of(base: str, function: str) -> Any:
    return schemathesis.openapi.from_url(f"{base}/{function}/openapi.json")


@pytest.fixture(scope="module")
def known(cloud: LocalCloud) -> dict[str, str]:
    """Ids that are there: a group of its own, a message, a topic, a memory."""
    group_id = f"test:{uuid4().hex[:12]}"
    said = {
        "group_id": group_id,
        "message_id": "m1",
        "user_id": "u1",
        "user_name": "Ann",
        "content": "We play chess every Friday",
        "create_time": "2026-03-02T09:00:00Z",
    }
    cloud.ok("POST", "/ingest_message/messages", said)
    memory = cloud.ok(
        "POST", f"/evolve_group/memory/{group_id}", {"statement": "The group plays chess"}
    )
    return {
        "group_id": group_id,
        "message_id": "m1",
        "user_id": "u1",
        "memory_id": memory["memory"]["memory_id"],
    }


@pytest.mark.parametrize("sort", SORTS, ids=lambda one: one.value)
@pytest.mark.parametrize(("function", "route"), list(routes()), ids=str)
def test_every_answer_is_as_described(
    cloud: LocalCloud, known: dict[str, str], function: str, route: str, sort: GenerationMode
) -> None:
    method, _, path = route.partition(" ")
    base = cloud.told["base"]
    operation = schema_of(base, function)[path][method]
    headers = {"Authorization": f"Bearer {cloud.told['key']}"}

    @given(case=operation.as_strategy(generation_mode=sort), is_known=st.booleans())
    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        derandomize="CASES" not in os.environ,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, is_known: bool) -> None:
        if is_known and route not in STARTS_WORK:
            for where in (case.path_parameters, case.query):
                if isinstance(where, dict):
                    where.update({key: one for key, one in known.items() if key in where})
            if isinstance(case.body, dict) and "group_id" in case.body:
                case.body["group_id"] = known["group_id"]
        answer = case.call(base_url=f"{base}/{function}", headers=headers)
        is_protocol = path in PROTOCOLS
        case.validate_response(answer, checks=AS_DESCRIBED[:1] if is_protocol else AS_DESCRIBED)

    try:
        check()
    except Unsatisfiable:
        # A route that asks for nothing, or for a plain string, cannot be asked wrongly.
        assert sort is GenerationMode.NEGATIVE
