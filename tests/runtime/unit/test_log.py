"""Logs: JSON lines with ids, and never what people said."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import APIRouter

from shared import log
from shared.errors import BadReply, Transient
from tests.runtime.serving import AS_ROOT, client, make_app

SAID = "Ada said that the ship sails on Friday"


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    log.take_over(stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_event_is_one_json_line_with_its_fields(out: io.StringIO) -> None:
    log.info("topic_closed", group_id="lark:oc_1", count=3, share=0.5, ids=["a"], nothing=None)
    (line,) = lines(out)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "severity": "INFO",
        "message": "topic_closed",
        "logger": "shared.events",
        "group_id": "lark:oc_1",
        "count": 3,
        "share": 0.5,
        "ids": ["a"],
    }


def test_severities_are_those_of_cloud_logging(out: io.StringIO) -> None:
    log.info("a")
    log.warning("b")
    log.error("c")
    assert [line["severity"] for line in lines(out)] == ["INFO", "WARNING", "ERROR"]


def test_what_was_bound_stands_in_every_later_line_and_ends_with_the_request(
    out: io.StringIO,
) -> None:
    with log.context(request_id="r1"):
        log.bind(group_id="lark:oc_1", job_id="j1")
        log.info("inside", job_id="j2")
    log.info("outside")
    inside, outside = lines(out)
    assert (inside["request_id"], inside["group_id"], inside["job_id"]) == ("r1", "lark:oc_1", "j2")
    assert "request_id" not in outside
    assert "group_id" not in outside


@pytest.mark.parametrize("field", ["content", "text", "query", "statement", "new_info", "title"])
def test_a_field_that_holds_what_people_said_shows_only_its_length(
    out: io.StringIO, field: str
) -> None:
    log.info("stored", **{field: SAID})
    (line,) = lines(out)
    assert line[field] == f"[{len(SAID)} characters]"


def test_long_texts_are_cut_and_unknown_objects_only_named(out: io.StringIO) -> None:
    log.info("long", reason="x" * 5000, thing=object())  # type: ignore[arg-type]
    (line,) = lines(out)
    assert len(line["reason"]) == log.MAX_CHARACTERS
    assert line["thing"] == "[object]"


def test_broken_unicode_and_line_breaks_stay_one_line(out: io.StringIO) -> None:
    log.info("odd", user_id="a\nb\ud800")
    (line,) = lines(out)
    assert line["user_id"] == "a\nb?"


def test_of_an_exception_its_type_and_place_are_logged_but_not_its_words(out: io.StringIO) -> None:
    try:
        try:
            raise KeyError(SAID)
        except KeyError as error:
            raise ValueError(SAID) from error
    except ValueError as error:
        log.error("failed", error)
    assert "Ada" not in out.getvalue()
    (line,) = lines(out)
    assert line["error_type"] == "ValueError"
    assert line["caused_by"] == ["KeyError"]
    assert line["frames"][-1].endswith(
        " test_of_an_exception_its_type_and_place_are_logged_but_not_its_words"
    )
    assert "test_log.py:" in line["frames"][-1]


def test_a_group_of_exceptions_is_described_one_by_one() -> None:
    group = ExceptionGroup(SAID, [KeyError(SAID), Transient(SAID)])
    described = log.described(group)
    assert [inner["error_type"] for inner in described["group"]] == [
        "KeyError",
        "shared.errors.Transient",
    ]
    assert "Ada" not in str(described)


def test_the_standard_logging_of_our_own_modules_comes_out_in_the_same_form(
    out: io.StringIO,
) -> None:
    own = logging.getLogger("shared.jobs.worker")
    own.warning("job_attempt_failed", extra={"job_id": "j1", "content": SAID})
    (line,) = lines(out)
    assert (line["message"], line["job_id"]) == ("job_attempt_failed", "j1")
    assert "Ada" not in out.getvalue()


def test_of_foreign_logs_only_warnings_are_kept_and_only_their_fixed_part(
    out: io.StringIO,
) -> None:
    foreign = logging.getLogger("somebody.else")
    foreign.info("request %s", SAID)
    foreign.warning("cannot send %s\nbecause of %s", SAID, SAID)
    try:
        raise RuntimeError(SAID)
    except RuntimeError:
        foreign.exception("crashed")
    first, second = lines(out)
    assert first["message"] == "cannot send %s"
    assert second["error_type"] == "RuntimeError"
    assert "Ada" not in out.getvalue()


router = APIRouter()
RAISED: list[Exception] = []


@router.get("/groups/{group_id}/search")
async def search(group_id: str, q: str) -> dict[str, Any]:
    log.bind(group_id=group_id)
    log.info("searched", query=q)
    if RAISED:
        raise RAISED[0]
    return {"success": True}


async def call(error: Exception | None = None) -> None:
    RAISED[:] = [error] if error else []
    async with client(make_app(router), headers={**AS_ROOT, "X-Request-Id": "r-1"}) as http:
        await http.get("/groups/lark:oc_1/search", params={"q": SAID})


async def test_a_request_is_one_line_with_its_route_status_and_ids(out: io.StringIO) -> None:
    await call()
    searched, request = lines(out)
    assert searched["request_id"] == request["request_id"] == "r-1"
    assert (request["message"], request["status"], request["method"]) == ("request", 200, "GET")
    assert (request["route"], request["group_id"]) == ("/groups/{group_id}/search", "lark:oc_1")
    assert (request["function"], request["key_id"]) == ("ingest_message", "root")
    assert request[log.TRACE].startswith("projects/annals-local/traces/")
    assert request["took_ms"] >= 0
    assert "Ada" not in out.getvalue()


@pytest.mark.parametrize("error", [RuntimeError(SAID), BadReply(f"unreadable: {SAID}")])
async def test_a_failure_is_logged_without_words(out: io.StringIO, error: Exception) -> None:
    await call(error)
    failed, request = lines(out)[1:]
    assert (failed["message"], failed["severity"]) == ("request_failed", "ERROR")
    assert failed["frames"][-1].endswith(" search")
    assert request["status"] in (500, 502)
    assert "Ada" not in out.getvalue()


async def test_a_reason_of_our_own_is_told(out: io.StringIO) -> None:
    await call(Transient("Firestore did not answer"))
    failed, request = lines(out)[1:]
    assert (failed["reason"], request["code"]) == ("Firestore did not answer", "unavailable")


async def test_health_checks_do_not_fill_the_log(out: io.StringIO) -> None:
    async with client(make_app()) as http:
        await http.get("/health/live")
        await http.get("/nowhere")
    assert [line["status"] for line in lines(out)] == [404]


def test_without_a_stream_lines_go_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        log.take_over()
        log.info("seen")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    assert json.loads(capsys.readouterr().out)["message"] == "seen"
