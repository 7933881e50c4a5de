"""An API key: who may do what in which groups. Only a keyed hash of its secret is ever stored.

As text a key is `annals_<key_id>_<secret>`; the root key's id is `root`, and it is stored nowhere
but as a hash in the settings.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from shared.errors import InvalidInput

Scope = Literal["ingest", "read", "manage"]
SCOPES: frozenset[Scope] = frozenset(get_args(Scope))

ROOT = "root"
EVERY_GROUP = "*"
MAX_PATTERNS = 100
MAX_PATTERN_CHARACTERS = 512
"""A key is read on every request: its record stays small. A pattern is as long as an id."""

_KEY_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")


@dataclass(frozen=True)
class KeyText:
    """A key as its owner shows it."""

    key_id: str
    secret: str

    def __str__(self) -> str:
        return f"annals_{self.key_id}_{self.secret}"

    def __repr__(self) -> str:
        return f"KeyText({self.key_id!r}, ...)"


@dataclass(frozen=True)
class StoredKey:
    """A key as it is kept. `groups` are patterns in which `*` stands for anything."""

    key_id: str
    name: str
    hash: str
    scopes: frozenset[Scope]
    groups: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None = None
    made_by: str = ""
    """The key that made it: when that goes, this goes too. Empty where nobody knows any more."""

    @property
    def is_revoked(self) -> bool:
        return self.revoked_at is not None


def parse_key(text: str) -> KeyText | None:
    """The parts of a key's text, or None if it is no key."""
    prefix, _, rest = text.partition("_")
    key_id, _, secret = rest.partition("_")
    if prefix != "annals" or not _KEY_ID.fullmatch(key_id) or not _SECRET.fullmatch(secret):
        return None
    return KeyText(key_id, secret)


def hash_secret(hash_key: str, secret: str) -> str:
    """What is stored of a secret."""
    return hmac.new(hash_key.encode(), secret.encode(), hashlib.sha256).hexdigest()


def is_secret_of(stored_hash: str, hash_key: str, secret: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(stored_hash.encode(), hash_secret(hash_key, secret).encode())


def may_touch(patterns: Iterable[str], group_id: str) -> bool:
    """Whether one of the patterns allows the group."""
    return any(_matches(pattern, group_id) for pattern in patterns)


def covers(patterns: Iterable[str], wanted: str) -> bool:
    """Whether every group that `wanted` matches is allowed by one of the patterns.

    A pattern's own `*` can only be matched by a `*`, so this holds for all groups, present and
    future: nobody can make a key that reaches further than their own.
    """
    return any(_matches(pattern, wanted) for pattern in patterns)


def _matches(pattern: str, text: str) -> bool:
    """Without regular expressions: a pattern with many stars must not cost more than one pass."""
    head, *rest = pattern.split("*")
    if not rest:
        return pattern == text
    *middle, tail = rest
    at, end = len(head), len(text) - len(tail)
    if at > end or not text.startswith(head) or not text.endswith(tail):
        return False
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def checked_scopes(scopes: Iterable[str]) -> frozenset[Scope]:
    """The scopes if there is one and all exist, else InvalidInput."""
    asked = set(scopes)
    found = frozenset(scope for scope in SCOPES if scope in asked)
    if not found or found != asked:
        raise InvalidInput("scopes must be some of ingest, read, manage")
    return found


def checked_patterns(patterns: Iterable[str]) -> tuple[str, ...]:
    """The group patterns if there are some and each could match a group, else InvalidInput."""
    found = tuple(dict.fromkeys(patterns))
    if not 1 <= len(found) <= MAX_PATTERNS:
        raise InvalidInput(f"a key names 1 to {MAX_PATTERNS} groups or patterns of groups")
    for pattern in found:
        if "/" in pattern or not 1 <= len(pattern) <= MAX_PATTERN_CHARACTERS:
            raise InvalidInput(
                f"a pattern of groups has 1 to {MAX_PATTERN_CHARACTERS} characters and no slash",
                pattern=pattern[:100],
            )
        if ":" not in pattern and "*" not in pattern:
            raise InvalidInput(
                "a group is platform:native_id, like lark:oc_1, or has a *", pattern=pattern[:100]
            )
    return found
