"""Fields as exporters write them: times in several units, texts that may be missing."""

import mimetypes
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

_SURELY_MS = 10**11
"""1973 in milliseconds; a smaller number is seconds."""


def moment(value: Any) -> datetime:
    """Seconds or milliseconds since 1970, or ISO 8601; without a zone it is UTC."""
    if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
        read = datetime.fromisoformat(value)
        return read if read.tzinfo else read.replace(tzinfo=UTC)
    number = float(value)
    return datetime.fromtimestamp(number / 1000 if number >= _SURELY_MS else number, UTC)


def file_kind(name: str, media_type: str = "") -> str:
    """The kind of attachment that a file is, by its media type or its name."""
    found = (media_type or mimetypes.guess_type(name)[0] or "").partition("/")[0]
    return found if found in ("image", "audio", "video") else "file"


def text_of(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is there and is not empty."""
    for name in names:
        value = row.get(name)
        if value not in (None, ""):
            return str(value)
    return ""
