"""What a rung of the ladder hands back."""

from dataclasses import dataclass
from typing import Any, Literal

from shared.domain.context.fitting import Context
from shared.domain.context.record import LeftOut
from shared.domain.messages.member_commands import MemberCommand

Mode = Literal["intelligent", "traditional", "empty"]


@dataclass(frozen=True)
class Built:
    """`is_failed` if something broke on the way, whatever was then answered. `plain_tokens` is what
    the last twenty lines would have cost; `epoch` is that of the group as it was read."""

    context: Context
    mode: Mode
    reason: str
    trace: dict[str, Any]
    is_recorded: bool = True
    is_failed: bool = False
    left_out: tuple[LeftOut, ...] = ()
    question: str = ""
    plain_tokens: int = 0
    variant: str = ""
    retention_days: int = 30
    epoch: int = 0
    command: MemberCommand | None = None
