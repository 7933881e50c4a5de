"""Memories follow words that come back: what recurs is created, what is plainly changed changes."""

from typing import Any

import pytest

from infra.emulators.openai.rules import answer

TODAY = "2026-03-20T00:00:00Z"


def said(*lines: str, day: int = 19) -> list[dict[str, Any]]:
    """Messages from lines of "name: text", a minute apart."""
    found = []
    for number, line in enumerate(lines):
        name, _, content = line.partition(": ")
        found.append(
            {
                "id": f"{day}-{number}",
                "user_id": f"u-{name}",
                "user_name": name,
                "time": f"2026-03-{day:02}T12:{number:02}:00Z",
                "content": content,
            }
        )
    return found


def memory(statement: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "mem",
        "statement": statement,
        "kind": "habit",
        "subject": None,
        "last_supported_at": "2026-03-10T00:00:00Z",
        **more,
    }


def evolve(messages: list[dict[str, Any]], *memories: dict[str, Any]) -> list[dict[str, Any]]:
    given = {"existing_memories": list(memories), "new_discussions": messages, "today": TODAY}
    lines: list[dict[str, Any]] = answer("memory_evolve", given)["lines"]
    return lines


def created(*lines: str) -> list[str]:
    return [line["statement"] for line in evolve(said(*lines)) if line["action"] == "create"]


@pytest.mark.parametrize(
    ("lines", "statement"),
    [
        (
            ("Ida: we play chess every Sunday", "Kai: yes, chess every Sunday"),
            "Members play chess every Sunday",
        ),
        (("林晓: 我们每周日下棋", "唐宁: 对，我们每周日下棋"), "大家每周日下棋"),
        (("Ida: remember that I'm allergic to wool",), "Ida is allergic to wool"),
        (("林晓: 记住，我对羊毛过敏",), "林晓对羊毛过敏"),
    ],
)
def test_what_recurs_or_is_to_be_remembered_becomes_a_memory(
    lines: tuple[str, ...], statement: str
) -> None:
    assert created(*lines) == [statement]


@pytest.mark.parametrize(
    "lines",
    [
        ("Ida: we play chess every Sunday",),
        ("Ida: good night", "Jon: good night"),
        ("Ida: we play chess every Sunday?", "Jon: do we play chess every Sunday?"),
        ("Ida: we play chess with Kai tonight", "Jon: yes, we play chess with Kai tonight"),
        ("Ida: who moved my blue umbrella away", "Ida: who moved my blue umbrella away"),
        ("林晓: 今天好热啊", "唐宁: 今天好热啊"),
    ],
)
def test_what_is_said_once_asked_passing_or_short_becomes_none(lines: tuple[str, ...]) -> None:
    assert created(*lines) == []


def test_a_new_memory_names_what_it_rests_on_and_that_a_stand_in_made_it() -> None:
    (line,) = evolve(said("Ida: remember: we meet at noon", "Jon: ok", "Kai: where is my hat?"))

    assert (line["sources"], line["agree"]) == (["19-0"], ["19-1"])
    assert line["subject"] is None
    assert line["change_reason"].startswith("stand-in: ")


def test_what_one_says_of_themselves_on_two_days_is_about_them() -> None:
    words = "Ida: I really love rowing boats"
    (line,) = evolve([*said(words, day=17), *said(words, day=19)])

    assert (line["statement"], line["subject"]) == ("Ida really loves rowing boats", "u-Ida")
    assert line["sources"] == ["17-0", "19-0"]


@pytest.mark.parametrize(
    ("known", "line", "statement"),
    [
        ("每周五晚上讨论新番动漫", "新番讨论改到周四了", "每周四晚上讨论新番动漫"),
        ("每天早上九点开站会", "以后站会都改到十点", "每天早上十点开站会"),
        (
            "Members watch a film every Friday night",
            "film night moved from Friday to Thursday",
            "Members watch a film every Thursday night",
        ),
        ("The rent is 900 a month", "the rent is now 950", "The rent is 950 a month"),
    ],
)
def test_a_moved_day_or_number_makes_a_new_version(known: str, line: str, statement: str) -> None:
    (found,) = evolve(said(f"Ida: {line}"), memory(known))
    assert (found["action"], found["statement"]) == ("update", statement)
    assert found["sources"] == ["19-0"]


