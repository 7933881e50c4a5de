"""A member, and a whole group, are forgotten: killed on the way, and nothing of them is left."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from functions.historian_job import handle_forget
from shared.domain.messages.message import Mention
from shared.errors import Forbidden, NotFound
from shared.stores.derived import BELOW, COLLECTIONS, OF_THE_GROUP
from shared.stores.firestore import Database, Write
from tests.forgetting.interleaving import Killed
from tests.forgetting.whole_group import Saying, WholeGroup

MARKED = ("u-zed", "zebrawood", "quincunx")
"""The member's id, and words that nobody else says."""


class DyingDatabase:
    """Dies at its nth commit or transaction, before or after it is done."""

    def __init__(self, database: Database, at: int, is_done: bool) -> None:
        self._database = database
        self._left = at
        self._is_done = is_done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    async def commit(self, writes: list[Write]) -> Any:
        return await self._counted(lambda: self._database.commit(writes))

    async def transact(self, paths: Any, decide: Any) -> Any:
        return await self._counted(lambda: self._database.transact(paths, decide))

    async def _counted(self, do: Callable[[], Awaitable[Any]]) -> Any:
        self._left -= 1
        if self._left == 0 and not self._is_done:
            raise Killed
        done = await do()
        if self._left == 0:
            raise Killed
        return done


async def lived(whole: WholeGroup) -> None:
    """Zed among others, in every pipeline."""
    for turn in range(6):
        (zed,) = await whole.say(("Zed", f"my zebrawood desk number {turn} has a quincunx on it"))
        await whole.say(("Bot", "Understood."), ("Ann", f"The picnic is at pier {turn}"))
        await whole.say(
            ("Bob", "Zed should know about the picnic"), mentions=(Mention("u-zed", "Zed"),)
        )
        if turn == 0:
            await whole.note("Zed", "Talked of a zebrawood desk", "Zed has a zebrawood desk", zed)
    await whole.attribute()
    whole.model = Saying(
        whole.made.model,
        {
            "memory_evolve": {
                "lines": [
                    {"action": "create", "statement": "Zed owns a zebrawood desk",
                     "kind": "fact", "subject": "u-zed",
                     "confidence": 0.95, "sources": ["m00001"]},
                ],
                "entities": [{"name": "zebrawood", "type": "other", "confidence": 0.9}],
                "relations": [],
            }
        },
    )  # fmt: skip
    await whole.summarize()
    await whole.evolve()
    await whole.reply(await whole.context("What desk is there?", "Zed"), "A zebrawood desk.")


async def test_a_member_is_forgotten_though_the_job_is_killed_five_times(
    whole: WholeGroup,
) -> None:
    await lived(whole)
    before = await whole.where(*MARKED)
    assert all(before.values())
    deps = whole.forgetting()
    job = await handle_forget.forget_member(whole.group_id, "u-zed", deps)
    at_once = await whole.where("zebrawood", "quincunx")
    assert not any(at_once.values()), "gone before the job ran"

    real = whole.made.database
    killed = 0
    for kill in range(1, 6):
        dying: Any = DyingDatabase(real, at=kill, is_done=kill % 2 == 0)
        for store in (whole.made.derived, whole.made.messages, whole.made.tails, whole.made.jobs):
            store._database = dying
        try:
            await whole.run(job.job_id)
        except Killed:
            killed += 1
        finally:
            for store in (
                whole.made.derived, whole.made.messages, whole.made.tails, whole.made.jobs,
            ):  # fmt: skip
                store._database = real
    assert killed == 5
    receipt = await whole.forgotten(job)

    assert await whole.where(*MARKED) == {word: [] for word in MARKED}
    assert whole.in_files(*MARKED[1:]) == {word: [] for word in MARKED[1:]}
    assert receipt.messages == 6
    assert receipt.mentions == 6
    assert receipt.memories >= 1
    assert (await whole.where("picnic"))["picnic"], "what others said stays"
    _, told = await whole.made.messages.page(
        whole.group_id, since=None, until=None, user_id="u-bob", topic_id=None, after=None, limit=9
    )
    assert {one.content for one in told} == {"Zed should know about the picnic"}


async def test_a_member_is_told_what_is_known_of_them(whole: WholeGroup) -> None:
    await lived(whole)
    members = whole.made.known_members
    known = await members.known(whole.group_id, "u-zed")
    assert known.messages == 6
    assert "zebrawood" in (known.profile.body if known.profile else "")
    assert [one.statement for one in known.memories] == ["Zed owns a zebrawood desk"]
    assert len(known.events) == 1

    await handle_forget.forget_member(whole.group_id, "u-zed", whole.forgetting())
    after = await members.known(whole.group_id, "u-zed")
    assert (after.messages, after.profile, after.memories, after.events) == (0, None, [], [])


async def test_a_group_is_a_tombstone_that_takes_nothing_more(whole: WholeGroup) -> None:
    await lived(whole)
    deps = whole.forgetting()
    job = await handle_forget.forget_group(whole.group_id, deps)
    again = await handle_forget.forget_group(whole.group_id, deps)
    assert again.job_id == job.job_id
    await whole.run(job.job_id)

    found = await whole.where(*MARKED, "picnic", whole.group_id)
    assert not any(found[word] for word in (*MARKED, "picnic"))
    left = {path.split("/")[0] for path in found[whole.group_id]}
    assert left <= {"groups", "jobs", "leases", "usage"}, left
    assert not any(path.count("/") > 1 for path in found[whole.group_id])
    with pytest.raises(Forbidden):
        await whole.say(("Ann", "is anybody here?"))
    with pytest.raises(NotFound):
        await whole.made.groups.get(whole.group_id)


async def test_every_collection_below_a_group_is_known_to_forgetting(whole: WholeGroup) -> None:
    """A new one must be named there, and dealt with."""
    await lived(whole)
    service = whole.made.database.firestore
    parent = f"{service.documents}/groups/{whole.group_id}"
    found = {one async for one in await service.service.list_collection_ids(
        request={"parent": parent})}  # fmt: skip
    assert found <= set(OF_THE_GROUP), f"nobody forgets {found - set(OF_THE_GROUP)}"
    assert set(BELOW.values()) <= set(COLLECTIONS)


async def test_who_opted_out_and_was_forgotten_stays_out(whole: WholeGroup) -> None:
    await whole.say(("Zed", "a zebrawood desk"), ("Ann", "hello"))
    key, now = whole.made.settings.hash_key, whole.clock()
    await whole.made.member_requests.opt_out(whole.group_id, "u-zed", True, key, now)
    job = await handle_forget.forget_member(whole.group_id, "u-zed", whole.forgetting())
    await whole.run(job.job_id)
    await whole.say(("Zed", "a quincunx again"))
    assert (await whole.where("quincunx"))["quincunx"] == []
    assert (await whole.made.known_members.known(whole.group_id, "u-zed")).is_opted_out
    await whole.made.member_requests.opt_out(whole.group_id, "u-zed", False, key, now)
    await whole.say(("Zed", "a quincunx once more"))
    assert (await whole.where("quincunx"))["quincunx"], "who comes back is heard again"
