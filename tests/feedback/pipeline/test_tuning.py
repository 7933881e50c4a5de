"""A group takes weights of its own from its feedback, on real stores, and contexts follow them."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from functions.build_context import handle_tuning
from shared.contracts.tuning import TuneAnswer, TuneRequest
from shared.domain.context.fitting import Item
from shared.domain.context.record import ContextRecord, Usage
from shared.domain.feedback.tuning import Labelled
from shared.wiring import Services
from tests.context.contexts import ask, ingest, said
from tests.feedback.unit.test_tuning import simulated
from tests.services import Clock

COUNT = 90


@pytest.fixture
def group() -> str:
    return f"test:{uuid4().hex[:12]}"


async def told(made: Services, group: str, contexts: list[Labelled], scorer: str) -> None:
    """Context records as feedback leaves them."""
    for one in contexts:
        lines = [*one.used, *one.unused]
        ids = [f"m{number}" for number in range(len(lines))]
        usage = tuple(Usage("message", key, n < len(one.used)) for n, key in enumerate(ids))
        record = ContextRecord(
            f"{group}-{one.context_id}",
            group,
            "intelligent",
            "",
            items=tuple(Item("message", key, 0.5, (), 5) for key in ids),
            trace={
                "scorer": scorer,
                "factors": {key: dict(line) for key, line in zip(ids, lines, strict=True)},
                "recall_weights": {},
            },
            usage=usage,
            is_labelled=True,
        )
        await made.contexts.add(record)


async def tune(made: Services, group: str, *, apply: bool) -> TuneAnswer:
    deps = made
    return await handle_tuning.tune(group, TuneRequest(apply=apply), deps)


async def test_a_group_takes_the_weights_that_its_feedback_asks_for(
    made: Services, clock: Clock, group: str
) -> None:
    chosen = {"context_scorer": "five_factor", "max_return": 3}
    await made.groups.change(group, lambda one: replace(one, settings=chosen), clock())
    await told(made, group, simulated(COUNT, (0.1, 0.1, 0.1, 0.1, 0.6), 1), "five_factor")

    shown = await tune(made, group, apply=False)
    assert shown.is_better
    assert not shown.is_applied
    assert (await made.groups.get(group)).settings == chosen
    taken = await tune(made, group, apply=True)
    assert taken.is_applied
    own: Any = (await made.groups.get(group)).settings
    assert own["max_return"] == 3
    assert own["keyword_overlap_weight"] > own["reply_chain_weight"]


async def test_a_group_whose_feedback_is_noise_keeps_its_weights(
    made: Services, clock: Clock, group: str
) -> None:
    chosen = {"context_scorer": "five_factor"}
    await made.groups.change(group, lambda one: replace(one, settings=chosen), clock())
    await told(made, group, simulated(COUNT, (0.0,) * 5, 5), "five_factor")

    answer = await tune(made, group, apply=True)

    assert (answer.is_better, answer.is_applied) == (False, False)
    assert answer.contexts == COUNT
    assert (await made.groups.get(group)).settings == chosen


async def test_contexts_follow_a_groups_own_weights_of_recall(
    made: Services, clock: Clock, group: str
) -> None:
    lines = [
        "the boat is red",
        "the boat costs 300 euros",
        "who wants tea?",
        "the harbour opens at 9",
    ]
    await ingest(made, group, *(said(group, n, one, clock) for n, one in enumerate(lines, 1)))
    wish = {"message": "what does the boat cost?", "user_id": "u9"}
    usual = await ask(made, group, **wish)
    nothing = dict.fromkeys(("words", "near", "reply", "number", "around", "fresh"), 0.0)
    settings = {"recall_weights": nothing}
    await made.groups.change(group, lambda one: replace(one, settings=settings), clock())
    other = await ask(made, group, **wish)

    assert "m2" in [one.id for one in usual.items]
    record = await made.contexts.find(other.context_id)
    assert record.trace["recall_weights"] == nothing
    assert {one.id: one.score for one in usual.items} != {one.id: one.score for one in other.items}
