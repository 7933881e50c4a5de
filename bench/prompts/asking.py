"""Asks a model every case through the product's own client, and keeps what went over the wire."""

import asyncio
import contextvars
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from openai import AsyncOpenAI

from bench.prompts.cases import GROUP_ID, Case
from bench.prompts.judging import Check, checks_of
from bench.prompts.questions import question_of
from shared.clients.model import Model
from shared.clients.openai_calls import RetryingCaller
from shared.contracts.replies import REPLIES
from shared.contracts.reply_reading import Reply
from shared.errors import AnnalsError, Misconfigured
from shared.prompts.library import PromptLibrary, make_prompt

BUDGET_S = 300.0
"""Of one case, a correction included: a small model on a slow machine is not what is measured."""
STRICT, REPAIRED, CORRECTED, FAILED = "at once", "repaired", "asked again", "failed"
"""How a usable reply came about; without any, the product falls back on its rules."""


@dataclass
class Tape:
    """What one case cost, and what was said: every answer of the server, in order."""

    texts: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    system: str = ""


_tape: contextvars.ContextVar[Tape] = contextvars.ContextVar("tape")


class Taping(httpx2.AsyncBaseTransport):
    """The wire, with the current case's tape running."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        began = time.monotonic()
        answer = await self._inner.handle_async_request(request)
        body = await answer.aread()
        tape = _tape.get()
        tape.seconds.append(time.monotonic() - began)
        tape.system = json.loads(request.content)["messages"][0]["content"]
        if answer.status_code == 200:
            tape.texts.append(_text_in(body))
        return answer


def _text_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["choices"][0]["message"].get("content") or "")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return ""


class _Counting:
    """The product counts its costs here; they belong to the case that is being asked."""

    async def check(self, group_id: str) -> None:
        pass

    async def record(
        self,
        group_id: str,  # noqa: ARG002
        prompt_id: str,  # noqa: ARG002
        model: str,  # noqa: ARG002
        *,
        calls: int,  # noqa: ARG002
        prompt_tokens: int,
        completion_tokens: int,
    ) -> None:
        tape = _tape.get()
        tape.prompt_tokens += prompt_tokens
        tape.completion_tokens += completion_tokens


@dataclass(frozen=True)
class Outcome:
    """One case: how its reply came about, whether it is right, and what it cost."""

    case: Case
    how: str
    checks: Sequence[Check]
    tape: Tape
    problem: str = ""
    reply: Reply | None = None

    @property
    def score(self) -> float:
        """The share of its checks that hold; a reply that cannot be used has none."""
        if not self.checks:
            return 0.0
        return sum(check.is_right for check in self.checks) / len(self.checks)


class Examiner:
    """One model on one server. `prompts` are texts to try in the place of the files."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        prompts: Mapping[str, str] | None = None,
        reply_tokens: int | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        texts = dict(prompts or {})
        for prompt_id, text in texts.items():
            make_prompt(prompt_id, text)  # says at once what is wrong with it

        async def override(prompt_id: str) -> Mapping[str, Any] | None:
            text = texts.get(prompt_id)
            return {"text": text, "version": 1} if text else None

        taping = Taping(transport or httpx2.AsyncHTTPTransport())
        self._http = httpx2.AsyncClient(transport=taping)
        client = AsyncOpenAI(
            base_url=base_url, api_key=api_key, max_retries=0, http_client=self._http
        )
        self._model = Model(
            client,
            PromptLibrary(override),
            _Counting(),
            model=model,
            caller=RetryingCaller(timeout_s=BUDGET_S),
            reply_tokens=reply_tokens,
        )

    async def examine(self, cases: Sequence[Case], at_once: int) -> list[Outcome]:
        """In the order of the cases. The first of a prompt is asked alone: what the server does
        not take is found out once, not by everybody."""
        room = asyncio.Semaphore(at_once)

        async def asked(case: Case) -> Outcome:
            async with room:
                return await self.ask(case)

        outcomes = [await self.ask(case) for case in cases[:1]]
        outcomes += await asyncio.gather(*(asked(case) for case in cases[1:]))
        return outcomes

    async def ask(self, case: Case) -> Outcome:
        tape = Tape()
        _tape.set(tape)
        reply_type = REPLIES[case.prompt_id]
        try:
            answer = await self._model.ask(
                case.prompt_id,
                reply_type,
                question_of(case),
                group_id=GROUP_ID,
                budget_s=BUDGET_S,
            )
        except Misconfigured:
            raise
        except AnnalsError as error:
            return Outcome(case, FAILED, [], tape, problem=str(error))
        how = _how(reply_type, tape.texts)
        return Outcome(case, how, checks_of(case, answer.reply), tape, reply=answer.reply)

    async def close(self) -> None:
        await self._http.aclose()


def _how(reply_type: type[Reply], texts: Sequence[str]) -> str:
    if len(texts) > 1:
        return CORRECTED
    try:
        found = json.loads(texts[0])
    except (ValueError, IndexError):
        return REPAIRED
    is_whole = isinstance(found, dict) and reply_type.check(found)[1] == []
    return STRICT if is_whole else REPAIRED
