"""The analyser as a whole: sure-footed on any text, and the same every time."""

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.messages.analyser import analyse, analysed
from shared.domain.messages.message import MAX_CONTENT_BYTES, Attachment, Mention
from shared.language import (
    MessageType,
    message_type,
    message_types,
    patterns,
    questions,
    small_talk,
)
from shared.language.patterns import Phrases, any_of
from tests.ingest.unit.sentences import message
from tests.language.awkward import SHAPES, awkward


@given(st.text(max_size=300), st.text(max_size=100))
@settings(deadline=None)
def test_any_text_is_analysed_and_twice_the_same(content: str, replied: str) -> None:
    content = content.encode(errors="replace").decode()
    replied = replied.encode(errors="replace").decode()
    one = analyse(message(content), message(replied))

    assert one == analyse(message(content), message(replied))
    assert len(analysed(message(content))[1]) <= 64
    assert len(one.keywords) <= 10


@pytest.mark.parametrize(
    "unit", [".", "a", "[", "a@", "@a ", "哈", "a.", "so ok ", "`", "http://", " ", "-", "呵呵 是 "]
)
@pytest.mark.timeout(30)
def test_the_longest_texts_end_too(unit: str) -> None:
    content = unit * (MAX_CONTENT_BYTES // len(unit.encode()))

    assert analyse(message(content)) == analyse(message(content))


def test_an_answer_needs_the_question() -> None:
    asked = "how much is the deposit"

    assert message_type("two months' rent", replied=asked) is MessageType.ANSWER
    assert message_type("yes", replied=asked) is MessageType.ANSWER
    assert message_type("lol", replied=asked) is MessageType.CASUAL
    assert message_type("why do you ask", replied=asked) is MessageType.QUESTION
    assert message_type("yes") is MessageType.CASUAL


def test_a_file_is_an_answer_to_who_asked_for_it() -> None:
    asked = "can you send me the slides"

    assert message_type("", replied=asked, has_file=True) is MessageType.ANSWER
    assert message_type("", has_file=True) is MessageType.CASUAL


def test_everyone_is_told_things_and_asked_things() -> None:
    assert message_type("lunch is here", is_to_everyone=True) is MessageType.NOTIFICATION
    assert message_type("who is in?", is_to_everyone=True) is MessageType.QUESTION


def test_placeholders_are_not_words_but_file_names_are() -> None:
    _, terms = analysed(
        message("[image] [file: budget.xlsx]", attachments=(Attachment("file", "budget.xlsx"),))
    )

    assert terms == ("budget.xlsx", "budget", "xlsx")


def test_the_question_may_be_in_code_and_then_nobody_asks() -> None:
    assert analyse(message("pushed `is_ok ? 1 : 0`")).message_type is MessageType.DISCUSSION


def test_a_bot_that_is_asked_is_asked() -> None:
    asked = message("@bot what did we decide", mentions=(Mention("b", "bot"),), is_mention_bot=True)

    assert analyse(asked).message_type is MessageType.QUESTION


def test_a_list_of_phrases_reads_lists_names_and_comments() -> None:
    pattern = any_of(
        r"""
        {ab c, de+}$  # whole English phrases
        # nothing but a comment
        <DAY> \d{1,2}
        """,
        DAY="(?:mon|tues)day",
    )

    assert pattern.search("so ab c")
    assert pattern.search("deee")
    assert pattern.search("monday 12")
    assert not pattern.search("xde")
    assert not pattern.search("monday")


def test_a_list_with_an_empty_alternative_is_refused() -> None:
    with pytest.raises(ValueError, match="everything"):
        any_of("a|b|").search("a")


@pytest.mark.parametrize("module", [message_types, patterns, questions, small_talk])
def test_every_list_of_phrases_can_be_held_against_a_text(module: ModuleType) -> None:
    lists = [one for one in vars(module).values() if isinstance(one, Phrases)]

    assert lists
    assert not any(one.search("") for one in lists)


MAX_FIELD_NAME_BYTES = 1_500
"""Firestore refuses a longer name of a field, and with it the whole commit: every message of it."""


def test_what_is_found_in_any_text_can_be_stored() -> None:
    for shape in [one for one in SHAPES if one.endswith("again and again")]:
        features, terms = analysed(message(awkward(shape, 4 * MAX_FIELD_NAME_BYTES)))
        names = [*features.keywords, *terms]
        assert all(0 < len(one.encode()) <= MAX_FIELD_NAME_BYTES for one in names), shape
        assert not any(one.startswith("__") and one.endswith("__") for one in features.keywords)
