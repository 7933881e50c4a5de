"""Notes become events in absolute words: rules first, then the model, then the gate."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.config.overrides import effective
from shared.domain.jobs.kinds import NoteReport
from shared.domain.knowledge.profile_facts import facts_of
from shared.errors import LostLease, Transient
from tests.history.noting import Noting
from tests.services import Clock, in_process
from tests.topics.pipeline.test_attribution_faults import Dies, Killed

VAGUE = "It was a great help"
"""Rules cannot tell what helped: only the model's second try takes the pronoun out."""


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 11, 16, 15, 50, tzinfo=UTC))


async def test_people_and_days_of_a_note_are_named(noting: Noting) -> None:
    await noting.say(("Ida", "我明天出差，帮我记一下"))
    note = noting.note("我答应提醒她", "我明天出差", timezone="Asia/Shanghai")
    event = await noting.record(note)
    assert event.canonical_text == "助手答应提醒Ida。Ida2026-11-17出差。"
    assert (event.is_absolute, event.degraded) == (True, False)
    assert (event.new_info, event.worded_by) == ("Ida2026-11-17出差", "model")
    assert event.timestamp_local.startswith("2026-11-16T23:50")
    assert event.schema_version == "final_v1"


async def test_days_count_from_the_messages_own_time(noting: Noting, clock: Clock) -> None:
    said = await noting.say(("Ida", "I leave tomorrow"))
    clock.turn(days=3)
    note = noting.note(info="I leave tomorrow", message_ids=tuple(said))
    assert (await noting.record(note)).canonical_text == "Ida leaves on 2026-11-17."


async def test_who_speaks_while_the_bot_replies_is_known_by_name(
    noting: Noting, clock: Clock
) -> None:
    said = await noting.say(("Ida", "周六去哪聚？"))
    clock.turn(minutes=1)
    await noting.say(("明天", "来我工作室吧"))
    clock.turn(minutes=1)
    note = noting.note(info="聚会在明天那里", message_ids=tuple(said))
    assert (await noting.record(note)).canonical_text == "聚会在明天处。"


async def test_what_somebody_quoted_stays_as_it_was(noting: Noting) -> None:
    await noting.say(("Ida", "小林不去"))
    note = noting.note(info='小林说"我明天不去那边"，她在读《他山之石》')
    event = await noting.record(note)
    assert '小林说"我明天不去那边"' in event.canonical_text
    assert "《他山之石》" in event.canonical_text
    assert event.is_absolute


async def test_the_model_is_told_what_the_gate_refused(noting: Noting) -> None:
    before = noting.model_calls()
    event = await noting.record(noting.note(info=VAGUE))
    assert (event.is_absolute, event.rewrites) == (True, 1)
    assert noting.model_calls() - before == 2


async def test_what_no_rewrite_could_heal_is_kept_and_marked(
    told: dict[str, Any], clock: Clock
) -> None:
    async with in_process(told, clock, MEMORY_REWRITE_MAX_RETRY="0") as made:
        noting = Noting(made, clock, told, "test:stubborn")
        note = noting.note(info=VAGUE)
        ran = await noting.run((await noting.start(note)).job_id)
        event = await noting.event(note.event_id)
    assert event is not None
    assert (event.is_absolute, event.degraded) == (False, True)
    assert ran.report == NoteReport(note.event_id, is_absolute=False, rewrites=1)


async def test_rules_are_enough_for_most_notes_while_the_model_is_down(noting: Noting) -> None:
    await noting.say(("Ida", "hello"))
    noting.fault("server_error")
    noting.deps = replace(noting.deps, model_budget_s=0.2)
    event = await noting.record(noting.note(info="I leave tomorrow"))
    assert event.canonical_text == "Ida leaves on 2026-11-17."
    assert (event.is_absolute, event.worded_by) == (True, "rules")


