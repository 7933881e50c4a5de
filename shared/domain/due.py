"""Where a fan-out over all groups goes on: by due time, never by alphabet."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True)
class DuePage:
    """Behind the group that was due at `due_at`; from the beginning where no group is named."""

    kind: Literal["news", "silent"]
    due_at: datetime | None = None
    group_id: str | None = None

    @property
    def name(self) -> str:
        """The same for the same place: a page is asked for once, however often it is sent."""
        return f"{self.kind} {self.due_at.isoformat() if self.due_at else '-'} {self.group_id}"
