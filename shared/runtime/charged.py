"""Whose key the work of this request is charged to: known from the request's caller, and taken
along by the tasks that the request sends."""

from contextvars import ContextVar

HEADER = "X-Annals-Charged"
"""On a task: nobody but the queue can send one, so what it says is true."""
_KEY_ID: ContextVar[str | None] = ContextVar("annals_charged", default=None)


def charge(key_id: str | None) -> None:
    """From here on, until the request ends."""
    _KEY_ID.set(key_id)


def charged_key() -> str | None:
    return _KEY_ID.get()


def charge_headers() -> dict[str, str]:
    key_id = _KEY_ID.get()
    return {HEADER: key_id} if key_id else {}
