"""Ids: safe as document names, safe as vector namespaces, derived from their cause.

A derived id is the same whenever its cause is the same: that is what makes twice once.
"""

import hashlib
import re
from urllib.parse import quote

from shared.errors import InvalidInput

MAX_DOCUMENT_ID_BYTES = 1500
_KEPT = 1400
"""Firestore takes no longer id: of a longer one the beginning stays, and a digest follows."""
MAX_ID_CHARACTERS = 512
"""Longer than any platform's, and short enough to be part of a path."""
MAX_VECTOR_NAME = 512
"""Of a namespace or a vector's id, in ASCII: the index takes no longer one."""
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


def is_document_id(text: str) -> bool:
    """Whether `safe_id` may have made it: what comes back to us as a name is one."""
    try:
        is_short = 0 < len(text.encode()) <= MAX_DOCUMENT_ID_BYTES
    except UnicodeEncodeError:
        return False
    is_other = "/" in text or text in (".", "..") or _RESERVED.fullmatch(text)
    return is_short and not is_other


def namespace(group_id: str) -> str:
    """The vector namespace of a group."""
    return vector_name(group_id)


def vector_name(text: str, most: int = MAX_VECTOR_NAME) -> str:
    """`text` as the vector index can name it, in percent-encoded ASCII; of a long one the
    beginning and a digest. Different texts give different names."""
    name = quote(text, safe=":-_.~@")
    if len(name) > most:
        hashed = f"~{digest(text)}"
        name = name[: most - len(hashed)] + hashed
    return name


def digest(*parts: str) -> str:
    """32 hex digits that stand for `parts`, in that order."""
    joined = "\x1f".join(parts).encode()
    return hashlib.sha256(joined).hexdigest()[:32]


def checked_group_id(group_id: str) -> str:
    """`group_id` if it is `platform:native_id`, else InvalidInput."""
    platform, colon, native = group_id.partition(":")
    if not (platform and colon and native):
        raise InvalidInput(f"group_id must be platform:native_id, like lark:oc_1; got {group_id!r}")
    return checked_id("group_id", group_id)


def checked_id(name: str, value: str) -> str:
    """`value` if a path can name it, else InvalidInput: no slash, no control character, no dot
    alone, at most 512 characters of real Unicode."""
    if not value:
        raise InvalidInput(f"{name} is empty")
    if len(value) > MAX_ID_CHARACTERS:
        raise InvalidInput(f"{name} has more than {MAX_ID_CHARACTERS} characters")
    if "/" in value or value in (".", ".."):
        raise InvalidInput(f"{name} has a slash or is a dot: no path could name it")
    if any(character < " " or character == "\x7f" for character in value):
        raise InvalidInput(f"{name} has a control character")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{name} is not valid Unicode") from error
    return value


SHARDS = 32
"""At 100,000 groups and their peak of 4,600 messages a second each part takes 300 changes of its
index a second (`infra/capacity.toml`). Another number needs every pending message and open topic
written anew."""


def shard_of(group_id: str) -> int:
    return hashlib.sha256(group_id.encode()).digest()[0] % SHARDS
