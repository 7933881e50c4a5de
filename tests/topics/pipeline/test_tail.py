"""The last lines in one document: what a run reads and writes, and what waits for the index."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx

from functions.historian_job import handle_forget
from functions.ingest_message.indexing import Indexing
from shared.domain.messages.message import Recall
from shared.domain.tail import LINES, PAGE_AFTER, Tail
from shared.stores.tails import tail_path
from shared.stores.vectors import Index, Vectors
from tests.topics.attributing import Attributing, monologue

MOST_READS, MOST_WRITES = 12, 8


async def counted(group: Attributing) -> dict[str, int]:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{group.told['admin']['firestore']}/counters")
    found = answer.json()
    return {"read": found["documents_read"], "written": found["documents_written"]}


async def tail_of(group: Attributing) -> Tail:
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    return tail


def gathering(group: Attributing, every: int) -> None:
    settings = group.deps.settings.replaced(index_every_messages=every)
    group.deps = replace(group.deps, settings=settings)


def without_pinecone(group: Attributing) -> None:
    away = Vectors(Index(api_key="local", host="http://127.0.0.1:9", name="annals"))
    indexing = Indexing(away, group.made.word_index)
    group.deps = replace(group.deps, vectors=away, indexing=indexing)


async def indexed(group: Attributing, numbers: Sequence[int]) -> list[str]:
    found = await group.made.vectors.fetch(group.group_id, "message", [f"m{n}" for n in numbers])
    return sorted(found)


async def test_a_run_reads_and_writes_little_however_long_the_talk(group: Attributing) -> None:
    gathering(group, 25)
    await group.say(*monologue(group, range(60)))
    await group.attribute()
    await group.say(group.message(60, "Ann", "line 60 of something"))
    before = await counted(group)
    await group.attribute()
    after = await counted(group)

    assert after["read"] - before["read"] <= MOST_READS
    assert after["written"] - before["written"] <= MOST_WRITES


async def talked(group: Attributing) -> None:
    """A line more than the tail takes: a hundred leave it."""
    for start in range(0, PAGE_AFTER, 100):
        await group.say(*monologue(group, range(start, start + 100)))
        await group.attribute()
    await group.say(*monologue(group, range(PAGE_AFTER, PAGE_AFTER + 1)))
    await group.attribute()


async def test_the_tail_is_the_last_lines_as_they_are_stored(group: Attributing) -> None:
    await talked(group)
    tail = await tail_of(group)
    stored = await group.messages(range(PAGE_AFTER - LINES, PAGE_AFTER + 1))

    def kept(one: Any) -> Any:
        return one.message_id, one.state, one.content, one.topic_id, one.continues, one.vector

    assert [kept(one) for one in tail.lines] == [kept(one) for one in stored]
    assert {one.topic_id for one in tail.topics} == {
        one.topic_id for one in await group.topics() if one.is_active
    }


async def test_lines_gather_and_reach_the_index_together(group: Attributing) -> None:
    gathering(group, 6)
    await group.say(*monologue(group, range(4)))
    await group.attribute()
    assert await indexed(group, range(4)) == []
    assert [one.message_id for one in (await tail_of(group)).unindexed] == ["m0", "m1", "m2", "m3"]
    await group.say(*monologue(group, range(4, 8)))
    await group.attribute()

    assert len(await indexed(group, range(8))) == 8
    assert (await tail_of(group)).unindexed == ()


async def test_while_the_index_is_away_topics_go_on_and_all_is_indexed_after(
    group: Attributing,
) -> None:
    alive = group.deps
    without_pinecone(group)
    await talked(group)
    asked = group.calls()
    kept = await group.made.groups.get(group.group_id)

    assert await group.pending() == []
    assert await indexed(group, range(PAGE_AFTER + 1)) == []
    assert kept.unindexed_since == group.message(0, "Ann", "").create_time
    group.deps = alive
    await group.attribute()
    assert (
        len(await indexed(group, range(PAGE_AFTER + 1))) == LINES
    )  # the last gathers to be embedded
    assert group.calls() == asked


async def test_a_recall_leaves_no_text_in_the_tail(group: Attributing) -> None:
    await group.say(*monologue(group, range(3)))
    await group.attribute()
    await group.say(Recall(group_id=group.group_id, message_id="m1"))
    shown = await group.made.tails.get(group.group_id)
    deps = group.made
    _, jobs = await group.made.jobs.listed(
        state="pending", group_id=group.group_id, limit=1, offset=0
    )
    await group.made.worker.run(jobs[0].job_id, lambda work: handle_forget.run(work, deps))
    stored = await group.made.database.get(tail_path(group.group_id))
    tail = await tail_of(group)

    assert shown is not None
    assert [one.message_id for one in shown.lines] == ["m0", "m2"]
    assert stored is not None
    assert "recalled" not in stored.data
    assert [one.message_id for one in tail.lines] == ["m0", "m2"]
    assert tail.epoch == (await group.made.groups.get(group.group_id)).epoch


async def test_history_is_indexed_at_once_and_stays_out_of_the_tail(group: Attributing) -> None:
    gathering(group, 25)
    await talked(group)
    long_ago = group.clock() - timedelta(days=300)
    await group.say(group.message(500, "Ann", "what was said long ago", at=long_ago))
    await group.attribute()

    assert await indexed(group, [500]) == ["m500"]
    assert "m500" not in {one.message_id for one in (await tail_of(group)).lines}
