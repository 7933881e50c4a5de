"""Contexts on real stores: what is in them, what is never in them, and what outages leave."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from functions.build_context.app import context_deps
from functions.build_context.handle_context import Deps, build_context
from functions.ingest_message import handle_attribute, handle_messages
from functions.ingest_message.analysis import analysed
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.domain.event import Event
from shared.domain.memory import Memory
from shared.domain.message import Message, Recall
from shared.domain.profile import Profile
from shared.domain.topic import Summary, Topic
from shared.domain.vectors import pack
from shared.errors import Transient
from shared.stores.events import put_event
from shared.stores.memories import new_memory
from shared.stores.profiles import put_profile
from shared.stores.topics import put_summary, put_topic
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.pipelines.attributing import attributing
from tests.services import Clock, in_process


@pytest.fixture
def group() -> str:
    return f"test:{uuid.uuid4().hex[:12]}"


def said(group: str, number: int, content: str, clock: Clock, **changes: Any) -> Message:
    fields: dict[str, Any] = {
        "group_id": group,
        "message_id": f"m{number}",
        "user_id": f"u{number % 3}",
        "user_name": ["Ann", "Bob", "Cid"][number % 3],
        "content": content,
        "create_time": clock() - timedelta(minutes=60 - number),
        **changes,
    }
    return Message(**fields)


async def ingest(made: Services, group: str, *messages: Message | Recall) -> None:
    deps = handle_messages.Deps(made.groups, made.messages, made.dispatch, analysed, made.now)
    await handle_messages.ingest(group, list(messages), deps)


def bot(group: str, number: int, content: str, clock: Clock, **changes: Any) -> Message:
    changes = {"role": "assistant", "user_id": "bot", "user_name": "Annals", **changes}
    return said(group, number, content, clock, **changes)


async def ask(made: Services, group: str, **wish: Any) -> ContextAnswer:
    return await build_context(ContextRequest(group_id=group, **wish), context_deps(made))


def ids(answer: ContextAnswer, kind: str = "message") -> list[str]:
    return [item.id for item in answer.items if item.kind == kind]


async def test_the_reply_chain_is_always_in_and_noise_is_not(
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
    answer = await ask(made, group, message_id="m40")

    assert answer.mode == "intelligent"
    assert ids(answer)[:2] == ["m1", "m2"]
    assert "reply chain" in answer.items[0].reasons
    assert len(ids(answer)) < 12
    assert {"group", "ring", "chain", "words", "meaning", "total"} <= answer.timings_ms.keys()


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
    assert made.recent.hits >= 1


async def remembering(made: Services, clock: Clock, group: str) -> None:
    """One record of each kind, written through the stores that the pipelines use."""
    now = clock()
    texts = [
        "The team deploys on Tuesdays",
        "Ann is allergic to peanuts",
        "The cat of the office is called Momo",
        "On 2026-01-05 the group booked a flight to Tokyo",
        "They compared hotels in Tokyo and chose the one near the station",
    ]
    found = await made.embedder.embed(texts, group_id=group, budget_s=20)
    vectors = [one for one in found if one]
    core, near, far = (
        Memory(f"k{n}", group, texts[n], 1, now, now, strength=s, vector=pack(vectors[n]))
        for n, s in ((0, 0.9), (1, 0.5), (2, 0.5))
    )
    event = Event(
        "r1:1", group, texts[3], "r1", 1, now, now.isoformat(), "UTC", "", "end", "u1", "u1",
        (), ("u1",), True,
    )  # fmt: skip
    topic = Topic("t1", group, "Tokyo", "u1", now, now, summary_version=1)
    summary = Summary("t1", group, 1, texts[4], "model", now, (), ("u1",), title="Tokyo")
    await made.database.commit(
        [
            *(new_memory(one) for one in (core, near, far)),
            put_event(event),
            put_topic(topic),
            put_summary(summary),
            put_profile(Profile("group", group, group, "A team of three.", now)),
            put_profile(Profile("user", "u1", group, "Bob likes maps.", now, name="Bob")),
        ]
    )
    await made.vectors.apply(
        group,
        VectorPlan([Vector("event", "r1:1", vectors[3]), Vector("summary", "t1", vectors[4], 1)]),
    )


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
    assert travel.stable == food.stable
    assert travel.stable.index("A team of three.") < travel.stable.index("Bob likes maps.")
    assert travel.tokens["total"] == travel.tokens["stable"] + travel.tokens["dynamic"]


async def test_the_stable_part_is_the_same_bytes_until_a_version_changes(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock))
    wish = {"message": "which flight did we book?", "user_id": "u1"}
    before = await ask(made, group, **wish)
    await ingest(made, group, *(said(group, n, f"news {n}", clock) for n in range(2, 30)))
    after = await ask(made, group, **wish)
    await made.profiles.put(
        [Profile("user", "u1", group, "Bob likes trains.", clock(), name="Bob", version=2)]
    )
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
        opening = bot if spoke else said
        await ingest(made, group, opening(group, 1, "hello", clock))
        answer = await ask(made, group, message=message, user_id="u1")

    remembered = [item for item in answer.items if item.kind != "message"]
    assert bool(remembered) == (why is None)
    if why:
        assert why in answer.reason
        assert answer.stable == ""


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
        for one, audience in ((group, "group"), (other, "group"), (private, "private")):
            await remembering(made, clock, one)
            await ingest(
                made,
                one,
                bot(one, 1, f"hello from {one}", clock, audience=audience),
                said(one, 2, f"the flight secret of {one}", clock, user_id="u1"),
            )
            body = f"Known in {one}."
            await made.profiles.put(
                [Profile("user", "u1", one, body, clock(), audience=audience, name="Bob")]
            )
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
    await made.groups.change(
        group, lambda one: replace(one, settings={"relevance_threshold": 0.0}), clock()
    )
    assert len(ids(await ask(made, group, message="so?"))) == 9


async def test_the_record_tells_what_each_item_scored_and_why(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, said(group, 1, "the plan is to ship", clock, user_id="u1"))
    answer = await ask(made, group, message="what is the plan?", user_id="u1")
    found = await made.database.get(f"groups/{group}/contexts/{answer.context_id}")

    assert found is not None
    assert found.data["items"][0]["score"] == answer.items[0].score
    assert found.data["trace"]["factors"]["m1"]["user_continuity"] > 0
    assert found.data["mode"] == "intelligent"

    await made.groups.change(
        group, lambda one: replace(one, settings={"enable_async_data_collection": False}), clock()
    )
    silent = await ask(made, group, message="what is the plan?", user_id="u1")
    assert await made.database.get(f"groups/{group}/contexts/{silent.context_id}") is None


# Outages. The deadline is short, so that a hanging service is noticed soon.

DEADLINE_MS = 1500


class Trouble:
    """Sets and ends the faults of one service through its emulator's admin endpoint."""

    def __init__(self, told: dict[str, Any], service: str, how: str) -> None:
        self._admin = told["admin"][service]
        self._service = service
        self.how = how

    def begin(self) -> None:
        body: dict[str, Any]
        slow, share = self.how == "slow", {"down": 1.0, "half": 0.5, "slow": 0.0}[self.how]
        match self._service:
            case "firestore":
                body = {"latency_ms": 10_000} if slow else {"unavailable": share}
                httpx.put(f"{self._admin}/faults", json=body, trust_env=False)
            case "pinecone":
                body = {"latency_ms": 10_000} if slow else {"status": 503, "share": share}
                httpx.put(f"{self._admin}/faults", json=body, trust_env=False)
            case _:
                kind = {"kind": "latency", "latency_ms": 10_000} if slow else {}
                body = kind or {"kind": "server_error", "share": share}
                httpx.post(f"{self._admin}/faults", json=body, trust_env=False)

    def end(self) -> None:
        if self._service == "firestore":
            httpx.put(f"{self._admin}/faults", json={}, trust_env=False)
        else:
            httpx.delete(f"{self._admin}/faults", trust_env=False)


