"""What the model is asked."""

from dataclasses import replace

from shared.domain.attribution.proposing import Basis, Proposal
from shared.domain.attribution.questions import (
    MAX_QUESTIONS,
    MAX_TITLES,
    TITLE_TRIES,
    questions,
    quotable,
)
from shared.threads import Candidate
from tests.topics.saying import placed, said, topic

BEFORE = [placed(said(n, "ann", f"line {n}"), "t1") for n in range(1, 9)]
ASKED = Proposal(
    said(20, "cid", "what about it? " + "x" * 999),
    Basis.ASKS,
    "t1",
    "m8",
    (Candidate("t1", 0.6, "m8"), Candidate("t2", 0.5, None)),
)
OPENED = Proposal(said(21, "bob", "a new thing"), Basis.OPENS, "t3")
ADDED = Proposal(said(22, "ann", "tell me more"), Basis.JOINS, "t3", "m21")


def test_a_question_shows_the_message_and_the_last_five_of_each_candidate() -> None:
    quoted = quotable(BEFORE, [ASKED])
    asked = questions([ASKED], {"t1": topic("t1", keywords={"ship": 1.0})}, quoted)

    (shown,) = asked.data["questions"]
    assert (shown["n"], shown["message"]["user_name"]) == (1, "cid")
    assert len(shown["message"]["content"]) == 400
    first, second = shown["candidates"]
    assert (first["number"], first["title"], first["keywords"]) == (1, "title of t1", ["ship"])
    assert [one["content"] for one in first["last_messages"]] == [f"line {n}" for n in range(4, 9)]
    assert (second["number"], second["title"], second["last_messages"]) == (2, "", [])


def test_of_many_keywords_the_heaviest_are_shown() -> None:
    words = {
        "seven": 0.1,
        "six": 0.2,
        "one": 1.0,
        "two": 0.9,
        "three": 0.8,
        "five": 0.5,
        "four": 0.6,
    }
    asked = questions([ASKED], {"t1": topic("t1", keywords=words)}, quotable(BEFORE, [ASKED]))
    (shown,) = asked.data["questions"]
    assert shown["candidates"][0]["keywords"] == ["one", "two", "three", "four", "five"]


def test_a_new_topic_is_titled_by_its_first_messages() -> None:
    asked = questions([OPENED, ADDED], {}, quotable(BEFORE, [OPENED, ADDED]))

    assert asked.untitled == ["t3"]
    (wished,) = asked.data["titles"]
    assert (wished["n"], wished["messages"]) == (1, ["a new thing", "tell me more"])


def test_nobody_is_asked_to_name_a_greeting() -> None:
    greeted = Proposal(said(21, "bob", "早早早"), Basis.OPENS, "t3")
    assert not questions([greeted], {}, quotable(BEFORE, [greeted]))

    asked = questions([greeted, ADDED], {}, quotable(BEFORE, [greeted, ADDED]))
    assert asked.data["titles"][0]["messages"] == ["tell me more"]


def test_what_is_to_be_named_comes_with_its_keywords() -> None:
    opened = Proposal(said(21, "bob", "the printer is out of toner"), Basis.OPENS, "t3")
    asked = questions([ASKED, opened], {}, quotable(BEFORE, [ASKED, opened]))

    assert asked.data["titles"][0]["keywords"] == ["printer", "toner"]
    assert isinstance(asked.data["questions"][0]["keywords"], list)


def test_a_topic_that_never_got_its_title_is_asked_for_again_but_not_for_ever() -> None:
    lacking = topic("t1", is_titled=False)
    tired = replace(lacking, title_tries=TITLE_TRIES)

    assert questions([], {"t1": lacking}, quotable(BEFORE, [])).untitled == ["t1"]
    assert not questions([], {"t1": tired}, quotable(BEFORE, []))
    assert not questions([], {"t1": topic("t1")}, quotable(BEFORE, []))
    assert not questions([], {"t1": lacking}, {})


def test_of_too_many_questions_the_least_certain_are_asked_in_order() -> None:
    many = [
        replace(
            ASKED, message=said(n, "cid", "?"), candidates=(Candidate("t1", 0.5 + n / 999, None),)
        )
        for n in range(60)
    ]
    opened = [Proposal(said(100 + n, "bob", "new"), Basis.OPENS, f"o{n}") for n in range(60)]
    asked = questions([*many, *opened], {}, quotable([], opened))

    assert [one.message.message_id for one in asked.asked] == [
        f"m{n}" for n in range(MAX_QUESTIONS)
    ]
    assert len(asked.untitled) == MAX_TITLES


def test_a_message_in_question_is_no_example_of_a_topic() -> None:
    assert "t1" not in quotable([], [ASKED])
