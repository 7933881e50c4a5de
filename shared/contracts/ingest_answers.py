"""What the routes that take messages tell."""

from typing import Literal

from pydantic import BaseModel

from shared.contracts.api import Answer, Moment, Shown


class MessageReceipt(Shown):
    """`reason` says why a message was rejected; else it is left out."""

    message_id: str
    outcome: Literal["stored", "duplicate", "edited", "recalled", "rejected"]
    reason: str | None = None


class ReceiptList(Answer):
    """A receipt for each message, in the order they came in."""

    results: list[MessageReceipt]


class EndAnswer(Answer):
    """`job_id` is null where there was nothing to remember."""

    job_id: str | None


class PlatformAnswer(BaseModel):
    """What a platform wants to hear: its challenge, or an empty object."""

    challenge: str | None = None


class AttributionAnswer(Answer, Shown):
    """What was done; nothing was while another run works for the group, and that is `waiting`."""

    waiting: bool
    attributed: int
    passed_over: list[str]


class SweepAnswer(Answer, Shown):
    """`oldest_pending_at` is the message that waits longest for its topic."""

    groups_woken: int
    oldest_pending_at: Moment | None
    jobs_taken_back: int
    jobs_sent_again: int
    leases_handed_on: int
