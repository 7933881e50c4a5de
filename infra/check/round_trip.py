"""The deployment as a bot meets it: a message in, a context out, tasks delivered, all forgotten.

Everything happens in a group of its own, `check:<random>`, and its one message is erased at the
end, whatever went wrong in between.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx

from infra.check.steps import Step

PATIENCE_S = 150.0
"""A task comes within seconds; one that was not sent is sent again by the sweep, after a minute."""
LOOK_EVERY_S = 1.0
NO_KEY = "annals_nobody_0123456789abcdef"
"""Has the form of a key and is none."""


@dataclass(frozen=True)
class Deployment:
    """Where each deployment answers; those in `closed` admit nobody but the cloud's own queues."""

    urls: Mapping[str, str]
    key: str
    client: httpx.Client
    closed: frozenset[str] = frozenset()

    def call(
        self, method: str, name: str, path: str, body: Any = None, key: str | None = None
    ) -> httpx.Response:
        shown = self.key if key is None else key
        headers = {"Authorization": f"Bearer {shown}"} if shown else {}
        url = f"{self.urls[name].rstrip('/')}{path}"
        return self.client.request(method, url, json=body, headers=headers)


def at_one_url(base: str, functions: tuple[str, ...]) -> dict[str, str]:
    """The functions as folders of one address, as `make run` serves them."""
    return {name: f"{base.rstrip('/')}/{name}" for name in functions}


def check(deployment: Deployment) -> Iterator[Step]:
    """All of it; what cannot work without something before is left out."""
    health = list(_health(deployment))
    yield from health
    if not all(step.is_ok for step in health):
        return
    yield from _refusals(deployment)
    yield from _round_trip(deployment)


def _health(deployment: Deployment) -> Iterator[Step]:
    for name in deployment.urls:
        try:
            answer = deployment.call("GET", name, "/health/ready", key="")
        except httpx.TransportError as error:
            yield Step(f"{name} answers", False, f"{deployment.urls[name]}: {type(error).__name__}")
            continue
        if name in deployment.closed:
            is_shut = answer.status_code in (401, 403)
            advice = "it answers everybody; only the tasks' account may have roles/run.invoker"
            yield Step(f"{name} lets nobody in but the queues", is_shut, "" if is_shut else advice)
        elif answer.is_success:
            found = answer.json()
            told = [f"not set: {', '.join(found['unset'])}"] if found["unset"] else []
            yield Step(f"{name} is ready", True, "; ".join([*told, *found["warnings"]]))
        else:
            yield Step(f"{name} is ready", False, said(answer))


def _refusals(deployment: Deployment) -> Iterator[Step]:
    """What must be refused, is."""
    asked = [
        ("a wrong key is refused", "GET", "summarize_topic", "/topics?group_id=check:no", NO_KEY),
        ("no key is refused", "GET", "summarize_topic", "/topics?group_id=check:no", ""),
        ("a task without its token is refused", "POST", "evolve_group", "/tasks/evolve", ""),
        ("a schedule without its token is refused", "POST", "ingest_message", "/cron/sweep", ""),
    ]
    for name, method, function, path, key in asked:
        status = deployment.call(method, function, path, {}, key=key).status_code
        is_ok = status in (401, 403)
        yield Step(name, is_ok, "" if is_ok else f"{path} of {function} answered {status}")


def _round_trip(deployment: Deployment) -> Iterator[Step]:
    mark = uuid.uuid4().hex[:12]
    group_id, message_id = f"check:{mark}", f"m-{mark}"
    message = {
        "group_id": group_id,
        "message_id": message_id,
        "user_id": "check",
        "user_name": "Check",
        "content": f"The word of this check is {mark}. Does it come back?",
        "role": "user",
        "create_time": datetime.now(UTC).isoformat(),
    }
    sent = deployment.call("POST", "ingest_message", "/messages", message)
    yield Step("a message goes in", sent.is_success, "" if sent.is_success else said(sent))
    if not sent.is_success:
        return
    try:
        yield _context(deployment, group_id, mark)
        yield _topic(deployment, group_id)
    finally:
        forgotten = deployment.call(
            "DELETE", "historian_job", f"/groups/{quote(group_id)}/messages/{message_id}"
        )
    yield from _forgotten(deployment, forgotten, group_id, mark)


def _context(deployment: Deployment, group_id: str, mark: str) -> Step:
    asked = {"group_id": group_id, "message": "What is the word of this check?"}
    answer = deployment.call("POST", "build_context", "/context", asked)
    if not answer.is_success:
        return Step("a context comes out", False, said(answer))
    found = answer.json()
    if mark not in found["text"]:
        return Step("a context comes out", False, "it does not hold what was just said")
    is_best = found["mode"] == "intelligent"
    return Step(
        "a context comes out", True, "" if is_best else f"{found['mode']}: {found['reason']}"
    )


def _topic(deployment: Deployment, group_id: str) -> Step:
    def has_topic() -> bool:
        answer = deployment.call("GET", "summarize_topic", f"/topics?group_id={quote(group_id)}")
        return answer.is_success and answer.json()["total"] > 0

    advice = (
        "no topic after {:.0f} s. In the log of ingest_message: `task_not_sent` = the queue or a "
        "right is missing. In the queue `attribute`: tasks that are tried again and again = "
        "ANNALS_URL_INGEST_MESSAGE is wrong (404), or the tasks' account is not let in (401, 403)"
    )
    is_there = _comes(has_topic)
    name = "a task is delivered: the message has a topic"
    return Step(name, is_there, "" if is_there else advice.format(PATIENCE_S))


def _forgotten(
    deployment: Deployment, answer: httpx.Response, group_id: str, mark: str
) -> Iterator[Step]:
    if not answer.is_success:
        yield Step("the message is forgotten", False, f"{group_id} stays: {said(answer)}")
        return
    path = f"/forgets/{answer.json()['forget_id']}"
    is_done = _comes(
        lambda: deployment.call("GET", "historian_job", path).json().get("state") == "done"
    )
    advice = f"{group_id} is blank, but what came of it stays: see the queue `forget` and {path}"
    yield Step("a job is done: the message is forgotten", is_done, "" if is_done else advice)
    asked = {"group_id": group_id, "message": "What is the word of this check?"}
    context = deployment.call("POST", "build_context", "/context", asked)
    is_gone = context.is_success and mark not in context.json()["text"]
    yield Step("nothing of it comes back", is_gone, "" if is_gone else said(context))


def _comes(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(LOOK_EVERY_S)
    return True


def said(answer: httpx.Response) -> str:
    """The function's own words; of anything else, the status and the beginning."""
    asked = f"{answer.request.method} {answer.request.url.path} answered {answer.status_code}"
    try:
        found = answer.json()
    except ValueError:
        found = None
    error = found.get("error") if isinstance(found, dict) else None
    words = error.get("message") if isinstance(error, dict) else answer.text[:200]
    return f"{asked}: {words}"
