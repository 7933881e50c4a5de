"""What was said with its end is remembered until then, and no search shows it afterwards."""

from datetime import UTC, datetime, timedelta

from shared.search.memories import MemorySearch
from tests.memories.reading import Reading, line


async def test_until_a_day_is_until_its_end_where_the_group_is(reading: Reading) -> None:
    reading.settings(timezone="Asia/Shanghai")
    day = (reading.clock() + timedelta(days=20)).date()
    away, wool = await reading.say(
        ("Ines", f"I'll be in Bergen until {day:%B} {day.day}"), ("Ines", "I'm allergic to wool")
    )
    reading.model(
        {
            "lines": [
                line("Ines is in Bergen", "u-ines", away, valid_until=day.isoformat()),
                line("Ines is allergic to wool", "u-ines", wool, valid_until="no date"),
            ]
        }
    )
    await reading.read()
    ends = {one.statement: one.valid_until for one in await reading.memories()}
    # Midnight in Shanghai is four in the afternoon in UTC.
    end = datetime(day.year, day.month, day.day, 16, tzinfo=UTC)
    assert ends == {"Ines is in Bergen": end, "Ines is allergic to wool": None}

    made = reading.made
    search = MemorySearch(made.memories, made.vectors, made.embedder, now=reading.clock)

    async def found() -> int:
        hits = await search.find(reading.group_id, "Where is Ines, in Bergen?", limit=5)
        return sum("Bergen" in hit.memory.statement for hit in hits)

    assert await found() == 1
    reading.clock.at = end - timedelta(minutes=1)
    assert await found() == 1
    reading.clock.turn(minutes=1)
    assert await found() == 0
