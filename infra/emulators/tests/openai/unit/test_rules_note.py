"""Notes rewritten in the plain cases: the sender and the bot for "I", day words by the calendar."""

from typing import Any

import pytest

from infra.emulators.openai.rules import answer

CALENDAR = {
    "last week": ["2026-02-09 Monday", "2026-02-10 Tuesday", "2026-02-11 Wednesday",
                  "2026-02-12 Thursday", "2026-02-13 Friday", "2026-02-14 Saturday",
                  "2026-02-15 Sunday"],
    "this week": ["2026-02-16 Monday", "2026-02-17 Tuesday", "2026-02-18 Wednesday",
                  "2026-02-19 Thursday", "2026-02-20 Friday", "2026-02-21 Saturday",
                  "2026-02-22 Sunday"],
    "next week": ["2026-02-23 Monday", "2026-02-24 Tuesday", "2026-02-25 Wednesday",
                  "2026-02-26 Thursday", "2026-02-27 Friday", "2026-02-28 Saturday",
                  "2026-03-01 Sunday"],
}  # fmt: skip
ROSTER = [["u1", "Ida"], ["u2", "林晓"], ["b", "Otto"]]


def note(action: str = "", info: str = "", sender: str = "u1") -> dict[str, Any]:
    given = {
        "action_summary": action,
        "new_info": info,
        "time": "2026-02-19 14:30 Thursday",
        "calendar": CALENDAR,
        "sender": sender,
        "bot": "b",
        "roster": {"columns": ["id", "name"], "rows": ROSTER},
    }
    return answer("note_rewrite", given)


@pytest.mark.parametrize(
    ("said", "sender", "right"),
    [
        ("I leave tomorrow", "u1", "Ida leaves on 2026-02-20"),
        ("I moved here on Friday", "u1", "Ida moved here on 2026-02-20"),
        ("My exam is next Monday", "u1", "Ida's exam is on 2026-02-23"),
        ("I play every Friday", "u1", "Ida plays every Friday"),
        ("我明天请假", "u2", "林晓2026-02-20请假"),
        ("我下周三考试", "u2", "林晓2026-02-25考试"),
        ("我每周三游泳", "u2", "林晓每周三游泳"),
    ],
)
def test_the_sender_and_the_days_are_named(said: str, sender: str, right: str) -> None:
    told = note(info=said, sender=sender)
    assert (told["new_info"], told["about"]) == (right, sender)


def test_the_bot_acts_and_the_sender_is_meant() -> None:
    told = note("I answered his question")
    assert told["did_what"] == "Otto answered Ida's question"
    assert (told["actor"], told["meant"]) == ("b", ["u1"])
    told = note("提醒他带伞", "我怕冷", sender="u2")
    assert told["did_what"] == "Otto提醒林晓带伞"
    assert told["canonical_text"] == "Otto提醒林晓带伞。林晓怕冷。"


def test_a_pronoun_beside_a_name_is_left_for_the_gate() -> None:
    assert note("Reminded 林晓 to call him")["did_what"] == "Otto reminded 林晓 to call him"


def test_two_pronouns_may_be_two_people_and_are_left_for_the_gate() -> None:
    assert note("I told him that she waits")["did_what"] == "Otto told him that she waits"


def test_quotations_stay_as_they_are() -> None:
    assert "“我明天不去”" in note(info="我说“我明天不去”", sender="u2")["new_info"]


def test_what_names_nobody_is_the_groups_only_if_it_says_so() -> None:
    assert note(info="Every release is on a Friday")["about"] == "group"
    assert note(info="Zed likes tea")["about"] is None


def test_a_question_with_a_time_that_is_none_is_answered() -> None:
    given = {
        "time": "we sail every day",
        "new_info": "下周三出发",
        "calendar": {"next week": ["x"]},
    }
    assert answer("note_rewrite", given)["new_info"] == "下周三出发"


def test_an_empty_note_stays_empty() -> None:
    assert note()["canonical_text"] == ""
