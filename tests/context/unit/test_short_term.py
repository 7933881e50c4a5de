"""The three ways of short-term memory in one list."""

from shared.domain.short_term import short_term
from tests.context.chat import said


def ids(*ways: range, limit: int = 20) -> list[str]:
    chain, topic, recent = ([said(n) for n in way] for way in ways)
    return [one.message_id for one in short_term(chain, topic, recent, limit)]


def test_all_ways_meet_oldest_first_and_none_twice() -> None:
    assert ids(range(3), range(2, 5), range(4, 7)) == [f"m{n}" for n in range(7)]


def test_what_was_said_last_only_fills_up() -> None:
    assert ids(range(2), range(5, 8), range(20, 40), limit=7) == [
        "m0", "m1", "m5", "m6", "m7", "m38", "m39"
    ]  # fmt: skip


def test_an_old_chain_stays_when_the_topic_is_long() -> None:
    assert ids(range(2), range(10, 40), range(40, 60), limit=5) == ["m0", "m1", "m37", "m38", "m39"]


def test_there_are_never_more_than_asked_for() -> None:
    assert ids(range(5), range(5), range(5), limit=3) == ["m2", "m3", "m4"]
    assert ids(range(5), range(5), range(5), limit=0) == []
