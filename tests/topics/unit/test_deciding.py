"""A batch of messages, from what was read to what is stored; the second look at small topics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.attribution.deciding import (
    AttributionPlan,
    Placed,
    decide_attribution,
    place_messages,
)
from shared.domain.attribution.proposing import (
    Basis,
    Known,
    Proposal,
    opened_by,
)
from shared.domain.attribution.questions import Answers
from shared.domain.attribution.topic_updates import ClosingRules, shut, with_messages
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack
from shared.domain.topics.topic import Topic
from shared.threads.second_look import EVERY, Dissolved, is_due
from shared.threads.table import Tables
from tests.topics.saying import placed, said
from tests.topics.tables import tables

OPENS_ASIDES = tables(opens=2.0, lonely=0.1, same=6.0)
"""People speak on in their own topic; somebody new opens one, but not by much."""


def talk(count: int, aside: int | None = None) -> list[StoredMessage]:
    """Ann speaks all the time; at the place of the aside somebody else does, once."""
    return [said(n, "eve" if n == aside else "ann", f"line {n} of something") for n in range(count)]


def run(
    waiting: Sequence[StoredMessage],
    before: Sequence[StoredMessage] = (),
    topics: Mapping[str, Topic] | None = None,
    by: Tables = OPENS_ASIDES,
    answers: Answers | None = None,
    join: float = 0.5,
    ask: float = 0.5,
) -> tuple[Placed, AttributionPlan]:
    vectors = {one.message_id: [float(one.message_id == "m3"), 1.0] for one in waiting}
    placed_ = place_messages(
        waiting,
        Known(before, tables=by, embedding_model="usem3", join=join, ask=ask),
        vectors,
        topics or {},
        len(before),
    )
    plan = decide_attribution(
        placed_,
        before,
        topics or {},
        vectors,
        ClosingRules(),
        embedding_model="usem3",
        answers=answers,
        roles={},
    )
    return placed_, plan


def stored(plan: AttributionPlan, topics: Mapping[str, Topic]) -> dict[str, Topic]:
    kept = {**topics, **plan.growth.changed}
    return {key: one for key, one in kept.items() if key not in plan.gone}


@pytest.mark.parametrize(
    ("before", "now", "due"), [(0, 9, False), (0, 10, True), (9, 1, True), (10, 9, False)]
)
def test_a_second_look_is_due_after_every_ten_messages(before: int, now: int, due: bool) -> None:
    assert is_due(before, now) is due
    assert EVERY == 10


def test_a_line_that_nobody_took_up_goes_where_it_most_likely_belongs() -> None:
    _, plan = run(talk(20, aside=3))

    assert {one.topic_id for one in plan.assignments} == {plan.assignments[0].topic_id}
    aside = next(one for one in plan.assignments if one.message.message_id == "m3")
    assert aside.continues in ("m0", "m1", "m2")
    (topic,) = plan.growth.changed.values()
    assert (topic.message_count, topic.user_ids) == (20, ("id-ann", "id-eve"))


def test_it_stays_a_topic_until_ten_lines_have_come_since() -> None:
    _, plan = run(talk(10, aside=3))

    assert len(plan.growth.changed) == 2


def test_it_stays_a_topic_where_nothing_is_likely_enough() -> None:
    sure = tables(opens=9.0, lonely=0.5, same=20.0)
    _, plan = run(talk(20, aside=3), by=sure)

    assert len(plan.growth.changed) == 2


def test_a_topic_of_an_earlier_run_is_dissolved_and_what_it_had_is_not_lost() -> None:
    early = talk(20, aside=3)
    _, first = run(early[:10])
    topics = stored(first, {})
    before = [placed(one.message, one.topic_id, one.continues) for one in first.assignments]
    assert len(topics) == 2

    _, second = run(early[10:], before, topics)

    lonely = opened_by(early[3])
    assert second.gone == {lonely}
    assert set(second.moves) == {"m3"}
    (whole,) = stored(second, topics).values()
    assert second.moves["m3"][0] == whole.topic_id
    assert (whole.message_count, whole.vector_count) == (20, 20)
    assert unpack(whole.vector_sum) == [1.0, 20.0]
    assert set(whole.user_ids) == {"id-ann", "id-eve"}
    counted = with_messages(None, whole.topic_id, early, {}, "usem3", timedelta(hours=6))
    assert whole.keywords == counted.keywords
    assert whole.token_count == counted.token_count


def test_decided_again_the_plan_is_the_same() -> None:
    early = talk(20, aside=3)
    _, first = run(early[:10])
    topics = stored(first, {})
    before = [placed(one.message, one.topic_id, one.continues) for one in first.assignments]

    assert run(early[10:], before, topics) == run(early[10:], before, topics)


@pytest.mark.parametrize(
    "changes",
    [{"summary_version": 1}, {"summary_asked_count": 5}, {"message_count": 2}],
    ids=["summarised", "a summary is wished", "a line is out of sight"],
)
def test_a_topic_that_is_not_provisional_any_more_stays(changes: dict[str, int]) -> None:
    early = talk(20, aside=3)
    _, first = run(early[:10])
    topics = stored(first, {})
    lonely = opened_by(early[3])
    topics[lonely] = replace(topics[lonely], **changes)  # type: ignore[arg-type]
    before = [placed(one.message, one.topic_id, one.continues) for one in first.assignments]

    _, second = run(early[10:], before, topics)

    assert second.gone == frozenset()
    assert second.moves == {}


def closed_meanwhile(changes: Mapping[str, int]) -> tuple[str, AttributionPlan]:
    """The aside's topic has closed before ten more lines came: only its record knows it."""
    early = talk(20, aside=3)
    _, first = run(early[:10])
    topics = stored(first, {})
    lonely = opened_by(early[3])
    closed = replace(shut(topics.pop(lonely), early[9].create_time), **changes)  # type: ignore[arg-type]
    before = [placed(one.message, one.topic_id, one.continues) for one in first.assignments]
    placed_, _ = run(early[10:], before, topics)
    assert lonely in placed_.topics_touched(is_asking=False)
    known = {**topics, lonely: closed}
    plan = decide_attribution(
        placed_.as_it_is(known),
        before,
        known,
        {},
        ClosingRules(),
        embedding_model="usem3",
        roles={},
    )
    return lonely, plan


