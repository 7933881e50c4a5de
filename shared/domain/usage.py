"""What model calls cost: counts that add up, prices, and how much of it a day may have."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

EVERYBODY = "*"
"""Stands for the group of what the whole deployment spends: no group is called so."""


def of_key(key_id: str) -> str:
    """Stands for the group of what requests with one key cause."""
    return f"*{key_id}"


@dataclass(frozen=True)
class CallCounts:
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0

    def plus(self, other: "CallCounts") -> "CallCounts":
        return CallCounts(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.dollars + other.dollars,
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
            sums.dollars,
            day=shard.day,
            group_id=shard.group_id,
            by_prompt=by_prompt,
        )
    return list(rows.values())


class Price(NamedTuple):
    """Dollars a million tokens."""

    prompt: float = 0.0
    completion: float = 0.0

    def dollars(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000


def price_table(written: Iterable[str]) -> dict[str, Price]:
    """By model, from `model=prompt/completion`; of an embedding model only the first."""
    table = {}
    for price in written:
        model, _, numbers = price.partition("=")
        prompt, _, completion = numbers.partition("/")
        table[model] = Price(float(prompt), float(completion or 0))
    return table


@dataclass(frozen=True)
class SpendingBounds:
    """How much a day may have; 0 is no bound."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0

    @property
    def is_any(self) -> bool:
        return bool(self.calls or self.tokens or self.dollars)

    def reached_by(self, spent: CallCounts) -> str | None:
        """Which of them the day has used up, in words."""
        if self.calls and spent.calls >= self.calls:
            return f"{self.calls} calls"
        if self.tokens and spent.prompt_tokens + spent.completion_tokens >= self.tokens:
            return f"{self.tokens} tokens"
        if self.dollars and spent.dollars >= self.dollars:
            return f"{self.dollars:g} dollars"
        return None
