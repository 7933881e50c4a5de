"""What can go wrong between a bot and Annals.

AnnalsError
├── Unreachable      no answer: not running, cut off, too late
├── Refused          an answer of 4xx; `code` and `detail` say what to fix
│   ├── NotAllowed   401, 403: the key
│   └── Missing      404: no such record, or not one of this key's groups
└── Broken           an answer of 5xx, or one that is not what it should be
"""

from typing import Any


class AnnalsError(Exception):
    """Annals could not do what was asked."""


class Unreachable(AnnalsError):
    """No answer came: is the address right, and is it running?"""


class Broken(AnnalsError):
    """Annals answered with an error of its own."""


class Refused(AnnalsError):
    """Annals refused the request."""

    def __init__(self, status: int, code: str, message: str, detail: Any = None) -> None:
        super().__init__(f"{message} ({code}, {status})")
        self.status = status
        self.code = code
        self.message = message
        self.detail = detail


class NotAllowed(Refused):
    """The key is unknown, or may not do this."""


class Missing(Refused):
    """There is no such record, or it is not of this key's groups."""


def refusal(status: int, body: Any) -> AnnalsError:
    """The error that an answer of 400 or more means."""
    told = body.get("error") if isinstance(body, dict) else None
    if status >= 500 or not isinstance(told, dict):
        return Broken(f"Annals answered {status}: {str(body)[:200]}")
    kind = {401: NotAllowed, 403: NotAllowed, 404: Missing}.get(status, Refused)
    return kind(
        status,
        str(told.get("code", "unknown")),
        str(told.get("message", "no message")),
        told.get("detail"),
    )
