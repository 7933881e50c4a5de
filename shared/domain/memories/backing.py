"""Who and what stands behind a statement: one voice, however often, is one voice."""

from collections.abc import Collection
from datetime import datetime, timedelta

APART = timedelta(days=1)
"""Said again so much later it is meant; two minutes around midnight are one moment."""


def is_backed(users: Collection[str], moments: Collection[datetime]) -> bool:
    """By a second person, or said again at least a day later."""
    if len(set(users)) > 1:
        return True
    return bool(moments) and max(moments) - min(moments) >= APART
