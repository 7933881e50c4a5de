"""The model's answers, readable or not."""

import pytest

from shared.domain.attribution.model_answers import NO_ANSWERS, Answers, Choice, Title, settle
from shared.domain.attribution.proposing import Basis, Proposal, opened_by
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
    settled = settle([ASKED], Answers({"m3": Choice(2)}))

    (one,) = settled.assignments
    assert (one.topic_id, one.continues) == ("t2", "m2")


def test_a_new_topic_opens_with_the_title_of_the_answer() -> None:
    settled = settle([ASKED, BEHIND], Answers({"m3": Choice(None, Title("A charger", "one"))}))

    opened = opened_by(MESSAGE)
    assert [one.topic_id for one in settled.assignments] == [opened, opened]
    assert settled.assignments[0].continues is None
    assert settled.titles == {opened: Title("A charger", "one")}


@pytest.mark.parametrize("choice", [Choice(0), Choice(3), Choice(-1)])
def test_a_number_nobody_offered_means_the_most_similar(choice: Choice) -> None:
    (one,) = settle([ASKED], Answers({"m3": choice})).assignments

    assert (one.topic_id, one.continues) == ("t1", "m1")


def test_without_any_answer_everything_is_where_it_is_most_similar() -> None:
    settled = settle([ASKED, BEHIND, JOINED], NO_ANSWERS)

    assert [one.topic_id for one in settled.assignments] == ["t1", "t1", "t1"]
    assert settled.titles == {}


def test_answers_to_some_questions_leave_the_others_most_similar() -> None:
    second = Proposal(said(6, "eve", "hm"), Basis.ASKS, "t2", "m2", ASKED.candidates[::-1])
    settled = settle([ASKED, second], Answers({"m6": Choice(2)}))

    assert [one.topic_id for one in settled.assignments] == ["t1", "t1"]
    assert settled.assignments[1].continues == "m1"


def test_what_follows_a_question_goes_where_the_answer_sends_it() -> None:
    further = Proposal(said(6, "eve", "hm"), Basis.FOLLOWS, "t1", "m4")
    settled = settle([ASKED, BEHIND, further], Answers({"m3": Choice(2)}))

    assert [one.topic_id for one in settled.assignments] == ["t2", "t2", "t2"]


def test_an_answer_to_no_question_changes_nothing() -> None:
    (one,) = settle([JOINED], Answers({"m5": Choice(None)})).assignments

    assert (one.topic_id, one.basis) == ("t1", Basis.JOINS)


def test_an_empty_title_is_none() -> None:
    answers = Answers({"m3": Choice(None, Title(" "))}, {"t9": Title("")})

    assert settle([ASKED], answers).titles == {}
