"""Callers: who shows which API key, and what they may do with it."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, TypeVar

from shared import log
from shared.config import Settings, need
from shared.domain.key import (
    EVERY_GROUP,
    ROOT,
    SCOPES,
    KeyText,
    Scope,
    StoredKey,
    covers,
    hash_secret,
    is_secret_of,
    may_touch,
    parse_key,
)
from shared.errors import Conflict, Forbidden, NotFound, Transient, Unauthenticated

FindKey = Callable[[str], Awaitable[StoredKey | None]]

KEPT_S = 60.0
"""A key that was taken back is refused everywhere after so long."""
STALE_S = 600.0
"""While the store does not answer, a key that it knew so short a time ago is still good ..."""
ASKED_S = 0.5
"""... and a caller that was known waits no longer than this to hear whether it still is."""
QUIET_S = 10.0
"""After a failed question the store is left alone for so long."""
KEPT_KEYS = 1024
"""Bounds the memory of an instance; the one looked up longest ago goes first."""


@dataclass(frozen=True)
class Caller:
    """The holder of a valid key. `groups` are patterns in which `*` stands for anything."""

    key_id: str
    scopes: frozenset[Scope]
    groups: tuple[str, ...]

    def require(self, scope: Scope, group_id: str | None = None) -> None:
        """Forbidden unless the key has the scope and, if one is named, may touch the group."""
        if scope not in self.scopes:
            raise Forbidden(f"the key has no scope {scope!r}", scope=scope)
        if group_id is not None:
            self.require_group(group_id)

    def require_group(self, group_id: str) -> None:
        """Forbidden unless the key may touch the group, whatever its scopes."""
        if not self.may_see(group_id):
            raise Forbidden("the key does not cover this group", group_id=group_id)

    def require_everywhere(self, scope: Scope) -> None:
        """Forbidden unless the key has the scope in every group there is or will be."""
        self.require(scope)
        if not self.covers(EVERY_GROUP):
            raise Forbidden("only a key for all groups may do this")

    @property
    def may_read(self) -> bool:
        """Whether it is shown what people said: managing is not reading."""
        return "read" in self.scopes

    def may_see(self, group_id: str) -> bool:
        return may_touch(self.groups, group_id)

    def covers(self, pattern: str) -> bool:
        """Whether the key reaches every group that the pattern does."""
        return covers(self.groups, pattern)


class InAGroup(Protocol):
    @property
    def group_id(self) -> str: ...


R = TypeVar("R", bound=InAGroup)


def the_one_seen(found: Sequence[R], group_id: str | None, caller: Caller, what: str) -> R:
    """The record with this id that the caller may see; NotFound if there is none, or only one of a
    group that the key does not cover. A group that was imported into another has the same ids: then
    `group_id` must tell."""
    seen = [
        record
        for record in found
        if caller.may_see(record.group_id) and group_id in (None, record.group_id)
    ]
    if not seen:
        raise NotFound(f"there is no {what}" + (f" in {group_id}" if group_id else ""))
    if len(seen) > 1:
        groups = ", ".join(sorted(record.group_id for record in seen)[:5])
        raise Conflict(f"{what} is in several groups ({groups}): say which with ?group_id=")
    return seen[0]


class KeyRing:
    """Knows callers by their keys. What the store said of a key holds for a minute, and for ten
    while the store is down: a bot that was let in is not shut out by an outage."""

    def __init__(
        self, find_key: FindKey, settings: Settings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find_key = find_key
        self._settings = settings
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, StoredKey | None]] = OrderedDict()
        self._quiet_until = -math.inf

    async def caller(self, authorization: str | None) -> Caller:
        """Who sent this Authorization header; Unauthenticated if nobody we know."""
        hash_key = need(self._settings.hash_key, "ANNALS_HASH_KEY")
        shown = parse_key(bearer(authorization))
        if shown is None:
            raise Unauthenticated("this is not a key; a key looks like annals_<id>_<secret>")
        if shown.key_id == ROOT:
            return self._root(shown, hash_key)
        stored = await self._stored(shown.key_id)
        # An unknown key costs the same comparison as a wrong one.
        expected = stored.hash if stored else hash_secret(hash_key, "nobody")
        is_right = is_secret_of(expected, hash_key, shown.secret)
        if stored is None or stored.is_revoked or not is_right:
            raise Unauthenticated("the key is not valid")
        return Caller(stored.key_id, stored.scopes, stored.groups)

    def _root(self, shown: KeyText, hash_key: str) -> Caller:
        expected = self._settings.root_key_hash or ""
        if not is_secret_of(expected, hash_key, shown.secret):
            raise Unauthenticated("the key is not valid")
        return Caller(ROOT, SCOPES, (EVERY_GROUP,))

    async def _stored(self, key_id: str) -> StoredKey | None:
        at, kept = self._kept.get(key_id, (-math.inf, None))
        age = self._clock() - at
        is_known = kept is not None and age < STALE_S
        if age < KEPT_S or (is_known and self._clock() < self._quiet_until):
            return kept
        try:
            async with asyncio.timeout(ASKED_S if is_known else None):
                found = await self._find_key(key_id)
        except (Transient, TimeoutError) as error:
            if not is_known:
                raise
            log.warning("key_not_checked", key_id=key_id, reason=type(error).__name__)
            self._quiet_until = self._clock() + QUIET_S
            return kept
        self._kept[key_id] = (self._clock(), found)
        self._kept.move_to_end(key_id)
        if len(self._kept) > KEPT_KEYS:
            self._kept.popitem(last=False)
        return found

    def forget(self, key_id: str) -> None:
        """Ask the store anew: the key was just made or revoked here."""
        self._kept.pop(key_id, None)


def bearer(authorization: str | None) -> str:
    """The token of a Bearer header; Unauthenticated if there is none."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("send the header Authorization: Bearer <key or token>")
    return token.strip()


CHARGED = "X-Annals-Charged"
"""The header of a task that names the key its work is charged to: nobody but the queue can send
one, so what it says is true."""
_CHARGED_KEY: ContextVar[str | None] = ContextVar("annals_charged", default=None)


def charge(key_id: str | None) -> None:
    """From here on, until the request ends."""
    _CHARGED_KEY.set(key_id)


def charged_key() -> str | None:
    return _CHARGED_KEY.get()


def charge_headers() -> dict[str, str]:
    key_id = _CHARGED_KEY.get()
    return {CHARGED: key_id} if key_id else {}
