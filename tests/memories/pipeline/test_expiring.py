"""What was said with its end is remembered until then, and no search shows it afterwards."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.search.memories import MemorySearch
from shared.wiring import Services
from tests.memories.evolving import Evolving
from tests.services import Clock


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:expiring-{clock().timestamp()}")


async def test_until_a_day_is_until_its_end_where_the_group_is(group: Evolving) -> None:
    group.deps = replace(group.deps, timezone="Asia/Shanghai")
    day = (group.clock() + timedelta(days=20)).date()
    await group.say(
        [
            ("Ines", f"Remember: I'll be in Bergen until {day:%B} {day.day}"),
            ("Ben", "lucky you"),
            ("Ines", "Remember: I'm allergic to wool"),
        ]
    )
    await group.evolve()
    ends = {one.statement.split()[3]: one.expires_at for one in await group.memories()}
    # Midnight in Shanghai is four in the afternoon in UTC.
    assert ends == {"in": datetime(day.year, day.month, day.day, 16, tzinfo=UTC), "to": None}

    made = group.made
    search = MemorySearch(made.memories, made.vectors, made.embedder, now=group.clock)

    async def found() -> int:
        hits = await search.find(group.group_id, "Where is Ines, in Bergen?", limit=5)
        return sum("Bergen" in hit.memory.statement for hit in hits)

    assert await found() == 1
    group.clock.at = datetime(day.year, day.month, day.day, 15, 59, tzinfo=UTC)
    assert await found() == 1
    group.clock.turn(minutes=1)
    assert await found() == 0
