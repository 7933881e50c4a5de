"""When messages get their topics, and what tasks are called: two sends for one cause have one
name, so the queue keeps one task.

A name stays taken for hours after its task ran. Names begin with a hash, because the service
spreads its load by their first characters.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared.domain.messages.message import Message

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
    return [attribute_task_id(group_id, number, slot) for number in range(first, last + 1)]


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


@dataclass(frozen=True)
class Slots:
    """`asked` where the bot was spoken to or has spoken; `ordinary` for talk among people; `late`
    for such talk while the queue does not keep up: longer slots make fewer runs of more messages.
    """

    asked: timedelta
    ordinary: timedelta
    late: timedelta

    def all(self) -> tuple[timedelta, ...]:
        """Each length once."""
        return tuple(dict.fromkeys((self.asked, self.ordinary, self.late)))

    def slot(self, *, is_asked: bool, last_wait: timedelta) -> timedelta:
        """`last_wait`: how long the oldest message of the group's last run had waited for it."""
        if is_asked:
            return self.asked
        return self.late if last_wait > 2 * self.late else self.ordinary


def is_bot_asked(said: Iterable[Message], answered: Iterable[Message]) -> bool:
    """Whether a context is likely to be wanted soon: in a private chat, after a mention of the bot,
    a line of its own, or an answer to one."""
    is_spoken_to = any(
        message.is_mention_bot or message.role == "assistant" or message.audience == "private"
        for message in said
    )
    return is_spoken_to or any(message.role == "assistant" for message in answered)


def wait_of(pending_since: Iterable[datetime | None], now: datetime) -> timedelta:
    """Of the one that waited longest."""
    return max((now - since for since in pending_since if since), default=timedelta(0))