def test_a_line_alone_goes_where_it_belongs_though_its_topic_has_closed() -> None:
    lonely, plan = closed_meanwhile({})

    assert plan.gone == {lonely}
    assert set(plan.moves) == {"m3"}
    (whole,) = plan.growth.changed.values()
    assert (whole.message_count, whole.is_active) == (20, True)


@pytest.mark.parametrize(
    "changes",
    [{"summary_version": 1}, {"summary_asked_count": 1}, {"message_count": 2}],
    ids=["summarised", "a summary is wished", "a line is out of sight"],
)
def test_a_closed_topic_of_more_than_a_line_stays(changes: dict[str, int]) -> None:
    _, plan = closed_meanwhile(changes)

    assert plan.gone == frozenset()
    assert plan.moves == {}


def test_a_native_reply_keeps_a_line_from_being_alone() -> None:
    lines = talk(20, aside=3)
    lines[5] = replace(lines[5], reply_message_id="m3")
    _, plan = run(lines)

    topic_of = {one.message.message_id: one.topic_id for one in plan.assignments}
    assert topic_of["m5"] == topic_of["m3"]
    follows = {one.message.message_id: one.continues for one in plan.assignments}
    assert follows["m5"] == "m3"


def test_a_message_in_question_is_left_alone_and_goes_where_the_model_says() -> None:
    lines = talk(20, aside=3)
    doubtful = tables(opens=-0.3, lonely=0.0, same=6.0)
    placed_, plan = run(lines, by=doubtful, join=0.9, ask=0.3)
    asked = [one for one in placed_.proposals if one.basis == "asks"]
    assert "m3" in {one.message.message_id for one in asked}
    _, answered = run(lines, by=doubtful, join=0.9, ask=0.3, answers=Answers({"m3": None}))

    topic_of = {one.message.message_id: one.topic_id for one in answered.assignments}
    assert topic_of["m3"] == opened_by(lines[3])
    assert len({one.topic_id for one in plan.assignments}) == 1


