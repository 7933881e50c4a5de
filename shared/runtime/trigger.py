"""Triggers: tasks and schedules, known by a Google OIDC token of the one allowed account.

Two modes, and no default. `oidc`: the function checks the token itself, with PyJWT. `iam`: Cloud
Run's IAM has checked it before the request comes in, and has replaced its signature, so only its
claims are looked at here; that is safe exactly as long as the service admits nobody but invokers. A
token whose signature is still there did not pass IAM and is refused.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shared.config import Settings, need
from shared.errors import Forbidden, Misconfigured, Transient, Unauthenticated
from shared.runtime.auth import bearer

if TYPE_CHECKING:
    from jwt import PyJWKClient

ISSUERS = ("https://accounts.google.com", "accounts.google.com")
REMOVED_SIGNATURE = "SIGNATURE_REMOVED_BY_GOOGLE"
CLOCK_SKEW_S = 10
"""Between Google's clock and ours."""
FETCH_TIMEOUT_S = 5.0
"""A request waits for the keys."""
KEYS_KEPT_S = 3600.0
"""Google changes its keys every few days and publishes each a day before it signs with it; one that
turns up unknown is looked for at once, at most every half minute."""


class Triggers:
    """Knows the allowed service account by its token."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._keys: PyJWKClient | None = None

    async def check(self, authorization: str | None) -> str:
        """The caller's account. Unauthenticated or Forbidden if it is not the allowed one."""
        mode = need(self._settings.task_auth, "ANNALS_TASK_AUTH")
        audience = need(self._settings.task_audience, "ANNALS_TASK_AUDIENCE")
        account = need(self._settings.task_service_account, "ANNALS_TASK_SERVICE_ACCOUNT")
        token = bearer(authorization)
        if mode == "oidc":
            key = await self._signing_key(token)
        elif token.rpartition(".")[2] == REMOVED_SIGNATURE:
            key = None
        else:
            raise Unauthenticated(
                "the token did not pass through IAM; without IAM in front, ANNALS_TASK_AUTH is oidc"
            )
        check_claims(decoded(token, key, audience), account)
        return account

    async def _signing_key(self, token: str) -> Any:
        import jwt

        url = need(self._settings.oidc_certs_url, "ANNALS_OIDC_CERTS_URL")
        try:
            key_id = jwt.get_unverified_header(token).get("kid")
        except jwt.InvalidTokenError as error:
            raise Unauthenticated("this is not a token") from error
        if key_id is None:
            raise Unauthenticated("the token does not say who signed it")
        if self._keys is None:
            self._keys = jwt.PyJWKClient(url, lifespan=KEYS_KEPT_S, timeout=FETCH_TIMEOUT_S)
        try:
            return await asyncio.to_thread(self._keys.get_signing_key, key_id)
        except jwt.PyJWKClientConnectionError as error:
            raise Transient("the keys of the token's signer cannot be fetched") from error
        except jwt.PyJWKClientError as error:
            raise Unauthenticated("the token is signed with an unknown key") from error
        except (jwt.PyJWKSetError, ValueError) as error:
            raise Misconfigured(
                "ANNALS_OIDC_CERTS_URL must serve a JSON Web Key Set, as Google's v3 does",
                setting="ANNALS_OIDC_CERTS_URL",
            ) from error


def decoded(token: str, key: Any, audience: str) -> Mapping[str, Any]:
    """The claims of a token whose times, audience and issuer are right, and the signature too
    unless `key` is None: then IAM has checked it."""
    import jwt

    checked = {f"verify_{claim}": True for claim in ("exp", "nbf", "iat", "aud", "iss")}
    options: Any = {**checked, "verify_signature": key is not None}
    try:
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key,
            algorithms=["RS256"],
            audience=audience,
            issuer=ISSUERS,
            leeway=CLOCK_SKEW_S,
            options=options | {"require": ["exp", "aud", "iss"]},
        )
    except jwt.InvalidTokenError as error:
        raise Unauthenticated("the token is forged, expired, or for another audience") from error
    return claims


def check_claims(claims: Mapping[str, Any], account: str) -> None:
    """A valid token proves only that Google knows its bearer: it must be the allowed account's."""
    if claims.get("email_verified") is not True:
        raise Unauthenticated("the token's e-mail address is not verified")
    if claims.get("email") != account:
        raise Forbidden("the token belongs to another account")
