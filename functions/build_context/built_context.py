"""What a rung of the ladder hands back."""

from dataclasses import dataclass
from typing import Any, Literal

from shared.domain.context.fitting import Context

Mode = Literal["intelligent", "traditional", "empty"]


@dataclass(frozen=True)
class Built:
    context: Context
    mode: Mode
    reason: str
    trace: dict[str, Any]
    is_recorded: bool = True
