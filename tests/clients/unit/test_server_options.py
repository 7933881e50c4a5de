"""Servers that differ in what they take: found out by asking, remembered, and nothing given up
that the server would have taken."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from shared.errors import BadReply
from tests.clients.service import Service, refuses, says
from tests.clients.unit.test_model import GOOD, Asker

Fields = dict[str, Any]
Complaint = Callable[[Fields], tuple[int, str, str | None] | None]
OUR_OWN = {"model", "messages"}


class Picky(Service):
    """Refuses every request that its complaint finds something in; else it answers."""

    def __init__(self, complaint: Complaint) -> None:
        self.complaint = complaint
        self.refused = 0
        super().__init__(self._judge)

    def _judge(self, body: Fields) -> httpx2.Response:
        found = self.complaint(body)
        if found is None:
            answer = says(GOOD)(body)
        else:
            self.refused += 1
            status, message, param = found
            answer = refuses(status, message, param=param)(body)
        assert isinstance(answer, httpx2.Response)
        return answer

    def last(self) -> Fields:
        """The options of the last request, the form by its type."""
        options = {name: value for name, value in self.asked[-1].items() if name not in OUR_OWN}
        form = options.get("response_format")
        return {**options, "response_format": form["type"]} if form else options


def form_of(body: Fields) -> str:
    return str(body.get("response_format", {}).get("type", ""))


def no_schema(body: Fields) -> tuple[int, str, str | None] | None:
    if form_of(body) == "json_schema":
        return 400, "response_format.type must be one of text, json_object", "response_format"
    return None


def guided_only(body: Fields) -> tuple[int, str, str | None] | None:
    """As llama-cpp-python's server, which calls its own refusal an internal error."""
    if form_of(body) == "json_schema":
        told = "1 validation error: body.response_format.type: Input should be 'json_object'"
        return 500, told, None
    return None


def no_schema_at_all(body: Fields) -> tuple[int, str, str | None] | None:
    if "schema" in str(body.get("response_format", "")):
        return 400, "Unknown parameter: 'response_format.schema'.", "response_format"
    return None


def no_form(body: Fields) -> tuple[int, str, str | None] | None:
    return (422, "response_format: extra fields not permitted", None) if form_of(body) else None


def reasoning(body: Fields) -> tuple[int, str, str | None] | None:
    if "temperature" in body:
        return 400, "Unsupported value: 'temperature' does not support 0 here.", "temperature"
    if "max_tokens" in body:
        return 400, "Unsupported parameter: use 'max_completion_tokens'.", "max_tokens"
    return None


def older(body: Fields) -> tuple[int, str, str | None] | None:
    if "max_completion_tokens" in body:
        return 400, "Unrecognized request argument supplied: max_completion_tokens", None
    return None


def short_of_room(body: Fields) -> tuple[int, str, str | None] | None:
    if body.get("max_completion_tokens", 0) + body.get("max_tokens", 0) > 4096:
        return 400, "max_tokens is too large: 8192. This model supports at most 4096.", None
    return None


def bare(body: Fields) -> tuple[int, str, str | None] | None:
    """Knows nothing but model and messages, and names what it does not know one by one."""
    unknown = sorted(body.keys() - OUR_OWN)
    return (400, f"unknown field: {unknown[0]}", unknown[0]) if unknown else None


def mute(body: Fields) -> tuple[int, str, str | None] | None:
    """Takes schemas but no temperature, and does not say so."""
    return (400, "Bad Request", None) if "temperature" in body else None


ALL = {"response_format": "json_schema", "temperature": 0, "max_completion_tokens": 8192}
OLDER = {"response_format": "json_object", "temperature": 0, "max_tokens": 8192}
"""A server without strict schemas is asked for its limit by the name it surely knows."""


