"""What a version takes over from the one it starts from."""

from dataclasses import replace

from shared.domain.topics.summary import MODEL, MOST_CARRIED, Digest, carried_on
from shared.domain.topics.topic import Summary
from tests.topics.unit.talk import START, talk

BASE = Summary(
    "t", "generic:club", 1, "told", MODEL, START, ("m0",), ("u-Ann",),
    people=("Ann", "Bo"),
    decisions=("Ann: we decided to paint the boat blue on Sunday",),
    open_questions=("Bo: who brings the brushes?", "Bo: is the sail dry?"),
)  # fmt: skip
NEW = talk(("Cleo", "the anchor chain is rusty"), ("Ann", "grease is in the shed"))


def told(**changes: tuple[str, ...]) -> Digest:
    return replace(Digest("told anew", MODEL, people=("Cleo", "Ann")), **changes)  # type: ignore[arg-type]


def test_the_first_version_has_nothing_to_take_over() -> None:
    assert carried_on(None, told(), NEW) == told()


def test_everybody_and_everything_that_still_stands_is_told_on() -> None:
    after = carried_on(BASE, told(decisions=("Cleo greases the chain",)), NEW)
    assert after.people == ("Ann", "Bo", "Cleo")
    assert after.decisions == (*BASE.decisions, "Cleo greases the chain")
    assert after.open_questions == BASE.open_questions


def test_of_two_decisions_on_one_matter_the_newer_holds() -> None:
    later = "we decided to paint the boat blue on Saturday"
    assert carried_on(BASE, told(decisions=(later,)), NEW).decisions == (later,)


def test_what_somebody_answers_or_decides_is_open_no_more() -> None:
    answer = talk(("Cleo", "I have brushes, I bring them all"))
    assert carried_on(BASE, told(), answer).open_questions == ("Bo: is the sail dry?",)
    decided = told(decisions=("Bo brings the brushes",))
    assert carried_on(BASE, decided, NEW).open_questions == ("Bo: is the sail dry?",)


def test_who_asks_again_does_not_know_or_speaks_of_something_else_answers_nothing() -> None:
    for line in (
        "who brings the brushes then?",
        "no idea who brings the brushes",
        "bring your needles",
    ):
        after = carried_on(BASE, told(), talk(("Cleo", line)))
        assert "Bo: who brings the brushes?" in after.open_questions


def test_a_chinese_question_is_answered_by_its_words() -> None:
    base = replace(BASE, open_questions=("大头: 谁带刷子过来？", "大头: 帐篷谁有？"))
    after = carried_on(base, told(), talk(("思思", "刷子我带")))
    assert after.open_questions == ("大头: 帐篷谁有？",)


def test_there_are_never_more_than_somebody_would_read() -> None:
    many = replace(BASE, decisions=tuple(f"decision on matter{n}" for n in range(30)))
    after = carried_on(many, told(decisions=("greasing the chain",)), NEW)
    assert len(after.decisions) == MOST_CARRIED
    assert after.decisions[-1] == "greasing the chain"
