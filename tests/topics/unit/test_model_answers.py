"""The model's answers, readable or not."""

import pytest

from shared.domain.attribution.proposing import Basis, Proposal, opened_by
from shared.domain.attribution.questions import NO_ANSWERS, Answers, settle
from shared.threads import Candidate
from tests.topics.saying import said

MESSAGE = said(3, "cid", "what about it?")
ASKED = Proposal(
    MESSAGE,
    Basis.ASKS,
    "t1",
    "m1",
    (Candidate("t1", 0.6, "m1"), Candidate("t2", 0.55, "m2")),
)
BEHIND = Proposal(said(4, "ann", "hm"), Basis.FOLLOWS, "t1", "m3")
JOINED = Proposal(said(5, "bob", "ok"), Basis.JOINS, "t1", "m1")


def test_an_answer_by_number_is_that_candidate() -> None:
    settled = settle([ASKED], Answers({"m3": 2}))

    (one,) = settled
    assert (one.topic_id, one.continues) == ("t2", "m2")


def test_a_new_topic_opens_and_what_follows_goes_along() -> None:
    settled = settle([ASKED, BEHIND], Answers({"m3": None}))

    opened = opened_by(MESSAGE)
    assert [one.topic_id for one in settled] == [opened, opened]
    assert settled[0].continues is None


@pytest.mark.parametrize("choice", [0, 3, -1])
def test_a_number_nobody_offered_means_the_most_similar(choice: int) -> None:
    (one,) = settle([ASKED], Answers({"m3": choice}))

    assert (one.topic_id, one.continues) == ("t1", "m1")


def test_without_any_answer_everything_is_where_it_is_most_similar() -> None:
    settled = settle([ASKED, BEHIND, JOINED], NO_ANSWERS)

    assert [one.topic_id for one in settled] == ["t1", "t1", "t1"]


def test_answers_to_some_questions_leave_the_others_most_similar() -> None:
    second = Proposal(said(6, "eve", "hm"), Basis.ASKS, "t2", "m2", ASKED.candidates[::-1])
    settled = settle([ASKED, second], Answers({"m6": 2}))

    assert [one.topic_id for one in settled] == ["t1", "t1"]
    assert settled[1].continues == "m1"


def test_what_follows_a_question_goes_where_the_answer_sends_it() -> None:
    further = Proposal(said(6, "eve", "hm"), Basis.FOLLOWS, "t1", "m4")
    settled = settle([ASKED, BEHIND, further], Answers({"m3": 2}))

    assert [one.topic_id for one in settled] == ["t2", "t2", "t2"]


def test_an_answer_to_no_question_changes_nothing() -> None:
    (one,) = settle([JOINED], Answers({"m5": None}))

    assert (one.topic_id, one.basis) == ("t1", Basis.JOINS)
