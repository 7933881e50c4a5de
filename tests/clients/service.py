"""A small OpenAI-compatible service on the real SDK's wire, for manners that few servers have.

It answers from a script, one entry a call, the last one for ever, and keeps what it was asked.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx2
from openai import AsyncOpenAI

Entry = Callable[[dict[str, Any]], httpx2.Response | Awaitable[httpx2.Response]]


class Service:
    def __init__(self, *script: Entry) -> None:
        self.script = list(script)
        self.asked: list[dict[str, Any]] = []
        transport = httpx2.MockTransport(self._answer)
        self.client = AsyncOpenAI(
            base_url="http://127.0.0.1:1/v1",
            api_key="a key",
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=transport),
        )

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        entry = self.script[min(len(self.asked), len(self.script) - 1)]
        self.asked.append(body)
        answer = entry(body)
        return answer if isinstance(answer, httpx2.Response) else await answer


def says(text: str | None, *, finish: str = "stop", usage: bool = True) -> Entry:
    completion: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text},
            }
        ],
    }
    if usage:
        completion["usage"] = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}
    return lambda _: httpx2.Response(200, json=completion)


def refuses(
    status: int,
    message: str = "no",
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Entry:
    error = {"message": message, "type": "some_error", "param": param, "code": code}
    return lambda _: httpx2.Response(status, json={"error": error}, headers=dict(headers or {}))


def page(_: dict[str, Any]) -> httpx2.Response:
    """What a proxy in between may answer."""
    return httpx2.Response(200, text="<html>hold on</html>", headers={"content-type": "text/html"})


def half_json(_: dict[str, Any]) -> httpx2.Response:
    return httpx2.Response(200, text='{"choices": [', headers={"content-type": "application/json"})


def breaks(_: dict[str, Any]) -> httpx2.Response:
    raise httpx2.ConnectError("nobody there")


class Usage:
    """Keeps what it is told, or fails as a database that is down would."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.recorded: list[tuple[str, str, str, int, int, int]] = []

    async def check(self, group_id: str) -> None:
        pass

    async def record(
        self,
        group_id: str,
        prompt_id: str,
        model: str,
        *,
        calls: int,
        prompt_tokens: int,
        completion_tokens: int,
    ) -> None:
        if self.failure is not None:
            raise self.failure
        self.recorded.append((group_id, prompt_id, model, calls, prompt_tokens, completion_tokens))


class Sleeps:
    """Waits for nothing and remembers how long it would have."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> Awaitable[None]:
        self.slept.append(seconds)
        return _at_once()


async def _at_once() -> None: ...
