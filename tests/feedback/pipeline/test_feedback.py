"""Feedback on real stores: once a context, in one commit, and what it makes of memories."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from functions.build_context import handle_context_records, handle_feedback
from functions.evolve_group import handle_maintain
from functions.historian_job import handle_forget
from functions.ingest_message import handle_attribute
from shared.contracts.context_records import Feedback, FeedbackAnswer
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.errors import Transient
from shared.stores.memories import new_memory
from shared.wiring import Services
from tests.context.contexts import ask, ids, ingest, remembering, said
from tests.services import Clock, replaced
from tests.topics.attributing import attributing

QUESTION = {"message": "what is Ann allergic to?", "user_id": "u1"}


@pytest.fixture
def group() -> str:
    return f"test:{uuid4().hex[:12]}"


async def offered(made: Services, clock: Clock, group: str) -> str:
    """A context with `k0` as core and `k1` as relevant."""
    await remembering(made, clock, group)
    await ingest(made, group, said(group, 1, "hello", clock))
    answer = await ask(made, group, **QUESTION)
    assert {"k0", "k1"} <= set(ids(answer, "memory"))
    return answer.context_id


async def feed(made: Services, context_id: str, **told: Any) -> FeedbackAnswer:
    record = await made.contexts.find(context_id)
    return await handle_feedback.take_feedback(record, Feedback(**told), made)


async def test_an_export_has_the_labelled_contexts_with_what_each_line_was_worth(
    made: Services, clock: Clock, group: str
) -> None:
    used = await offered(made, clock, group)
    unlabelled = (await ask(made, group, **QUESTION)).context_id
    await feed(made, used, llm_response="Ann is allergic to peanuts.", success_indicator=0.75)

    lines = [json.loads(one) async for one in handle_context_records.exported(group, made.contexts)]

    assert [one["context_id"] for one in lines] == [used] != [unlabelled]
    [line] = lines
    worth = {one["id"]: one["was_referenced"] for one in line["items"] if one["kind"] == "memory"}
    assert (worth["k1"], worth["k0"]) == (True, False)
    assert line["success_indicator"] == 0.75
    assert all(one["factors"] for one in line["items"] if one["kind"] == "message")
    assert "peanuts" not in json.dumps(line), "numbers and ids, no words"


async def test_feedback_is_taken_while_the_embedder_is_away(
    made: Services, clock: Clock, group: str
) -> None:
    used = await offered(made, clock, group)
    record = await made.contexts.find(used)

    class Away:
        async def embed(self, *_: Any, **__: Any) -> Any:
            raise Transient("the embedder is away")

    away: Any = Away()
    deps = replaced(made, embedder=away)
    told = Feedback(llm_response="Ann is allergic to peanuts.", used_ids=["k1"])

    answer = await handle_feedback.take_feedback(record, told, deps)

    assert answer.is_new
    assert [one.id for one in answer.usage if one.was_referenced] == ["k1"]


async def strengths(made: Services, group: str) -> dict[str, float]:
    return {one.memory_id: one.strength for one in await made.memories.active(group, 10)}


@pytest.mark.parametrize(
    "reply",
    [
        "Ann is allergic to peanuts, so leave them out.",
        "No nuts for her please, peanuts make Ann ill.",
        "安对花生过敏，别放花生。",
    ],
    ids=["quoted", "paraphrased", "in the other language"],
)
async def test_a_reply_that_uses_a_memory_strengthens_it(
    made: Services, clock: Clock, group: str, reply: str
) -> None:
    context_id = await offered(made, clock, group)
    answer = await feed(made, context_id, llm_response=reply)

    assert answer.strengthened == ["k1"]
    assert "k0" not in answer.faded, "core never fades"
    assert (await strengths(made, group))["k1"] == pytest.approx(0.55)
    seen = {one.id: one.was_referenced for one in answer.usage if one.kind == "memory"}
    assert seen["k1"] is True
    assert seen["k0"] is False


async def test_what_was_offered_in_vain_fades_once_a_day(
    made: Services, clock: Clock, group: str
) -> None:
    reply = {"llm_response": "I could not say, sorry."}
    first = await feed(made, await offered(made, clock, group), **reply)
    again = await feed(made, (await ask(made, group, **QUESTION)).context_id, **reply)
    clock.turn(days=1)
    await ingest(made, group, said(group, 2, "hello again", clock))
    later = await feed(made, (await ask(made, group, **QUESTION)).context_id, **reply)

    assert (first.faded, again.faded, later.faded) == (["k1"], [], ["k1"])
    assert (await strengths(made, group))["k1"] == pytest.approx(0.46)
    assert (await strengths(made, group))["k0"] == pytest.approx(0.5)


async def test_replayed_feedback_changes_nothing(made: Services, clock: Clock, group: str) -> None:
    context_id = await offered(made, clock, group)
    told = {"used_ids": ["k1"], "success_indicator": 0.9}
    answers = await asyncio.gather(*(feed(made, context_id, **told) for _ in range(4)))
    late = await feed(made, context_id, llm_response="something else")

    assert sorted(one.is_new for one in answers) == [False, False, False, True]
    assert late.is_new is False
    assert {one.id for one in late.usage if one.was_referenced} == {"k1"}
    assert (await strengths(made, group))["k1"] == pytest.approx(0.55)


async def test_core_and_archived_follow_in_upkeep(made: Services, clock: Clock, group: str) -> None:
    context_id = await offered(made, clock, group)
    now = clock()
    weak = Memory("k8", group, "Cid once had a kite", 1, now, now, strength=0.1)
    strong = Memory("k9", group, "Bob sails on Sundays", 1, now, now, strength=0.79)
    await made.database.commit([new_memory(weak), new_memory(strong)])
    record = await made.contexts.find(context_id)
    await made.contexts.label(
        record, ["k9"], lambda found, memories: (found, [_with(memories[0], 0.84)])
    )
    before = {one.memory_id for one in await made.memories.active(group, 10) if one.core}
    clock.turn(days=2)
    await handle_maintain.maintain(handle_maintain.deps_for(made))
    active = await made.memories.active(group, 10)

    assert "k9" not in before, "strength alone moves nothing"
    assert "k9" in {one.memory_id for one in active if one.core}
    archived = await made.memories.with_status(group, MemoryStatus.ARCHIVED, 10)
    assert [one.memory.memory_id for one in archived] == ["k8"]


def _with(memory: Memory, strength: float) -> Memory:

    return replace(memory, strength=strength)


async def test_a_context_can_be_looked_at_with_what_was_left_out_and_why(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    candidate = Memory(
        "k7", group, "The group moves to Oslo", 1, clock(), clock(), status=MemoryStatus.CANDIDATE
    )
    await made.database.commit([new_memory(candidate)])
    lines = [said(group, n, f"peanuts and Ann, line {n} {'x' * 200}", clock) for n in range(1, 30)]
    await ingest(made, group, *lines)
    answer = await ask(made, group, max_tokens=200, **QUESTION)
    await feed(made, answer.context_id, llm_response="Peanuts!", used_ids=["k1"])
    record = await made.contexts.find(answer.context_id)
    detail = await handle_context_records.look_at(record, made)
    listed = await handle_context_records.list_contexts(group, 10, 0, made.contexts)

    assert [one.context_id for one in listed.contexts] == [answer.context_id]
    assert listed.total == 1
    offered_ids = {(one.kind, one.id) for one in detail.items}
    assert {(one.kind, one.id) for one in answer.items} == offered_ids
    assert all(one.text for one in detail.items if one.kind in ("message", "memory"))
    used = {one.id: one.was_referenced for one in detail.items}
    assert used["k1"] is True
    why = {(one.kind, one.id): one.why for one in detail.left_out}
    assert "no room" in why.values()
    assert why[("memory", "k2")] == "below the threshold"
    assert why[("memory", "k7")] == "held back"
    assert offered_ids.isdisjoint(why)


async def test_a_forgotten_line_takes_the_replies_built_on_it_along(
    made: Services, clock: Clock, group: str
) -> None:
    await ingest(made, group, said(group, 1, "the door code is 4711", clock))
    await handle_attribute.attribute(group, attributing(made))
    answer = await ask(made, group, message="what is the door code?", user_id="u2")
    assert ids(answer) == ["m1"]
    await feed(made, answer.context_id, llm_response="The code is 4711.", user_feedback="4711!")
    deps = made
    job = await handle_forget.forget_message(group, "m1", deps)
    await made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))
    record = await made.contexts.find(answer.context_id)

    assert "4711" not in str(record)
    assert record.is_labelled


async def test_a_record_has_a_time_to_go(made: Services, clock: Clock, group: str) -> None:
    await ingest(made, group, said(group, 1, "hello", clock))
    answer = await ask(made, group, message="hello?", user_id="u2")
    record = await made.contexts.find(answer.context_id)

    assert record.expires_at is not None
    assert record.expires_at - clock() == timedelta(days=30)
