"""API keys: making them and taking them back."""

import secrets
from dataclasses import replace

from shared.config import need
from shared.contracts.keys import NewKey
from shared.domain.key import (
    ROOT,
    KeyText,
    StoredKey,
    checked_patterns,
    checked_scopes,
    hash_secret,
)
from shared.errors import Forbidden, NotFound, Unauthenticated
from shared.runtime.auth import Caller
from shared.wiring import Services

MAX_WRITES = 400
"""Of one commit: Firestore takes 500."""


async def add(asked: NewKey, caller: Caller, made: Services) -> tuple[KeyText, StoredKey]:
    """The text exists only here: a hash of it is kept. Nobody makes a key that reaches further
    than their own."""
    scopes, groups = checked_scopes(asked.scopes), checked_patterns(asked.groups)
    if not scopes <= caller.scopes or not all(caller.covers(one) for one in groups):
        raise Forbidden("a key cannot give more than it has")
    text = KeyText(secrets.token_hex(8), secrets.token_hex(24))
    secret_hash = hash_secret(need(made.settings.hash_key, "ANNALS_HASH_KEY"), text.secret)
    key = StoredKey(
        text.key_id,
        asked.name,
        secret_hash,
        scopes,
        groups,
        created_at=made.now(),
        made_by=caller.key_id,
    )
    await made.keys.add(key)
    maker = None if caller.key_id == ROOT else await made.keys.find(caller.key_id)
    if maker and maker.is_revoked:
        # It was revoked while it made this one, which nobody would have found.
        await made.keys.revoke([replace(key, revoked_at=made.now())])
        raise Unauthenticated("the key is not valid")
    return text, key


async def revoke(key_id: str, caller: Caller, made: Services) -> list[StoredKey]:
    """The key, and every key that was made with it or with one of those: whoever had it could
    have kept themselves another. Twice is once; a key that reaches further than the caller's is
    unknown to it."""
    key = await made.keys.find(key_id)
    if key is None or not all(caller.covers(one) for one in key.groups):
        raise NotFound(f"there is no key {key_id}")
    gone = [key]
    for one in gone:
        gone += await made.keys.made_by(one.key_id)
    still_good = [one for one in gone if not one.is_revoked]
    now = made.now()
    for start in range(0, len(still_good), MAX_WRITES):
        page = still_good[start : start + MAX_WRITES]
        await made.keys.revoke([replace(one, revoked_at=now) for one in page])
    return [one if one.is_revoked else replace(one, revoked_at=now) for one in gone]
