"""A group's own scales: learnt from its replies, kept with it, used, and taken back."""

import pytest

from functions.summarize_topic import handle_tune
from shared.domain.attribution.tables import tables_name
from shared.domain.attribution.tuning import Tuning
from tests.topics.attributing import Attributing

LEARNT = Tuning(90, 30, -1.2, -0.9, True, {"meaning": 0.5, "opens": 0.1})


def deps(group: Attributing) -> handle_tune.Deps:
    return group.made.deps(handle_tune.Deps)


async def talk(group: Attributing) -> str:
    await group.say(
        group.message(1, "Ann", "Where is the projector?", at=group.clock()),
        group.message(2, "Bob", "In the cupboard", at=group.clock(), reply_message_id="m1"),
    )
    await group.attribute()
    group.clock.turn(minutes=1)
    return group.group_id


async def test_few_replies_change_nothing(group: Attributing) -> None:
    group_id = await talk(group)

    done = await handle_tune.tune(group_id, deps(group))

    assert (done.tuning.is_better, done.version) == (False, 0)
    assert (await group.made.groups.get(group_id)).topic_scales is None


async def test_what_is_learnt_is_kept_with_the_group_and_used(
    group: Attributing, monkeypatch: pytest.MonkeyPatch
) -> None:
    group_id = await talk(group)
    monkeypatch.setattr(handle_tune, "tuned", lambda _: LEARNT)

    versions = [(await handle_tune.tune(group_id, deps(group))).version for _ in range(2)]

    assert versions == [1, 2]
    kept = (await group.made.groups.get(group_id)).topic_scales
    assert kept is not None
    assert kept.values_for(tables_name(group.made.embedder.model)) == LEARNT.scales
    await group.say(group.message(3, "Ann", "thanks, found the projector", at=group.clock()))
    await group.attribute()
    assert all(topic_id for _, _, topic_id, _ in (await group.state())["messages"])

    await handle_tune.untune(group_id, deps(group))
    assert (await group.made.groups.get(group_id)).topic_scales is None
