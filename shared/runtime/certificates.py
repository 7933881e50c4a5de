"""The certificates that OIDC tokens are signed with: fetched in a thread, kept while they hold."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shared.errors import Misconfigured, Transient

FETCH_TIMEOUT_S = 5.0
"""A request waits for this fetch."""
DEFAULT_KEPT_S = 3600.0
LEAST_KEPT_S = 60.0
MOST_KEPT_S = 86_400.0
"""Certificates are kept as long as their answer says, within these bounds: an odd header neither
fetches them for every request nor keeps withdrawn ones for days."""
RENEWED_AT_MOST_EVERY_S = 30.0
"""An unknown key id asks for new certificates; whoever invents key ids must not cause a flood."""


@dataclass(frozen=True)
class Fetched:
    """An answer as google-auth's verifier reads it."""

    status: int
    data: bytes
    headers: Mapping[str, str]


Fetch = Callable[[str], Fetched]


class Certificates:
    """What `url` serves, at most as old as it said. While it is down, what it said last holds."""

    def __init__(
        self, url: str, fetch: Fetch | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._url = url
        self._fetch = fetch or fetch_with_requests
        self._clock = clock
        self._lock = asyncio.Lock()
        self._held: Fetched | None = None
        self._fetched_at = float("-inf")
        self._good_for_s = 0.0

    async def current(self) -> Fetched:
        if self._held is None or self._clock() - self._fetched_at >= self._good_for_s:
            await self._renew(older_than_s=self._good_for_s)
        if self._held is None:
            raise Transient("the certificates of the token's signer cannot be fetched")
        return self._held

    async def renewed(self) -> Fetched | None:
        """Newer certificates than the current ones, or None if they were fetched just now."""
        before = self._held
        await self._renew(older_than_s=RENEWED_AT_MOST_EVERY_S)
        return None if self._held is before else self._held

    async def _renew(self, older_than_s: float) -> None:
        async with self._lock:
            if self._clock() - self._fetched_at < older_than_s:
                return
            try:
                fetched = await asyncio.to_thread(self._fetch, self._url)
            except OSError:
                self._keep(self._held, LEAST_KEPT_S)
                return
            if fetched.status != 200:
                self._keep(self._held, LEAST_KEPT_S)
                return
            check_form(fetched.data)
            self._keep(fetched, lifetime_s(fetched.headers))

    def _keep(self, held: Fetched | None, good_for_s: float) -> None:
        self._held = held
        # With nothing in hand every request tries again.
        self._good_for_s = good_for_s if held is not None else 0.0
        self._fetched_at = self._clock() if held is not None else float("-inf")


def check_form(data: bytes) -> None:
    """Misconfigured unless this is a JSON object of PEM certificates by key id."""
    try:
        certificates: Any = json.loads(data)
    except ValueError:
        certificates = None
    is_right = isinstance(certificates, dict) and all(
        isinstance(certificate, str) for certificate in certificates.values()
    )
    if not is_right:
        raise Misconfigured(
            "ANNALS_OIDC_CERTS_URL must serve PEM certificates by key id, as Google's v1 does",
            setting="ANNALS_OIDC_CERTS_URL",
        )


def lifetime_s(headers: Mapping[str, str]) -> float:
    """How long an answer holds by its Cache-Control, within reason."""
    control = next((v for name, v in headers.items() if name.lower() == "cache-control"), "")
    found = re.search(r"\bmax-age=([0-9]{1,9})\b", control)
    seconds = float(found[1]) if found else DEFAULT_KEPT_S
    return min(max(seconds, LEAST_KEPT_S), MOST_KEPT_S)


def fetch_with_requests(url: str) -> Fetched:
    """Blocking; raises OSError when there is no answer."""
    import requests

    with requests.Session() as session:
        answer = session.get(url, timeout=FETCH_TIMEOUT_S)
        return Fetched(answer.status_code, answer.content, dict(answer.headers))
