"""What the emulator answers instead of a result, in the service's two shapes.

Refusal
├── ControlRefusal    {"error": {"code": "NOT_FOUND", "message": ...}, "status": 404}
├── DataRefusal       {"code": 5, "message": ..., "details": []}, the code being gRPC's
└── KeyRefusal        401, in plain text
"""

import json
from enum import IntEnum


class Refusal(Exception):
    """A request that gets an error status; `content` is the body as sent."""

    def __init__(self, status: int, content: str, media_type: str = "application/json") -> None:
        super().__init__(content)
        self.status = status
        self.content = content
        self.media_type = media_type
        self.headers: dict[str, str] = {}


class Code(IntEnum):
    """The gRPC codes the data plane uses."""

    INVALID_ARGUMENT = 3
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    RESOURCE_EXHAUSTED = 8
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14


_STATUS = {
    Code.INVALID_ARGUMENT: 400,
    Code.NOT_FOUND: 404,
    Code.ALREADY_EXISTS: 409,
    Code.RESOURCE_EXHAUSTED: 429,
    Code.OUT_OF_RANGE: 400,
    Code.UNIMPLEMENTED: 501,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}
_CODE = {status: code for code, status in _STATUS.items() if code is not Code.OUT_OF_RANGE}
_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    422: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
}


class DataRefusal(Refusal):
    """A refusal of the data plane; the status follows from the code unless it is given."""

    def __init__(self, code: Code, message: str, status: int | None = None) -> None:
        body = {"code": int(code), "message": message, "details": []}
        super().__init__(status or _STATUS[code], _compact(body))

    @staticmethod
    def of_status(status: int, message: str) -> "DataRefusal":
        return DataRefusal(_CODE.get(status, Code.INTERNAL), message, status)


class ControlRefusal(Refusal):
    """A refusal of the control plane."""

    def __init__(self, status: int, message: str) -> None:
        error = {"code": _NAMES.get(status, "UNKNOWN"), "message": message}
        super().__init__(status, _compact({"error": error, "status": status}))


class KeyRefusal(Refusal):
    """The Api-Key header is missing or not one that is accepted."""

    def __init__(self) -> None:
        super().__init__(401, "Invalid API Key", "text/plain")


def invalid(message: str) -> DataRefusal:
    return DataRefusal(Code.INVALID_ARGUMENT, message)


def _compact(body: object) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
