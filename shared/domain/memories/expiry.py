"""Until when a memory holds: as its own words say ("until Friday", "到月底为止"). Pure."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta, tzinfo

from shared.domain.memories.memory import Memory
from shared.language import times_in

EXPIRED = "its time is over"
_UNTIL = re.compile(
    r"\b(?:until|till|up to|through)\s+(?P<en>[^.!?,;\n]{2,40})"
    r"|(?:一直)?(?:持续|截止|截至|直)?到(?P<zh>[^，。！？；,!?;\n]{1,16}?)(?:为止|之前|结束|截止)",
    re.IGNORECASE,
)


def expiry_in(said: Iterable[tuple[str, datetime]], zone: tzinfo = UTC) -> datetime | None:
    """The end, in the group's zone, of the last day that a message names after an "until", as of
    when it was said."""
    ends = [
        named.last
        for text, at in said
        for found in _UNTIL.finditer(text)
        for named in times_in(found["en"] or found["zh"], at.astimezone(zone))
        if named.last >= at.astimezone(zone).date()
    ]
    if not ends:
        return None
    return datetime.combine(max(ends) + timedelta(days=1), time(), zone).astimezone(UTC)


def is_expired(memory: Memory, now: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= now
