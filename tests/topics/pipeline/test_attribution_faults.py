"""What crashes, races and recalls leave of attribution: the same topics as without them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from shared.domain.messages.message import Recall
from shared.domain.messages.stored_message import MessageState
from tests.topics.attributing import OPENS_ASIDES, Attributing, monologue, two_talks


class Killed(Exception):
    """The process is gone: nothing after this point happens."""


class Dies:
    """Stands for one of the handler's dependencies until its worker is killed at a call of it."""

    def __init__(self, real: Any, name: str, *, after: bool) -> None:
        self._real, self._name, self._after = real, name, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        return self._deadly(found) if name == self._name else found

    def _deadly(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def dying(*arguments: Any, **options: Any) -> Any:
            if self._after:
                await call(*arguments, **options)
            raise Killed

        return dying


async def conversation(group: Attributing) -> None:
    """Replies, joins, questions, a new topic, an answer of the bot."""
    await two_talks(group)
    await group.set(topic_join_threshold=0.9, topic_ask_every=1)
    await group.say(
        group.message(5, "Ann", "So the release goes to customers on Friday"),
        group.message(6, "小王", "那家面馆的面好吃"),
        group.message(7, "Dora", "My cat has been asleep on the keyboard all morning"),
        group.message(8, "Ann", "Bot, when is the release?", is_mention_bot=True),
        group.message(9, "Bot", "On Friday", role="assistant", reply_message_id="m8"),
        group.message(10, "Dora", "She snores", reply_message_id="m7"),
    )


STEPS = [
    ("embedder", "embed", False),
    ("embedder", "embed", True),
    ("model", "ask", False),
    ("model", "ask", True),
    ("indexing", "put", False),
    ("indexing", "put", True),
    ("groups", "commit", False),
    ("groups", "commit", True),
]


@pytest.mark.parametrize(
    ("part", "call", "after"),
    STEPS,
    ids=[f"{'after' if after else 'before'} {part}.{call}" for part, call, after in STEPS],
)
async def test_killed_at_any_step_a_run_leaves_the_same_topics_as_without(
    group: Attributing, part: str, call: str, after: bool
) -> None:
    await conversation(group)
    alive = group.deps
    deadly: dict[str, Any] = {part: Dies(getattr(alive, part), call, after=after)}
    group.deps = replace(alive, **deadly)
    with pytest.raises(Killed):
        await group.attribute()
    group.deps = alive
    await group.attribute()
    state = await group.state()

    other = Attributing(group.made, group.clock, group.told, f"{group.group_id}-unharmed")
    await conversation(other)
    await other.attribute()

    assert await group.pending() == []
    assert await group.talks(range(1, 11)) == await other.talks(range(1, 11))
    assert _bare(state) == _bare(await other.state())


LOOKING_BACK = [step for step in STEPS if step[0] in ("indexing", "groups")]


@pytest.mark.parametrize(
    ("part", "call", "after"),
    LOOKING_BACK,
    ids=[f"{'after' if after else 'before'} {part}.{call}" for part, call, after in LOOKING_BACK],
)
async def test_killed_while_it_looks_back_a_run_leaves_the_same_topics_as_without(
    group: Attributing, part: str, call: str, after: bool
) -> None:
    other = Attributing(group.made, group.clock, group.told, f"{group.group_id}-unharmed")
    for one in (group, other):
        one.deps = replace(one.deps, tables=OPENS_ASIDES)
        await one.say(*monologue(one, range(10), aside=3))
        await one.attribute()
        await one.say(*monologue(one, range(10, 20)))
    alive = group.deps
    deadly: dict[str, Any] = {part: Dies(getattr(alive, part), call, after=after)}
    group.deps = replace(alive, **deadly)
    with pytest.raises(Killed):
        await group.attribute()
    group.deps = alive
    await group.attribute()
    await other.attribute()

    assert set(await group.talks(range(20))) == {"m0"}
    assert _bare(await group.state()) == _bare(await other.state())


async def test_a_line_recalled_while_it_is_to_be_moved_stays_recalled(group: Attributing) -> None:
    group.deps = replace(group.deps, tables=OPENS_ASIDES)
    await group.say(*monologue(group, range(10), aside=3))
    await group.attribute()
    await group.say(*monologue(group, range(10, 20)))

    class RecallsFirst(Dies):
        """Just before the commit somebody takes the line back."""

        def _deadly(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def slow(*arguments: Any, **options: Any) -> Any:
                await group.say(Recall(group_id=group.group_id, message_id="m3"))
                return await call(*arguments, **options)

            return slow

    indexing: Any = RecallsFirst(group.deps.indexing, "check_words", after=True)
    group.deps = replace(group.deps, indexing=indexing)
    await group.attribute()

    message = (await group.messages([3]))[0]
    assert (message.state, message.content, message.topic_id) == (MessageState.RECALLED, "", None)
    assert await group.pending() == []


def _bare(state: dict[str, Any]) -> dict[str, Any]:
    """Without the ids, which come from the group's name."""
    topics = sorted(
        (one.title, one.description, one.message_count, one.vector_count, one.user_ids)
        for one in state["topics"]
    )
    messages = [(one, found, continues) for one, found, _, continues in state["messages"]]
    return {
        "topics": topics,
        "messages": messages,
        "jobs": state["jobs"][0],
        "rounds": state["rounds"],
        "due": state["due"],
        "indexed": state["indexed"],
    }


async def test_twenty_tasks_at_once_make_no_topic_twice(group: Attributing) -> None:
    await conversation(group)
    _, before = group.calls()
    done = await asyncio.gather(*(group.attribute() for _ in range(20)))

    assert sum(one.attributed for one in done) == 6
    assert await group.pending() == []
    topics = await group.topics()
    assert sum(one.message_count for one in topics) == 10
    talks = await group.talks(range(1, 11))
    assert len(set(talks)) == len(topics)
    assert group.calls()[1] - before <= 1


async def test_a_recall_during_attribution_leaves_nothing_of_the_message(
    group: Attributing,
) -> None:
    await group.say(
        group.message(1, "Ann", "my password is hunter2"), group.message(2, "Bob", "lunch?")
    )

    class RecallsFirst(Dies):
        """The embedder as it is, but while it works somebody takes a message back."""

        def _deadly(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def slow(*texts: Any, **options: Any) -> Any:
                await group.say(Recall(group_id=group.group_id, message_id="m1"))
                return await call(*texts, **options)

            return slow

    embedder: Any = RecallsFirst(group.made.embedder, "embed", after=True)
    group.deps = replace(group.deps, embedder=embedder)
    await group.attribute()

    message = (await group.messages([1]))[0]
    assert (message.state, message.content, message.topic_id) == (MessageState.RECALLED, "", None)
    assert [one.creator_id for one in await group.topics()] == ["bob"]


async def test_a_summary_made_meanwhile_keeps_its_place_on_the_topic(group: Attributing) -> None:
    """Attribution read the topic before the summary was stored: it must not undo it."""
    await two_talks(group)
    topic = (await group.topics())[0]
    await group.say(group.message(5, "小李", "好的", reply_message_id="m4"))

    class Summarizes(Dies):
        def _deadly(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def slow(*texts: Any, **options: Any) -> Any:
                from tests.topics.summarizing import patch_topic

                await group.made.topics.apply(
                    [patch_topic(group.group_id, topic.topic_id, summary_version=1, title="新题")]
                )
                return await call(*texts, **options)

            return slow

    embedder: Any = Summarizes(group.made.embedder, "embed", after=True)
    group.deps = replace(group.deps, embedder=embedder)
    await group.attribute()

    after = next(one for one in await group.topics() if one.topic_id == topic.topic_id)
    assert (after.summary_version, after.title, after.message_count) == (1, "新题", 3)
