"""Attribution on real stores, with the embeddings and the rules model of the emulator."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.domain.jobs.kinds import SummarizeTopic
from shared.domain.messages.message import Recall
from shared.domain.messages.stored_message import MessageState
from shared.domain.similarity.vectors import pack, pack_half
from shared.errors import Transient
from shared.stores.topics import put_topic
from tests.topics.attributing import OPENS_ASIDES, Attributing, monologue, two_talks

EVERYTHING_IS_A_QUESTION = {
    "topic_join_threshold": 1.0,
    "topic_ask_threshold": 0.0,
    "topic_ask_every": 1,
}


async def test_replies_inherit_and_what_is_unlike_opens_a_topic(group: Attributing) -> None:
    await two_talks(group)

    assert await group.talks([1, 2, 3, 4]) == ["m1", "m1", "m3", "m3"]
    assert [one.continues for one in await group.messages([1, 2, 3, 4])] == [None, "m1", None, "m3"]
    release, lunch = sorted(await group.topics(), key=lambda one: one.created_at)
    assert (release.is_titled, lunch.is_titled) == (True, True)
    assert "release" in release.title
    assert "吃饭" in lunch.title
    assert (release.creator_id, release.message_count, release.vector_count) == ("ann", 2, 2)
    assert release.description
    assert release.keywords["release"] >= 1


async def test_a_message_joins_by_what_it_says_in_both_languages(group: Attributing) -> None:
    await two_talks(group)
    await group.say(
        group.message(5, "Ann", "So the release goes to customers on Friday"),
        group.message(6, "小王", "那家面馆的面好吃"),
    )
    await group.attribute()

    assert await group.talks([1, 3, 5, 6]) == ["m1", "m3", "m1", "m3"]
    joined = (await group.messages([5, 6]))[0]
    assert joined.continues in ("m1", "m2")


async def test_after_a_change_of_the_embedding_model_topics_grow_on(group: Attributing) -> None:
    await two_talks(group)
    old = pack([1.0, 2.0, 3.0])
    for topic in await group.topics():
        was = replace(topic, vector_sum=old, vector_count=9, embedding_model="older")
        await group.made.topics.apply([put_topic(was)])
    await group.say(
        group.message(5, "Ann", "And the release goes to all customers", reply_message_id="m1")
    )
    await group.attribute()

    release, lunch = sorted(await group.topics(), key=lambda one: one.created_at)
    assert (release.message_count, release.vector_count) == (3, 1)
    assert release.embedding_model == group.made.embedder.model
    assert len(release.mean_in(release.embedding_model)) == 512
    assert (lunch.vector_sum, lunch.embedding_model) == (old, "older")


async def test_a_model_asked_about_everything_sends_each_message_where_it_belongs(
    group: Attributing,
) -> None:
    await two_talks(group)
    await group.set(**EVERYTHING_IS_A_QUESTION)
    _, before = group.calls()
    await group.say(
        group.message(5, "Ann", "Which customers get the release first on Friday?"),
        group.message(6, "小李", "面馆现在人多吗，要不要早点去吃饭"),
    )
    await group.attribute()
    await group.say(group.message(7, "Dora", "My cat has been asleep on the keyboard all morning"))
    await group.attribute()

    assert await group.talks([1, 3, 5, 6, 7]) == ["m1", "m3", "m1", "m3", "m7"]
    assert group.calls()[1] == before + 2
    cat = next(one for one in await group.topics() if one.creator_id == "dora")
    assert cat.is_titled
    assert "cat" in cat.title


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "nonsense"},
        {"kind": "server_error", "endpoint": "chat"},
        {"kind": "latency", "endpoint": "chat", "latency_ms": 20_000},
        {"kind": "rate_limit", "endpoint": "chat", "retry_after_s": 60},
    ],
    ids=["unreadable", "down", "late", "refused"],
)
async def test_without_an_answer_a_question_goes_where_it_is_most_similar(
    group: Attributing, fault: dict[str, Any]
) -> None:
    await two_talks(group)
    await group.set(**EVERYTHING_IS_A_QUESTION)
    group.fault(**fault)
    group.deps = replace(group.deps, model_budget_s=9)
    await group.say(
        group.message(5, "Ann", "So the release goes to customers on Friday"),
        group.message(6, "小王", "那家面馆的面好吃"),
    )
    await group.attribute()

    assert await group.talks([1, 3, 5, 6]) == ["m1", "m3", "m1", "m3"]


async def test_the_model_is_asked_once_in_so_many_messages(group: Attributing) -> None:
    await two_talks(group)
    await group.set(**{**EVERYTHING_IS_A_QUESTION, "topic_ask_every": 6})
    _, before = group.calls()
    await group.say(group.message(5, "Ann", "Which customers get the release first on Friday?"))
    await group.attribute()
    assert group.calls()[1] == before

    await group.say(group.message(6, "小李", "面馆现在人多吗，要不要早点去吃饭"))
    await group.attribute()
    assert group.calls()[1] == before + 1
    assert await group.talks([1, 3, 5, 6]) == ["m1", "m3", "m1", "m3"]


async def test_a_line_nobody_took_up_leaves_no_topic_behind(group: Attributing) -> None:
    group.deps = replace(group.deps, tables=OPENS_ASIDES)
    await group.say(*monologue(group, range(10), aside=3))
    await group.attribute()
    aside = (await group.messages([3]))[0].topic_id
    assert len(await group.topics()) == 2
    assert await group.made.vectors.fetch(group.group_id, "topic", [str(aside)])

    await group.say(*monologue(group, range(10, 20)))
    await group.attribute()

    (whole,) = await group.topics()
    assert set(await group.talks(range(20))) == {"m0"}
    assert (whole.message_count, whole.vector_count) == (20, 20)
    assert set(whole.user_ids) == {"ann", "eve"}
    follows = (await group.messages([3]))[0].continues
    assert follows in ("m0", "m1", "m2")
    assert not await group.made.vectors.fetch(group.group_id, "topic", [str(aside)])


async def test_what_is_compared_with_later_lines_is_kept_with_a_message_until_it_is_recalled(
    group: Attributing,
) -> None:
    await two_talks(group)
    (first,) = await group.messages([1])
    (own,) = await group.made.embedder.embed([first.content], group_id=group.group_id, budget_s=10)
    assert own is not None
    assert (first.vector, first.vector_model) == (pack_half(own), group.made.embedder.model)

    await group.say(Recall(group_id=group.group_id, message_id="m1"))
    (blank,) = await group.messages([1])
    assert (blank.vector, blank.vector_model) == (b"", "")


async def test_the_groups_own_thresholds_hold(group: Attributing) -> None:
    await two_talks(group)
    await group.set(topic_join_threshold=1.0, topic_ask_threshold=1.0)
    await group.say(group.message(5, "Ann", "So the release goes to customers on Friday"))
    await group.attribute()

    assert await group.talks([1, 5]) == ["m1", "m5"]


async def test_settings_of_another_version_do_not_stop_a_group(group: Attributing) -> None:
    await two_talks(group)
    await group.set(no_such_setting=1)
    await group.say(group.message(5, "Ann", "On Friday then", reply_message_id="m2"))
    await group.attribute()

    assert await group.talks([1, 5]) == ["m1", "m1"]


async def test_while_the_model_is_down_keywords_name_topics_and_later_the_model_does(
    group: Attributing,
) -> None:
    group.fault("server_error", endpoint="chat")
    group.deps = replace(group.deps, model_budget_s=9)
    await two_talks(group)

    plain = await group.topics()
    assert await group.talks([1, 2, 3, 4]) == ["m1", "m1", "m3", "m3"]
    assert [(one.is_titled, one.description, bool(one.title)) for one in plain] == [
        (False, "", True)
    ] * 2

    group.heal()
    await group.set(topic_ask_every=1)
    await group.say(group.message(5, "Bob", "Friday it is", reply_message_id="m2"))
    await group.attribute()

    named = await group.topics()
    assert [one.is_titled for one in named] == [True, True]
    assert {one.title for one in named}.isdisjoint({one.title for one in plain})


async def test_while_the_embedder_is_down_messages_wait_and_then_come_in_order(
    group: Attributing,
) -> None:
    group.fault("server_error", endpoint="embeddings")
    patient = group.deps
    group.deps = replace(group.deps, model_budget_s=9)
    with pytest.raises(Transient):
        await two_talks(group)
    group.deps = patient
    assert await group.pending() == ["m1", "m2", "m3", "m4"]
    await group.say(group.message(5, "Bob", "Friday it is", reply_message_id="m2"))

    group.heal()
    await group.attribute()

    assert await group.pending() == []
    assert await group.talks([1, 2, 3, 4, 5]) == ["m1", "m1", "m3", "m3", "m1"]


async def test_a_poison_message_is_passed_over_and_named(group: Attributing) -> None:
    group.fault("poison", text="xyzzy")
    await group.say(
        group.message(1, "Ann", "When do we ship the new release to the customers?"),
        group.message(2, "Bob", "xyzzy breaks the service", reply_message_id="m1"),
        group.message(3, "Cid", "on Friday I think", reply_message_id="m2"),
        group.message(4, "Cid", "Friday is the release", reply_message_id="m1"),
    )
    done = await group.attribute()

    assert (done.attributed, done.passed_over) == (3, ["m2"])
    poison = (await group.messages([2]))[0]
    assert poison.state is MessageState.UNATTRIBUTABLE
    assert (poison.topic_id, poison.state_reason) == (None, "the embedder refused it")
    assert await group.pending() == []
    assert await group.talks([1, 4]) == ["m1", "m1"]
    assert sum(one.message_count for one in await group.topics()) == 3


async def test_a_long_backlog_comes_in_order_with_one_call_a_hundred(group: Attributing) -> None:
    def said(number: int) -> Any:
        reply = f"m{number - 1}" if number % 25 else None
        text = f"note {number} of talk {number // 25}"
        return group.message(number, "Ann", text, reply_message_id=reply)

    await group.set(topic_join_threshold=1.0, topic_ask_threshold=1.0)
    await group.say(*(said(n) for n in range(250)))
    before = group.calls()
    done = await group.attribute()
    after = group.calls()

    assert done.attributed == 250
    assert await group.pending() == []
    talks = await group.talks(range(250))
    assert talks == [f"m{n - n % 25}" for n in range(250)]
    assert after[0] - before[0] == 3
    assert after[1] - before[1] <= 3


async def test_a_reply_waits_for_what_it_answers_even_beyond_the_batch(group: Attributing) -> None:
    early = [group.message(n, "Ann", f"note {n}", reply_message_id="m500") for n in range(100)]
    await group.say(*early)
    await group.say(group.message(500, "Bob", "the root of it all", at=group.clock()))
    await group.attribute()

    assert set(await group.talks([500, *range(100)])) == {"m500"}
    assert (await group.topics())[0].message_count == 101


async def test_a_reply_that_came_before_its_message_finds_it_by_its_native_id(
    group: Attributing,
) -> None:
    reply = group.message(2, "Bob", "on Friday", reply_native_id="77")
    await group.say(reply)
    await group.say(group.message(1, "Ann", "When do we ship?", native_id="77"))
    await group.attribute()

    assert await group.talks([1, 2]) == ["m1", "m1"]
    assert (await group.messages([2]))[0].reply_message_id == "m1"


async def test_a_reply_that_overtook_its_message_does_not_mean_an_older_one_of_that_native_id(
    group: Attributing,
) -> None:
    long_ago = group.clock() - timedelta(days=30)
    await group.say(group.message(9, "Cid", "Lunch is ready", native_id="77", at=long_ago))
    await group.attribute()
    await group.say(group.message(2, "Bob", "on Friday", reply_native_id="77"))
    assert (await group.messages([2]))[0].reply_message_id == "m9"

    await group.say(group.message(1, "Ann", "When do we ship?", native_id="77"))
    await group.attribute()

    assert await group.talks([1, 2, 9]) == ["m1", "m1", "m9"]
    assert (await group.messages([2]))[0].reply_message_id == "m1"


async def test_a_reply_does_not_mean_a_later_message_of_its_native_id(group: Attributing) -> None:
    await group.say(group.message(1, "Ann", "When do we ship?", native_id="77"))
    await group.say(group.message(2, "Bob", "on Friday", reply_native_id="77"))
    await group.say(group.message(3, "Cid", "Lunch is ready", native_id="77"))
    await group.attribute()

    assert (await group.messages([2]))[0].reply_message_id == "m1"
    assert (await group.talks([1, 2]))[1] == "m1"


async def test_an_edit_stays_in_its_topic_and_is_counted_once(group: Attributing) -> None:
    await two_talks(group)
    edited = group.message(
        2,
        "Bob",
        "Lunch is at the noodle bar",
        reply_message_id="m1",
        edited_at=group.clock() + timedelta(minutes=9),
    )
    old = await group.made.vectors.fetch(group.group_id, "message", ["m2"])
    await group.say(edited)
    assert await group.pending() == ["m2"]
    await group.attribute()

    assert await group.talks([1, 2]) == ["m1", "m1"]
    assert sorted(one.message_count for one in await group.topics()) == [2, 2]
    assert await group.made.vectors.fetch(group.group_id, "message", ["m2"]) != old


async def test_a_message_is_indexed_with_the_one_before_it_and_both_names(
    group: Attributing,
) -> None:
    await two_talks(group)
    first = "Ann: When do we ship the new release to the customers?"
    texts = [first, f"{first}\nBob: The release ships to the customers on Friday"]
    expected = await group.made.embedder.embed(texts, group_id=group.group_id, budget_s=10)

    found = await group.made.vectors.fetch(group.group_id, "message", ["m1", "m2"])
    assert [found["m1"], found["m2"]] == [pytest.approx(one, abs=1e-4) for one in expected]


async def test_message_vectors_can_be_switched_off(group: Attributing) -> None:
    await group.set(message_vectors=False)
    await two_talks(group)

    assert not await group.made.vectors.fetch(group.group_id, "message", ["m1", "m2", "m3", "m4"])
    ids = [one.topic_id for one in await group.topics()]
    assert len(await group.made.vectors.fetch(group.group_id, "topic", ids)) == 2


async def test_a_topic_asks_for_its_summary_and_the_group_for_evolution(
    group: Attributing,
) -> None:
    def said(number: int) -> Any:
        reply = f"m{number - 1}" if number else None
        return group.message(number, "Ann", f"note {number}", reply_message_id=reply)

    await group.say(*(said(n) for n in range(49)))
    await group.attribute()
    assert (await group.state())["jobs"][0] == 0

    await group.say(said(49), said(50))
    await group.attribute()

    state = await group.state()
    assert (state["jobs"][0], state["due"]) == (1, True)
    job = await group.made.jobs.get(state["jobs"][1][0])
    assert job is not None
    assert isinstance(job.payload, SummarizeTopic)
    assert job.payload.topic_id == state["topics"][0].topic_id
    assert state["topics"][0].summary_asked_count == 51


async def test_rounds_of_dialogue_are_counted_for_extraction(group: Attributing) -> None:
    await group.say(
        group.message(1, "Ann", "what is the capital of France?", is_mention_bot=True),
        group.message(2, "Bot", "Paris", role="assistant", reply_message_id="m1"),
        group.message(3, "Bot", "It is on the Seine", role="assistant", reply_message_id="m2"),
        group.message(4, "Ann", "and of Spain?", is_mention_bot=True, reply_message_id="m2"),
        group.message(5, "Bot", "Madrid", role="assistant", reply_message_id="m4"),
    )
    await group.attribute()

    assert (await group.state())["rounds"] == 2


async def test_a_full_batch_of_rounds_wishes_for_one_reading(group: Attributing) -> None:
    async def rounds(first: int, count: int) -> None:
        for number in range(first, first + 2 * count, 2):
            asked = group.message(number, "Ann", f"what is {number} times two?")
            told: dict[str, Any] = {"role": "assistant", "reply_message_id": f"m{number}"}
            await group.say(asked, group.message(number + 1, "Bot", f"{2 * number}", **told))
        await group.attribute()

    async def wished() -> list[str]:
        _, jobs = await group.made.jobs.listed(
            state=None, group_id=group.group_id, limit=100, offset=0
        )
        return [one.job_id for one in jobs if one.kind == "evolve"]

    await rounds(1, 4)
    assert await wished() == []
    await rounds(9, 2)
    assert len(await wished()) == 1
    await rounds(13, 3)
    assert len(await wished()) == 1
    await rounds(19, 1)
    assert len(await wished()) == 2
    await group.set(extract_batch_size=0)
    await rounds(21, 5)
    assert len(await wished()) == 2


async def test_history_closes_topics_as_they_did_then(group: Attributing) -> None:
    then = group.clock() - timedelta(days=9)

    def said(number: int, text: str, hours: float, reply: str | None = None) -> Any:
        at = then + timedelta(hours=hours)
        return group.message(number, "Ann", text, at=at, reply_message_id=reply)

    await group.set(topic_join_threshold=1.0, topic_ask_threshold=1.0)
    await group.say(
        said(1, "Where is the projector for the talk?", 0),
        said(2, "It is in the cupboard", 0.1, "m1"),
        said(3, "Who has the key to the bicycle shed?", 20),
        said(4, "Still in the cupboard", 40, "m1"),
    )
    await group.attribute()

    assert await group.talks([1, 2, 3, 4]) == ["m1", "m1", "m3", "m1"]
    assert [one.is_active for one in await group.topics()] == [True, False]
