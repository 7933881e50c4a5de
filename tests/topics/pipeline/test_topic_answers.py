"""What the routes of topics answer: versions with their differences, costs, what is shown."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from functions.summarize_topic import handle_summarize, routes_groups, routes_topics
from shared.domain.key import SCOPES
from shared.runtime.auth import Caller
from tests.services import replaced
from tests.topics.attributing import Attributing
from tests.topics.pipeline.test_digests import LINES, run_jobs, send_due, take_part
from tests.topics.summarizing import TOPIC, Summarizing, chatter

OWNER = Caller("k1", SCOPES, ("*",))


@pytest.fixture
def talk(group: Attributing, monkeypatch: pytest.MonkeyPatch) -> Summarizing:
    for routes in (routes_topics, routes_groups):
        monkeypatch.setattr(routes, "services", lambda: group.made)
    one = Summarizing(group)
    one.deps = replaced(one.deps, settings=one.deps.settings.replaced(quality_sample=0.0))
    return one


async def test_a_version_shows_what_it_says_more_and_less_than_its_parent(
    talk: Summarizing,
) -> None:
    await talk.say(*chatter(8))
    await talk.run()
    await talk.say(("Zoe", "the anchor chain is rusty and needs grease"), *chatter(3))
    await talk.run()

    found = await routes_topics.list_summaries(TOPIC, OWNER)

    newest, first = found.summaries
    assert (found.total, newest.parent_version, first.diff) == (2, 1, None)
    assert newest.diff is not None
    assert "anchor chain" in " ".join(newest.diff.added)
    assert set(newest.diff.added).isdisjoint(newest.diff.removed)
    assert not any(one in newest.content for one in newest.diff.removed)


async def test_keywords_come_the_heaviest_first(talk: Summarizing) -> None:
    await talk.say(*chatter(20), ("Zoe", "the anchor chain is rusty"), ("Yan", "grease helps"))
    await talk.run()

    answer = await routes_topics.get_topic(TOPIC, OWNER)

    assert answer.summary is not None
    for weights in (answer.topic.keywords, answer.summary.keyword_weights):
        assert len(weights) > 4
        assert list(weights.values()) == sorted(weights.values(), reverse=True)


async def test_who_asks_for_a_summary_is_told_its_calls_and_tokens(talk: Summarizing) -> None:
    await talk.say(*chatter(8))

    answer = await routes_topics.summarize_now(TOPIC, OWNER)
    again = await routes_topics.summarize_now(TOPIC, OWNER)

    assert not hasattr(answer, "status_code")
    assert not hasattr(again, "status_code")
    assert answer.cost.calls >= 1
    assert answer.cost.prompt_tokens > 100
    assert answer.cost.completion_tokens > 0
    assert answer.summary is not None
    assert again.summary == answer.summary
    assert (again.cost.calls, again.cost.prompt_tokens) == (0, 0)


class Rambling:
    """A model that tells of something else, in the talk's language."""

    def __init__(self, model: Any) -> None:
        self._model = model

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **how: Any) -> Any:
        answer = await self._model.ask(prompt_id, reply_type, data, **how)
        said = "Stocks fell sharply. A minister resigned. Rain is expected in Lisbon."
        return replace(answer, reply=answer.reply.model_copy(update={"summary": said}))


async def test_a_much_worse_version_is_kept_but_not_shown_and_nothing_starts_from_it(
    talk: Summarizing,
) -> None:
    await talk.say(*chatter(8))
    await talk.run()
    good = talk.deps
    talk.deps = replaced(good, model=Rambling(good.model))
    await talk.say(*chatter(8))
    await talk.run()
    talk.deps = good

    shown = await routes_topics.get_topic(TOPIC, OWNER)
    versions = (await routes_topics.list_summaries(TOPIC, OWNER)).summaries
    assert shown.summary is not None
    assert (shown.summary.version, [one.is_shown for one in versions]) == (1, [False, True])
    assert "minister" in versions[0].content
    assert versions[0].quality["total"] < versions[1].quality["total"]
    hits = await talk.group.made.topic_search.find(
        talk.group.group_id, "minister", mode="keyword", limit=5
    )
    assert hits == []

    await talk.say(*chatter(4))
    await talk.run()
    newest = (await talk.versions())[0]
    assert (newest.version, newest.parent_version, newest.is_shown) == (3, 1, True)
    assert len(newest.message_ids) == 12, "what the worse one had told is told again"


async def test_parts_are_told_side_by_side_but_never_more_than_the_setting(
    talk: Summarizing,
) -> None:
    class Counting:
        def __init__(self, model: Any) -> None:
            self._model, self.now, self.most = model, 0, 0

        async def ask(self, prompt_id: str, *asked: Any, **how: Any) -> Any:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            try:
                return await self._model.ask(prompt_id, *asked, **how)
            finally:
                self.now -= 1

    for most in (1, 2):
        await talk.say(*chatter(390))
        counting = Counting(talk.group.made.model)
        settings = talk.deps.settings.replaced(summary_concurrency=most)
        talk.deps = replaced(talk.deps, model=counting, settings=settings)
        report = await talk.run()
        assert report.segments > 2
        assert counting.most == most


async def test_a_topic_is_summarised_after_so_many_messages_and_only_once(
    group: Attributing,
) -> None:
    await group.set(summary_every_messages=5)
    talk = Summarizing(group)

    async def wished() -> list[str]:
        _, jobs = await group.made.jobs.listed(
            state=None, group_id=group.group_id, limit=50, offset=0
        )
        return [one.job_id for one in jobs if one.kind == "summarize"]

    counts = []
    for number in range(1, 11):
        said = f"the rig of boat {number} needs rope"
        reply = {"reply_message_id": f"m{number - 1}"} if number > 1 else {}
        group.clock.turn(minutes=1)
        await group.say(group.message(number, "Ann", said, at=group.clock(), **reply))
        await group.attribute()
        counts.append(len(await wished()))
    assert counts == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2]
    for job_id in await wished():
        await group.made.worker.run(job_id, lambda work: handle_summarize.run(work, talk.deps))
    [topic] = await group.made.topics.active(group.group_id, 5)
    assert topic.summary_version == 1, "the second wish found nothing new"


async def test_a_digest_is_answered_with_all_that_its_week_decided(talk: Summarizing) -> None:
    await talk.group.set(enable_digests=True)
    settings = talk.deps.settings.replaced(small_topic_messages=1, shared_topic_messages=0)
    talk.deps = replaced(talk.deps, settings=settings)
    await talk.say(*LINES)
    await talk.run()
    await talk.say(
        ("Cleo", "we decided to sew the sail at the loft"), ("Ann", "bring your needles")
    )
    await talk.run()
    await take_part(talk, "u-Ann", "u-Bob", "u-Cleo")
    await talk.later(days=8)
    await send_due(talk)
    await run_jobs(talk)

    answer = await routes_groups.list_digests(talk.group.group_id, OWNER)

    [digest] = answer.digests
    decided = " ".join(one.text for one in digest.decisions)
    assert "blue on Sunday" in decided, "of the week's first version"
    assert "sew the sail" in decided
    assert {one.topic_id for one in digest.decisions} == {TOPIC}
    assert any("brushes" in one.text for one in digest.open_questions)
    assert set(digest.joined) == {"Ann", "Bob", "Cleo"}
    assert decided.split()[0] in digest.content
