"""Names of tasks: two sends for one cause have one name, so the queue keeps one task.

A name stays taken for hours after its task ran. Names begin with a hash, because the service
spreads its load by their first characters.
"""

import hashlib
from datetime import UTC, datetime, timedelta

SLOT = timedelta(seconds=2)
GRACE = timedelta(seconds=1)
"""Nobody waits for a topic, and a burst is placed together; why so long: `attribute_slot`."""
_PHASES = 1000
"""Beginnings of slots, two milliseconds apart."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def attribute_slot(group_id: str, now: datetime) -> tuple[int, datetime]:
    """The bucket of a message committed at `now`, and when its task is due.

    The bucket is the two-second slot after the one `now` falls in, and the task is due a second
    after that slot's end. So every message of a bucket is committed three seconds or more before
    its task runs, and instances whose clocks differ by less than that lose none to a taken name.

    Each group's slots begin at a moment of its own: were they the same for all, the tasks of all
    busy groups would come at once, and whoever sends a message then would wait behind them.
    """
    begin = _EPOCH + int(_prefix(group_id), 16) % _PHASES * (SLOT / _PHASES)
    bucket = (now - begin) // SLOT + 1
    return bucket, begin + (bucket + 1) * SLOT + GRACE


def attribute_task_id(group_id: str, bucket: int) -> str:
    """One task a group and slot: a busy group causes one every two seconds."""
    return f"{_prefix(group_id)}-{bucket}"


def job_task_id(job_id: str, generation: int) -> str:
    """A sweep or a retry raises the generation, for the old name is used up."""
    return f"{_prefix(job_id)}-{generation}"


def _prefix(cause: str) -> str:
    return hashlib.sha256(cause.encode()).hexdigest()[:16]
