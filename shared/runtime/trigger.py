"""Triggers: tasks and schedules, known by a Google OIDC token of the one allowed account.

Two modes, and no default. `oidc`: the function checks the token itself, with google-auth's own
verifier. `iam`: Cloud Run's IAM has checked it before the request comes in, and has replaced its
signature, so only its claims are looked at here; that is safe exactly as long as the service
admits nobody but invokers. A token whose signature is still there did not pass IAM and is refused.
"""

import base64
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from shared.config import Settings, need
from shared.errors import Forbidden, Unauthenticated
from shared.runtime.auth import bearer
from shared.runtime.certificates import Certificates, Fetch, Fetched

ISSUERS = ("https://accounts.google.com", "accounts.google.com")
REMOVED_SIGNATURE = "SIGNATURE_REMOVED_BY_GOOGLE"
CLOCK_SKEW_S = 10
"""Between Google's clock and ours."""


class Triggers:
    """Knows the allowed service account by its token."""

    def __init__(
        self,
        settings: Settings,
        fetch: Fetch | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._now = now
        self._fetch = fetch
        self._certificates: Certificates | None = None

    async def check(self, authorization: str | None) -> str:
        """The caller's account. Unauthenticated or Forbidden if it is not the allowed one."""
        mode = need(self._settings.task_auth, "ANNALS_TASK_AUTH")
        audience = need(self._settings.task_audience, "ANNALS_TASK_AUDIENCE")
        account = need(self._settings.task_service_account, "ANNALS_TASK_SERVICE_ACCOUNT")
        token = bearer(authorization)
        if mode == "oidc":
            claims = await self._verified(token, audience)
        else:
            claims = claims_passed_by_iam(token, audience, self._now())
        check_claims(claims, account)
        return account

    async def _verified(self, token: str, audience: str) -> Mapping[str, Any]:
        url = need(self._settings.oidc_certs_url, "ANNALS_OIDC_CERTS_URL")
        key_id_of(token)  # What is no token at all must not make us fetch anything.
        if self._certificates is None:
            self._certificates = Certificates(url, self._fetch)
        try:
            return verify(token, await self._certificates.current(), audience)
        except UnknownKeyId:
            newer = await self._certificates.renewed()
            if newer is None:
                raise
            return verify(token, newer, audience)


class UnknownKeyId(Unauthenticated):
    """The token's signature is by a key that is not among the certificates."""


def verify(token: str, certificates: Fetched, audience: str) -> Mapping[str, Any]:
    """The claims of a token whose signature, times and audience google-auth found right."""
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport import Request
    from google.oauth2 import id_token

    class AsFetched(Request):
        def __call__(self, *_: Any, **__: Any) -> Fetched:
            return certificates

    if key_id_of(token) not in json.loads(certificates.data):
        raise UnknownKeyId
    try:
        claims: Mapping[str, Any] = id_token.verify_token(
            token, AsFetched(), audience=audience, clock_skew_in_seconds=CLOCK_SKEW_S
        )
    except (GoogleAuthError, ValueError) as error:
        raise Unauthenticated("the token is forged, expired, or for another audience") from error
    return claims


def claims_passed_by_iam(token: str, audience: str, now_s: float) -> Mapping[str, Any]:
    """The claims of a token that IAM has let in. Its signature cannot be checked any more."""
    if token.rpartition(".")[2] != REMOVED_SIGNATURE:
        raise Unauthenticated(
            "the token did not pass through IAM; without IAM in front, ANNALS_TASK_AUTH is oidc"
        )
    claims = _part(token, 1)
    expires = claims.get("exp")
    if not isinstance(expires, int | float) or expires + CLOCK_SKEW_S < now_s:
        raise Unauthenticated("the token has expired")
    if claims.get("aud") != audience:
        raise Unauthenticated("the token is for another audience")
    return claims


def check_claims(claims: Mapping[str, Any], account: str) -> None:
    """A valid token proves only that Google knows its bearer: it must be the allowed account's."""
    if claims.get("iss") not in ISSUERS:
        raise Unauthenticated("the token is not Google's")
    if claims.get("email_verified") is not True:
        raise Unauthenticated("the token's e-mail address is not verified")
    if claims.get("email") != account:
        raise Forbidden("the token belongs to another account")


def key_id_of(token: str) -> str:
    """Which key the token says it is signed with; Unauthenticated if it is no token."""
    key_id = _part(token, 0).get("kid")
    if token.count(".") != 2 or not isinstance(key_id, str):
        raise Unauthenticated("this is not a token")
    return key_id


def _part(token: str, number: int) -> Mapping[str, Any]:
    """One part of a JWT, unverified."""
    try:
        text = token.split(".")[number]
        found: Any = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (IndexError, ValueError, RecursionError) as error:
        raise Unauthenticated("this is not a token") from error
    if not isinstance(found, dict):
        raise Unauthenticated("this is not a token")
    return found
