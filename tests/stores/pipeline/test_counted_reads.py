"""What the service would bill is counted: queries that find nothing, and entries of indexes."""

from typing import Any

import httpx

from shared.wiring import Services


async def counters(told: dict[str, Any]) -> dict[str, int]:
    async with httpx.AsyncClient(trust_env=False) as client:
        found = (await client.get(f"{told['admin']['firestore']}/counters")).json()
    return {name: found[name] for name in ("documents_read", "empty_queries")} | {
        "entries": found["index_entries_written"]
    }


async def test_a_query_that_finds_nothing_and_one_that_counts_are_a_read_each(
    made: Services, told: dict[str, Any]
) -> None:
    before = await counters(told)
    assert await made.topics.active("test:nobody", 5) == []
    after = await counters(told)
    assert after["empty_queries"] == before["empty_queries"] + 1
    assert after["documents_read"] == before["documents_read"]

    # One query counts, the other finds nothing.
    await made.jobs.listed(state="pending", group_id="test:nobody", limit=1, offset=0)
    assert (await counters(told))["empty_queries"] == after["empty_queries"] + 2


async def test_a_document_that_is_written_moves_entries_of_indexes(
    made: Services, told: dict[str, Any]
) -> None:
    before = await counters(told)
    await made.groups.change("test:counted", lambda found: found, made.now())
    await made.groups.with_news(None, None, 1)  # whoever reads an index lets it catch up
    assert (await counters(told))["entries"] > before["entries"]
