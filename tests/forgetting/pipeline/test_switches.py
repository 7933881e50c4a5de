"""A switch that is off: as if what it switches had never been built. Every switch is here."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from inspect import get_annotations
from typing import Any
from uuid import uuid4

import pytest

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.ingest_message.routes_messages import end_turn
from functions.summarize_topic import handle_close, handle_digest
from shared.config.memory import LongTermSettings, SelectionSettings, TopicSettings, UpkeepSettings
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.domain.ids import namespace
from shared.domain.knowledge.event import Note
from shared.domain.memories.memory import MemoryStatus
from shared.errors import NotFound
from tests.forgetting.pipeline.test_forgotten_member import lived
from tests.forgetting.whole_group import WholeGroup, vector_ids
from tests.memories.evolving import nobody
from tests.services import Clock, in_process, replaced

Check = Callable[[WholeGroup], Awaitable[None]]


class Unrecorded(WholeGroup):
    """Its bot gets along without records of its contexts."""

    async def reply(self, answer: ContextAnswer, words: str) -> None:
        with suppress(NotFound):
            await super().reply(answer, words)


async def paths(whole: WholeGroup) -> set[str]:
    """The kinds of records that the group has."""
    found = (await whole.where(whole.group_id))[whole.group_id]
    return {part for path in found for part in path.split("/") if "/" in path}


async def noted(whole: WholeGroup) -> str | None:
    note = Note(
        group_id=whole.group_id, user_id="u-ann", request_id="r-switch", end_seq=0,
        action_summary="Ann was told", new_info="Ann has a boat", force=False, message_ids=(),
    )  # fmt: skip
    deps = replaced(whole.made, dispatch=nobody())
    return await end_turn(note, deps)


async def context(whole: WholeGroup) -> Any:
    request = ContextRequest(
        group_id=whole.group_id, user_id="u-zed", message="What desk is there, Zed?",
        include=["messages", "memories", "events", "profiles", "summaries", "graph"],
    )  # fmt: skip
    return await build_context(request, context_deps(whole.made))


async def no_notes(whole: WholeGroup) -> None:
    before = await whole.where("Ann has a boat")
    assert await noted(whole) is None
    assert await whole.where("Ann has a boat") == before == {"Ann has a boat": []}
    kinds = await paths(whole)
    assert kinds.isdisjoint({"events", "profiles", "entities", "relations"}), kinds
    assert {one.kind for one in (await context(whole)).items} <= {"message", "memory", "summary"}


async def no_summaries(whole: WholeGroup) -> None:
    whole.clock.turn(hours=30)
    await handle_close.close_idle(replaced(whole.made, dispatch=nobody()))
    _, jobs = await whole.made.jobs.listed(state=None, group_id=whole.group_id, limit=100, offset=0)
    assert not [one for one in jobs if "idle" in str(one.payload) or "closed" in str(one.payload)]


async def no_digests(whole: WholeGroup) -> None:
    whole.clock.turn(days=15)
    await handle_digest.send_due(replaced(whole.made, dispatch=nobody()))
    await whole.run_all()
    assert "digests" not in await paths(whole)


async def no_message_vectors(whole: WholeGroup) -> None:
    index = await whole.made.vectors._index()
    found = [one async for one in vector_ids(index, namespace(whole.group_id))]
    assert not [one for one in found if one.startswith("message#")]


async def no_records(whole: WholeGroup) -> None:
    assert (await context(whole)).mode == "intelligent"
    assert "contexts" not in await paths(whole)


async def no_long_term(whole: WholeGroup) -> None:
    assert {one.kind for one in (await context(whole)).items} <= {"message"}


async def no_selection(whole: WholeGroup) -> None:
    answer = await context(whole)
    assert answer.mode == "traditional"
    assert {one.kind for one in answer.items} <= {"message"}


async def no_tags(whole: WholeGroup) -> None:
    for status in MemoryStatus:
        for one in await whole.made.memories.with_status(whole.group_id, status, 100):
            assert one.memory.tags == ()


SWITCHES: dict[str, Check | None] = {
    "enable_cognitive": no_notes,
    "enable_summaries": no_summaries,
    "enable_digests": no_digests,
    "message_vectors": no_message_vectors,
    "enable_async_data_collection": no_records,
    "enable_long_term": no_long_term,
    "enable_intelligent_memory": no_selection,
    "auto_tag": no_tags,
    # How something is done, not whether: each has its own tests.
    "fallback_on_error": None,
    "first_round_empty": None,
    "hold_back_memories": None,
    "mask_secrets_in_messages": None,
    "member_commands": None,
}


def test_every_switch_is_here() -> None:
    parts = (SelectionSettings, LongTermSettings, TopicSettings, UpkeepSettings)
    named = {name: kind for one in parts for name, kind in get_annotations(one).items()}
    assert {name for name, kind in named.items() if kind is bool} == set(SWITCHES)


@pytest.mark.parametrize("name", [one for one, check in SWITCHES.items() if check])
async def test_off_is_as_if_it_had_never_been_built(
    name: str, told: dict[str, Any], clock: Clock
) -> None:
    environment = {f"MEMORY_{name.upper()}": "false"}
    async with in_process(told, clock, **environment) as made:
        whole = Unrecorded(made, clock, told, f"test:{uuid4().hex[:12]}")
        await lived(whole)
        check = SWITCHES[name]
        assert check is not None
        await check(whole)
