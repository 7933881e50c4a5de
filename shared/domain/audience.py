"""Who hears what is said in a group: everybody in it, or one person and the bot. Pure."""

from collections.abc import Iterable
from typing import Literal

Audience = Literal["group", "private"]
"""What a message or a platform says of it."""
KnownAudience = Literal["unknown", "group", "private"]
"""Unknown until a message says it: settings or a memory may be written before the first one."""


def combined_audience(known: KnownAudience, said: Iterable[KnownAudience | None]) -> KnownAudience:
    """Private is never lowered; what says nothing changes nothing."""
    heard: list[KnownAudience] = [known, *(audience for audience in said if audience)]
    if "private" in heard:
        return "private"
    return "group" if "group" in heard else "unknown"


def may_leave(audience: str) -> bool:
    """Whether what was learnt there may be shown elsewhere: unknown counts as private."""
    return audience == "group"