@pytest.mark.parametrize(
    ("complaint", "refusals", "taken"),
    [
        (lambda _: None, 0, ALL),
        (no_schema, 1, OLDER),
        (guided_only, 1, OLDER),
        (no_schema_at_all, 2, OLDER),
        (no_form, 3, {"temperature": 0, "max_tokens": 8192}),
        (reasoning, 1, {"response_format": "json_schema", "max_completion_tokens": 8192}),
        (older, 1, {"response_format": "json_schema", "temperature": 0, "max_tokens": 8192}),
        (short_of_room, 2, {"response_format": "json_schema", "temperature": 0}),
        (bare, 6, {}),
        (mute, 1, {"response_format": "json_schema"}),
    ],
)
async def test_only_what_a_server_refuses_is_left_out_and_never_sent_again(
    complaint: Complaint, refusals: int, taken: Fields
) -> None:
    server = Picky(complaint)
    asker = Asker(server)
    assert (await asker.ask()).reply.colour == "red"
    assert (server.refused, server.last()) == (refusals, taken)
    await asker.ask()
    assert (server.refused, server.last()) == (refusals, taken)


async def test_a_server_without_strict_schemas_gets_the_schema_beside_json_mode() -> None:
    server = Picky(guided_only)
    await Asker(server).ask()
    form = server.asked[-1]["response_format"]
    assert form["schema"]["required"] == ["colour"]


async def test_a_fault_of_the_server_is_still_tried_again() -> None:
    service = Service(refuses(500, "out of memory"), says(GOOD))
    asker = Asker(service)
    await asker.ask()
    assert service.asked[0] == service.asked[1]


async def test_a_window_too_small_for_the_limit_is_asked_without_it() -> None:
    def small_window(body: Fields) -> Any:
        if "max_completion_tokens" not in body:
            return says(GOOD)(body)
        told = "9000 tokens requested (808 in the messages, 8192 in the completion)"
        return refuses(400, told, code="context_length_exceeded")(body)

    service = Service(small_window)
    assert (await Asker(service).ask()).reply.colour == "red"
    assert len(service.asked) == 2


async def test_a_model_that_thinks_the_limit_away_gets_none_from_then_on() -> None:
    def thinks(body: Fields) -> Any:
        is_limited = "max_completion_tokens" in body
        return (says("", finish="length") if is_limited else says(GOOD))(body)

    service = Service(thinks)
    asker = Asker(service)
    await asker.ask()
    await asker.ask()
    assert ["max_completion_tokens" in asked for asked in service.asked] == [True, False, False]


async def test_a_long_reply_is_asked_again_with_room_and_the_limit_stays_for_others() -> None:
    service = Service(says('{"colour": "re', finish="length"), says(GOOD))
    asker = Asker(service)
    await asker.ask()
    await asker.ask()
    assert ["max_completion_tokens" in asked for asked in service.asked] == [True, False, True]


LOOP = '{"colour": "' + "The user wants a colour and the colour is the colour of the sky. " * 60


async def test_a_reply_that_repeats_itself_is_not_given_room_to_go_on() -> None:
    service = Service(says(LOOP, finish="length"), says(GOOD))
    assert (await Asker(service).ask()).reply.colour == "red"
    assert ["max_completion_tokens" in asked for asked in service.asked] == [True, True]


@pytest.mark.parametrize("cut", ["", '{"colour": "re', LOOP])
async def test_a_bound_that_somebody_set_is_never_lifted(cut: str) -> None:
    service = Service(says(cut, finish="length"), says(GOOD))
    asker = Asker(service, reply_tokens=1024)
    await asker.ask()
    await asker.ask()
    assert [asked["max_completion_tokens"] for asked in service.asked] == [1024] * 3


@pytest.mark.parametrize("finish", ["stop", "content_filter"])
async def test_a_model_that_refuses_is_not_asked_again(finish: str) -> None:
    def refusing(_: Fields) -> httpx2.Response:
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        choice = {"index": 0, "finish_reason": finish, "message": message}
        return httpx2.Response(200, json={"id": "c", "model": "m", "choices": [choice]})

    service = Service(refusing)
    with pytest.raises(BadReply, match="refused"):
        await Asker(service).ask()
    assert len(service.asked) == 1
