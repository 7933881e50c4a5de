"""A tool keeps nothing of what was taken back."""

from dataclasses import replace
from typing import Any

import pytest

from functions.build_context.tool_room import Bound
from functions.build_context.tool_writes import MemoryDeps, add_memory
from shared.contracts.tools import AddMemory
from shared.errors import InvalidInput
from tests.forgetting.whole_group import WholeGroup

PIN = "889900"


def bound(whole: WholeGroup, message_id: str) -> Bound:
    return Bound(
        group_id=whole.group_id, max_tokens=500, user_id="u-zed", request_id="r", end_seq=0,
        message_ids=(message_id,), timezone="", has_historian=True,
    )  # fmt: skip


async def test_nothing_is_kept_of_a_message_that_was_recalled(whole: WholeGroup) -> None:
    (message_id,) = await whole.say(("Zed", f"my PIN is {PIN}"))
    await whole.recall(message_id)
    await whole.run_all()
    asked = AddMemory(statement=f"Zed's PIN is {PIN}")

    with pytest.raises(InvalidInput, match="taken back"):
        await add_memory(asked, bound(whole, message_id), whole.made.deps(MemoryDeps))

    assert (await whole.where(PIN))[PIN] == []


async def test_nor_of_one_that_is_recalled_meanwhile(whole: WholeGroup) -> None:
    (message_id,) = await whole.say(("Zed", f"my PIN is {PIN}"))
    deps = whole.made.deps(MemoryDeps)

    class Slow:
        """The memory is about to be kept when its message is recalled and forgotten."""

        def __getattr__(self, name: str) -> Any:
            return getattr(whole.made.memories, name)

        async def apply(self, writes: Any) -> None:
            if not recalled:
                recalled.append(message_id)
                await whole.recall(message_id)
                await whole.run_all()
            await whole.made.memories.apply(writes)

    recalled: list[str] = []
    slow: Any = Slow()
    asked = AddMemory(statement=f"Zed's PIN is {PIN}")

    with pytest.raises(InvalidInput, match="taken back"):
        await add_memory(asked, bound(whole, message_id), replace(deps, memories=slow))

    assert (await whole.where(PIN))[PIN] == []
