"""What a delivery must be to be let in: ids that a path can name, times that can be.

The API refuses what is not so. A platform cannot be told to correct itself: its times are brought
back to what can be, its ids must be right.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.ids import checked_id
from shared.domain.messages.delivery import EARLY_RECALL
from shared.domain.messages.message import GroupEvent, Message, Recall
from shared.errors import InvalidInput

Delivery = Message | Recall | GroupEvent

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""No chat that could be imported is older."""
AHEAD = timedelta(days=1)
"""A sender's clock may be wrong, by a time zone at most."""

_TIMES = ("create_time", "edited_at", "recalled_at", "at")
_IDS = (
    "message_id", "user_id", "native_id", "reply_message_id", "reply_native_id",
    "root_message_id", "thread_id",
)  # fmt: skip


def check_ids(delivery: Delivery) -> None:
    """InvalidInput for an id that no route could name, or that has a meaning of our own."""
    for name in _IDS:
        value = getattr(delivery, name, None)
        if value is not None:
            checked_id(name, value)
    for value in (getattr(delivery, name, None) for name in ("message_id", "reply_message_id")):
        if value is not None and value.startswith(EARLY_RECALL):
            raise InvalidInput(f"an id does not begin with {EARLY_RECALL}")


def check_times(delivery: Delivery, now: datetime) -> None:
    """InvalidInput for a time before 2000 or more than a day ahead."""
    for name in _TIMES:
        moment = getattr(delivery, name, None)
        if moment is not None and not EARLIEST <= moment <= now + AHEAD:
            raise InvalidInput(
                f"{name} is {moment.isoformat()}; it must be after {EARLIEST.year} "
                "and at most a day ahead"
            )


def with_possible_times(delivery: Delivery, now: datetime) -> Delivery:
    """The delivery with each of its times brought between the earliest and the latest that can
    be; the very same where there is nothing to change."""
    changed = {
        name: min(max(moment, EARLIEST), now + AHEAD)
        for name in _TIMES
        if (moment := getattr(delivery, name, None)) is not None
        and not EARLIEST <= moment <= now + AHEAD
    }
    return replace(delivery, **changed) if changed else delivery
