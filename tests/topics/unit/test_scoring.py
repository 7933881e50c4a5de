"""The hand-set scorer: each of its weights moves the chance the way its name says."""

from dataclasses import replace

import pytest

from shared.domain.attribution.lines import Line
from shared.domain.attribution.scoring import HAND_SET, Scene, Standing, Weighing, Weights


def line(number: int, speaker: str, **changes: object) -> Line:
    fields: dict[str, object] = {
        "message_id": f"m{number}",
        "speaker": speaker,
        "at": 60.0 * number,
        "to": frozenset(),
        "names": frozenset(),
        "terms": frozenset(),
        "kind": "discussion",
        "thread": None,
    }
    return Line(**{**fields, **changes})  # type: ignore[arg-type]


def scene(asked: Line, before: list[Line], **changes: object) -> Scene:
    """Ann's and Bob's lines are topic `a`, all others `b`."""
    topic_of = {one.message_id: "a" if one.speaker in ("ann", "bob") else "b" for one in before}
    topics = {
        name: Standing(name, frozenset(members), 60.0 * len(before), None, 0.0)
        for name, members in (("a", {"ann", "bob"}), ("b", {"cid", "dora"}))
        if name in topic_of.values()
    }
    fields: dict[str, object] = {
        "line": asked,
        "before": before,
        "topic_of": topic_of,
        "topics": topics,
        "pace_s": 60.0,
        "addressing": 0.0,
        "rarity": {},
    }
    return Scene(**{**fields, **changes})  # type: ignore[arg-type]


def chance(at: Scene, topic_id: str = "a", scorer: Weighing = HAND_SET) -> float:
    return next(one.chance for one in scorer(at) if one.topic_id == topic_id)


BEFORE = [line(1, "ann"), line(2, "cid"), line(3, "bob"), line(4, "dora")]
PLAIN = scene(line(5, "eve"), BEFORE)


@pytest.mark.parametrize(
    "changes",
    [
        {"to": frozenset({"ann"})},
        {"names": frozenset({"bob"})},
        {"speaker": "bob"},
        {"at": 60.0 * 4 + 1},
    ],
    ids=str,
)
def test_what_speaks_for_a_topic_raises_its_chance(changes: dict[str, object]) -> None:
    assert chance(replace(PLAIN, line=replace(PLAIN.line, **changes))) > chance(PLAIN)  # type: ignore[arg-type]


def test_whom_a_line_addressed_answers_it() -> None:
    addressed = [*BEFORE[:2], line(3, "bob", to=frozenset({"eve"})), BEFORE[3]]

    assert chance(scene(line(5, "eve"), addressed)) > chance(PLAIN)


def test_a_line_to_somebody_else_is_less_likely_followed() -> None:
    elsewhere = [*BEFORE[:2], line(3, "bob", to=frozenset({"ann"})), BEFORE[3]]

    assert chance(scene(line(5, "eve"), elsewhere)) < chance(PLAIN)


def test_likeness_and_rare_words_in_common_speak_for_a_topic() -> None:
    alike = replace(PLAIN, topics={**PLAIN.topics, "a": replace(PLAIN.topics["a"], likeness=3.0)})
    words = frozenset({"grub"})
    shared = scene(
        line(5, "eve", terms=words),
        [line(1, "ann", terms=words), *BEFORE[1:]],
        rarity={"grub": 4.0},
    )

    assert chance(alike) > chance(PLAIN)
    assert chance(shared) > chance(scene(line(5, "eve", terms=words), BEFORE))


def test_likeness_counts_more_where_people_do_not_say_whom_they_talk_to() -> None:
    topics = {**PLAIN.topics, "a": replace(PLAIN.topics["a"], likeness=3.0)}
    plain = replace(PLAIN, topics=topics)
    addressing = replace(plain, addressing=1.0)
    neutral = replace(PLAIN, addressing=1.0)

    assert chance(plain) / chance(PLAIN) > chance(addressing) / chance(neutral)


def test_a_long_question_after_a_pause_rather_opens_a_topic() -> None:
    terms = frozenset(f"word{n}" for n in range(9))

    assert chance(replace(PLAIN, line=replace(PLAIN.line, kind="question"))) < chance(PLAIN)
    assert chance(replace(PLAIN, line=replace(PLAIN.line, terms=terms))) < chance(PLAIN)
    assert chance(replace(PLAIN, line=replace(PLAIN.line, at=60.0 * 90))) < chance(PLAIN)


def test_the_platforms_own_thread_holds_together() -> None:
    before = [line(1, "ann", thread="t1"), *BEFORE[1:]]

    inside = chance(scene(line(5, "eve", thread="t1"), before))
    outside = chance(scene(line(5, "eve"), before))
    elsewhere = chance(scene(line(5, "eve", thread="t2"), before))

    assert inside > outside > elsewhere


def test_what_is_followed_is_the_best_line_of_the_topic() -> None:
    found = HAND_SET(scene(line(5, "eve", to=frozenset({"ann"})), BEFORE))

    assert (found[0].topic_id, found[0].continues) == ("a", "m1")
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)


def test_a_topic_out_of_sight_can_be_joined_by_what_is_said() -> None:
    far = Standing("far", frozenset(), 0.0, "m0", likeness=4.0)
    near = HAND_SET(replace(PLAIN, topics={**PLAIN.topics, "far": far}))

    found = next(one for one in near if one.topic_id == "far")
    assert found.continues == "m0"
    unlike = HAND_SET(replace(PLAIN, topics={**PLAIN.topics, "far": replace(far, likeness=-4.0)}))
    assert found.chance > next(one.chance for one in unlike if one.topic_id == "far")


def test_lines_of_topics_that_cannot_be_continued_are_left_out() -> None:
    only_b = replace(PLAIN, topics={"b": PLAIN.topics["b"]})

    assert [one.topic_id for one in HAND_SET(only_b)] == ["b"]
    assert HAND_SET(scene(line(5, "eve"), [])) == []


def test_the_weights_are_the_scorers_own() -> None:
    deaf = Weighing(replace(Weights(), addresses_author=0.0))
    asked = scene(line(5, "eve", to=frozenset({"ann"})), BEFORE)

    assert chance(asked, scorer=deaf) < chance(asked)
