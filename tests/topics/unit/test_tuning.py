"""What a group's native replies say of the weights, and when that is taken."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shared.domain.attribution.scaling import OPENS, PARTS, scaled
from shared.domain.attribution.tables import tables_for, tables_name
from shared.domain.attribution.talk import Talk
from shared.domain.attribution.tuning import LEAST_REPLIES, MOST, Reply, replies_of, tuned
from shared.domain.group import TopicScales
from tests.topics.saying import AT, placed, said

LINES = 12


def replies(count: int, told_by: str | None, seed: int = 1) -> list[Reply]:
    """Of lines with parts at random; the one that is replied to is told by one part, or by none."""
    dice = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        parts: Any = dice.normal(size=(LINES, len(PARTS)))
        right = int(dice.integers(LINES))
        if told_by is not None:
            right = int(np.argmax(parts[:, list(PARTS).index(told_by)]))
        found.append(Reply(parts, np.zeros(LINES), right))
    return found


@pytest.mark.parametrize("part", PARTS)
def test_the_part_that_tells_counts_more(part: str) -> None:
    found = tuned(replies(150, part))

    assert found.is_better
    assert found.after > found.before
    assert found.scales[part] > 0.3
    assert all(found.scales[part] > found.scales[one] for one in PARTS if one != part)
    assert all(abs(found.scales[one]) <= MOST for one in PARTS)


def test_what_holds_no_longer_is_refused() -> None:
    count = 120
    assert not tuned(
        [*replies(2 * count // 3, "meaning"), *replies(count // 3, "people")]
    ).is_better


def test_what_fits_already_stays() -> None:
    """Replies drawn by the very chances that the weights give teach nothing but noise."""
    dice = np.random.default_rng(5)
    refused = 0
    for seed in range(20):
        drawn = []
        for one in replies(90, None, seed):
            scores = one.parts.sum(1)
            chances = np.exp(scores) / np.exp(scores).sum()
            drawn.append(replace(one, right=int(dice.choice(LINES, p=chances))))
        refused += not tuned(drawn).is_better
    assert refused >= 18


def test_a_few_replies_say_nothing() -> None:
    found = tuned(replies(LEAST_REPLIES - 1, "meaning"))

    assert (found.is_better, dict(found.scales)) == (False, {})
    assert found.replies == LEAST_REPLIES - 1


def test_as_many_topics_are_opened_as_before() -> None:
    """What all lines together gain or lose, opening one does too."""
    seen = replies(150, "people")
    found = tuned(seen)
    factors = 1.0 + np.array([found.scales[one] for one in PARTS])
    shifts = [
        np.log(np.exp(one.parts @ factors).sum()) - np.log(np.exp(one.parts.sum(1)).sum())
        for one in seen[:100]
    ]

    assert found.scales[OPENS] == pytest.approx(float(np.mean(shifts)), abs=1e-3)


def test_a_native_reply_is_seen_as_if_it_were_none() -> None:
    lines = [
        placed(said(n, f"u{n % 3}", f"line {n} of the talk"), "t1", f"m{n - 1}" if n else None)
        for n in range(12)
    ]
    lines[8] = replace(lines[8], reply_message_id="m3")
    lines[9] = replace(lines[9], reply_message_id="gone")

    (found,) = replies_of(lines, "usem3")

    assert found.right == 3
    assert found.parts.shape == (8, len(PARTS))


def test_scales_stretch_their_part_of_every_table() -> None:
    shipped = tables_for("usem3")
    own = scaled(shipped, {"meaning": 0.5, OPENS: 0.25})

    changed = own.visited.lines != shipped.visited.lines
    assert changed.any()
    assert not changed.all()
    assert np.allclose(own.plain.lines[changed], 1.5 * shipped.plain.lines[changed])
    assert own.addressing.opens == pytest.approx(shipped.addressing.opens + 0.25)
    assert scaled(shipped, {}) is shipped


def test_a_talk_weighs_by_the_groups_own_scales() -> None:
    weighed = []
    for scales in ({}, {"distance": 0.8}):
        talk = Talk("usem3", 0, None, scales)
        for n in range(6):
            talk.hear(said(n, f"u{n}", f"line {n}"), None, f"t{n}", None)
        weighed.append(talk.weigh(said(7, "u9", "which line is this"), None).chances)

    assert not np.allclose(weighed[0], weighed[1])


def test_scales_of_other_tables_are_not_used() -> None:
    own = TopicScales(1, tables_name("usem3"), {"meaning": 0.5}, 90, AT)

    assert own.values_for(tables_name("usem3")) == {"meaning": 0.5}
    assert own.values_for(tables_name("another-model")) == {}
