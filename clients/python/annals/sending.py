"""One request to one of the five functions, and what its answer means. No I/O."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import quote

from annals.addresses import Addresses
from annals.errors import Broken, refusal

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True)
class Call:
    """`path` is made with `path_of`, which quotes ids."""

    function: str
    method: Method
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """A body that is no JSON."""

    def request(self, addresses: Addresses) -> dict[str, Any]:
        """The arguments of `httpx.Client.request`."""
        made: dict[str, Any] = {
            "method": self.method,
            "url": addresses.of(self.function) + self.path,
            "params": {name: value for name, value in self.query.items() if value is not None},
            "headers": dict(self.headers),
        }
        if addresses.key:
            made["headers"]["Authorization"] = f"Bearer {addresses.key}"
        if self.body is not None:
            # Half a character (a lone surrogate) has no bytes: a question mark stands for it.
            text = json.dumps(self.body, ensure_ascii=False)
            made["content"] = text.encode("utf-8", "replace")
            made["headers"]["Content-Type"] = "application/json"
        elif self.text is not None:
            made["content"] = self.text.encode()
        return made


def path_of(*parts: str) -> str:
    """`path_of("memory", "list", "onebot:9")`; every part is quoted whole."""
    return "".join("/" + quote(part, safe="") for part in parts)


def read_answer(status: int, content: bytes) -> dict[str, Any]:
    """Raises Refused or Broken on anything but the answer that was asked for."""
    if status == 204 or (not content and status < 300):
        return {}
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = content.decode("utf-8", "replace")
    if status >= 400:
        raise refusal(status, body)
    if not isinstance(body, dict):
        raise Broken(f"Annals answered {status} with something that is no object")
    return body


def as_json(value: Any) -> Any:
    """Times as text; everything else as it is."""
    return value.isoformat() if isinstance(value, datetime) else value


def given(**fields: Any) -> dict[str, Any]:
    """Without those that were left out."""
    return {name: value for name, value in fields.items() if value is not None}


def whole_message(event: Mapping[str, Any], now: datetime | None = None) -> dict[str, Any]:
    """With a time and an id. An id that is derived from time, sender and text is the same for the
    same line, so that sending it twice stores it once."""
    said_at = event.get("create_time") or (now or datetime.now(UTC)).isoformat()
    whole = {"role": "user", **event, "create_time": str(said_at)}
    if not whole.get("message_id"):
        told = "\n".join(str(whole.get(name, "")) for name in ("create_time", "user_id", "content"))
        derived = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
        whole["message_id"] = f"d-{derived[:32]}"
    return whole
