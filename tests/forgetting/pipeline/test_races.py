"""Forgetting comes between any two steps of every pipeline: nothing ever comes back.

`make test` takes some steps of each, `make faults` (RACES=all) every one.
"""

import os
from collections.abc import Awaitable, Callable
from datetime import UTC
from typing import Any

import pytest

from functions.historian_job import handle_forget
from shared.contracts.jobs import (
    digest_job,
    evolve_job,
    historian_job,
    summarize_job,
)
from shared.domain.knowledge.event import Note
from shared.domain.topics.group_digest import week_at
from shared.errors import AnnalsError
from tests.forgetting.interleaving import Interleaving, stepped_stores
from tests.forgetting.whole_group import Saying, WholeGroup

PIN = "889900"
FACT = f"Ann's card has the PIN {PIN}"
ANSWERS: dict[str, dict[str, Any]] = {
    "segment_summarize": {
        "summary": f"Ann has a card with the PIN {PIN}; they meet at the harbour.",
        "title": f"PIN {PIN}", "keywords": [{"keyword": PIN, "weight": 1.0}],
        "people": ["Ann"], "decisions": [f"The PIN {PIN} stays"], "open_questions": [],
    },
    "memory_evolve": {
        "lines": [
            {"action": "create", "statement": FACT, "subject": "u-ann", "kind": "fact",
             "confidence": 0.95, "sources": ["m00002"], "reason": f"she said {PIN}"},
        ],
        "entities": [{"name": PIN, "type": "other", "confidence": 0.9}],
    },
}  # fmt: skip
OTHERWISE: dict[str, dict[str, Any]] = {
    "segment_summarize": {
        "summary": "They meet at the harbour.", "title": "Harbour",
        "keywords": [{"keyword": "harbour", "weight": 1.0}],
        "people": [], "decisions": [], "open_questions": [],
    },
    "memory_evolve": {"lines": []},
}  # fmt: skip


class Repeating(Saying):
    """A model that tells the secret whenever it is shown it, and otherwise cannot know it."""

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **how: Any) -> Any:
        self.answers = ANSWERS if PIN in str(data) else OTHERWISE
        return await super().ask(prompt_id, reply_type, data, **how)


Work = Callable[[WholeGroup], Awaitable[None]]


async def attribute(whole: WholeGroup) -> None:
    await whole.attribute()


async def summarize(whole: WholeGroup) -> None:
    message = await whole.made.messages.get(whole.group_id, "m00002")
    assert message is not None
    topic_id = message.topic_id or "none"
    await whole.start(summarize_job(whole.group_id, topic_id, "race", whole.clock()))
    await whole.run_all()


async def talk_on(whole: WholeGroup) -> None:
    """Enough for a summary by the model, which tells a week what was decided."""
    lines = [("Bob", "that card again"), ("Ann", "yes, my card"), ("Cid", "a good card")] * 2
    await whole.say(*lines, reply_message_id="m00002")


async def tell_week(whole: WholeGroup) -> None:
    due_at = week_at(whole.clock(), UTC).due_at
    await whole.start(digest_job(whole.group_id, due_at, whole.clock()))
    await whole.run_all()


async def evolve(whole: WholeGroup) -> None:
    await whole.start(evolve_job(whole.group_id, "race", whole.clock()))
    await whole.run_all()


async def note(whole: WholeGroup) -> None:
    told = Note(
        group_id=whole.group_id, user_id="u-ann", request_id="r-race", end_seq=1,
        action_summary=f"Noted that Ann's shelf is {PIN}", new_info=f"Ann's shelf is {PIN}",
        force=False, message_ids=("m00002",), received_at=whole.clock(),
    )  # fmt: skip
    await whole.start(historian_job(told, whole.clock()))
    await whole.run_all()


async def answer(whole: WholeGroup) -> None:
    found = await whole.context("What is Ann's PIN?")
    await whole.reply(found, f"Her shelf is {PIN}.")


PIPELINES: dict[str, tuple[Work, ...]] = {
    "attribution": (attribute,),
    "summary": (attribute, summarize),
    "digest": (talk_on, attribute, summarize, tell_week),
    "evolution": (attribute, evolve),
    "note": (attribute, note),
    "reply": (attribute, note, answer),
}
"""What comes before, and last the one that is raced."""
LEAVES = {
    "attribution": "topics", "summary": "summaries", "digest": "digests", "extraction": "memories",
    "evolution": "memories", "note": "events", "reply": "contexts",
}  # fmt: skip
"""Where the secret is once nobody disturbed it."""
EVERY = os.environ.get("RACES") == "all"
PLACES = {False: (1, 4, 13, 22), True: (1, 9, 13, 31)}
"""Steps of the short form, for a message and for a member: reading, before and after the commit,
indexing. What forgets the two is the same but for what it looks for."""
MOST_STEPS = 400
pytestmark = pytest.mark.timeout(3600 if EVERY else 300)


async def prepared(whole: WholeGroup, before: tuple[Work, ...]) -> None:
    await whole.say(
        ("Bob", "Which bank is it?"),
        ("Ann", f"my card's shelf is {PIN}"),
        ("Bot", "Understood."),
        ("Cid", "Let us meet at the harbour on Friday"),
        ("Bob", "I will bring the boat to the harbour"),
    )
    whole.model = Repeating(whole.made.model, OTHERWISE)
    for work in before:
        await work(whole)


async def raced(whole: WholeGroup, name: str, at: int | None, member: bool) -> int:
    """How many steps the work took."""
    *before, work = PIPELINES[name]
    await prepared(whole, tuple(before))

    async def forget() -> None:
        if member:
            await handle_forget.forget_member(whole.group_id, "u-ann", whole.forgetting())
        else:
            await handle_forget.forget_message(whole.group_id, "m00002", whole.forgetting())

    between = Interleaving(at, forget)
    plain = whole.model
    whole.model = between.over(plain, "ask")
    try:
        with stepped_stores(whole.made, between):
            await work(whole)
    except AnnalsError:
        pass  # its group, its message or its job went: the queue would try again, and find that
    finally:
        whole.model = plain
    if at is None or between.steps < at:
        kept = (await whole.where(PIN))[PIN]
        assert any(f"/{LEAVES[name]}/" in one for one in kept), f"{name} never had it: {kept}"
        await forget()
    await whole.run_all()
    return between.steps


@pytest.mark.parametrize("member", [False, True], ids=["a message", "a member"])
@pytest.mark.parametrize("name", PIPELINES)
async def test_what_is_forgotten_in_between_never_comes_back(
    whole: WholeGroup, name: str, member: bool
) -> None:
    group_id, steps = whole.group_id, MOST_STEPS
    for at in range(1, MOST_STEPS) if EVERY else PLACES[member]:
        if at > steps + 1:
            break
        whole.group_id, whole._said = f"{group_id}-{at}", 0
        steps = await raced(whole, name, at, member)
        back = (await whole.where(PIN))[PIN]
        assert back == [], f"forgotten at step {at} of {steps} of {name}"
        assert await whole.orphans() == [], f"forgotten at step {at} of {steps} of {name}"
        _, topics = await whole.made.topics.listed(
            whole.group_id, is_active=None, limit=9, offset=0
        )
        assert sum(one.message_count for one in topics) < whole._said
    assert steps < MOST_STEPS
    print(f"{name} raced at {steps if EVERY else len(PLACES[member])} of its {steps} steps")
