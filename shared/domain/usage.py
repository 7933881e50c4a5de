"""What model calls cost: counts that add up."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class CallCounts:
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def plus(self, other: "CallCounts") -> "CallCounts":
        return CallCounts(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, kw_only=True)
class DayUsage(CallCounts):
    """One group's day, or one shard of it."""

    day: str
    group_id: str
    by_prompt: Mapping[str, CallCounts] = field(default_factory=dict)


def day_totals(shards: list[DayUsage]) -> list[DayUsage]:
    """One row a day and group, in the order in which they first come."""
    rows: dict[tuple[str, str], DayUsage] = {}
    for shard in shards:
        key = shard.day, shard.group_id
        row = rows.get(key, DayUsage(day=shard.day, group_id=shard.group_id))
        by_prompt = dict(row.by_prompt)
        for prompt_id, counts in shard.by_prompt.items():
            by_prompt[prompt_id] = counts.plus(by_prompt.get(prompt_id, CallCounts()))
        sums = row.plus(shard)
        rows[key] = DayUsage(
            sums.calls,
            sums.prompt_tokens,
            sums.completion_tokens,
            day=shard.day,
            group_id=shard.group_id,
            by_prompt=by_prompt,
        )
    return list(rows.values())