def test_where_a_topic_goes_into_one_that_goes_on_both_end_in_the_last() -> None:
    first, second, third = (said(n, "ann", "x") for n in (1, 2, 3))
    known = [placed(first, "a"), placed(second, "b"), placed(third, "c")]
    topics = {
        one.topic_id or "": with_messages(
            None, one.topic_id or "", [one], {}, "e1", timedelta(hours=6)
        )
        for one in known
    }
    dissolved = {"b": Dissolved("a", "m2", "m1"), "c": Dissolved("b", "m3", "m2")}
    plan = decide_attribution(
        Placed([], dissolved), known, topics, {}, ClosingRules(), embedding_model="e1", roles={}
    )

    assert plan.moves == {"m2": ("a", "m1"), "m3": ("a", "m2")}
    assert plan.growth.changed["a"].message_count == 3
    assert plan.gone == {"b", "c"}


def _opens(line: StoredMessage) -> Proposal:
    return Proposal(line, Basis.OPENS, opened_by(line))


def _into_a_new_one() -> tuple[StoredMessage, AttributionPlan, Mapping[str, Topic]]:
    """A stored topic of one line goes into one that this run opens: its first lines were taken back
    and are placed anew."""
    new, old = said(1, "ann", "the stove is heavy"), said(2, "bob", "I carry the stove")
    known = [placed(old, "b")]
    topics = {"b": with_messages(None, "b", known, {}, "e1", timedelta(hours=6))}
    plan = decide_attribution(
        Placed([_opens(new)], {"b": Dissolved(opened_by(new), "m2", "m1")}),
        known,
        topics,
        {},
        ClosingRules(),
        embedding_model="e1",
        roles={},
    )
    return new, plan, topics


def test_a_topic_may_go_into_one_that_the_run_opens() -> None:
    new, plan, topics = _into_a_new_one()

    (whole,) = stored(plan, topics).values()
    assert whole.topic_id == opened_by(new)
    assert (whole.message_count, whole.user_ids) == (2, ("id-ann", "id-bob"))
    assert whole.last_message_id == "m2"
    assert plan.moves == {"m2": (whole.topic_id, "m1")}
    assert plan.gone == {"b"}
    assert plan.growth.opened == {whole.topic_id}


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_topic_stays_where_the_one_it_would_go_into_is_not_there(is_edited: bool) -> None:
    """Nobody opens it, or it was forgotten and a line of it only edited."""
    gone, old = said(1, "ann", "the stove is heavy"), said(2, "bob", "I carry the stove")
    edited = [Proposal(gone, Basis.STAYS, opened_by(gone))] if is_edited else []
    known = [placed(old, "b")]
    topics = {"b": with_messages(None, "b", known, {}, "e1", timedelta(hours=6))}
    plan = decide_attribution(
        Placed(edited, {"b": Dissolved(opened_by(gone), "m2", "m1")}),
        known,
        topics,
        {},
        ClosingRules(),
        embedding_model="e1",
        roles={},
    )

    assert (plan.moves, plan.gone) == ({}, frozenset())
    assert stored(plan, topics) == topics


def test_topics_that_grow_or_go_or_are_offered_are_read() -> None:
    early = talk(20, aside=3)
    _, first = run(early[:10])
    before = [placed(one.message, one.topic_id, one.continues) for one in first.assignments]
    placed_, _ = run(early[10:], before, stored(first, {}))

    assert placed_.topics_touched(is_asking=False) == {opened_by(early[0]), opened_by(early[3])}
