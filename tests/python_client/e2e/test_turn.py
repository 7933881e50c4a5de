"""A bot's turn with the client against a local cloud."""

from pathlib import Path

from annals import Annals, AsyncAnnals
from tests.local_cloud import LocalCloud
from tests.talk import new_group


def line(group_id: str, who: str, text: str) -> dict[str, str]:
    return {"group_id": group_id, "user_id": who, "user_name": who, "content": text}


def test_a_turn_of_three_lines(cloud: LocalCloud, tmp_path: Path) -> None:
    group_id = new_group()
    with Annals(cloud.told["base"], cloud.told["key"], queue=tmp_path / "q.db") as memory:
        memory.ingest(line(group_id, "Ada", "The wifi password is heron-92 now"))
        memory.ingest(line(group_id, "Ben", "thanks, writing that down"))
        assert memory.flush(60)

        context = memory.context(group_id, "What is the wifi password?", deadline_s=30)
        memory.end(
            group_id, user_id="Ben", request_id="r1", action_summary="Told Ben the password."
        )
        assert memory.flush(60)
        assert memory.dropped == {}

    assert "heron-92" in context.text
    assert context.mode == "intelligent"


def test_tools_are_listed_and_called_as_a_model_calls_them(
    cloud: LocalCloud, tmp_path: Path
) -> None:
    group_id = new_group()
    with Annals(cloud.told["base"], cloud.told["key"], queue=tmp_path / "q.db") as memory:
        names = {one["function"]["name"] for one in memory.tools()}
        memory.call_tool(group_id, "add_memory", {"statement": "Ada plays chess"}, user_id="Ada")
        found = memory.call_tool(group_id, "search_memories", '{"query": "what does Ada play?"}')

    assert {"add_memory", "search_memories"} <= names
    assert "chess" in str(found)


async def test_memories_from_asyncio(cloud: LocalCloud, tmp_path: Path) -> None:
    group_id = new_group()
    async with AsyncAnnals(
        cloud.told["base"], cloud.told["key"], queue=tmp_path / "q.db"
    ) as memory:
        added = await memory.add(group_id, "The team ships on Fridays")
        memory_id = added.memory.memory_id
        changed = await memory.update(memory_id, "The team ships on Mondays")
        found = await memory.search(group_id, "When does the team ship?")
        history = await memory.history(changed.memory.memory_id)
        await memory.delete(changed.memory.memory_id)
        left = await memory.get_all(group_id)
        back = await memory.restore(changed.memory.memory_id)

    assert [one.statement for one in found.results] == ["The team ships on Mondays"]
    assert [one.statement for one in history.history] == [
        "The team ships on Fridays",
        "The team ships on Mondays",
    ]
    assert left.memories == []
    assert back.memory.statement == "The team ships on Mondays"
