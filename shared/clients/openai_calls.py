"""Calls of an OpenAI-compatible service: the client, what its errors mean, and trying again.

The SDK's own retries are off: one policy, here, within the caller's budget of time.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from shared.clients.call_retry import RetryPolicy, next_delay, retry_after
from shared.errors import AnnalsError, Misconfigured, Transient

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

T = TypeVar("T")

RETRY_SLOWLY = RetryPolicy()
"""Four attempts over some seconds: a service that was overloaded has mostly recovered by then."""
AGAIN = frozenset({408, 409, 425, 429})
"""Besides every 5xx: the same request may well succeed a moment later."""


BLAMES_REQUEST = re.compile(r"validation error|response_format|json_schema|max_completion_tokens")
"""Some servers answer a request that they cannot read with 500; only the text tells it apart."""

COUNTING_S = 2.0
"""How long a cost entry may keep a caller waiting."""


class UsageSink(Protocol):
    """Where costs are counted; embeddings count under the prompt id `embedding`."""

    async def check(self, group_id: str) -> None:
        """OverBudget if no model may be asked for the group now."""

    def record(
        self,
        group_id: str,
        prompt_id: str,
        model: str,
        *,
        calls: int,
        prompt_tokens: int,
        completion_tokens: int,
    ) -> Awaitable[None]: ...


class Refused(AnnalsError):
    """The service refused the request itself; sending the same again would not help."""

    code = "refused"

    def __init__(self, status: int, reason: str, text: str) -> None:
        super().__init__(f"the service refused the request ({status} {reason})")
        self.status = status
        self.reason = reason
        self.text = text
        """What the service said, for deciding what it did not like; not for logs or users."""


class NotAnAnswer(Exception):
    """It answered 200 with something else than was asked for, as a proxy in between may."""


class Budget:
    """Seconds left of what a caller may spend; it starts to run when it is made."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.0, self._ends - time.monotonic())


@dataclass(frozen=True)
class RetryingCaller:
    """Calls, and calls again as the policy says; `sleep` and `chance` are here so that a test need
    not wait."""

    policy: RetryPolicy = RETRY_SLOWLY
    timeout_s: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    async def call(
        self, attempt: Callable[[float], Awaitable[T]], budget: Budget, *, model: str
    ) -> T:
        """The answer of `attempt(timeout_s)`, tried again on overload, faults and silence.

        Raises Refused, Misconfigured, or Transient when the attempts or the budget are used up.
        """
        failures = 0
        while True:
            left_s = min(self.timeout_s, budget.left())
            try:
                return await _once(attempt, left_s, model)
            except _Again as again:
                failures += 1
                delay = next_delay(
                    self.policy,
                    failures=failures,
                    left_s=budget.left(),
                    asked_s=again.asked_s,
                    chance=self.chance(),
                )
                if delay is None:
                    raise Transient(
                        f"the model service did not answer ({again.reason})", calls=failures
                    ) from again.__cause__
            await self.sleep(delay)


class _Again(Exception):
    """It failed in a way that may pass."""

    def __init__(self, reason: str, asked_s: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.asked_s = asked_s


async def _once(attempt: Callable[[float], Awaitable[T]], left_s: float, model: str) -> T:
    import openai

    try:
        # The SDK's timeout is for each read; this one is for the whole answer.
        async with asyncio.timeout(left_s):
            return await attempt(left_s)
    except (TimeoutError, openai.APITimeoutError) as error:
        raise _Again("timeout") from error
    except NotAnAnswer as error:
        raise _Again("not an answer") from error
    except openai.APIStatusError as error:
        raise _own(error, model) from error
    except (openai.APIError, json.JSONDecodeError, UnicodeDecodeError) as error:
        # The connection broke, or what came is not even JSON.
        raise _Again(type(error).__name__) from error


def _own(error: "APIStatusError", model: str) -> Exception:
    status = error.status_code
    reason = error.code or error.type or "no reason given"
    if reason == "insufficient_quota":
        return Misconfigured(f"OPENAI_API_KEY has no quota left for model {model}")
    is_servers_fault = status >= 500 and not BLAMES_REQUEST.search(error.message)
    if is_servers_fault or status in AGAIN:
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        return _Again(str(status), retry_after(headers, datetime.now(UTC)))
    if status in (401, 403):
        return Misconfigured(f"OPENAI_API_KEY is refused by OPENAI_BASE_URL for model {model}")
    if status == 404:
        return Misconfigured(f"OPENAI_BASE_URL has no model {model}, or is not such a service")
    return Refused(status, reason, f"{error.param or ''} {error.message}")


def make_client(base_url: str | None, api_key: str | None) -> "AsyncOpenAI":
    """A client of the service at `base_url`, or of OpenAI's own."""
    from openai import AsyncOpenAI

    if not api_key:
        raise Misconfigured("OPENAI_API_KEY is not set")
    return AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0)


async def count(recorded: Awaitable[None], budget: Budget) -> str | None:
    """Waits for a usage record; returns what went wrong, for a cost entry never fails a call."""
    within_s = min(COUNTING_S, budget.left())
    (outcome,) = await asyncio.gather(asyncio.wait_for(recorded, within_s), return_exceptions=True)
    return type(outcome).__name__ if isinstance(outcome, BaseException) else None
