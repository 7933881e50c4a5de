"""One request and its answer, as the planes see them: what was asked, not how it was sent."""

from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import QueryParams


@dataclass(frozen=True)
class Asked:
    """`path` holds the decoded parts of the path, `host` how the client reached this server."""

    path: dict[str, str]
    params: QueryParams
    body: bytes
    host: str


@dataclass(frozen=True)
class Answer:
    body: dict[str, Any] | None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
