"""Versions of a summary: what they start from, when they are due, which are shown."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.topics.bursts import bursts
from shared.domain.topics.extractive_summary import Extract
from shared.domain.topics.quality import Quality
from shared.domain.topics.summary import (
    EXTRACTIVE,
    MODEL,
    SIMPLE,
    Digest,
    base_of,
    extracted,
    is_judged,
    is_nothing_new,
    is_overtaken,
    needs_model,
    new_since,
    next_summary,
    retry_after,
    speakers,
    topic_after,
    why_unusable,
)
from shared.domain.topics.topic import Summary, Topic
from tests.topics.unit.talk import START, said

LINES = [
    replace(one, updated_at=one.create_time)
    for one in said(("Ann", "the boat needs paint"), ("Bo", "I have paint"), ("bot", "noted"))
]
TOPIC = Topic("t", "generic:club", "the boat needs", "u-Ann", START, START, message_count=3)
NOW = START + timedelta(hours=1)
GOOD = Quality(0.9, 1.0, 0.9)


def version(number: int, method: str = MODEL, **changes: object) -> Summary:
    summary = next_summary(
        TOPIC,
        None,
        None,
        LINES[:2],
        Digest("The boat is painted.", method, "Painting the boat", {"boat": 1.0}),
        GOOD,
        most_worse=0.25,
        now=START + timedelta(minutes=10),
    )
    return replace(summary, version=number, **changes)  # type: ignore[arg-type]


def test_only_what_the_model_wrote_and_is_shown_is_started_from() -> None:
    versions = [version(4, SIMPLE), version(3, is_shown=False), version(2), version(1)]
    assert base_of(versions) == versions[2]
    assert base_of([version(1, EXTRACTIVE)]) is None
    assert base_of([]) is None


def test_what_the_base_tells_is_not_new() -> None:
    assert [one.message_id for one in new_since(version(1), LINES)] == ["m0002"]
    assert new_since(None, LINES) == LINES


def test_an_edit_since_leaves_nothing_to_start_from() -> None:
    base = version(1)
    late = replace(LINES[0], edited_at=base.created_at + timedelta(minutes=1))
    assert not is_overtaken(base, LINES)
    assert is_overtaken(base, [late])
    assert is_overtaken(base, [replace(late, edited_at=late.create_time)]), "delivered late"
    new = replace(LINES[2], create_time=START + timedelta(hours=1))
    assert not is_overtaken(base, [replace(new, edited_at=base.created_at)]), "it never told that"
    assert not is_overtaken(None, [late])


def test_no_version_without_anything_new() -> None:
    assert is_nothing_new(None, [])
    assert not is_nothing_new(None, LINES)
    assert is_nothing_new(version(1, EXTRACTIVE), LINES[:2])
    assert not is_nothing_new(version(1, EXTRACTIVE), LINES)
    assert not is_nothing_new(version(1, SIMPLE), LINES[:2]), "the model may be back"


@pytest.mark.parametrize(("messages", "is_asked"), [(5, False), (6, True)])
def test_a_small_topic_is_told_by_its_own_lines(messages: int, is_asked: bool) -> None:
    assert needs_model(messages, None, small=6) is is_asked


def test_a_topic_that_the_model_told_once_is_told_by_it_again() -> None:
    assert needs_model(2, version(1), small=6)


def test_versions_count_on_and_name_their_parent() -> None:
    base, newest = version(2), version(3, SIMPLE)
    told = Digest("More.", MODEL, "Painting the boat", {"boat": 1.0}, links=("https://b",))
    following = next_summary(TOPIC, newest, base, LINES[2:], told, GOOD, most_worse=0.25, now=NOW)
    assert (following.version, following.parent_version) == (4, 2)
    assert following.message_ids == ("m0002",)
    assert following.until == LINES[2].updated_at
    assert following.span == {"from": LINES[0].create_time, "to": LINES[2].create_time}


def test_a_version_much_worse_than_its_base_is_kept_but_not_shown() -> None:
    bad = Quality(0.1, 0.5, 0.3)
    told = Digest("?", MODEL)
    worse = next_summary(TOPIC, None, version(1), LINES, told, bad, most_worse=0.25, now=NOW)
    first = next_summary(TOPIC, None, None, LINES, told, bad, most_worse=0.25, now=NOW)
    assert not worse.is_shown
    assert first.is_shown
    assert topic_after(TOPIC, worse, told, 3, NOW).title == TOPIC.title


def test_a_sentence_is_no_title() -> None:
    long = Digest(
        "x", MODEL, "we were all talking about how the boat needs some paint", {"boat": 1.0}
    )
    summary = next_summary(TOPIC, None, None, LINES, long, GOOD, most_worse=0, now=NOW)
    assert summary.title == TOPIC.title
    titled = replace(TOPIC, title="The boat", is_titled=True)
    assert (
        next_summary(titled, None, None, LINES, long, GOOD, most_worse=0, now=NOW).title
        == "The boat"
    )


def test_a_stand_in_is_wished_for_again_later_and_later() -> None:
    stand_in = Digest("x", SIMPLE)
    summary = version(1, SIMPLE)
    once = topic_after(TOPIC, summary, stand_in, 3, NOW)
    twice = topic_after(once, summary, stand_in, 3, NOW)
    assert once.summary_due_at == NOW + timedelta(minutes=10)
    assert twice.summary_due_at == NOW + timedelta(minutes=20)
    assert retry_after(1_000) == timedelta(hours=12)
    done = topic_after(twice, version(2), Digest("y", MODEL, "Boat"), 3, NOW)
    assert (done.summary_due_at, done.summary_tries, done.is_titled) == (None, 0, True)


def test_a_title_of_the_model_outlives_an_extract() -> None:
    titled = replace(TOPIC, title="The boat", is_titled=True)
    after = topic_after(titled, version(1, EXTRACTIVE), Digest("x", EXTRACTIVE), 3, NOW)
    assert after.title == "The boat"


def test_people_are_those_who_spoke_and_not_the_bot() -> None:
    talk = bursts(LINES)
    assert speakers(talk) == ("Ann", "Bo")
    assert extracted(Extract("x", ()), {}, talk, SIMPLE).people == ("Ann", "Bo")


def test_the_same_share_of_versions_is_judged_every_time() -> None:
    judged = [is_judged("t", number, 0.1) for number in range(1_000)]
    assert judged == [is_judged("t", number, 0.1) for number in range(1_000)]
    assert 60 < sum(judged) < 140
    assert not is_judged("t", 1, 0.0)
    assert is_judged("t", 1, 1.0)


def test_a_summary_in_a_language_that_nobody_spoke_is_no_use() -> None:
    english, chinese = (
        bursts(said(("Ann", "the boat needs paint"))),
        bursts(said(("安", "船要刷漆了"))),
    )
    assert why_unusable("船要刷漆，安去买油漆。", english) == "it is in zh, the talk in en"
    assert why_unusable("The boat needs paint.", chinese) == "it is in en, the talk in zh"
    assert why_unusable("船要刷漆。", chinese) is None
    assert why_unusable(" ", chinese) == "it is empty"
