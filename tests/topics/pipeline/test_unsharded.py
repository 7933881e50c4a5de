"""A data folder from before schedules looked for work by the part of all groups: nothing in it is
left lying."""

from typing import Any

import pytest

from functions.evolve_group import handle_maintain
from functions.summarize_topic import handle_close
from shared.stores.firestore import gone, update
from shared.stores.message_records import message_path
from shared.stores.missing_shards import PAGE
from shared.stores.topics import topic_path
from shared.wiring import Services
from tests.memories.evolving import upkeep
from tests.services import Clock
from tests.topics.attributing import Attributing


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Attributing:
    return Attributing(made, clock, told, f"test:unsharded-{clock().timestamp()}")


async def as_before(group: Attributing, *paths: str) -> None:
    for start in range(0, len(paths), PAGE):
        some = paths[start : start + PAGE]
        await group.made.database.commit([update(one, {"shard": gone()}) for one in some])


async def test_an_open_topic_without_its_part_is_closed_after_upkeep(group: Attributing) -> None:
    await group.say(group.message(1, "Ann", "Who brings the boat?"))
    await group.attribute()
    (topic,) = await group.topics()
    await as_before(group, topic_path(group.group_id, topic.topic_id))
    group.clock.turn(days=2)
    assert (await handle_close.close_idle(group.made)).total == 0

    await handle_maintain.maintain(upkeep(group.made))

    assert (await handle_close.close_idle(group.made)).total == 1
    assert not (await group.topics())[0].is_active


async def test_messages_that_wait_without_their_part_are_found_after_upkeep(
    group: Attributing,
) -> None:
    count = PAGE + 5
    for start in range(0, count, 50):
        some = range(start, min(start + 50, count))
        await group.say(*(group.message(n, "Ann", f"line {n}") for n in some))
    paths = [message_path(group.group_id, f"m{n}") for n in range(count)]
    await as_before(group, *paths)
    group.clock.turn(days=2)
    later = group.clock()
    assert group.group_id not in await group.made.messages.groups_waiting(later, 10, 1)

    await handle_maintain.maintain(upkeep(group.made))

    assert group.group_id in await group.made.messages.groups_waiting(later, 10, 1)
    found = await group.made.database.get_all(paths)
    assert [one.path for one in found if one and "shard" not in one.data] == []
