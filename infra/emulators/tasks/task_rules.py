"""What a task may be asked to be: target, sizes, times and headers, decided without I/O."""

import re
from datetime import UTC, datetime

import httpx

from . import names
from .protobuf import (
    SECOND,
    Message,
    Method,
    Task,
    View,
    duration,
    duration_us,
    timestamp,
    timestamp_us,
)
from .queue_rules import complete_retries
from .refusal import invalid, unserved

USER_AGENT = "Google-Cloud-Tasks"

_LARGEST = 1024 * 1024
_LONGEST_URL = 2083
_LARGEST_HEADERS = 80 * 1024
_HORIZON_US = 720 * 3600 * SECOND
_DEADLINE_US = 600 * SECOND
_SHORTEST_DEADLINE_US = 15 * SECOND
_LONGEST_DEADLINE_US = 1800 * SECOND
_WITH_BODY = {Method.POST, Method.PUT, Method.PATCH}
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")


def admitted(asked: Message, queue: str, fresh_id: str, now_us: int) -> Message:
    """The task as it is kept: named, timed and complete. Raises a refusal for a bad one."""
    if asked.ByteSize() > _LARGEST:
        raise invalid("Task size too large")
    name = _name(asked, queue, fresh_id)
    target = asked.WhichOneof("message_type")
    if target == "app_engine_http_request":
        raise unserved("An App Engine target")
    if target is None:
        raise invalid("Task.httpRequest is required: the task has no target.")
    task = Task(name=name.full)
    task.http_request.CopyFrom(asked.http_request)
    _complete_request(task.http_request)
    schedule_us = _schedule_us(asked, now_us)
    task.schedule_time.CopyFrom(timestamp(schedule_us))
    task.create_time.CopyFrom(timestamp(now_us // SECOND * SECOND))
    task.dispatch_deadline.CopyFrom(duration(_deadline_us(asked)))
    if asked.HasField("retry_config"):
        task.retry_config.CopyFrom(asked.retry_config)
        complete_retries(task.retry_config)
    return task


def shown(task: Message, view: int) -> Message:
    """The task in the view a client asked for: only the full one has the body."""
    if view == View.FULL:
        task.view = View.FULL
    else:
        task.view = View.BASIC
        task.http_request.ClearField("body")
    return task


def _name(asked: Message, queue: str, fresh_id: str) -> names.TaskName:
    if not asked.name:
        return names.TaskName(queue, fresh_id)
    name = names.task(asked.name)
    if name.queue != queue:
        raise invalid(
            f"The queue name from request ('{queue}') must be the same as the queue name in the "
            f"named task ('{name.queue}')."
        )
    return name


def _complete_request(request: Message) -> None:
    if not request.url:
        raise invalid("HttpRequest.url is required.")
    if not request.url.startswith(("http://", "https://")):
        raise invalid("HttpTarget.url must start with 'http://' or 'https://'.")
    _check_url(request.url)
    if request.http_method == Method.HTTP_METHOD_UNSPECIFIED:
        request.http_method = Method.POST
    if request.http_method not in list(Method):
        raise invalid(f"HttpRequest.httpMethod {request.http_method} is unknown.")
    if request.body and request.http_method not in _WITH_BODY:
        raise invalid("HttpRequest.body is allowed only if the HTTP method is POST, PUT, or PATCH.")
    _check_authorization(request)
    _check_headers(request)
    for header in [name for name in request.headers if name.lower() == "user-agent"]:
        del request.headers[header]
    request.headers["User-Agent"] = USER_AGENT


def _check_url(text: str) -> None:
    """What passes here can be sent: the client makes no trouble with it later."""
    try:
        url = httpx.URL(text)
        labels = url.host.rstrip(".").split(".")
    except (httpx.InvalidURL, ValueError) as error:
        raise invalid(f"HttpRequest.url is malformed: {error}") from error
    if not all(1 <= len(label) <= 63 for label in labels) or len(url.host) > 253:
        raise invalid("HttpRequest.url is malformed: it names no host.")
    if url.port is not None and not 1 <= url.port <= 65535:
        raise invalid("HttpRequest.url is malformed: there is no such port.")
    if len(str(url)) > _LONGEST_URL:
        raise invalid(f"HttpRequest.url must be at most {_LONGEST_URL} characters.")


def _check_authorization(request: Message) -> None:
    kind = request.WhichOneof("authorization_header")
    if kind == "oauth_token":
        raise unserved("HttpRequest.oauth_token (only oidc_token is)")
    if kind == "oidc_token" and "@" not in request.oidc_token.service_account_email:
        raise invalid("OidcToken.serviceAccountEmail must be a service account's email.")


def _check_headers(request: Message) -> None:
    size = 0
    for name, value in request.headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise invalid(f"HttpRequest.headers: {name!r} is not a valid HTTP header.")
        size += len(name) + len(value)
    if size >= _LARGEST_HEADERS:
        raise invalid("HttpRequest.headers: the size of the headers must be less than 80KB.")


def _schedule_us(asked: Message, now_us: int) -> int:
    if not asked.HasField("schedule_time"):
        return now_us
    asked_us = timestamp_us(asked.schedule_time)
    if asked_us > now_us + _HORIZON_US:
        try:
            told = datetime.fromtimestamp(asked_us // SECOND, UTC).isoformat()
        except (ValueError, OverflowError):
            told = f"{asked_us // SECOND}s"
        raise invalid(
            f"The Task.scheduleTime, {told}, is too far in the future. Schedule time must be no "
            "more than 720h in the future."
        )
    return max(asked_us, now_us)


def _deadline_us(asked: Message) -> int:
    asked_us = duration_us(asked.dispatch_deadline)
    if not asked.HasField("dispatch_deadline") or asked_us == 0:
        return _DEADLINE_US
    if not _SHORTEST_DEADLINE_US <= asked_us <= _LONGEST_DEADLINE_US:
        raise invalid("Task.dispatchDeadline must be between [15s, 30m].")
    return asked_us // 1000 * 1000
