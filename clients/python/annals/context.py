"""What a bot gets before it replies, ready for a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ContextItem:
    """One line that was offered, and why."""

    kind: str
    id: str
    score: float
    reasons: tuple[str, ...] = ()
    tokens: int = 0


@dataclass(frozen=True)
class Context:
    """`stable` changes seldom and belongs into the system prompt, where a provider caches it;
    `dynamic` is for this reply only. An empty context has `mode` empty and says why in `reason`."""

    context_id: str = ""
    mode: str = "empty"
    reason: str = ""
    stable: str = ""
    dynamic: str = ""
    text: str = ""
    items: tuple[ContextItem, ...] = ()
    messages: Sequence[dict[str, Any]] = ()
    tokens: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.text)

    def to_openai(
        self, question: str | None = None, *, system: str | None = None
    ) -> list[dict[str, Any]]:
        """Messages for a chat completion: the bot's own system prompt with `stable` behind it, then
        `dynamic`, then the question. Do not keep the second one in the bot's history."""
        parts = [part for part in (system, self.stable) if part]
        made: list[dict[str, Any]] = []
        if parts:
            made.append({"role": "system", "content": "\n\n".join(parts)})
        if self.dynamic:
            made.append({"role": "user", "content": self.dynamic})
        if question is not None:
            made.append({"role": "user", "content": question})
        return made


def nothing(reason: str) -> Context:
    return Context(reason=reason)


def read_context(answer: dict[str, Any]) -> Context:
    """Raises KeyError, TypeError or ValueError on what is not an answer of `/context`."""
    items = tuple(
        ContextItem(
            kind=str(one["kind"]),
            id=str(one["id"]),
            score=float(one["score"]),
            reasons=tuple(map(str, one.get("reasons", ()))),
            tokens=int(one.get("tokens", 0)),
        )
        for one in answer["items"]
    )
    return Context(
        context_id=str(answer["context_id"]),
        mode=str(answer["mode"]),
        reason=str(answer["reason"]),
        stable=str(answer["stable"]),
        dynamic=str(answer["dynamic"]),
        text=str(answer["text"]),
        items=items,
        messages=tuple(dict(one) for one in answer["messages"]),
        tokens={str(name): int(count) for name, count in answer["tokens"].items()},
    )