@pytest.mark.parametrize(
    ("known", "line", "statement"),
    [
        ("Ida lives in Porto", "I moved to Rome", "Ida moved to Rome"),
        ("Ida works at Blue Bank", "I work at the Elbe Hospital", "Ida works at the Elbe Hospital"),
        ("Ida住在青岛", "我搬到大连了", "Ida搬到大连了"),
        ("Ida likes tea", "I hate tea", "Ida hates tea"),
    ],
)
def test_a_newer_home_job_or_taste_takes_the_place_of_the_older(
    known: str, line: str, statement: str
) -> None:
    (found,) = evolve(said(f"Ida: {line}"), memory(known, kind="fact", subject="u-Ida"))
    assert (found["action"], found["statement"]) == ("update", statement)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ("每周三晚上打羽毛球", "羽毛球停了"),
        ("每周日办读书会", "读书会不办了"),
        ("Members play badminton every Wednesday", "we stopped playing badminton"),
        ("Members watch a film every Friday", "no more film nights"),
    ],
)
def test_what_is_said_to_be_over_in_the_same_words_is_deleted(known: str, line: str) -> None:
    (found,) = evolve(said(f"Ida: {line}"), memory(known))
    assert (found["action"], found["sources"], found["deny"]) == ("delete", ["19-0"], ["19-0"])


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ("每周三晚上打羽毛球", "这周三的羽毛球取消了"),
        ("每周三晚上打羽毛球", "我不打羽毛球了"),
        ("Members play badminton every Wednesday", "badminton is cancelled tonight"),
        ("Members play badminton every Wednesday", "I stopped playing badminton"),
        ("Members play badminton every Wednesday", "should we move badminton to Friday?"),
    ],
)
def test_one_week_one_member_or_a_question_ends_nothing(known: str, line: str) -> None:
    found = evolve(said(f"Ida: {line}"), memory(known))
    assert [one["action"] for one in found if one["action"] != "keep"] == []


def test_what_a_member_plainly_says_of_themselves_is_a_memory_about_them() -> None:
    (line,) = evolve(said("Ida: I'm allergic to wool"))
    assert (line["statement"], line["subject"]) == ("Ida is allergic to wool", "u-Ida")


def test_of_two_memories_with_the_same_words_neither_is_changed() -> None:
    first, second = memory("Ida's club sails on Sundays"), memory("Jon's club sails on Mondays")
    assert evolve(said("Kai: the club moved to Friday"), first, {**second, "id": "other"}) == []


def test_what_is_said_again_is_an_update_in_the_same_words() -> None:
    known = "Members play badminton every Wednesday"
    (found,) = evolve(said("Ida: We play badminton every Wednesday"), memory(known))
    assert (found["action"], found["statement"]) == ("update", known)


def test_a_habit_nobody_mentions_for_three_weeks_is_deleted_and_a_fact_is_not() -> None:
    habit = memory("Members play badminton", last_supported_at="2026-02-27")
    fact = memory("Ida is a nurse", id="fact", kind="fact", last_supported_at="2026-01-01")
    lines = evolve(said("Ida: the soup is cold"), habit, fact)
    assert [(line["action"], line["old_id"]) for line in lines] == [("delete", "mem")]


def test_the_bots_own_words_are_no_evidence() -> None:
    talk = said("Bot: remember: we play chess every Sunday")
    talk[0]["role"] = "assistant"
    assert evolve(talk) == []


def test_nothing_in_nothing_out() -> None:
    assert answer("memory_evolve", {}) == {"lines": [], "entities": [], "relations": []}