@pytest.fixture(params=["firestore", "pinecone", "openai"])
def service(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["down", "slow", "half"])
def trouble(
    request: pytest.FixtureRequest, told: dict[str, Any], service: str
) -> Iterator[Trouble]:
    trouble = Trouble(told, service, request.param)
    yield trouble
    trouble.end()


@pytest.fixture
async def warm(made: Services, clock: Clock, group: str) -> Deps:
    """An instance that has answered before."""
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock), said(group, 2, "the plan", clock))
    deps = context_deps(made)
    await build_context(ContextRequest(group_id=group, message="what is the plan?"), deps)
    return deps


async def test_whatever_is_down_slow_or_failing_an_answer_comes_and_says_what_is_missing(
    warm: Deps, group: str, service: str, trouble: Trouble
) -> None:
    trouble.begin()
    request = ContextRequest(
        group_id=group, message="what was the plan?", user_id="u2", deadline_ms=DEADLINE_MS
    )
    answer = await build_context(request, warm)

    assert answer.timings_ms["total"] <= DEADLINE_MS
    assert answer.mode in ("intelligent", "traditional", "empty")
    assert answer.reason
    if service != "firestore":
        assert answer.mode == "intelligent"
        assert "m2" in ids(answer)
        if trouble.how != "half":
            assert "without" in answer.reason


@pytest.mark.parametrize("how", ["down", "slow"])
async def test_without_fallback_an_outage_is_raised(
    told: dict[str, Any], clock: Clock, group: str, how: str
) -> None:
    trouble = Trouble(told, "firestore", how)
    async with in_process(told, clock, MEMORY_FALLBACK_ON_ERROR="false") as made:
        trouble.begin()
        try:
            with pytest.raises(Transient):
                await ask(made, group, message="hello there", deadline_ms=DEADLINE_MS)
        finally:
            trouble.end()
