"""One payload of one client, and what must come of it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClientCase:
    """`becomes` names the fields that matter, `is` among them; the others are not looked at."""

    client: str
    name: str
    payload: dict[str, Any]
    becomes: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.client}: {self.name}"


def message(content: str, **fields: Any) -> dict[str, Any]:
    """What a case expects of a message that somebody said."""
    return {"is": "message", "content": content, **fields}


def ignored(reason: str) -> dict[str, Any]:
    return {"is": "ignored", "reason": reason}
