"""Where the next page of a long list begins, as a text that callers only hand back."""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.domain.storable import is_possible
from shared.errors import InvalidInput

MAX_CURSOR_CHARACTERS = 4096
"""A time and an id of 512 characters, of which each may be escaped, in base64."""


@dataclass(frozen=True)
class PagePlace:
    """Behind this record: its time, and its id among those of the same time."""

    at: datetime
    record_id: str


def write_place(place: PagePlace) -> str:
    told = json.dumps([place.at.astimezone(UTC).isoformat(), place.record_id])
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def read_place(cursor: str) -> PagePlace:
    """InvalidInput for what `write_place` did not write."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        at, record_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or not is_possible(moment):
            raise ValueError("not a time of a record")
        if not (isinstance(record_id, str) and record_id):
            raise ValueError("not a place")
        record_id.encode()
        return PagePlace(moment.astimezone(UTC), record_id)
    except (ValueError, TypeError, binascii.Error, RecursionError, OverflowError) as error:
        raise InvalidInput("the cursor is not one that a page gave") from error
