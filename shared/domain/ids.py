"""Ids: safe as document names, safe as vector namespaces, derived from their cause.

A derived id is the same whenever its cause is the same: that is what makes twice once.
"""

import hashlib
import re
from urllib.parse import quote

from shared.errors import InvalidInput

MAX_DOCUMENT_ID_BYTES = 1500
_KEPT = 1400
_RESERVED = re.compile(r"__.*__", re.DOTALL)


def safe_id(text: str) -> str:
    """`text` as a Firestore document id; different texts give different ids."""
    if not text:
        raise InvalidInput("an id is empty")
    try:
        safe = text.replace("%", "%25").replace("/", "%2F")
        if len(safe.encode()) > MAX_DOCUMENT_ID_BYTES:
            head = safe.encode()[:_KEPT].decode(errors="ignore")
            safe = f"{head}%{digest(text)}"
    except UnicodeEncodeError as error:
        raise InvalidInput("an id is not valid Unicode") from error
    if safe in (".", "..") or _RESERVED.fullmatch(safe):
        safe = f"%{safe}"
    return safe


def namespace(group_id: str) -> str:
    """The vector namespace of a group: percent-encoded ASCII."""
    return quote(group_id, safe=":-_.~@")


def digest(*parts: str) -> str:
    """32 hex digits that stand for `parts`, in that order."""
    joined = "\x1f".join(parts).encode()
    return hashlib.sha256(joined).hexdigest()[:32]


def checked_group_id(group_id: str) -> str:
    """`group_id` if it is `platform:native_id`, else InvalidInput."""
    platform, colon, native = group_id.partition(":")
    if not (platform and colon and native):
        raise InvalidInput(f"group_id must be platform:native_id, like lark:oc_1; got {group_id!r}")
    if "/" in group_id:
        raise InvalidInput(f"a group_id has no slash; got {group_id!r}")
    if len(group_id) > 512:
        raise InvalidInput("a group_id has at most 512 characters")
    return group_id
