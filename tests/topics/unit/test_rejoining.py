"""Topics that are earlier ones taken up again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shared.domain.attribution.lines import as_said
from shared.threads.pairs import PAUSE_S
from shared.threads.rejoining import FEATURES, far_apart, odds
from shared.threads.second_look import WAIT, look_back
from shared.threads.table import Table, Tables, dumped, read
from shared.threads.talk import Talk
from tests.topics.saying import said
from tests.topics.tables import table

Said = tuple[str, str, str]
"""Topic, speaker, text."""

LIFT: Sequence[Said] = [
    ("lift", "ann", "the lift is stuck on five"),
    ("lift", "bob", "rang the caretaker about the lift"),
    ("soup", "eve", "pumpkin soup is on the stove"),
    ("soup", "dan", "saved me a bowl of soup I hope"),
]

NOTHING_MEANT: Mapping[str, Sequence[float]] = {}


def by(**weights: float) -> Table:
    """Nothing follows anything by itself; these weights say what is taken up again."""
    row: Any = np.zeros(len(FEATURES), np.float32)
    for name, value in weights.items():
        row[FEATURES.index(name)] = value
    return replace(table(opens=9.0, lonely=1.1), rejoins=np.stack([row, row]))


def after(
    again: Sequence[Said],
    weights: Table,
    before: Sequence[Said] = LIFT,
    meant: Mapping[str, Sequence[float]] = NOTHING_MEANT,
) -> dict[str, str]:
    """What became of each topic, some idle lines later; `meant` has the vectors of their lines."""
    talk = Talk(Tables(*[weights] * 3))
    chatter = [("rest", "kim", f"{n} sheep") for n in range(WAIT + 2)]
    for n, (topic, speaker, text) in enumerate([*before, *again, *chatter]):
        talk.hear(as_said(said(n, speaker, text), meant.get(topic)), topic, None)
    found = look_back(talk, len(talk.window), {again[0][0]: len(again)})
    return {one: into.topic_id for one, into in found.items()}


def test_a_topic_that_names_what_only_one_before_it_named_joins_it() -> None:
    again = [("new", "dan", "any news of the lift"), ("new", "ann", "works again")]
    assert after(again, by(nouns=2.0, bias=-1.0)) == {"new": "lift"}


@pytest.mark.parametrize("sign", ["middle", "first"])
def test_meaning_is_told_apart_from_what_all_lines_have_in_common(sign: str) -> None:
    again = [("new", "dan", "any news"), ("new", "ann", "works again")]
    meant = {"lift": [1.0, 0.1], "soup": [1.0, -0.1], "new": [1.0, 0.12], "rest": [1.0, 0.0]}
    assert after(again, by(**{sign: 4.0, "bias": -2.0}), meant=meant) == {"new": "lift"}
    meant["new"] = [1.0, 0.0]
    assert after(again, by(**{sign: 4.0, "bias": -2.0}), meant=meant) == {}


def test_few_words_in_common_tell_more_of_a_topic_that_said_little() -> None:
    much = [("talk", "eve", f"caretaker {word}") for word in ("bob", "gin", "hat", "jam", "kit")]
    again = [("new", "dan", "caretaker rang"), ("new", "ann", "ok")]
    found = after(again, by(theirs_ahead=4.0), [*LIFT, *much])
    assert found == {"new": "lift"}


def test_what_two_topics_speak_of_points_at_neither() -> None:
    both = [*LIFT, ("soup", "dan", "carried it past the lift")]
    again = [("new", "dan", "any news of the lift"), ("new", "ann", "works again")]
    assert after(again, by(nouns=2.0, bias=-1.0), both) == {}


def test_who_is_named_is_not_what_it_is_about() -> None:
    again = [("new", "dan", "caretaker called"), ("new", "ann", "ok")]
    assert after(again, by(nouns=2.0, bias=-1.0)) == {"new": "lift"}
    again = [("new", "caretaker", "caretaker here"), ("new", "ann", "ok")]
    assert after(again, by(nouns=2.0, bias=-1.0)) == {}


def test_without_weights_no_topic_is_taken_up_again() -> None:
    again = [("new", "dan", "any news of the lift"), ("new", "ann", "works again")]
    assert after(again, table(opens=9.0, lonely=1.1)) == {}


@pytest.mark.parametrize(("seconds", "is_far"), [(PAUSE_S - 60, False), (PAUSE_S + 60, True)])
def test_topics_that_a_pause_lies_between_have_weights_of_their_own(
    seconds: float, is_far: bool
) -> None:
    row = np.zeros((1, len(FEATURES)), np.float32)
    row[0, FEATURES.index("hours")] = np.log1p(seconds / 3600)
    row[0, FEATURES.index("bias")] = 1.0
    weights = np.zeros((2, len(FEATURES)), np.float32)
    weights[:, FEATURES.index("bias")] = (-1.0, 1.0)
    assert bool(far_apart(row)[0]) is is_far
    assert odds(row, weights)[0] == (1.0 if is_far else -1.0)


def test_the_weights_are_kept_with_the_table() -> None:
    kept = read(dumped(Tables(by(nouns=2.0), table(), table()), {}))
    assert kept.plain.rejoins is not None
    assert kept.plain.rejoins[0][FEATURES.index("nouns")] == 2.0
    assert kept.addressing.rejoins is None
