"""Lines of a quiet group are embedded together: placed at once, and again with their vectors."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from shared.contracts.context import ContextRequest
from shared.domain.attribution.embedding_batches import FIRST_LINES
from shared.domain.group import Group
from shared.domain.topics.topic import Topic
from shared.stores.tails import put_tail
from shared.stores.topics import changed_topic
from tests.topics.attributing import Attributing

LINES = (
    ("Ann", "does anybody know a good place for hotpot on friday?"),
    ("Bo", "the one at the station is good, the broth is spicy"),
    ("Cy", "my printer jams whenever I print the invoices"),
    ("Ann", "spicy broth is fine, how much is a hotpot there?"),
    ("Dee", "clean the rollers of the printer, mine jammed as well"),
    ("Bo", "about twenty each with drinks"),
    ("Cy", "which rollers, the ones behind the paper tray?"),
    ("Dee", "yes behind the tray, use a damp cloth"),
    ("Ann", "friday at seven then, I book a table for four"),
    ("Cy", "the printer works again, thank you"),
)


def grown(group: Group) -> Group:
    """As one that has said its first lines long ago."""
    return replace(group, attributed_messages=FIRST_LINES)


async def _say(group: Attributing, first: int, last: int) -> None:
    lines = LINES[first:last]
    await group.say(*(group.message(first + n, who, what) for n, (who, what) in enumerate(lines)))


async def _prepared(group: Attributing, every: int) -> None:
    await group.made.groups.change(group.group_id, grown, group.clock())
    group.deps = replace(
        group.deps, settings=group.deps.settings.replaced(embed_every_messages=every)
    )


async def test_lines_are_placed_at_once_and_embedded_in_one_call(group: Attributing) -> None:
    await _prepared(group, len(LINES))
    before = group.calls()[0]
    for start in (0, 3, 6):
        await _say(group, start, start + 3)
        report = await group.attribute()
        assert (report.attributed, report.again) == (3, 0)
    assert group.calls()[0] == before
    placed = await group.messages(range(9))
    assert all(one.topic_id and not one.vector for one in placed)

    await _say(group, 9, 10)
    report = await group.attribute()

    assert group.calls()[0] == before + 1
    assert (report.attributed, report.again) == (1, 9)
    found = await group.messages(range(10))
    topics = {one.topic_id: one for one in await group.topics()}
    assert all(one.vector for one in found)
    assert {one.topic_id for one in found} == set(topics)
    for topic_id, topic in topics.items():
        own = [one for one in found if one.topic_id == topic_id]
        assert topic.message_count == topic.vector_count == len(own)
        assert topic.last_message_id == own[-1].message_id
    stored = await group.made.groups.get(group.group_id)
    assert stored.attributed_messages == FIRST_LINES + 10
    state = await group.state()
    assert set(state["indexed"]) == {f"m{n}" for n in range(10)}


async def test_in_the_end_it_is_as_if_all_had_come_at_once(group: Attributing) -> None:
    other = Attributing(group.made, group.clock, group.told, f"test:{uuid4().hex[:12]}")
    await _prepared(group, len(LINES))
    await _prepared(other, len(LINES))
    for start in range(0, 10, 2):
        await _say(group, start, start + 2)
        await group.attribute()
    await _say(other, 0, 10)
    await other.attribute()

    assert await group.talks(range(10)) == await other.talks(range(10))
    one, two = await group.topics(), await other.topics()
    for mine, theirs in zip(*(sorted(t, key=_first) for t in (one, two)), strict=True):
        assert (mine.message_count, mine.token_count) == (theirs.message_count, theirs.token_count)
        assert (mine.title, mine.keywords) == (theirs.title, theirs.keywords)
        assert mine.vector_sum == theirs.vector_sum
        assert mine.closes_at == theirs.closes_at


def _first(topic: Topic) -> tuple[str, ...]:
    return (*sorted(topic.user_ids), topic.last_message_id)


async def test_what_something_was_made_of_stays_where_it_is(group: Attributing) -> None:
    await _prepared(group, 6)
    await _say(group, 0, 4)
    await group.attribute()
    before = [one.topic_id for one in await group.messages(range(4))]
    for topic in await group.topics():
        told = replace(topic, summary_version=1)
        await group.made.topics.apply([changed_topic(topic, told)])

    await _say(group, 4, 6)
    await group.attribute()

    found = await group.messages(range(4))
    assert [one.topic_id for one in found] == before
    assert all(one.vector for one in found)
    topics = {one.topic_id: one for one in await group.topics()}
    assert all(topics[one].vector_count for one in before if one)


async def test_a_context_compares_lines_that_have_no_vector_yet(group: Attributing) -> None:
    await _prepared(group, 50)
    await _say(group, 0, 10)
    await group.attribute()
    group.clock.turn(minutes=10)
    asking = group.message(
        99, "Eve", "how do I repair the device that puts ink on paper?", at=group.clock()
    )
    await group.say(asking)
    before = group.calls()[0]

    built = await build_context(
        ContextRequest(group_id=group.group_id, message_id="m99"), context_deps(group.made)
    )

    assert group.calls()[0] == before + 1
    kept = context_deps(group.made).recent.kept(group.group_id)
    assert all(one.vector for key, one in kept.items() if key != "m99")
    assert "printer" in built.text


async def test_the_first_lines_of_a_group_and_history_do_not_wait(group: Attributing) -> None:
    await _say(group, 0, 2)
    await group.attribute()
    assert all(one.vector for one in await group.messages(range(2)))

    await group.made.groups.change(group.group_id, grown, group.clock())
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    short = replace(tail, reaches_back_to=group.clock())
    await group.made.topics.apply([put_tail(group.group_id, short)])
    old = group.message(7, "Ann", "we moved the piano", at=group.clock() - timedelta(days=3))
    await group.say(old)
    await group.attribute()

    [found] = await group.messages([7])
    assert found.vector