async def test_an_outage_delays_a_note_and_never_leaves_it_relative(
    noting: Noting, clock: Clock
) -> None:
    noting.fault("server_error")
    noting.deps = replace(noting.deps, model_budget_s=0.2)
    note = noting.note(info=VAGUE)
    event = await noting.record(note)
    assert (event.is_absolute, event.degraded) == (False, True)
    for _ in range(3):
        clock.turn(hours=7)
        _, jobs = await noting.made.jobs.listed(
            state="pending", group_id=noting.group_id, limit=10, offset=0
        )
        (waiting,) = jobs
        await noting.run(waiting.job_id)
    noting.heal()
    noting.deps = replace(noting.deps, model_budget_s=30.0)
    await noting.run_all()
    after = await noting.event(note.event_id)
    assert after is not None
    assert (after.is_absolute, after.degraded) == (True, False)
    assert len(await noting.events()) == 1
    found = await noting.made.vectors.known(noting.group_id, [f"event#{note.event_id}"])
    assert len(list(found)) == 1


async def test_ten_times_the_same_note_at_once_is_one_event(noting: Noting) -> None:
    note = noting.note(info="I leave tomorrow")

    async def once() -> None:
        job = await noting.start(note)
        try:
            await noting.run(job.job_id)
        except (Transient, LostLease):
            return

    await asyncio.gather(*(once() for _ in range(10)))
    await noting.run_all()
    assert len(await noting.events()) == 1


async def test_with_the_historian_off_nothing_is_stored(noting: Noting) -> None:
    settings = effective(noting.deps.settings, {"enable_cognitive": False})
    noting.deps = replace(noting.deps, settings=settings)
    note = noting.note(info="I leave tomorrow")
    await noting.run((await noting.start(note)).job_id)
    assert await noting.events() == []


STEPS = [
    ("model", "ask", False),
    ("model", "ask", True),
    ("groups", "commit", False),
    ("groups", "commit", True),
    ("embedder", "embed_one", False),
    ("embedder", "embed_one", True),
    ("vectors", "apply", False),
    ("vectors", "apply", True),
]


@pytest.mark.parametrize(
    ("part", "call", "after"),
    STEPS,
    ids=[f"{'after' if after else 'before'} {part}.{call}" for part, call, after in STEPS],
)
async def test_killed_at_any_step_it_ends_with_the_same_event(
    noting: Noting, part: str, call: str, after: bool
) -> None:
    said = tuple(await noting.say(("Jon", "shall we row?"), ("Ida", "I leave tomorrow")))
    note = noting.note(info="I leave tomorrow", message_ids=said)
    job = await noting.start(note)
    worker, alive = noting.made.worker, noting.made.worker._groups
    dying: Any = Dies(getattr(noting.deps, part), call, after=after)
    if part == "groups":
        worker._groups = dying
    deps = noting.deps if part == "groups" else replace(noting.deps, **{part: dying})
    with pytest.raises(Killed):
        await noting.run(job.job_id, deps)
    worker._groups = alive
    asked = noting.model_calls()
    noting.clock.turn(minutes=5)

    await noting.run_all()

    is_committed = part in ("embedder", "vectors") or (part, after) == ("groups", True)
    assert noting.model_calls() - asked == (0 if is_committed else 1)
    [event] = await noting.events()
    assert (event.canonical_text, event.is_absolute) == ("Ida leaves on 2026-11-17.", True)
    assert await noting.event("r:1:u-jon") is not None
    assert len(list(await noting.made.vectors.known(noting.group_id, ["event#r:1"]))) == 1
    profile = await noting.profile()
    assert profile is not None
    assert (profile.version, facts_of(profile.body)) == (1, ["Ida leaves on 2026-11-17"])
    assert await noting.failed_jobs() == 0


