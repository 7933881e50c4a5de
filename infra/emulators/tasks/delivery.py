"""One attempt over HTTP: sends the task's request and tells how it ended."""

import asyncio
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import DefaultCookiePolicy

import httpx

from . import headers
from .outcome import OUT_OF_REACH, PAST_DEADLINE, Outcome
from .protobuf import SECOND, Message, Method, duration_us
from .stored_task import TaskRow
from .tokens import Signer

_MOST_PER_CLIENT = 16
"""httpx looks through all connections of a client for each request: many small clients are fast."""


class _Client:
    """A client that behaves as the service: no cookies, no redirects, no proxies, no retries."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        self.sending = 0
        self.http = httpx.AsyncClient(
            verify=tls,
            timeout=None,  # noqa: S113 - every attempt has its own deadline
            follow_redirects=False,
            trust_env=False,
            # Targets close idle connections after a few seconds; we let go first.
            limits=httpx.Limits(
                max_connections=None,
                max_keepalive_connections=_MOST_PER_CLIENT,
                keepalive_expiry=1.0,
            ),
        )
        self.http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))


class Delivery:
    """Sends attempts, as many at a time as it is asked to."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        self._tls = httpx.create_ssl_context(trust_env=False)
        self._clients: list[_Client] = []

    async def close(self) -> None:
        for client in self._clients:
            await client.http.aclose()

    async def send(self, row: TaskRow) -> Outcome:
        task = row.request
        request = task.http_request
        with self._client() as client:
            try:
                async with asyncio.timeout(duration_us(task.dispatch_deadline) / SECOND):
                    response = await client.request(
                        Method(request.http_method).name,
                        request.url,
                        headers=headers.of_delivery(row, request, self._token(request)),
                        content=request.body or None,
                    )
            except TimeoutError:
                return PAST_DEADLINE
            except httpx.RequestError:
                return OUT_OF_REACH
        return Outcome(response.status_code, retry_after_us=_asked_us(response))

    @contextmanager
    def _client(self) -> Iterator[httpx.AsyncClient]:
        client = next((one for one in self._clients if one.sending < _MOST_PER_CLIENT), None)
        if client is None:
            client = _Client(self._tls)
            self._clients.append(client)
        client.sending += 1
        try:
            yield client.http
        finally:
            client.sending -= 1

    def _token(self, request: Message) -> str | None:
        if not request.HasField("oidc_token"):
            return None
        asked = request.oidc_token
        audience = asked.audience or request.url
        return self._signer.token(asked.service_account_email, audience, int(time.time()))


def _asked_us(response: httpx.Response) -> int:
    """How long the target asks to be left alone: `Retry-After` in seconds (a date is not read)."""
    asked = response.headers.get("retry-after", "")
    return int(asked) * SECOND if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0
