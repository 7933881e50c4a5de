"""What models may still be asked today: counts every call, and stops them past a budget.

A budget is a bound on a day of a group, of a key's requests, or of the whole deployment. What was
spent is looked up now and then, not before every call: a day may end a little above its bound.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared import log
from shared.domain.usage import EVERYBODY, CallCounts, Price, SpendingBounds, of_key
from shared.errors import AnnalsError, OverBudget
from shared.runtime.auth import charged_key
from shared.stores.usage import UsageCounts

LOOKED_UP_EVERY_S = 30.0
"""What others spent meanwhile is not known: so far a bound may be passed."""
LOOK_S = 1.0
"""Reading the counts is given up after this long: an answer does not wait for them."""
TOLD_EVERY_S = 10.0
"""What the deployment and a key spend is gathered for so long: many instances write into the same
few documents."""
REMEMBERED = 2_000
"""Groups and keys whose day is known without a look."""

Counted = tuple[str, str, str]
"""Group, prompt, model."""


@dataclass
class _Day:
    day: str
    looked_at: float
    spent: CallCounts


class Spending:
    """`bounds_of` says what a group may have a day; `prices` are by model."""

    def __init__(
        self,
        usage: UsageCounts,
        *,
        everybody: SpendingBounds,
        a_key: SpendingBounds,
        bounds_of: Callable[[str], Awaitable[SpendingBounds]],
        prices: Mapping[str, Price],
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
        look_s: float = LOOK_S,
    ) -> None:
        self._usage = usage
        self._everybody = everybody
        self._a_key = a_key
        self._bounds_of = bounds_of
        self._prices = prices
        self._now = now
        self._clock = clock
        self._look_s = look_s
        self._days: OrderedDict[str, _Day] = OrderedDict()
        self._bounds: OrderedDict[str, tuple[float, SpendingBounds]] = OrderedDict()
        self._untold: dict[Counted, CallCounts] = {}
        self._told_at = float("-inf")
        self._unpriced: set[str] = set()

    async def check(self, group_id: str) -> None:
        """OverBudget if nothing may be asked for this group now. What cannot be found out stops
        nobody."""
        key_id = charged_key()
        try:
            async with asyncio.timeout(self._look_s):
                await self._check(EVERYBODY, self._everybody, "all groups together")
                if key_id:
                    await self._check(of_key(key_id), self._a_key, "requests with this key")
                await self._check(group_id, await self._group_bounds(group_id), "this group")
        except OverBudget:
            raise
        except (AnnalsError, TimeoutError) as error:
            log.warning("budget_not_looked_up", group_id=group_id, reason=type(error).__name__)

    async def record(
        self,
        group_id: str,
        prompt_id: str,
        model: str,
        *,
        calls: int,
        prompt_tokens: int,
        completion_tokens: int,
    ) -> None:
        dollars = self._price(model).dollars(prompt_tokens, completion_tokens)
        counts = CallCounts(calls, prompt_tokens, completion_tokens, dollars)
        key_id = charged_key()
        scopes = [EVERYBODY, *([of_key(key_id)] if key_id else [])]
        for scope in (group_id, *scopes):
            if known := self._days.get(scope):
                known.spent = known.spent.plus(counts)
        for scope in scopes:
            own = scope, prompt_id, model
            self._untold[own] = self._untold.get(own, CallCounts()).plus(counts)
        told: dict[Counted, CallCounts] = {(group_id, prompt_id, model): counts}
        now = self._clock()
        if now - self._told_at >= TOLD_EVERY_S:
            self._told_at = now
            told |= self._untold
            self._untold = {}
        await self._usage.record(told)

    async def _check(self, scope: str, bounds: SpendingBounds, whose: str) -> None:
        if not bounds.is_any:
            return
        reached = bounds.reached_by(await self._spent(scope))
        if reached:
            now = self._now()
            raise OverBudget(
                f"{whose} have used up the day's budget of {reached} of models"
                if whose != "this group"
                else f"this group has used up its day's budget of {reached} of models",
                retry_after_s=_until_tomorrow(now),
            )

    async def _spent(self, scope: str) -> CallCounts:
        day = self._now().date().isoformat()
        known = self._days.get(scope)
        if known and known.day == day and self._clock() - known.looked_at < LOOKED_UP_EVERY_S:
            return known.spent
        spent = await self._usage.spent(scope, day)
        for (own, _, _), counts in self._untold.items():
            spent = spent.plus(counts) if own == scope else spent
        self._days[scope] = _Day(day, self._clock(), spent)
        self._days.move_to_end(scope)
        if len(self._days) > REMEMBERED:
            self._days.popitem(last=False)
        return spent

    async def _group_bounds(self, group_id: str) -> SpendingBounds:
        at, bounds = self._bounds.get(group_id, (float("-inf"), SpendingBounds()))
        if self._clock() - at >= LOOKED_UP_EVERY_S:
            bounds = await self._bounds_of(group_id)
            self._bounds[group_id] = self._clock(), bounds
            self._bounds.move_to_end(group_id)
            if len(self._bounds) > REMEMBERED:
                self._bounds.popitem(last=False)
        return bounds

    def _price(self, model: str) -> Price:
        found = self._prices.get(model)
        if found is None and self._prices and model not in self._unpriced:
            self._unpriced.add(model)
            log.warning("model_without_price", model=model)
        return found or Price()


def _until_tomorrow(now: datetime) -> int:
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((day + timedelta(days=1) - now).total_seconds()) + 1
