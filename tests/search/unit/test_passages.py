"""What follows a question in the chat is offered with it: its answer may have no word of it."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.passages import AFTER, BEST, SILENCE, after_questions
from shared.domain.recall.ranking import Ranked
from tests.context.chat import said


def ranked(*lines: StoredMessage) -> list[Ranked]:
    return [Ranked(one, 5.0 - n, {}) for n, one in enumerate(lines)]


ASKED = said(10, "whose car is in the drive?", topic_id="t")
NEXT = [
    said(n, text, topic_id="t") for n, text in ((12, "1701, i think"), (13, "ok"), (15, "gone"))
]
OTHER = said(11, "crabs come on friday", topic_id="s")


def test_the_next_lines_of_its_thread_follow_a_question_nearest_first() -> None:
    found = after_questions(ranked(ASKED, *NEXT, OTHER))

    assert found == {"m10": [("m12", AFTER[0]), ("m13", AFTER[1]), ("m15", AFTER[2])]}


def test_no_more_than_three_and_nothing_said_before() -> None:
    before = said(9, "morning", topic_id="t")
    late = said(20, "thanks", topic_id="t")

    assert len(after_questions(ranked(ASKED, *NEXT, late, before))["m10"]) == len(AFTER)


def test_what_is_no_question_brings_nothing() -> None:
    assert after_questions(ranked(said(1, "the car is blue", topic_id="t"), *NEXT)) == {}


def test_only_questions_among_the_best_lines_count() -> None:
    others = [said(30 + n, f"line {n}", topic_id="s") for n in range(BEST)]

    assert after_questions(ranked(*others, ASKED, *NEXT)) == {}


def test_without_topics_it_is_what_was_said_next_until_a_silence() -> None:
    asked = replace(ASKED, topic_id=None)
    soon = replace(said(11, "1701"), topic_id=None)
    late = replace(said(12, "hm"), create_time=soon.create_time + SILENCE + timedelta(seconds=1))

    assert [key for key, _ in after_questions(ranked(asked, soon, late))["m10"]] == ["m11"]


def test_a_line_of_a_topic_ends_what_has_none() -> None:
    asked = replace(ASKED, topic_id=None)

    assert after_questions(ranked(asked, OTHER, said(12, "1701")))["m10"] == []
