"""The bundles for AWS Lambda: HTTP in both encodings, schedules, and what is neither."""

import json
import tomllib
from typing import Any

import pytest

from shared.config.deployment import FUNCTIONS
from tests.bundles.answers import Answers
from tests.bundles.clean import OnLambda
from tests.bundles.contents import Contents
from tests.bundles.running import Running
from tests.bundles.runtime_api import Failed, http_event, scheduled_event
from tests.project import ROOT
from tests.talk import new_group, said

TABLE = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("bundles-aws")]


@pytest.fixture(scope="module")
def cloud() -> str:
    return "aws"


class TestContents(Contents):
    """What the bundles hold."""


class TestAnswers(Answers):
    """What the functions answer."""


def on_lambda(running: Running, function: str) -> OnLambda:
    found = running.functions[function]
    assert isinstance(found, OnLambda)
    return found


def routes(running: Running, function: str) -> dict[str, Any]:
    found: dict[str, Any] = running.call("GET", function, "/openapi.json").json()["paths"]
    return found


@pytest.mark.parametrize("is_base64", [True, False])
def test_a_body_is_read_in_both_encodings(running: Running, is_base64: bool) -> None:
    group_id = new_group()
    messages = [said(group_id, 1, "周五发布 🎉"), said(group_id, 2, "?", reply_message_id="m1")]
    body = json.dumps(messages, ensure_ascii=False).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {running.key}"}
    event = http_event("POST", "/messages", body, headers, is_base64=is_base64)

    answered = on_lambda(running, "ingest_message").api.invoke(event)

    assert answered["statusCode"] == 202
    assert [one["outcome"] for one in json.loads(answered["body"])["results"]] == ["stored"] * 2
    ask = {"group_id": group_id, "message_id": "m2"}
    assert "周五发布 🎉" in running.ok("POST", "build_context", "/context", ask)["text"]


def test_a_body_that_is_no_json_is_a_bad_request(running: Running) -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {running.key}"}
    event = http_event("POST", "/messages", b"no json", headers, is_base64=True)
    answered = on_lambda(running, "ingest_message").api.invoke(event)
    assert answered["statusCode"] == 400


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_schedules_event_reaches_the_functions_crons(running: Running, function: str) -> None:
    crons = {path for path in routes(running, function) if path.startswith("/cron/")}
    assert crons <= set(TABLE[function]["cron"])
    assert crons or function not in ("ingest_message", "evolve_group")
    for path in crons:
        event = scheduled_event(path.removeprefix("/cron/"))
        answered = on_lambda(running, function).api.invoke(event)
        assert answered["statusCode"] == 200
        assert answered["body"]["success"] is True


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_unknown_schedule_is_an_error_and_the_function_goes_on(
    running: Running, function: str
) -> None:
    api = on_lambda(running, function).api
    with pytest.raises(Failed, match="/cron/nothing answered 404"):
        api.invoke(scheduled_event("nothing"))
    with pytest.raises(Failed, match="must name its cron"):
        api.invoke({"Records": [{"eventSource": "aws:sqs", "body": "{}"}]})
    assert running.call("GET", function, "/health/live").json()["function"] == function


def test_a_cron_route_cannot_be_called_over_http(running: Running) -> None:
    assert running.call("POST", "ingest_message", "/cron/sweep", {}).status_code in (401, 403)
