"""What the talk so far says of the next line, by the tables that are shipped."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shared.domain.attribution.lines import as_said
from shared.domain.messages.stored_message import StoredMessage
from shared.threads.lines import BOT
from shared.threads.pairs import visiting_of
from shared.threads.table import Tables, read
from shared.threads.talk import Talk
from tests.topics.saying import placed, said
from tests.topics.tables import table

DICE = np.random.default_rng(3)
RELEASE, LUNCH, TRIP = (DICE.normal(size=512) / 512**0.5 for _ in range(3))


def near(meaning: Any) -> list[float]:
    found: list[float] = (meaning + DICE.normal(size=512) / 512**0.5).tolist()
    return found


BEFORE = [
    (placed(said(1, "ann", "when do we ship the new release?"), "t1"), near(RELEASE)),
    (placed(said(2, "bob", "where shall we have lunch today?"), "t2"), near(LUNCH)),
    (placed(said(3, "cid", "the release is ready on friday"), "t1", "m1"), near(RELEASE)),
    (placed(said(4, "dora", "the noodle bar downstairs"), "t2", "m2"), near(LUNCH)),
]


def talk_of(
    before: Sequence[tuple[StoredMessage, list[float]]] = BEFORE,
    by: Tables | None = None,
) -> Talk:
    talk = Talk(by)
    for message, vector in before:
        talk.hear(as_said(message, vector), message.topic_id or "", message.continues)
    return talk


def chances(message: StoredMessage, vector: list[float] | None = None) -> dict[str, float]:
    talk = talk_of()
    return {
        one.topic_id: one.chance for one in talk.candidates(talk.weigh(as_said(message, vector)))
    }


def test_what_is_said_speaks_for_its_topic() -> None:
    message = said(5, "eve", "then let us tell everybody about friday")

    assert chances(message, near(RELEASE))["t1"] > chances(message, near(LUNCH))["t1"]


def test_rare_words_in_common_speak_for_a_topic() -> None:
    plain = chances(said(5, "eve", "and what about it now then"))
    shared = chances(said(5, "eve", "and what about the noodle bar"))

    assert shared["t2"] > plain["t2"]


def test_whom_a_line_addresses_is_answered() -> None:
    plain = chances(said(5, "eve", "when was that?"))
    addressing = chances(said(5, "eve", "cid: when was that?"))

    assert addressing["t1"] > plain["t1"]


MANY = [
    (placed(said(n, f"u{n % 4}", f"line {n}"), f"t{n % 2}"), near((RELEASE, LUNCH)[n % 2]))
    for n in range(40)
]
"""Enough to know how alike lines of this group are."""


def test_something_unlike_everything_is_likelier_to_open_a_topic() -> None:
    question = said(41, "eve", "who comes along to the mountains next weekend?")
    talk = talk_of(MANY)
    alike, unlike = (
        talk.weigh(as_said(question, near(meaning))).chances[-1] for meaning in (LUNCH, TRIP)
    )

    assert unlike > alike


def test_the_bots_answer_is_to_the_last_who_called_it() -> None:
    called = (placed(said(5, "eve", "what time is it?", is_mention_bot=True), "t3"), near(TRIP))
    talk = talk_of([*BEFORE, called])
    weighed = talk.weigh(as_said(said(6, "bot", "four", role="assistant"), None))

    assert weighed.line.speaker == BOT
    assert weighed.line.to == {"id-eve"}
    assert talk.candidates(weighed)[0].topic_id == "t3"


def test_calling_the_bot_ties_two_questions_no_more_than_calling_nobody_does() -> None:
    def asked(number: int, user: str, **changes: Any) -> StoredMessage:
        return said(number, user, f"question {number} about something", **changes)

    with_bot = talk_of([(placed(asked(1, "ann", is_mention_bot=True), "t1"), near(TRIP))])
    without = talk_of([(placed(asked(1, "ann"), "t1"), BEFORE[0][1])])
    vector = near(LUNCH)
    both = [
        talk.candidates(talk.weigh(as_said(asked(2, "bob", is_mention_bot=is_called), vector)))[0]
        for talk, is_called in ((with_bot, True), (with_bot, False))
    ]

    assert both[0] == both[1]
    assert without.window.lines[0].to == with_bot.window.lines[0].to == frozenset()


def test_a_line_of_the_platforms_own_thread_follows_it() -> None:
    threaded = [(replace(one, thread_id="x"), vector) for one, vector in BEFORE[:1]]
    talk = talk_of([*threaded, *BEFORE[1:]])
    inside = talk.weigh(as_said(said(5, "eve", "ok", thread_id="x"), None))
    outside = talk.weigh(as_said(said(5, "eve", "ok"), None))

    assert inside.chances[0] > outside.chances[0]


def test_a_line_that_comes_late_takes_its_place_among_the_others() -> None:
    talk = talk_of()
    late = placed(said(9, "eve", "I was offline", at_s=45.0), "t9", "m1")
    talk.hear(as_said(late, near(TRIP)), "t9", "m1")

    assert [one.message_id for one in talk.window.lines] == ["m1", "m9", "m2", "m3", "m4"]
    assert talk.window.parent[:5].tolist() == [-1, 0, -1, 0, 2]
    assert talk.place("m4") == 4
    alike = talk.window.cosine[:5, :5]
    assert np.allclose(alike, alike.T)


def test_many_more_lines_than_are_seen_are_heard() -> None:
    talk = talk_of([])
    for number in range(300):
        message = said(number, f"u{number % 5}", f"line {number}")
        talk.take(talk.weigh(as_said(message, near(TRIP))), f"t{number // 50}", None)
    weighed = talk.weigh(as_said(said(301, "ann", "so"), near(TRIP)))

    assert (len(weighed.chances), weighed.sight.start) == (101, 200)
    assert {one.topic_id for one in talk.candidates(weighed)} <= {"t4", "t5"}


def encoded(vectors: Any, how: str) -> Any:
    """The same vectors as another encoder might give them."""
    dice = np.random.default_rng(5)
    if how == "rotated":
        return vectors @ np.linalg.qr(dice.normal(size=(512, 512)))[0]
    if how == "squeezed":
        return vectors + 2 * dice.normal(size=512) / 512**0.5
    return vectors


@pytest.mark.parametrize(("how", "tolerance"), [("rotated", 1e-3), ("squeezed", 0.1)])
def test_what_is_weighed_is_the_same_by_another_encoder(how: str, tolerance: float) -> None:
    lines = [line for line, _ in MANY]
    meant = np.array([*(vector for _, vector in MANY), near(RELEASE)])
    chances = []
    for vectors in (meant, encoded(meant, how)):
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        talk = talk_of(list(zip(lines, unit.tolist(), strict=False)))
        chances.append(talk.weigh(as_said(said(41, "eve", "so"), unit[40])).chances)

    assert np.abs(chances[0] - chances[1]).max() < tolerance


def test_the_kind_of_chat_chooses_the_table() -> None:
    kinds = Tables(table(opens=9.0), table(opens=-9.0), table(opens=1.0))

    assert kinds.table(0.1, 0.1).opens == 9.0
    assert kinds.table(0.9, 0.9).opens == -9.0
    assert kinds.table(0.1, 0.9).opens == 1.0


def test_pauses_tell_that_people_look_in_now_and_then() -> None:
    flowing = talk_of([])
    visited = talk_of([])
    for number in range(60):
        at_s = 30 * number + 3600 * (number // 8)
        flowing.hear(as_said(said(number, "ann", f"line {number}"), None), "t", None)
        visited.hear(as_said(said(number, "ann", f"line {number}", at_s=at_s), None), "t", None)

    assert visiting_of(flowing.window, 60) == 0.0
    assert visiting_of(visited.window, 60) == 1.0
    assert visiting_of(visited.window, 0) == 0.0


def test_tables_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="other features"):
        read(_with_features(["other"]))


def _with_features(names: list[str]) -> bytes:
    import io
    import json

    out = io.BytesIO()
    meta = {"features": names, "biases": {}}
    np.savez_compressed(out, meta=np.array(json.dumps(meta)))
    return out.getvalue()
