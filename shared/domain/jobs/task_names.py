"""Names of tasks: two sends for one cause have one name, so the queue keeps one task.

A name stays taken for hours after its task ran. Names begin with a hash, because the service
spreads its load by their first characters.
"""

import hashlib
from datetime import UTC, datetime, timedelta

GRACE = timedelta(seconds=3)
"""From the end of a slot to its task: so far the clocks of two instances may be apart."""
_PHASES = 1000
"""Beginnings of a slot, among which the groups are spread."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def attribute_slot(group_id: str, now: datetime, slot: timedelta) -> tuple[int, datetime]:
    """The bucket of a message committed at `now`, and when its task is due.

    The bucket is the slot that `now` falls in, and the task is due three seconds after its end. So
    every message of a bucket is committed three seconds or more before its task runs, and instances
    whose clocks differ by less than that lose none to a taken name.

    Each group's slots begin at a moment of its own: were they the same for all, the tasks of all
    busy groups would come at once, and whoever sends a message then would wait behind them.
    """
    begin = _EPOCH + int(_prefix(group_id), 16) % _PHASES * (slot / _PHASES)
    bucket = (now - begin) // slot
    return bucket, begin + (bucket + 1) * slot + GRACE


def attribute_task_id(group_id: str, bucket: int, slot: timedelta) -> str:
    """One task a group and slot. The length is in it: slots of different lengths are other ones."""
    return f"{_prefix(group_id)}-{slot // timedelta(milliseconds=1)}-{bucket}"


def attribute_task_ids(group_id: str, committed: datetime, slot: timedelta) -> list[str]:
    """Those that a message may have: its task was named by another clock than the database's, a
    moment after the commit."""
    first, _ = attribute_slot(group_id, committed - GRACE, slot)
    last, _ = attribute_slot(group_id, committed + GRACE, slot)
    return [attribute_task_id(group_id, one, slot) for one in range(first, last + 1)]


LONGEST_PAUSE = timedelta(minutes=15)
"""Between two wakings: so long after an outage everything has been tried again."""


def tries_so_far(waiting: timedelta, grace: timedelta) -> int:
    """How often work that waits so long was woken: after the grace, then each time as long again
    as it has waited, and at last every so often."""
    tries, at, pause = 0, grace, grace
    while at <= waiting and pause < LONGEST_PAUSE:
        tries, at, pause = tries + 1, at + pause, min(2 * pause, LONGEST_PAUSE)
    return tries + (1 + (waiting - at) // LONGEST_PAUSE if at <= waiting else 0)


def attribute_again_id(group_id: str, since: datetime, tries: int) -> str:
    """Woken by the sweep: the same name until the next try is due, so that it is sent once."""
    waits_since = (since - _EPOCH) // timedelta(milliseconds=1)
    return f"{_prefix(group_id)}-again-{waits_since}-{tries}"


def job_task_id(job_id: str, generation: int) -> str:
    """A sweep or a retry raises the generation, for the old name is used up."""
    return f"{_prefix(job_id)}-{generation}"


def _prefix(cause: str) -> str:
    return hashlib.sha256(cause.encode()).hexdigest()[:16]
