"""Request and trace ids."""

import pytest
from fastapi import APIRouter

from shared import log
from shared.runtime.app import Ids, ids_of
from tests.runtime.serving import client, make_app

FRESH = "f" * 32
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("headers", "ids"),
    [
        ({}, Ids(FRESH, FRESH)),
        ({"x-request-id": "abc-1.2:3_4"}, Ids("abc-1.2:3_4", FRESH)),
        ({"x-request-id": "a b"}, Ids(FRESH, FRESH)),
        ({"x-request-id": "x" * 129}, Ids(FRESH, FRESH)),
        (
            {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"},
            Ids(FRESH, TRACE, "b7ad6b7169203331"),
        ),
        ({"traceparent": "00-nonsense"}, Ids(FRESH, FRESH)),
        ({"x-cloud-trace-context": f"{TRACE}/1;o=1"}, Ids(FRESH, TRACE, "0000000000000001")),
        ({"x-cloud-trace-context": TRACE}, Ids(FRESH, TRACE)),
        ({"x-cloud-trace-context": "x/1"}, Ids(FRESH, FRESH)),
        (
            {"x-amzn-trace-id": f"Self=1-a;Root=1-{TRACE[:8]}-{TRACE[8:]};Sampled=1"},
            Ids(FRESH, TRACE),
        ),
    ],
)
def test_ids_are_taken_from_the_headers_if_they_are_well_formed(
    headers: dict[str, str], ids: Ids
) -> None:
    assert ids_of(headers, FRESH) == ids


async def test_every_answer_carries_the_request_id_also_of_errors() -> None:
    async with client(make_app(APIRouter())) as http:
        given = await http.get("/health/live", headers={"X-Request-Id": "mine"})
        made = await http.get("/nowhere")
    assert given.headers["x-request-id"] == "mine"
    assert len(made.headers["x-request-id"]) == 32


def test_what_a_request_sends_on_carries_its_trace() -> None:
    ids = ids_of({"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}, "f" * 32)
    with log.context(**ids.fields("a-project")):
        taken_along = log.trace_headers()
    made_here = ids_of({}, "f" * 32)
    with log.context(**made_here.fields("a-project")):
        fresh = log.trace_headers()

    assert ids_of(taken_along, "0" * 32).trace_id == "a" * 32
    assert ids_of(fresh, "0" * 32).trace_id == "f" * 32
    assert log.trace_headers() == {}
