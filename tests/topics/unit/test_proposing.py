"""Inherit, join, ask, open: every branch of a proposal."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from shared.domain.attribution.lines import in_order
from shared.domain.attribution.proposing import (
    NO_VECTORS,
    Basis,
    Known,
    Proposal,
    Proposing,
    opened_by,
)
from shared.domain.messages.stored_message import StoredMessage
from tests.topics.saying import placed, said
from tests.topics.tables import tables

FIRST = said(1, "ann", "when do we ship the release?")
OTHER = said(2, "bob", "中午去哪里吃饭？")
KNOWN = Known(before=[placed(FIRST, "t1"), placed(OTHER, "t2")])
NEVER_OPENS = tables(opens=-20.0, previous=5.0)


def said_to_be(chance: float) -> Known:
    """One line before, and so much of a chance that a message continues its topic."""
    opens = math.log((1 - chance) / chance)
    return Known(before=[placed(FIRST, "t1")], tables=tables(opens=opens))


def proposed(
    waiting: Sequence[StoredMessage],
    known: Known = KNOWN,
) -> list[Proposal]:
    return Proposing(known, NO_VECTORS).all(waiting)


@pytest.mark.parametrize(
    ("chance", "basis"),
    [
        (0.9, Basis.JOINS),
        (0.71, Basis.JOINS),
        (0.69, Basis.ASKS),
        (0.51, Basis.ASKS),
        (0.49, Basis.OPENS),
    ],
)
def test_the_thresholds_decide_whether_it_joins_asks_or_opens(chance: float, basis: Basis) -> None:
    message = said(3, "cid", "on friday")
    (one,) = proposed([message], said_to_be(chance))

    assert one.basis is basis
    if basis is Basis.OPENS:
        assert (one.topic_id, one.continues) == (opened_by(message), None)
    else:
        assert (one.topic_id, one.continues) == ("t1", "m1")


def test_other_thresholds_decide_otherwise() -> None:
    (one,) = proposed([said(3, "cid", "ok")], replace(said_to_be(0.85), join=0.95, ask=0.9))
    (asked,) = proposed([said(3, "cid", "ok")], replace(said_to_be(0.92), join=0.95, ask=0.9))

    assert (one.basis, asked.basis) == (Basis.OPENS, Basis.ASKS)


def test_a_question_offers_the_best_three() -> None:
    many = [placed(said(n, f"u{n}", "x"), f"t{n}") for n in range(5)]
    known = Known(before=many, tables=tables(opens=0.0, lines=-0.1), join=1.0, ask=0.0)
    (one,) = proposed([said(9, "cid", "ok")], known)

    assert [choice.topic_id for choice in one.candidates] == ["t4", "t3", "t2"]


def test_a_reply_inherits_whatever_is_likely() -> None:
    known = replace(KNOWN, tables=NEVER_OPENS)
    (one,) = proposed([said(3, "cid", "on friday", reply_message_id="m1")], known)

    assert (one.basis, one.topic_id, one.continues) == (Basis.REPLY, "t1", "m1")


def test_a_reply_to_a_message_out_of_sight_inherits() -> None:
    old = placed(said(0, "ann", "long ago", at_s=-90_000), "old")
    known = replace(KNOWN, replied={"m0": old})
    (one,) = proposed([said(3, "cid", "still?", reply_message_id="m0")], known)

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
    found = proposed(chain, replace(KNOWN, tables=tables(opens=20.0)))

    assert [one.message.message_id for one in found] == ["m3", "m4", "m5"]
    assert {one.topic_id for one in found} == {opened_by(chain[2])}
    assert [one.continues for one in found] == [None, "m3", "m4"]


def test_a_reply_to_something_unknown_is_decided_by_what_is_likely() -> None:
    reply = said(3, "cid", "yes", reply_message_id="gone")
    (joined,) = proposed([reply], said_to_be(0.8))
    (opened,) = proposed([reply], said_to_be(0.2))

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
    asked, followed = proposed([question, reply], said_to_be(0.6))

    assert (asked.basis, followed.basis) == (Basis.ASKS, Basis.FOLLOWS)
    assert followed.continues == "m3"


def test_what_is_likely_to_follow_a_question_goes_with_it_too() -> None:
    known = replace(said_to_be(0.6), tables=tables(opens=-0.4, previous=0.0, same=9.0))
    found = proposed([said(3, "cid", "a"), said(4, "cid", "b")], known)

    assert [one.basis for one in found] == [Basis.ASKS, Basis.FOLLOWS]


def test_an_edited_message_stays_where_it_was() -> None:
    edited = replace(said(3, "cid", "edited"), topic_id="t2", continues="m2")
    (one,) = proposed([edited], replace(KNOWN, kept_topics=frozenset({"t2"}), tables=NEVER_OPENS))

    assert (one.basis, one.topic_id, one.continues) == (Basis.STAYS, "t2", "m2")


def test_an_edited_message_whose_topic_is_gone_is_placed_anew() -> None:
    edited = replace(said(3, "cid", "edited"), topic_id="gone")
    (one,) = proposed([edited], said_to_be(0.2))

    assert (one.basis, one.topic_id) == (Basis.OPENS, opened_by(edited))


def test_people_come_back_to_a_topic_after_days() -> None:
    late = said(3, "cid", "about the release again", at_s=3 * 86_400)
    (one,) = proposed([late], said_to_be(0.9))

    assert (one.basis, one.topic_id) == (Basis.JOINS, "t1")


def test_nothing_later_than_the_message_is_looked_at() -> None:
    late = said(9, "cid", "I was offline", at_s=45.0)
    (one,) = proposed([late], replace(KNOWN, tables=NEVER_OPENS))

    assert one.continues == "m1"


def test_the_same_messages_are_placed_the_same_again_in_one_run_or_in_two() -> None:
    talk = [
        said(3, "cid", "the release ships on friday I think"),
        said(4, "bob", "面馆怎么样"),
        said(5, "ann", "friday is fine for the release"),
        said(6, "dora", "Does anyone have a spare charger for my laptop at the office?"),
    ]
    known = replace(KNOWN, join=0.5)
    at_once = Proposing(known, NO_VECTORS).all(talk)
    first = Proposing(known, NO_VECTORS).all(talk[:2])
    before = [*KNOWN.before, *(placed(o.message, o.topic_id, o.continues) for o in first)]
    rest = Proposing(replace(known, before=before), NO_VECTORS).all(talk[2:])

    assert at_once == Proposing(known, NO_VECTORS).all(talk)
    assert [one.topic_id for one in at_once] == [one.topic_id for one in (*first, *rest)]
    assert [one.continues for one in at_once] == [one.continues for one in (*first, *rest)]


def test_messages_of_one_second_keep_the_order_of_their_numbers() -> None:
    found = in_order([said(n, "ann", "x", at_s=1.0) for n in (1000, 9, 99)])

    assert [one.message_id for one in found] == ["m9", "m99", "m1000"]
