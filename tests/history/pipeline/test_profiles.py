"""Profiles: merged by the model, never losing what was known, gone back on to the byte."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from functions.historian_job.routes_profiles import go_back
from shared.config.overrides import effective
from shared.domain.group import with_opt_out
from shared.domain.knowledge.profile import EntityType, markdown_of
from shared.domain.knowledge.profile_merge import facts_of
from shared.errors import Conflict, NotFound, Transient
from shared.search.known_profiles import KnownProfiles
from shared.stores.vectors import Vectors
from tests.history.noting import Impatient, Noting
from tests.services import Clock, put_profiles, replaced


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 11, 16, 15, 50, tzinfo=UTC))


@pytest.fixture
async def known(noting: Noting) -> Noting:
    """A group that exists."""
    await noting.made.groups.change(noting.group_id, lambda found: found, noting.clock())
    return noting


def of_ida(noting: Noting) -> tuple[str, EntityType, str]:
    return noting.group_id, "user", "u-ida"


async def test_what_a_note_tells_of_somebody_goes_into_their_profile(noting: Noting) -> None:
    said = await noting.say(("Ida", "I moved to Porto"))
    await noting.record(noting.note("I congratulated her", "I moved to Porto",
                                    message_ids=tuple(said)))  # fmt: skip
    await noting.run_all()
    profile = await noting.profile()
    assert profile is not None
    assert facts_of(profile.body) == ["Ida moved to Porto"]
    assert (profile.name, profile.version, profile.source_event_id) == ("Ida", 1, "r:1")
    assert (profile.sources, profile.source_users) == (tuple(said), ("u-ida",))
    assert profile.merged_by == "model"
    assert await noting.profile("group", noting.group_id) is None


async def test_what_holds_for_the_group_goes_into_its_profile(noting: Noting) -> None:
    await noting.say(("Ida", "every release is on a Friday"))
    await noting.record(noting.note(info="Every release is on a Friday"))
    await noting.run_all()
    profile = await noting.profile("group", noting.group_id)
    assert profile is not None
    assert facts_of(profile.body) == ["Every release is on a Friday"]
    assert await noting.profile() is None


async def test_thirty_merges_later_the_first_is_still_known(known: Noting) -> None:
    for number in range(30):
        await known.merge(f"Ida planted tree{number} beside gate{number}.", cause=f"r:{number}")
    profile = await known.profile()
    assert profile is not None
    assert profile.version == 30
    assert "Ida planted tree0 beside gate0" in facts_of(profile.body)
    kept = await known.made.profiles.snapshots(known.group_id, "user", "u-ida")
    assert [one.version for one in kept] == [29, 28, 27, 26, 25]


async def test_fewer_snapshots_are_kept_as_soon_as_the_setting_says_so(known: Noting) -> None:
    for number in range(6):
        await known.merge(f"Ida saw owl{number}.", cause=f"r:{number}")
    fewer = known.deps.settings.replaced(profile_revision_keep=2)
    known.deps = replaced(known.deps, settings=fewer)
    await known.merge("Ida saw crane.", cause="r:9")
    kept = await known.made.profiles.snapshots(known.group_id, "user", "u-ida")
    assert [one.version for one in kept] == [6, 5]


async def test_going_back_gives_the_exact_bytes_and_can_be_undone(known: Noting) -> None:
    texts = {}
    for number, info in enumerate(
        ("Ida lives in Porto.", "Ida likes 茶.", "Ida moved to Rome."), 1
    ):
        profile = await known.merge(info, cause=f"r:{number}")
        texts[number] = markdown_of(profile)
        known.clock.turn(hours=1)
    back = await go_back(*of_ida(known), 1, known.deps)
    assert markdown_of(back) == texts[1]
    stored = await known.profile()
    assert stored is not None
    assert (markdown_of(stored).encode(), stored.version) == (texts[1].encode(), 4)
    undone = await go_back(*of_ida(known), None, known.deps)
    assert (markdown_of(undone), undone.version) == (texts[3], 5)
    for _ in range(8):
        await go_back(*of_ida(known), None, known.deps)
        kept = await known.made.profiles.snapshots(known.group_id, "user", "u-ida")
        assert len(kept) <= known.deps.settings.profile_revision_keep == 5
    with pytest.raises(NotFound):
        await go_back(*of_ida(known), 77, known.deps)


async def test_nobody_goes_back_while_a_merge_is_being_written(known: Noting) -> None:
    await known.merge("Ida bakes.", cause="r:1")
    lease = f"profile:{known.group_id}:user:u-ida"
    assert await known.made.leases.take(lease, "somebody else") is not None
    with pytest.raises(Conflict):
        await go_back(*of_ida(known), None, known.deps)


async def test_two_merges_at_once_lose_nothing(known: Noting) -> None:
    jobs = [await known.learn(f"Ida saw bird{n}.", cause=f"r:{n}") for n in range(8)]
    await asyncio.gather(*(known.run(job.job_id) for job in jobs))
    await known.run_all()
    profile = await known.profile()
    assert profile is not None
    assert sorted(facts_of(profile.body)) == sorted(f"Ida saw bird{n}" for n in range(8))
    assert await known.failed_jobs() == 0


async def test_a_merge_that_drops_what_was_known_is_held_back_and_tried_again(
    known: Noting,
) -> None:
    for number in range(6):
        await known.merge(f"Ida saw owl{number}.", cause=f"r:{number}")
    known.deps = replaced(known.deps, model=Forgetful(known.deps.model, times=1))
    profile = await known.merge("Ida saw crane.", cause="r:9")
    assert (len(facts_of(profile.body)), profile.merged_by) == (7, "model")
    known.deps = replaced(known.deps, model=Forgetful(known.made.model, times=9))
    profile = await known.merge("Ida saw stork.", cause="r:10")
    assert (len(facts_of(profile.body)), profile.merged_by) == (8, "rules")


class Forgetful:
    """A model that so many times answers with a profile of one line."""

    def __init__(self, model: Any, times: int) -> None:
        self._model = model
        self._left = times

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **how: Any) -> Any:
        answer = await self._model.ask(prompt_id, reply_type, data, **how)
        if self._left == 0:
            assert len(data["dropped"]) == 6, "it is told what is missing"
            return answer
        self._left -= 1
        short = answer.reply.model_copy(
            update={"body": "- somebody", "traits": [], "preferences": []}
        )
        return replace(answer, reply=short)


async def test_an_outage_delays_a_merge_and_loses_nothing(known: Noting) -> None:
    await known.merge("Ida lives in Porto.", cause="r:1")
    known.fault("server_error", prompt="profile_merge")
    known.deps = replaced(known.deps, model=Impatient(known.made.model))
    profile = await known.merge("Ida lives in Rome.", cause="r:2")
    assert (profile.version, facts_of(profile.body)) == (1, ["Ida lives in Porto"])
    known.heal()
    known.deps = known.made
    await known.run_all()
    later = await known.profile()
    assert later is not None
    assert (facts_of(later.body), later.merged_by) == (["Ida lives in Rome"], "model")
    assert await known.failed_jobs() == 0


async def test_the_same_news_many_times_is_one_merge(known: Noting) -> None:
    jobs = {(await known.learn("Ida bakes.", cause="r:1")).job_id for _ in range(10)}
    await asyncio.gather(*(known.run(job_id) for job_id in jobs for _ in range(10)))
    profile = await known.profile()
    assert profile is not None
    assert (len(jobs), profile.version) == (1, 1)


@pytest.mark.parametrize("step", ["before the commit", "after the commit"])
async def test_a_kill_between_two_steps_leads_to_the_same_end(known: Noting, step: str) -> None:
    job = await known.learn("Ida bakes.", cause="r:1")
    whole = known.deps
    if step == "before the commit":
        known.deps = replaced(whole, model=Dying(whole.model))
    else:
        known.deps = replaced(whole, vectors=Dying(whole.vectors))
    with pytest.raises(Killed):
        await known.run(job.job_id)
    known.deps = whole
    asked = known.model_calls("profile_merge")
    known.clock.turn(minutes=5)
    await known.run(job.job_id)
    profile = await known.profile()
    assert profile is not None
    assert (profile.version, facts_of(profile.body)) == (1, ["Ida bakes"])
    again = known.model_calls("profile_merge") - asked
    assert again == (1 if step == "before the commit" else 0)
    assert await indexed(known.made.vectors, known) == [1]


class Killed(Exception):
    """The process went."""


class Dying:
    """As if the process went just after its first use."""

    def __init__(self, alive: Any) -> None:
        self._alive = alive

    async def ask(self, *asked: Any, **how: Any) -> None:
        await self._alive.ask(*asked, **how)
        raise Killed

    async def apply(self, *_: Any, **__: Any) -> None:
        raise Killed


async def indexed(vectors: Vectors, noting: Noting) -> list[int]:
    values = await noting.made.embedder.embed_one("baker", group_id=noting.group_id, budget_s=9)
    assert values is not None
    hits = await vectors.search(noting.group_id, "profile", values, 5)
    return [hit.version for hit in hits]


async def test_profiles_are_found_by_meaning_and_only_in_their_version(known: Noting) -> None:
    await known.merge("Ida bakes bread for a living.", cause="r:1")
    await known.merge("Jon repairs bicycles.", cause="r:2", entity_id="u-jon", name="Jon")
    search = known.made.profile_search
    text = "who could make us a loaf"
    hits = await search.find(known.group_id, text, limit=2)
    assert [hit.profile.entity_id for hit in hits] == ["u-ida", "u-jon"]
    stored = await known.profile()
    assert stored is not None
    await put_profiles(known.made, replace(stored, version=7))
    hits = await search.find(known.group_id, text, limit=2)
    assert [hit.profile.entity_id for hit in hits] == ["u-jon"]
    assert await search.find("test:elsewhere", text, limit=2) == []


async def test_a_profile_is_read_once_until_one_is_written(known: Noting) -> None:
    await known.merge("Ida bakes.", cause="r:1")
    counting = Counting(known.made.profiles)
    search = KnownProfiles(counting, shares=False)  # type: ignore[arg-type]
    for _ in range(3):
        group = await known.made.groups.get(known.group_id)
        found = await search.shown(group, "user", "u-ida")
        assert found is not None
        assert await search.shown(group, "user", "nobody") is None
    assert counting.reads == 2
    await known.merge("Ida sings.", cause="r:2")
    group = await known.made.groups.get(known.group_id)
    found = await search.shown(group, "user", "u-ida")
    assert found is not None
    assert (facts_of(found.body), counting.reads) == (["Ida bakes", "Ida sings"], 3)
    forgot = replace(group, epoch=group.epoch + 1)
    await search.shown(forgot, "user", "u-ida")
    assert counting.reads == 4


async def test_a_profile_is_kept_for_an_hour(known: Noting) -> None:
    await known.merge("Ida bakes.", cause="r:1")
    counting, at = Counting(known.made.profiles), Clock()
    search = KnownProfiles(counting, shares=False, seconds=lambda: at().timestamp())  # type: ignore[arg-type]
    group = await known.made.groups.get(known.group_id)
    for minutes, reads in ((0, 1), (59, 1), (2, 2), (59, 2)):
        at.turn(minutes=minutes)
        assert await search.shown(group, "user", "u-ida") is not None
        assert counting.reads == reads


class Counting:
    def __init__(self, profiles: Any) -> None:
        self._profiles = profiles
        self.reads = 0

    async def get_many(self, *asked: Any) -> Any:
        self.reads += 1
        return await self._profiles.get_many(*asked)


async def test_shared_profiles_are_read_as_one_without_anything_private(known: Noting) -> None:
    await known.merge("Ida bakes.", cause="r:1")
    mine = await known.profile()
    assert mine is not None
    other, private = f"{known.group_id}-b", f"{known.group_id}-c"
    await put_profiles(
        known.made,
        replace(mine, group_id=other, body="- Ida sings", audience="group"),
        replace(mine, group_id=private, body="- Ida is ill", audience="private"),
    )
    shared = replace(known.made.known_profiles, shares=True)
    group = await known.made.groups.get(known.group_id)
    found = await shared.shown(group, "user", "u-ida")
    assert found is not None
    assert facts_of(found.body) == ["Ida bakes", "Ida sings"]
    in_private = await known.made.groups.get(private)
    found = await shared.shown(in_private, "user", "u-ida")
    assert found is not None
    assert "Ida is ill" in facts_of(found.body), "its own it may see"
    assert (await known.made.known_profiles.shown(group, "user", "u-ida")) == mine


async def test_no_profile_of_who_opted_out_nor_where_the_historian_is_off(known: Noting) -> None:
    made, group_id = known.made, known.group_id
    await made.groups.change(group_id, lambda one: with_opt_out(one, "u-ida", True), known.clock())
    job = await known.learn("Ida bakes.", cause="r:1")
    await known.run(job.job_id)
    assert await known.profile() is None
    known.deps = replaced(
        known.deps, settings=effective(made.settings, {"enable_cognitive": False})
    )
    job = await known.learn("Jon bakes.", cause="r:2", entity_id="u-jon", name="Jon")
    await known.run(job.job_id)
    assert await known.profile("user", "u-jon") is None


async def test_a_profile_that_cannot_be_embedded_now_is_indexed_by_the_retry(
    known: Noting,
) -> None:
    job = await known.learn("Ida bakes.", cause="r:1")
    whole = known.deps
    known.deps = replaced(whole, vectors=Out())
    with pytest.raises(Transient):
        await known.run(job.job_id)
    known.deps = whole
    known.clock.turn(hours=1)
    await known.run(job.job_id)
    assert await indexed(known.made.vectors, known) == [1]


class Out:
    async def apply(self, *_: Any, **__: Any) -> None:
        raise Transient("no index just now")
