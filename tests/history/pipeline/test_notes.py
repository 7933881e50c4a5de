"""Notes become events in absolute words: the model rewrites, the gate has the last word."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.historian_job import handle_transfer
from shared.clients.model import ModelAnswer
from shared.config.overrides import effective
from shared.domain.group import with_opt_out
from shared.domain.jobs.kinds import NoteReport
from shared.domain.knowledge.profile_merge import facts_of
from shared.errors import AnnalsError, BadReply, LostLease, Transient
from shared.jobs.worker import Outcome
from tests.history.noting import Impatient, Noting
from tests.services import Clock, replaced
from tests.topics.pipeline.test_attribution_faults import Dies, Killed

VAGUE = "It was a great help"
"""The stand-in cannot tell what helped."""


class Scripted:
    """A model that rewrites notes as it is told, and keeps what it was asked; the last reply is
    given again and again. An error among the replies is raised."""

    def __init__(self, model: Any, *replies: Mapping[str, Any] | AnnalsError) -> None:
        self._model = model
        self._replies = list(replies)
        self.asked: list[dict[str, Any]] = []

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **how: Any) -> Any:
        if prompt_id != "note_rewrite":
            return await self._model.ask(prompt_id, reply_type, data, **how)
        self.asked.append(dict(data))
        said = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(said, AnnalsError):
            raise said
        reply, _ = reply_type.check(said)
        return ModelAnswer(reply, json.dumps(said))


def scripted(noting: Noting, *replies: Mapping[str, Any] | AnnalsError) -> Scripted:
    model = Scripted(noting.made.model, *replies)
    noting.deps = replaced(noting.deps, model=model)
    return model


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


async def test_the_model_is_told_who_may_be_meant_and_which_days_are_around(
    noting: Noting,
) -> None:
    said = await noting.say(("Jon", "Ida is ill"), ("Ida", "I am back next Friday"))
    told = {"canonical_text": "Ida is back on 2026-11-27.", "new_info": "Ida is back on 2026-11-27",
            "about": "u-ida"}  # fmt: skip
    model = scripted(noting, told)
    note = noting.note(info="I am back next Friday", message_ids=tuple(said[1:]))
    event = await noting.record(note)
    (asked,) = model.asked
    roster = {name: key for key, name in asked["roster"]["rows"]}
    assert set(roster) == {"Ida", "Jon", "the assistant"}
    assert asked["sender"] == roster["Ida"]
    assert asked["time"] == "2026-11-16 15:49 Monday"
    assert asked["calendar"]["next week"][4] == "2026-11-27 Friday"
    assert [one["content"] for one in asked["messages"]] == ["I am back next Friday"]
    assert (event.canonical_text, event.worded_by) == ("Ida is back on 2026-11-27.", "model")


async def test_days_count_from_the_messages_own_time(noting: Noting, clock: Clock) -> None:
    said = await noting.say(("Ida", "I leave tomorrow"))
    clock.turn(days=3)
    note = noting.note(info="I leave tomorrow", message_ids=tuple(said))
    assert (await noting.record(note)).canonical_text == "Ida leaves on 2026-11-17."


async def test_what_somebody_quoted_stays_as_it_was(noting: Noting) -> None:
    await noting.say(("Ida", "小林不去"))
    note = noting.note(info="小林说“我明天不去那边”，Ida在读《他山之石》")
    event = await noting.record(note)
    assert "小林说“我明天不去那边”" in event.canonical_text
    assert "《他山之石》" in event.canonical_text
    assert event.is_absolute


async def test_the_model_is_told_what_the_gate_refused(noting: Noting) -> None:
    await noting.say(("Ida", "the form is done"))
    first = {"canonical_text": "The assistant told her.", "did_what": "..", "actor": "bot"}
    second = {**first, "canonical_text": "The assistant told Ida.", "meant": ["u-ida"]}
    model = scripted(noting, first, second)
    event = await noting.record(noting.note("I told her"))
    assert (event.canonical_text, event.is_absolute, event.rewrites) == (
        "The assistant told Ida.",
        True,
        1,
    )
    assert "findings" not in model.asked[0]
    assert {"kind": "pronoun", "word": "her"} in model.asked[1]["findings"]


async def test_who_reminds_is_not_who_is_reminded(noting: Noting) -> None:
    await noting.say(("大熊", "明天带猫去打针"))
    wrong = {
        "canonical_text": "大熊 reminded 大熊 to bring the cat. 大熊的猫2026-11-17打针。",
        "did_what": "大熊 reminded 大熊 to bring the cat.",
        "actor": "u-大熊", "meant": ["u-大熊"],
        "new_info": "大熊的猫2026-11-17打针", "about": "u-大熊",
    }  # fmt: skip
    right = {
        **wrong,
        "canonical_text": "助手 reminded 大熊 to bring the cat. 大熊的猫2026-11-17打针。",
        "actor": "bot",
    }
    model = scripted(noting, wrong, right)
    note = noting.note("Reminded him to bring the cat", "我的猫明天打针", user_id="u-大熊")
    event = await noting.record(note)
    assert {"kind": "acts on themselves", "word": "大熊"} in model.asked[1]["findings"]
    assert event.canonical_text == right["canonical_text"]


async def test_a_member_called_by_a_short_name_may_be_named_in_full(noting: Noting) -> None:
    await noting.say(("陈默", "我在"), ("Ida", "hello"))
    told = {"canonical_text": "助手提醒了陈默。", "actor": "bot", "meant": ["u-陈默"]}
    scripted(noting, told)
    event = await noting.record(noting.note("提醒了默哥"))
    assert (event.canonical_text, event.is_absolute) == ("助手提醒了陈默。", True)


async def test_a_reply_that_cannot_be_used_counts_as_a_try(noting: Noting) -> None:
    await noting.say(("Ida", "hello"))
    good = {"canonical_text": "The assistant greeted Ida.", "actor": "bot", "meant": ["u-ida"]}
    model = scripted(noting, BadReply(), good)
    event = await noting.record(noting.note("I greeted her"))
    assert (event.is_absolute, event.rewrites, len(model.asked)) == (True, 1, 2)


async def test_after_three_tries_the_note_is_kept_as_it_is_and_marked(noting: Noting) -> None:
    await noting.say(("Ida", "hello"), ("Jon", "hi"))
    guess = {"canonical_text": "Zed sold the boat on 2026-03-01.", "actor": "u-zed",
             "new_info": "Zed sold the boat", "about": "u-zed"}  # fmt: skip
    model = scripted(noting, guess)
    note = noting.note("I noted that he sold it", "he sold the boat")
    ran = await noting.run((await noting.start(note)).job_id)
    event = await noting.event(note.event_id)
    assert event is not None
    assert event.canonical_text == "I noted that he sold it he sold the boat"
    assert (event.is_absolute, event.degraded, event.worded_by) == (False, True, "note")
    assert len(model.asked) == 3
    assert ran.report == NoteReport(note.event_id, is_absolute=False, rewrites=3)
    assert await noting.profile() is None, "a profile keeps absolute words only"


async def test_an_outage_delays_a_note_and_never_leaves_it_relative(
    noting: Noting, clock: Clock
) -> None:
    await noting.say(("Ida", "hello"))
    noting.fault("server_error")
    noting.deps = replaced(noting.deps, model=Impatient(noting.made.model))
    note = noting.note(info="I leave tomorrow")
    job = await noting.start(note)
    for _ in range(12):
        ran = await noting.run(job.job_id)
        assert ran.outcome is Outcome.WAITING
        clock.turn(hours=7)
    assert await noting.events() == []
    noting.heal()
    noting.deps = noting.made
    await noting.run_all()
    event = await noting.event(note.event_id)
    assert event is not None
    assert event.canonical_text == "Ida leaves on 2026-11-17.", "days count from the note's time"
    assert await noting.failed_jobs() == 0


async def test_a_job_waits_longer_the_longer_the_outage_lasts(noting: Noting, clock: Clock) -> None:
    scripted(noting, Transient("the model does not answer"))
    job = await noting.start(noting.note(info=VAGUE))
    waits = []
    for _ in range(5):
        await noting.run(job.job_id)
        found = await noting.made.jobs.get(job.job_id)
        assert found is not None
        waits.append((found.due_at - clock()) / timedelta(minutes=1))
        clock.at = found.due_at
    assert waits == [10, 10, 20, 40, 80]
    clock.turn(days=15)
    with pytest.raises(Transient):
        await noting.run(job.job_id)


async def test_what_is_new_goes_to_whom_it_is_about(noting: Noting) -> None:
    await noting.say(("Ida", "hello"), ("Jon", "hi"))
    told = {"canonical_text": "Jon's sister is allergic to nuts.", "about": "u-jon",
            "new_info": "Jon's sister is allergic to nuts."}  # fmt: skip
    scripted(noting, told)
    await noting.record(noting.note(info="Jon's sister is allergic to nuts"))
    await noting.run_all()
    profile = await noting.profile("user", "u-jon")
    assert profile is not None
    assert facts_of(profile.body) == ["Jon's sister is allergic to nuts"]
    assert profile.traits == ()
    assert await noting.profile() is None


async def test_of_people_whom_the_group_does_not_know_there_is_no_profile(noting: Noting) -> None:
    for number, name in enumerate(("Zoe", "Max", "Pam")):
        note = noting.note(info=f"{name} likes tea", request_id=f"r{number}", user_id=f"u{number}")
        assert (await noting.record(note)).is_absolute
    await noting.run_all()
    assert await noting.profile("group", noting.group_id) is None


async def test_who_never_spoke_has_a_profile_of_their_own(noting: Noting) -> None:
    await noting.record(noting.note(info="I like tea", user_id="u-silent"))
    await noting.run_all()
    profile = await noting.profile("user", "u-silent")
    assert profile is not None
    assert facts_of(profile.body) == ["a member of the group likes tea"]


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
    noting.deps = replaced(noting.deps, settings=settings)
    note = noting.note(info="I leave tomorrow")
    await noting.run((await noting.start(note)).job_id)
    assert await noting.events() == []


async def test_of_who_opted_out_meanwhile_nothing_is_stored(noting: Noting) -> None:
    await noting.say(("Ida", "hello"))
    job = await noting.start(noting.note(info="I leave tomorrow"))
    made, group_id = noting.made, noting.group_id
    await made.groups.change(
        group_id, lambda found: with_opt_out(found, "u-ida", True), noting.clock()
    )
    await noting.run(job.job_id)
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
    deps = noting.deps if part == "groups" else replaced(noting.deps, **{part: dying})
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


async def test_old_notes_are_rewritten_with_their_own_time(noting: Noting) -> None:
    old = [
        {"summary": "我昨天帮老王修好了灯", "time": "2025-03-04T10:00:00Z"},
        {"summary": "我昨天修好了门"},
    ]
    for _ in range(2):
        await handle_transfer.take(noting.group_id, json.dumps(old), "end_summaries", noting.made)
        noting.clock.turn(days=1)
    await noting.run_all()
    told = {event.canonical_text: event for event in await noting.events()}
    assert set(told) == {"助手2025-03-03帮老王修好了灯。", "我昨天修好了门"}
    assert not told["助手2025-03-03帮老王修好了灯。"].degraded
    assert told["我昨天修好了门"].degraded, "nobody knows what its yesterday meant"


async def test_an_event_and_the_profile_that_follows_have_no_secrets(noting: Noting) -> None:
    said = await noting.say(("Ida", "My server password is hunter-22"))
    note = noting.note(
        "told Ida where the key is", "Ida's server password is hunter-22", message_ids=tuple(said)
    )
    ran = await noting.run((await noting.start(note)).job_id)
    event = await noting.event(note.event_id)
    profile = await noting.merge("Ida's card is 4111 1111 1111 1111", cause="by-card")

    assert isinstance(ran.report, NoteReport)
    assert (ran.report.masked, "hunter-22" in str(event)) == (2, False)
    assert event is not None
    assert event.new_info.endswith("***")
    assert "4111" not in str(profile)
    assert "***" in profile.body
