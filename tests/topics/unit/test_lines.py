"""Who a line is to, and whom it names."""

from typing import Any

import pytest

from shared.domain.attribution.lines import as_said
from shared.domain.messages.message import Mention
from shared.threads.lines import BOT, Names, Said, ThreadLine
from tests.topics import saying


def said(number: int, user: str, content: str, **changes: Any) -> Said:
    return as_said(saying.said(number, user, content, **changes), None)


PEOPLE = [
    said(1, "ann", "hi"),
    said(2, "bob", "hi"),
    said(3, "Mary Jane", "hi"),
    said(4, "小王", "大家好"),
    said(5, "will", "hi"),
    said(6, "robot", "hello", role="assistant"),
]


def read(content: str, **changes: Any) -> ThreadLine:
    return Names(PEOPLE).line(said(9, "cid", content, **changes))


@pytest.mark.parametrize(
    ("content", "to"),
    [
        ("ann: did you try it?", {"id-ann"}),
        ("Ann, did you try it?", {"id-ann"}),
        ("ann did you try it?", {"id-ann"}),
        ("@ann look", {"id-ann"}),
        ("ann, bob: look at this", {"id-ann", "id-bob"}),
        ("Mary Jane: thanks", {"id-Mary Jane"}),
        ("小王，你看一下", {"id-小王"}),
        ("小王你看一下", {"id-小王"}),
        ("小王：你看一下", {"id-小王"}),
        ("will: thanks", {"id-will"}),
        ("will this ever work?", set()),
        ("annual report is out", set()),
        ("I asked ann yesterday", set()),
        ("robot: what time is it?", set()),
        ("", set()),
    ],
)
def test_a_name_before_anything_else_is_who_it_is_to(content: str, to: set[str]) -> None:
    assert read(content).to == to


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("I asked ann yesterday", {"id-ann"}),
        ("问问小王吧", {"id-小王"}),
        ("ann: bob knows", {"id-bob"}),
        ("ask mary jane.", {"id-Mary Jane"}),
        ("I will see", set()),
    ],
)
def test_a_name_further_on_is_somebody_named(content: str, named: set[str]) -> None:
    assert read(content).names == named


def test_a_mention_is_to_whom_the_platform_says_known_or_not() -> None:
    line = read("look", mentions=(Mention("id-bob", "Bobby"), Mention("id-new", "New")))

    assert line.to == {"id-bob", "id-new"}


def test_a_written_mention_finds_the_person_by_name() -> None:
    assert read("see this @bob").to == {"id-bob"}


def test_a_mention_of_all_is_to_nobody() -> None:
    assert read("@all lunch is here").to == set()


def test_two_people_of_one_name_are_both_meant() -> None:
    names = Names([said(1, "ann", "hi"), said(2, "ann", "hi", native_id="x")])
    names.learn(said(3, "Ann", "hi"))

    assert names.line(said(9, "cid", "ann: hi")).to == {"id-ann", "id-Ann"}


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Ann🌸", "ann: look"),
        ("ann_2", "ann, look"),
        ("`ann`", "ann look"),
        ("Ann (Berlin)", "Ann: look"),
        ("小李(上海)", "小李你看一下"),
        ("🌙小李", "@小李 看一下"),
        ("Mary Jane 💃", "Mary Jane: look"),
    ],
)
def test_an_adorned_name_is_called_without_what_adorns_it(name: str, called: str) -> None:
    assert Names([said(1, name, "hi")]).line(said(9, "cid", called)).to == {f"id-{name}"}


def test_a_bare_name_of_several_people_is_nobodys() -> None:
    names = Names([said(1, "user1", "hi"), said(2, "user2", "hi")])

    line = names.line(said(9, "cid", "the user cannot log in"))

    assert (line.to, line.names) == (frozenset(), frozenset())
    assert names.line(said(9, "cid", "user2: hi")).to == {"id-user2"}
    assert not names.knows("user")


def test_an_adornment_alone_is_no_name() -> None:
    assert not Names([said(1, "🌸🌸", "hi"), said(2, "the1", "hi")]).knows("the")


def test_the_bot_is_one_whatever_its_id() -> None:
    assert read("hello", role="assistant").speaker == BOT


@pytest.mark.parametrize("content", ["robot: what time is it?", "@robot look"])
def test_calling_the_bot_is_to_nobody(content: str) -> None:
    line = read(content)

    assert (line.to, line.calls_bot) == (frozenset(), True)
    assert read("hello", is_mention_bot=True).calls_bot
    assert not read("hello").calls_bot


def test_nobody_speaks_to_themselves_and_names_are_no_words() -> None:
    line = Names([*PEOPLE, said(7, "cid", "hi")]).line(said(9, "cid", "cid: ann asked about cats"))

    assert line.to == set()
    assert "ann" not in line.terms
    assert "cat" in line.terms
