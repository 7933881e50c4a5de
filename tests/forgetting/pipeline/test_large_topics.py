"""Forgetting in a topic with more lines than are kept at hand to tell it anew."""

import pytest

from functions.historian_job import handle_forget
from shared.domain.topics.topic import Topic
from shared.forgetting import topics
from tests.forgetting.whole_group import WholeGroup

AT_HAND = 20


@pytest.fixture(autouse=True)
def few_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "MOST_LINES", AT_HAND)


async def one_topic(whole: WholeGroup, *speakers: str) -> Topic:
    """A line of each, all in reply to the first."""
    await whole.say((speakers[0], "who brings the boat to the harbour?"))
    lines = [(who, f"the boat, part {n}") for n, who in enumerate(speakers[1:])]
    await whole.say(*lines, reply_message_id="m00001")
    await whole.attribute()
    return await topic_of(whole, len(speakers))


async def topic_of(whole: WholeGroup, count: int) -> Topic:
    _, found = await whole.made.topics.listed(whole.group_id, is_active=None, limit=9, offset=0)
    assert [one.message_count for one in found] == [count]
    return found[0]


@pytest.mark.parametrize("forgotten", ["m00001", "m00030", "m00049"])
async def test_one_line_less_is_one_line_less(whole: WholeGroup, forgotten: str) -> None:
    before = await one_topic(whole, "Ann", *["Bob", "Cid"] * 24)

    await handle_forget.forget_message(whole.group_id, forgotten, whole.forgetting())
    await whole.run_all()

    left = await topic_of(whole, 48)
    others = ("u-bob", "u-cid")
    assert left.user_ids == (others if forgotten == "m00001" else ("u-ann", *others))
    assert left.creator_id == left.user_ids[0]
    assert 0 < left.token_count < before.token_count


async def test_a_topic_stays_though_all_its_newest_lines_go(whole: WholeGroup) -> None:
    await one_topic(whole, "Bob", *["Cid"] * 9, *["Ann"] * (2 * AT_HAND))

    await handle_forget.forget_member(whole.group_id, "u-ann", whole.forgetting())
    await whole.run_all()

    left = await topic_of(whole, 10)
    assert left.last_message_id == "m00010"
    assert left.user_ids == ("u-bob", "u-cid")
