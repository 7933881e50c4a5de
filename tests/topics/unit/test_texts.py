"""Which texts are embedded."""

from shared.domain.attribution.lines import (
    BEFORE_CHARACTERS,
    IndexedText,
    indexed_texts,
    own_text,
)
from tests.topics.saying import said

FIRST = said(1, "ann", "when do we ship?")
SECOND = said(2, "bob", "on friday")


def test_what_decides_is_what_a_person_wrote() -> None:
    assert own_text(said(1, "ann", " look [image] here ")) == "look  here"
    assert own_text(said(1, "ann", "[image]")) == ""


def test_what_is_indexed_has_the_one_before_and_both_names() -> None:
    found = indexed_texts([SECOND], {"m1": FIRST, "m2": SECOND})

    assert found == {"m2": IndexedText("ann: when do we ship?\nbob: on friday", "m1")}


def test_without_one_before_the_name_remains() -> None:
    assert indexed_texts([SECOND], {})["m2"] == IndexedText("bob: on friday", None)
    shown = {"m1": said(1, "ann", "[image]")}
    assert indexed_texts([SECOND], shown)["m2"] == IndexedText("bob: on friday", None)


def test_what_a_message_replies_to_stands_before_it_however_long_ago_it_was() -> None:
    reply = said(9, "cid", "sure", reply_message_id="m1")
    found = indexed_texts([reply], {"m1": FIRST, "m2": SECOND, "m9": reply})

    assert found["m9"].after == "m1"


def test_nothing_said_later_stands_before_a_message() -> None:
    assert indexed_texts([FIRST], {"m1": FIRST, "m2": SECOND})["m1"].after is None


def test_a_lone_picture_is_not_indexed() -> None:
    assert indexed_texts([said(1, "ann", "[image]")], {}) == {}


def test_a_long_message_before_does_not_push_the_message_out() -> None:
    text = indexed_texts([SECOND], {"m1": said(1, "ann", "x" * 9999)})["m2"].text

    assert len(text) < BEFORE_CHARACTERS + 50
    assert text.endswith("bob: on friday")
