"""What the routes that take messages tell."""

from typing import Literal

from pydantic import BaseModel

from shared.contracts.api import Answer, Moment, Shown
from shared.domain.messages.member_commands import MemberCommand


class MessageReceipt(Shown):
    """`reason` says why a message was rejected; `command` that it is a member's wish about their
    own words: what to do and to say tells the historian's `POST
    /groups/{group_id}/members/{user_id}/commands`. Else both are left out."""

    message_id: str
    outcome: Literal["stored", "duplicate", "edited", "recalled", "rejected"]
    reason: str | None = None
    command: MemberCommand | None = None


class ReceiptList(Answer):
    """A receipt for each message, in the order they came in."""

    results: list[MessageReceipt]


class EndAnswer(Answer):
    """`job_id` is null where there was nothing to remember."""

    job_id: str | None


class PlatformAnswer(BaseModel):
    """What a platform wants to hear: its challenge, or an empty object."""

    challenge: str | None = None


class ShownSetupCheck(Shown):
    """`advice` says what to do where the check did not pass."""

    name: str
    passed: bool
    is_needed: bool
    advice: str


class SetupAnswer(Answer):
    """`is_ready`: every needed check passed. `webhook` is the path to give to the platform."""

    platform: str
    webhook: str
    is_ready: bool
    checks: list[ShownSetupCheck]


class AttributionAnswer(Answer, Shown):
    """What was done; nothing was while another run works for the group, and that is `waiting`."""

    waiting: bool
    attributed: int
    passed_over: list[str]


class SweepAnswer(Answer, Shown):
    """`oldest_pending_at` is the message that waits longest for its topic; `stuck` are groups whose
    messages have waited for more than a quarter of an hour."""

    groups_woken: int
    oldest_pending_at: Moment | None
    jobs_taken_back: int
    jobs_sent_again: int
    leases_handed_on: int
    stuck: list[str]
