"""Budgets on real stores: what is counted, when models are no longer asked, and what goes on."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from functions.historian_job import routes_keys
from shared.clients.spending import Spending
from shared.domain.usage import EVERYBODY, Price, SpendingBounds, of_key
from shared.errors import OverBudget
from shared.runtime.auth import charge
from shared.wiring import Services
from tests.memories.evolving import Evolving
from tests.services import Clock
from tests.topics.attributing import Attributing

NONE = SpendingBounds()


def spending(
    made: Services,
    group: SpendingBounds = NONE,
    everybody: SpendingBounds = NONE,
    a_key: SpendingBounds = NONE,
) -> Spending:
    async def of_group(_: str) -> SpendingBounds:
        return group

    return Spending(
        made.usage,
        everybody=everybody,
        a_key=a_key,
        bounds_of=of_group,
        prices={"small": Price(1, 2)},
        now=made.now,
        clock=lambda: made.now().timestamp(),
        look_s=60,  # a busy machine
    )


async def spend(own: Spending, group_id: str, calls: int = 1) -> None:
    await own.record(
        group_id, "profile_merge", "small", calls=calls, prompt_tokens=1000, completion_tokens=500
    )


async def test_a_group_past_its_budget_is_stopped_and_the_next_day_begins_anew(
    made: Services, clock: Clock
) -> None:
    own = spending(made, group=SpendingBounds(calls=2))
    await own.check("test:a")
    await spend(own, "test:a", 2)
    with pytest.raises(OverBudget, match="2 calls") as refused:
        await own.check("test:a")
    await own.check("test:b")
    clock.at += timedelta(seconds=refused.value.detail["retry_after_s"])
    await own.check("test:a")


async def test_what_other_instances_spent_is_known_within_half_a_minute(
    made: Services, clock: Clock
) -> None:
    here, there = (spending(made, everybody=SpendingBounds(dollars=0.004)) for _ in range(2))
    await here.check("test:a")
    clock.turn(minutes=1)
    await spend(there, "test:b")
    await spend(there, "test:c")
    clock.turn(seconds=15)
    await spend(there, "test:c")  # what was gathered meanwhile is written with it
    clock.turn(seconds=31)
    with pytest.raises(OverBudget, match=r"0\.004 dollars"):
        await here.check("test:a")


async def test_a_key_pays_for_what_its_requests_cause(made: Services) -> None:
    own = spending(made, a_key=SpendingBounds(calls=1))
    charge("bot-1")
    await spend(own, "test:a")
    with pytest.raises(OverBudget, match="this key"):
        await own.check("test:other")
    charge("bot-2")
    await own.check("test:a")
    charge(None)
    spent = await made.usage.spent(of_key("bot-1"), made.now().date().isoformat())
    assert spent.calls == 1


async def test_usage_is_told_by_day_and_by_group_in_pages(made: Services, clock: Clock) -> None:
    deps = made
    for day in range(3):
        for number in range(4):
            await spend(spending(made), f"test:{number}", calls=day + 1)
        clock.turn(hours=24)
    clock.turn(hours=-24)
    first = await routes_keys.usage_by_day(None, None, 3, 2, "", deps)
    second = await routes_keys.usage_by_day(None, None, 3, 2, first.next_cursor or "", deps)
    assert [one.calls for one in (*first.usage, *second.usage)] == [4, 8, 12]
    assert {one.group_id for one in first.usage} == {None}
    assert second.next_cursor is None
    of_group = await routes_keys.usage_by_day("test:1", None, 7, 31, "", deps)
    assert [(one.group_id, one.calls) for one in of_group.usage] == [
        ("test:1", n) for n in (1, 2, 3)
    ]

    rows, cursor = [], ""
    for _ in range(10):
        page = await routes_keys.usage_by_group(5, cursor, deps)
        rows += [(one.group_id, one.day, one.calls) for one in page.usage]
        cursor = page.next_cursor or ""
        if not cursor:
            break
    assert len(rows) == len(set(rows)) == 12
    assert {one[0] for one in rows} == {f"test:{number}" for number in range(4)}


async def test_counts_go_by_themselves_after_their_time(made: Services, clock: Clock) -> None:
    await spend(spending(made), "test:a")
    day = clock().date().isoformat()
    found = await made.database.find(_rows())
    assert {one.data["group_id"] for one in found} == {"test:a", EVERYBODY}
    kept = timedelta(days=made.settings.usage_retention_days)
    assert all(one.data["expires_at"].date().isoformat() > day for one in found)
    assert all(one.data["expires_at"] <= clock() + kept for one in found)


def _rows() -> Any:
    from shared.stores.firestore import collection

    return collection("usage")


async def test_past_the_budget_topics_go_on_without_models(
    told: dict[str, Any], made: Services, clock: Clock
) -> None:
    made.__dict__["spending"] = spending(made, group=SpendingBounds(calls=1))
    group = Attributing(made, clock, told, "test:broke")
    await spend(made.spending, "test:broke", 5)
    before = group.calls()
    await group.say(
        group.message(1, "Ann", "When do we ship the new release?"),
        group.message(2, "Bob", "On Friday", reply_message_id="m1"),
    )
    report = await group.attribute()

    assert report.attributed == 2
    assert group.calls() == before, "no model was asked"
    one, two = await group.messages([1, 2])
    assert one.topic_id == two.topic_id is not None


async def test_an_evolution_waits_for_the_next_day_and_loses_no_attempt(
    told: dict[str, Any], made: Services, clock: Clock
) -> None:
    made.__dict__["spending"] = spending(made, group=SpendingBounds(calls=100))
    group = Evolving(made, clock, told, "test:later")
    await group.say([("Ann", "I am allergic to nuts"), ("Bob", "I moved to Lyon last year")])
    await spend(made.spending, "test:later", 100)
    job = await group.start()
    ran = await group.run(job)
    stored = await made.jobs.get(job.job_id)

    assert "budget" in (ran.error or "")
    assert stored is not None
    assert (stored.state.value, stored.attempts) == ("pending", 0)
    assert stored.due_at > clock()
    clock.at = stored.due_at + timedelta(minutes=1)
    group.deps = replace(group.deps)
    assert (await group.run(stored)).report is not None