async def test_a_message_tells_one_new_thing_unless_it_is_forced(noting: Noting) -> None:
    said = tuple(await noting.say(("Ida", "I moved to Porto and I sing")))
    first = await noting.record(noting.note("I greeted Ida", "Ida moved to Porto",
                                            message_ids=said))  # fmt: skip
    again = noting.note("I thanked Ida", "Ida sings", message_ids=said, request_id="r2")
    second = await noting.record(again)
    assert (first.has_new_info, second.has_new_info) == (True, False)
    assert "sings" not in second.canonical_text
    alone = noting.note(info="Ida sings", message_ids=said, request_id="r3")
    await noting.run((await noting.start(alone)).job_id)
    assert await noting.event("r3:1") is None, "nothing is left of the note"
    forced = noting.note(info="Ida sings", message_ids=said, request_id="r4", force=True)
    assert (await noting.record(forced)).new_info == "Ida sings"
    other = tuple(await noting.say(("Ida", "and I bake")))
    more = noting.note(info="Ida bakes", message_ids=(*said, *other), request_id="r5")
    assert (await noting.record(more)).new_info == "Ida bakes"


async def test_everybody_who_took_part_has_the_event_as_their_own(noting: Noting) -> None:
    said = tuple(await noting.say(("Jon", "shall we row?"), ("Ida", "yes")))
    event = await noting.record(noting.note("I noted the rowing", message_ids=said))
    assert event.viewpoint == ""
    copy = await noting.event("r:1:u-jon")
    assert copy is not None
    assert (copy.user_id, copy.viewpoint, copy.sender_id) == ("u-jon", "u-jon", "u-ida")
    assert [one.event_id for one in await noting.events()] == ["r:1"], "listed once"
    for user_id, ids in {"u-jon": ["r:1:u-jon"], "u-ida": ["r:1"], "u-eva": []}.items():
        total, listed = await noting.made.events.listed(
            noting.group_id, time_from=None, time_to=None, limit=9, offset=0, user_id=user_id
        )
        assert (total, [one.event_id for one in listed]) == (len(ids), ids)


@pytest.mark.parametrize(
    ("now", "zone", "said", "day"),
    [
        ("2026-11-16T15:50:00+00:00", "Asia/Shanghai", "I leave tomorrow", "2026-11-17"),
        ("2026-12-31T16:30:00+00:00", "Asia/Shanghai", "I leave tomorrow", "2027-01-02"),
        ("2026-12-31T23:30:00+00:00", "UTC", "I leave tomorrow", "2027-01-01"),
        ("2028-02-28T12:00:00+00:00", "UTC", "I leave tomorrow", "2028-02-29"),
        ("2027-02-28T12:00:00+00:00", "UTC", "I leave tomorrow", "2027-03-01"),
        ("2028-02-29T12:00:00+00:00", "UTC", "I leave next year", "2029"),
        ("2026-11-01T03:30:00+00:00", "America/New_York", "I leave tomorrow", "2026-11-01"),
        ("2026-11-01T05:30:00+00:00", "America/New_York", "I leave tomorrow", "2026-11-02"),
        ("2026-11-02T04:30:00+00:00", "America/New_York", "I leave tomorrow", "2026-11-02"),
        ("2026-03-08T06:30:00+00:00", "America/New_York", "I leave tomorrow", "2026-03-09"),
    ],
)
async def test_days_are_those_of_the_zone(
    noting: Noting, clock: Clock, now: str, zone: str, said: str, day: str
) -> None:
    clock.at = datetime.fromisoformat(now)
    await noting.say(("Ida", said))
    event = await noting.record(noting.note(info=said, timezone=zone))
    assert day in event.canonical_text
    assert event.is_absolute


async def test_a_note_without_a_zone_is_in_the_groups(noting: Noting) -> None:
    await noting.say(("Ida", "hello"))
    await noting.record(noting.note("I greeted Ida", timezone="Asia/Shanghai"))
    later = noting.note(info="Ida leaves tomorrow", request_id="r2")
    event = await noting.record(later)
    assert (event.timezone, event.canonical_text) == ("Asia/Shanghai", "Ida leaves on 2026-11-17.")
    made, group_id = noting.made, noting.group_id
    own = {"timezone": "America/New_York"}
    await made.groups.change(group_id, lambda one: replace(one, settings=own), noting.clock())
    event = await noting.record(replace(later, request_id="r3"))
    assert event.timezone == "America/New_York"
