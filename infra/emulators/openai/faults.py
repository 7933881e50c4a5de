"""Faults for a share of calls, chosen by a seed: which ones there are, and which calls they hit."""

import random
from dataclasses import dataclass, field
from typing import Any

from .malformed_replies import ANSWER_SPOILERS, TEXT_SPOILERS
from .refusal import Refusal, bad

SHAPES = ("json_lines", "bare_array")
"""Well-formed, but not the object asked for: the list inside it, as lines or as an array."""
KINDS = (
    "latency", "rate_limit", "server_error", "cut_body", "cut_stream", "refuse_schema", "poison",
    *SHAPES, *ANSWER_SPOILERS, *TEXT_SPOILERS,
)  # fmt: skip
ENDPOINTS = ("chat", "embeddings", "models")


@dataclass(frozen=True)
class Call:
    """A request as faults see it."""

    endpoint: str
    prompt: str = ""
    format: str = ""
    streams: bool = False
    texts: tuple[str, ...] = ()


@dataclass
class Fault:
    """One kind of trouble. Of the calls it could hit, the n-th is hit or not by the seed alone."""

    kind: str
    share: float = 1.0
    seed: int = 0
    prompt: str | None = None
    endpoint: str | None = None
    times: int | None = None
    latency_ms: int = 1000
    retry_after_s: float = 1.0
    text: str = ""
    id: str = ""
    seen: int = 0
    hit: int = 0
    _dice: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)  # noqa: S311 - repeatable on purpose

    def strikes(self, call: Call) -> bool:
        if not self._concerns(call) or (self.times is not None and self.hit >= self.times):
            return False
        self.seen += 1
        struck = self._dice.random() < self.share
        self.hit += struck
        return struck

    def _concerns(self, call: Call) -> bool:
        if self.endpoint is not None and self.endpoint != call.endpoint:
            return False
        if self.prompt is not None and self.prompt != call.prompt:
            return False
        match self.kind:
            case "latency" | "rate_limit" | "server_error":
                return True
            case "cut_body":
                return not call.streams
            case "cut_stream":
                return call.streams
            case "refuse_schema":
                return call.format == "json_schema"
            case "poison":
                return call.endpoint == "embeddings" and any(self.text in one for one in call.texts)
            case _:
                return call.endpoint == "chat"

    def told(self) -> dict[str, Any]:
        names = (
            "id", "kind", "share", "seed", "prompt", "endpoint", "times", "latency_ms",
            "retry_after_s", "text", "seen", "hit",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def refusal(self, call: Call) -> Refusal | None:
        """The error this fault answers with, if it is of that kind."""
        match self.kind:
            case "rate_limit":
                seconds = f"{self.retry_after_s:g}"
                return Refusal(
                    429,
                    f"Rate limit reached for requests. Please try again in {seconds}s.",
                    kind="requests",
                    code="rate_limit_exceeded",
                    headers={
                        "retry-after": seconds,
                        "retry-after-ms": f"{self.retry_after_s * 1000:g}",
                    },
                )
            case "server_error":
                return Refusal(
                    500, "The server had an error while processing your request.",
                    kind="server_error",
                )  # fmt: skip
            case "refuse_schema":
                return bad(
                    "Invalid parameter: 'response_format' of type 'json_schema' is not supported "
                    "with this model.",
                    "response_format",
                )
            case "poison":
                place = next(n for n, one in enumerate(call.texts) if self.text in one)
                return bad(
                    f"Invalid 'input[{place}]': this text is refused.", "input", "invalid_input"
                )
            case _:
                return None


class Faults:
    """The faults in force, in the order they were asked for."""

    def __init__(self) -> None:
        self._faults: dict[str, Fault] = {}
        self._made = 0

    def add(self, wish: dict[str, Any]) -> Fault:
        fault = _checked(wish)
        self._made += 1
        fault.id = f"f{self._made}"
        self._faults[fault.id] = fault
        return fault

    def remove(self, fault_id: str) -> bool:
        return self._faults.pop(fault_id, None) is not None

    def clear(self) -> None:
        self._faults.clear()

    def told(self) -> list[dict[str, Any]]:
        return [fault.told() for fault in self._faults.values()]

    def strike(self, call: Call) -> list[Fault]:
        return [fault for fault in list(self._faults.values()) if fault.strikes(call)]


_TYPES: dict[str, tuple[type, ...]] = {
    "kind": (str,), "share": (int, float), "seed": (int,), "prompt": (str, type(None)),
    "endpoint": (str, type(None)), "times": (int, type(None)), "latency_ms": (int,),
    "retry_after_s": (int, float), "text": (str,),
}  # fmt: skip


def _checked(wish: dict[str, Any]) -> Fault:
    for name, value in wish.items():
        if name not in _TYPES:
            raise bad(f"A fault has no '{name}'. It has: {', '.join(_TYPES)}.", name)
        if not isinstance(value, _TYPES[name]) or isinstance(value, bool):
            raise bad(f"'{name}' cannot be {value!r}.", name)
    if wish.get("kind") not in KINDS:
        raise bad(f"'kind' must be one of: {', '.join(KINDS)}.", "kind")
    if wish.get("endpoint") not in (None, *ENDPOINTS):
        raise bad(f"'endpoint' must be one of: {', '.join(ENDPOINTS)}.", "endpoint")
    if not 0 <= wish.get("share", 1.0) <= 1:
        raise bad("'share' must be between 0 and 1.", "share")
    if wish["kind"] == "poison" and not wish.get("text"):
        raise bad("A poison needs its 'text'.", "text")
    return Fault(**wish)
