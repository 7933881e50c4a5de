"""Logs: one JSON object a line on stdout, with trace, group and job ids, never message text.

`log.info("topic_closed", group_id=..., topic_id=...)` names what happened; ids and numbers say the
rest. What `bind` was told stands in every later line of the same request. Records of the standard
`logging` come out in the same form; of foreign libraries' only the fixed part of a message, since
its arguments, and the text of any exception, may quote what somebody said.
"""

import contextlib
import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from typing import Any, TextIO

Field = str | int | float | bool | None | Sequence[str]

TRACE = "logging.googleapis.com/trace"
SPAN = "logging.googleapis.com/spanId"

MAX_CHARACTERS = 500
"""Of one text in an entry: enough to tell what it was, never a whole message."""
MAX_FRAMES = 12
"""The innermost of our own frames; the way through the framework is always the same."""
OWN = ("shared", "functions")

_SPOKEN = frozenset(
    {"action_summary", "body", "content", "new_info", "note", "q", "query", "reply", "statement"}
    | {"summary", "text", "title", "user_name"}
)
"""Fields that hold what people said, wherever they turn up: only their length is logged."""

_NOTHING: Mapping[str, Field] = MappingProxyType({})
_bound: ContextVar[Mapping[str, Field]] = ContextVar("annals_log", default=_NOTHING)
_log = logging.getLogger("shared.events")


def info(event: str, /, **fields: Field) -> None:
    _log.info(event, extra={"fields": fields})


def warning(event: str, /, **fields: Field) -> None:
    _log.warning(event, extra={"fields": fields})


def error(event: str, failure: BaseException | None = None, /, **fields: Field) -> None:
    """Of the failure its type and where it arose are logged, not its words."""
    _log.error(event, extra={"fields": fields}, exc_info=failure)


def bind(**fields: Field) -> None:
    """Put these into every later line of this request."""
    _bound.set({**_bound.get(), **fields})


@contextlib.contextmanager
def context(**fields: Field) -> Iterator[None]:
    """A request's lines: starts with nothing but these, and ends as before."""
    token = _bound.set(fields)
    try:
        yield
    finally:
        _bound.reset(token)


def bound() -> Mapping[str, Field]:
    return _bound.get()


def trace_headers() -> dict[str, str]:
    """What a task or a call takes along, so that its lines carry the same trace; nothing outside
    of a request."""
    trace = str(_bound.get().get(TRACE) or "").rpartition("/")[2]
    if not re.fullmatch(r"[0-9a-f]{32}", trace):
        return {}
    span = str(_bound.get().get(SPAN) or "") or trace[:16]
    return {"traceparent": f"00-{trace}-{span}-01"}


def take_over(stream: TextIO | None = None) -> None:
    """Make this the only way that the process logs (by default on whatever stdout is then)."""
    handler: logging.Handler = logging.StreamHandler(stream) if stream else _Stdout()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OWN:
        logging.getLogger(name).setLevel(logging.INFO)


class _Stdout(logging.Handler):
    """Looks stdout up at each line, as it may be replaced meanwhile."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stdout.write(self.format(record) + "\n")
        sys.stdout.flush()


class JsonLines(logging.Formatter):
    """A record as one line that Cloud Logging and people can read."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "severity": record.levelname,
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "message": _words(record),
            "logger": record.name,
        }
        fields = {**_bound.get(), **_extras(record)}
        line |= {name: _said(name, value) for name, value in fields.items() if value is not None}
        if record.exc_info and record.exc_info[1] is not None:
            line |= described(record.exc_info[1])
        return (
            json.dumps(line, ensure_ascii=False, default=_shown).encode(errors="replace").decode()
        )


def _words(record: logging.LogRecord) -> str:
    if record.name.partition(".")[0] in OWN:
        return record.getMessage()[:MAX_CHARACTERS]
    return str(record.msg).partition("\n")[0][:200]


_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    """What was given as fields here, or as `extra` to the standard logging."""
    given = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    fields = given.pop("fields", {})
    return {**given, **fields}


def _said(name: str, value: Any) -> Any:
    if name in _SPOKEN and isinstance(value, str):
        return f"[{len(value)} characters]"
    return value[:MAX_CHARACTERS] if isinstance(value, str) else value


def _shown(value: object) -> str:
    return f"[{type(value).__name__}]"


def described(failure: BaseException) -> dict[str, Any]:
    """An exception without its words: its type, where it arose, and what caused it."""
    causes: list[str] = []
    cause = failure.__cause__ or failure.__context__
    while cause is not None and len(causes) < 5:
        causes.append(_name(cause))
        cause = cause.__cause__ or cause.__context__
    found: dict[str, Any] = {"error_type": _name(failure), "frames": frames(failure.__traceback__)}
    if causes:
        found["caused_by"] = causes
    if isinstance(failure, BaseExceptionGroup):
        found["group"] = [described(inner) for inner in failure.exceptions[:5]]
    return found


def frames(trace: TracebackType | None) -> list[str]:
    """Where in the code, innermost last: our own lines, and the innermost whosever it is."""
    found = traceback.extract_tb(trace)
    kept = [frame for frame in found[:-1] if "site-packages" not in frame.filename] + found[-1:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in kept[-MAX_FRAMES:]]


def _short(filename: str) -> str:
    return "/".join(filename.replace("\\", "/").split("/")[-3:])


def _name(failure: BaseException) -> str:
    return f"{type(failure).__module__}.{type(failure).__qualname__}".removeprefix("builtins.")
