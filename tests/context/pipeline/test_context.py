"""Contexts on real stores: what is in them, and what is never in them."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.ingest_message import handle_attribute
from shared.contracts.context import ContextRequest
from shared.domain.audience import KnownAudience
from shared.domain.knowledge.graph import Relation
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory
from shared.domain.messages.message import Recall
from shared.domain.ranking.anchors import ANCHORS
from shared.stores.memories import new_memory
from shared.stores.relations import Relations, put_relation
from shared.wiring import Services
from tests.context.contexts import ask, bot, ids, ingest, remembering, said
from tests.services import Clock, in_process, put_profiles
from tests.topics.attributing import attributing


@pytest.fixture
def group() -> str:
    return f"test:{uuid.uuid4().hex[:12]}"


async def test_the_reply_chain_is_always_in_however_small_the_budget(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(
        made,
        group,
        said(group, 1, "the database migration is stuck at step 4", clock),
        said(group, 2, "which index does it build?", clock, reply_message_id="m1"),
        *(said(group, 10 + n, f"lol {n}", clock, user_id=f"x{n}") for n in range(20)),
        said(group, 40, "the one on created_at", clock, reply_message_id="m2"),
    )
    answer = await ask(made, group, message_id="m40", max_tokens=70)

    assert answer.mode == "intelligent"
    assert ids(answer)[:2] == ["m1", "m2"]
    assert "reply chain" in answer.items[0].reasons
    assert len(ids(answer)) <= 3
    assert {"group", "ring", "chain", "vector", "pages", "total"} <= answer.timings_ms.keys()


async def test_a_question_that_has_its_topic_already_is_asked_with_the_vector_kept_of_it(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, said(group, 1, "the Tokyo hotel costs 180 euros a night", clock))
    await ingest(made, group, said(group, 50, "how much does the Tokyo hotel cost?", clock))
    await handle_attribute.attribute(group, attributing(made))
    paid = made.embedder.counts.paid
    answer = await ask(made, group, message_id="m50")

    assert answer.mode == "intelligent"
    assert "m1" in ids(answer)
    assert made.embedder.counts.paid - paid <= len(ANCHORS)  # once in a process's life
    paid = made.embedder.counts.paid
    await ask(made, group, message_id="m50")
    assert made.embedder.counts.paid == paid


async def test_a_line_asked_in_other_words_is_not_told_as_said_before(
    made: Services, clock: Clock, group: str
) -> None:
    """A bot sends a line on and asks at once: it may be stored by then, with the bot's name in it,
    or not yet."""
    words = "how much does the Tokyo hotel cost?"
    await ingest(made, group, said(group, 1, "the Tokyo hotel costs 180 euros a night", clock))
    before = await ask(made, group, message=words, message_id="m50", user_id="u2")
    await ingest(made, group, said(group, 50, f"@10001 {words}", clock))
    after = await ask(made, group, message=words, message_id="m50", user_id="u2")

    assert ids(before) == ids(after) == ["m1"]
    assert words not in after.text


async def test_a_message_long_gone_comes_back_by_its_words_and_meaning(
    made: Services, clock: Clock, group: str
) -> None:
    old = said(group, 1, "the Tokyo hotel costs 180 euros a night", clock)
    await ingest(made, group, replace(old, create_time=clock() - timedelta(days=40)))
    await handle_attribute.attribute(group, attributing(made))
    await ingest(made, group, said(group, 50, "how much does the Tokyo hotel cost?", clock))
    answer = await ask(made, group, message_id="m50")

    assert ids(answer) == ["m1"]


async def test_a_recalled_or_edited_message_shows_at_once_on_a_warm_instance(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, *(said(group, n, f"plan {n}", clock, user_id="u1") for n in (1, 2)))
    deps = context_deps(made)
    request = ContextRequest(group_id=group, message="what is the plan?", user_id="u1")
    assert ids(await build_context(request, deps)) == ["m1", "m2"]

    await ingest(
        made,
        group,
        Recall(group_id=group, message_id="m1"),
        replace(said(group, 2, "the plan changed", clock, user_id="u1"), edited_at=clock()),
        said(group, 3, "one more plan", clock, user_id="u1"),
    )
    answer = await build_context(request, deps)

    assert ids(answer) == ["m2", "m3"]
    assert "the plan changed" in answer.text


async def test_a_core_memory_that_has_expired_is_not_offered(
    made: Services, clock: Clock, group: str
) -> None:
    now = clock()
    soon = now + timedelta(hours=1)
    memory = Memory("k1", group, "The lift is broken", 1, now, now, core=True, valid_until=soon)
    await made.memories.apply([new_memory(memory)])
    await ingest(made, group, said(group, 1, "hello", clock))
    before = await ask(made, group, message="may we take the lift?", user_id="u1")
    clock.turn(hours=2)
    after = await ask(made, group, message="may we take the lift?", user_id="u1")

    assert (ids(before, "memory"), ids(after, "memory")) == (["k1"], [])


async def test_every_section_of_memory_is_offered_when_it_is_called_for(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock))
    travel = await ask(made, group, message="which flight to Tokyo did we book?", user_id="u1")
    food = await ask(made, group, message="is Ann allergic to peanuts?", user_id="u1")

    assert ids(travel, "profile") == [f"group:{group}", "user:u1"]
    assert ids(travel, "event") == ["r1:1"]
    assert ids(travel, "summary") == ["t1:1"]
    assert ids(travel, "memory")[0] == "k0"
    assert "k1" in ids(food, "memory")
    assert "k2" not in ids(food, "memory")
    assert ids(food, "summary") == [], "it is of a journey"
    assert travel.stable == food.stable
    assert travel.stable.index("A team of three.") < travel.stable.index("Bob likes maps.")
    assert travel.tokens["total"] == travel.tokens["stable"] + travel.tokens["dynamic"]


async def test_the_graph_around_what_is_named_is_there_when_it_is_asked_for(
    made: Services, clock: Clock, group: str
) -> None:
    for one in (group, f"{group}b"):
        await remembering(made, clock, one)
    await ingest(made, group, bot(group, 1, "hello", clock))
    strange = Relation("l9", f"{group}b", "n1", "n2", "hides_in", clock(), clock())
    await made.database.commit([put_relation(strange)])
    wish = {"message": "摸摸 is where?", "user_id": "u1"}
    unasked = await ask(made, group, **wish)
    asked = await ask(made, group, **wish, include=["graph"])
    other = await ask(made, group, message="who lives there?", include=["graph"])

    assert not ids(unasked, "entity") + ids(unasked, "relation")
    assert {(item.kind, item.id) for item in asked.items} == {("entity", "n1"), ("relation", "l1")}
    assert "> Momo lives in the office (Momo lives here)" in asked.dynamic
    assert asked.stable == ""
    assert asked.items[0].score > 0
    assert asked.items[0].reasons
    assert other.items == []


async def test_of_a_hub_at_most_a_hundred_edges_are_read(
    made: Services, clock: Clock, group: str
) -> None:
    now = clock()
    edges = [
        Relation(f"l{n}", group, "hub", f"n{n}", "knows", now, now, confidence=n / 120)
        for n in range(120)
    ]
    await made.database.commit([put_relation(one) for one in edges])
    found = await Relations(made.database).touching(group, "hub", limit=500)

    assert [one.relation_id for one in found] == [f"l{n}" for n in range(119, 19, -1)]


async def test_the_stable_part_is_the_same_bytes_until_a_version_changes(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock))
    wish = {"message": "which flight did we book?", "user_id": "u1"}
    before = await ask(made, group, **wish)
    await ingest(made, group, *(said(group, n, f"news {n}", clock) for n in range(2, 30)))
    after = await ask(made, group, **wish)
    bob = Profile("user", "u1", group, "Bob likes trains.", clock(), name="Bob", version=2)
    await put_profiles(made, bob)
    changed = await ask(made, group, **wish)

    assert before.stable == after.stable != ""
    assert changed.stable != after.stable


@pytest.mark.parametrize(
    ("message", "settings", "spoke", "why"),
    [
        ("which flight did we book?", {}, False, "first round"),
        ("好", {}, True, "short query"),
        ("i see, fine by me", {}, True, "nothing asks for it"),
        ("which flight did we book?", {"MEMORY_LONG_TERM_TRIGGER": "keywords"}, True, "nothing"),
        ("which flight did we book?", {"MEMORY_ENABLE_LONG_TERM": "false"}, True, "switched off"),
        ("记得那个航班吗", {"MEMORY_LONG_TERM_TRIGGER": "keywords"}, True, None),
        ("i see, fine by me", {"MEMORY_LONG_TERM_TRIGGER": "always"}, True, None),
        ("which flight did we book?", {"MEMORY_FIRST_ROUND_EMPTY": "false"}, False, None),
    ],
)
async def test_long_term_memory_comes_only_when_it_should(
    told: dict[str, Any],
    clock: Clock,
    group: str,
    message: str,
    settings: dict[str, str],
    spoke: bool,
    why: str | None,
) -> None:
    async with in_process(told, clock, **settings) as made:
        await remembering(made, clock, group)
        if spoke:
            await ingest(made, group, said(group, 1, "hello", clock))
        answer = await ask(made, group, message=message, user_id="u1")

    remembered = [item for item in answer.items if item.kind != "message"]
    assert bool(remembered) == (why is None)
    if why:
        assert why in answer.reason
        assert answer.stable == ""


async def test_the_very_first_message_is_a_first_round_and_a_silent_week_is_none(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, said(group, 1, "which flight did we book?", clock))
    first = await ask(made, group, message_id="m1")
    await handle_attribute.attribute(group, attributing(made))
    clock.turn(days=7)
    await ingest(made, group, said(group, 2, "which flight did we book?", clock))
    later = await ask(made, group, message_id="m2")

    assert "first round" in first.reason
    assert ids(later, "event") == ["r1:1"]


async def test_switched_off_it_is_the_chain_and_the_last_ten_without_events_or_profiles(
    told: dict[str, Any], clock: Clock, group: str
) -> None:
    async with in_process(told, clock, MEMORY_ENABLE_INTELLIGENT_MEMORY="false") as made:
        await ingest(made, group, *(said(group, n, f"line {n}", clock) for n in range(1, 30)))
        answer = await ask(made, group, message="and now?")
    assert (answer.mode, len(ids(answer))) == ("traditional", 10)

    async with in_process(told, clock, MEMORY_ENABLE_COGNITIVE="false") as made:
        await remembering(made, clock, group)
        await ingest(made, group, bot(group, 1, "hello", clock))
        answer = await ask(made, group, message="which flight to Tokyo did we book?", user_id="u1")
    assert not ids(answer, "event") + ids(answer, "profile")
    assert ids(answer, "summary")


async def test_a_grey_release_takes_the_listed_groups_and_a_share_of_the_others(
    told: dict[str, Any], clock: Clock, group: str
) -> None:
    grey = {"MEMORY_GREY_SHARE": "0", "MEMORY_GREY_GROUPS": f"{group},lark:other"}
    async with in_process(told, clock, **grey) as made:
        inside = await ask(made, group, message="hello there")
        outside = await ask(made, "test:somebody-else", message="hello there")

    assert inside.mode == "intelligent"
    assert (outside.mode, "not released" in outside.reason) == ("traditional", True)


@pytest.mark.parametrize("sharing", ["isolated", "shared"])
async def test_nothing_of_another_group_and_nothing_said_in_private_is_shown(
    told: dict[str, Any], clock: Clock, group: str, sharing: str
) -> None:
    other, private = f"{group}b", f"{group}p"
    async with in_process(told, clock, MEMORY_PROFILE_SHARING=sharing) as made:
        heard: dict[str, KnownAudience] = {group: "group", other: "group", private: "private"}
        for one, audience in heard.items():
            await remembering(made, clock, one)
            await ingest(
                made,
                one,
                bot(one, 1, f"hello from {one}", clock, audience=audience),
                said(one, 2, f"the flight secret of {one}", clock, user_id="u1"),
            )
            body = f"Known in {one}."
            bob = Profile("user", "u1", one, body, clock(), audience=audience, name="Bob")
            await put_profiles(made, bob)
            await handle_attribute.attribute(one, attributing(made))
        answer = await ask(made, group, message="which flight secret did we book?", user_id="u1")

    assert ids(answer)
    assert ids(answer, "profile") == [f"group:{group}", "user:u1"]
    assert f"Known in {group}." in answer.text
    assert (f"Known in {other}." in answer.text) == (sharing == "shared")
    assert f"of {other}" not in answer.text
    assert f"from {other}" not in answer.text
    assert private not in answer.text


async def test_a_group_of_its_own_mind_overrides_weights_and_threshold(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, *(said(group, n, f"line {n}", clock) for n in range(1, 10)))
    own = {"context_scorer": "five_factor", "relevance_threshold": 0.0}
    await made.groups.change(group, lambda one: replace(one, settings=own), clock())
    assert len(ids(await ask(made, group, message="so?"))) == 9
    strict = {**own, "relevance_threshold": 1.0}
    await made.groups.change(group, lambda one: replace(one, settings=strict), clock())
    assert ids(await ask(made, group, message="so?")) == []


async def test_a_setting_of_another_version_does_not_cost_a_group_its_other_settings(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, *(said(group, n, f"line {n}", clock) for n in range(1, 10)))
    stored = {"no_such_setting": 1, "context_scorer": "five_factor", "relevance_threshold": 0.0}
    await made.groups.change(group, lambda one: replace(one, settings=stored), clock())
    assert len(ids(await ask(made, group, message="so?"))) == 9


async def test_the_record_tells_what_each_item_scored_and_why(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(
        made,
        group,
        said(group, 1, "the plan is to ship", clock, user_id="u1"),
        said(group, 2, "lunch was good", clock, user_id="u2"),
    )
    answer = await ask(made, group, message="what is the plan?", user_id="u1")
    found = await made.database.get(f"groups/{group}/contexts/{answer.context_id}")

    assert found is not None
    assert found.data["items"][0]["score"] == answer.items[0].score
    assert found.data["trace"]["factors"]["m1"]["words"] > 0
    assert found.data["mode"] == "intelligent"

    await made.groups.change(
        group, lambda one: replace(one, settings={"enable_async_data_collection": False}), clock()
    )
    silent = await ask(made, group, message="what is the plan?", user_id="u1")
    assert await made.database.get(f"groups/{group}/contexts/{silent.context_id}") is None


async def test_the_first_reads_of_an_instance_open_each_index_once(
    made: Services, told: dict[str, Any], clock: Clock, group: str
) -> None:
    await ingest(made, group, bot(group, 1, "hello", clock))
    stats = f"{told['admin']['pinecone']}/stats"
    async with httpx.AsyncClient(trust_env=False) as admin:
        await admin.delete(stats)
        await ask(made, group, message="which flight did we book?", user_id="u1")
        calls = (await admin.get(stats)).json()["calls"]

    assert (calls["describe_index"], calls["query"]) == (1, 2)


async def test_the_same_question_gets_the_same_bytes(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(
        made,
        group,
        bot(group, 1, "hello", clock),
        *(said(group, n, f"flight {n} to Tokyo", clock) for n in range(2, 30)),
    )
    await handle_attribute.attribute(group, attributing(made))
    wish = {"message": "which flight to Tokyo did we book?", "user_id": "u1"}
    first, second = await ask(made, group, **wish), await ask(made, group, **wish)
    same = {"stable", "dynamic", "messages", "items", "tokens", "mode", "reason"}

    assert ids(first)
    assert first.model_dump(include=same) == second.model_dump(include=same)


async def test_words_that_were_sent_on_before_they_are_asked_are_not_offered_to_themselves(
    made: Services, clock: Clock, group: str
) -> None:
    question = "what is the wifi password?"
    answer = said(group, 1, "the wifi password is heron-92", clock)
    before = said(group, 2, question, clock, user_id="u7")
    now = said(group, 3, question, clock, user_id="u8", create_time=clock())
    await ingest(made, group, answer, before, now)

    asked_on = await ask(made, group, message=question, user_id="u8")
    switched_off = {"enable_intelligent_memory": False}
    await made.groups.change(group, lambda one: replace(one, settings=switched_off), clock())
    plain = await ask(made, group, message=question, user_id="u8")

    assert "m1" in ids(asked_on)
    assert "m3" not in ids(asked_on)
    assert plain.mode == "traditional"
    assert ids(plain) == ["m1", "m2"]


async def test_a_first_line_that_is_asked_by_its_words_is_a_first_round(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, said(group, 1, "do you remember me?", clock, create_time=clock()))
    first = await ask(made, group, message="do you remember me?", user_id="u1")

    assert "first round" in first.reason
    assert ids(first) == []


async def test_lean_spending_offers_fewer_lines_than_full(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(
        made,
        group,
        said(group, 1, "the boiler repair costs 900 euros", clock),
        *(said(group, n, f"nothing much today {n}", clock) for n in range(2, 40)),
    )
    wish = {"message": "what does the boiler repair cost?", "user_id": "u1"}
    full = await ask(made, group, **wish)
    own = {"context_spending": "lean"}
    await made.groups.change(group, lambda one: replace(one, settings=own), clock())
    lean = await ask(made, group, **wish)

    assert "m1" in ids(lean)
    assert len(ids(lean)) <= 16 < len(ids(full))
