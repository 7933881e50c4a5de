"""API keys: making them and taking them back."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.config import Settings, need
from shared.contracts.keys import NewKey
from shared.domain.key import KeyText, StoredKey, checked_patterns, checked_scopes, hash_secret
from shared.errors import Forbidden, NotFound
from shared.runtime.auth import Caller
from shared.stores.keys import Keys


@dataclass(frozen=True)
class Deps:
    keys: Keys
    settings: Settings
    now: Callable[[], datetime]


async def add(asked: NewKey, caller: Caller, deps: Deps) -> tuple[KeyText, StoredKey]:
    """The text exists only here: a hash of it is kept. Nobody makes a key that reaches further
    than their own."""
    scopes, groups = checked_scopes(asked.scopes), checked_patterns(asked.groups)
    if not scopes <= caller.scopes or not all(caller.covers(one) for one in groups):
        raise Forbidden("a key cannot give more than it has")
    text = KeyText(secrets.token_hex(8), secrets.token_hex(24))
    secret_hash = hash_secret(need(deps.settings.hash_key, "ANNALS_HASH_KEY"), text.secret)
    key = StoredKey(text.key_id, asked.name, secret_hash, scopes, groups, deps.now())
    await deps.keys.add(key)
    return text, key


async def revoke(key_id: str, caller: Caller, deps: Deps) -> StoredKey:
    """Twice is once; a key that reaches further than the caller's is unknown to it."""
    key = await deps.keys.find(key_id)
    if key is None or not all(caller.covers(one) for one in key.groups):
        raise NotFound(f"there is no key {key_id}")
    if not key.is_revoked:
        key = replace(key, revoked_at=deps.now())
        await deps.keys.revoke(key)
    return key
