"""What models cost, as the API shows it."""

from collections.abc import Mapping

from shared.contracts.api import Answer, Shown
from shared.domain.usage import CallCounts, DayUsage


class UsageRow(Shown):
    """One day; `group_id` is null where all groups are folded into one row."""

    day: str
    group_id: str | None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    dollars: float
    by_prompt: Mapping[str, CallCounts]

    @classmethod
    def folded(cls, row: DayUsage) -> "UsageRow":
        return cls.from_record(row).model_copy(update={"group_id": None})


class UsageList(Answer):
    """Rows in order, and where the next page begins."""

    usage: list[UsageRow]
    next_cursor: str | None = None
