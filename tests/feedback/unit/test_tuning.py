"""Weights from feedback: planted ones are found again, noise changes nothing."""

from collections.abc import Sequence

import numpy as np
import pytest

from shared.config import load
from shared.config.setting import RANKING_PARTS
from shared.domain.context.fitting import Item
from shared.domain.context.five_factors import FACTORS as FIVE
from shared.domain.context.record import ContextRecord, Usage
from shared.domain.feedback.labelled_lines import labelled_lines, weighed_by
from shared.domain.feedback.tuning import Labelled, tuned
from shared.domain.ranking.ranker import WEIGHTS

START = dict(zip(FIVE, (0.4, 0.2, 0.15, 0.15, 0.1), strict=True))
SHARPNESS = 12.0
"""Of who simulates feedback: the line that scores best is mostly, not always, used."""


def simulated(count: int, weights: Sequence[float], seed: int) -> list[Labelled]:
    """Ten lines a context, of which two are used, the likelier the more the weights like them; all
    alike if no weight is set."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        signs = rng.random((10, len(FIVE))) ** 1.5
        signs[:, 0] = (rng.random(10) < 0.3) * rng.choice([0.5, 1.0], 10)
        scores = signs @ np.array(weights) * SHARPNESS
        chances = np.exp(scores - scores.max())
        used = set(rng.choice(10, 2, replace=False, p=chances / chances.sum()).tolist())
        lines = [dict(zip(FIVE, map(float, one), strict=True)) for one in signs]
        made.append(
            Labelled(
                f"c{seed}-{number}",
                [one for n, one in enumerate(lines) if n in used],
                [one for n, one in enumerate(lines) if n not in used],
            )
        )
    return made


@pytest.mark.parametrize(
    "planted",
    [(0.1, 0.1, 0.1, 0.1, 0.6), (0.0, 0.7, 0.1, 0.1, 0.1), (0.2, 0.2, 0.2, 0.2, 0.2)],
)
def test_planted_weights_are_found_again(planted: tuple[float, ...]) -> None:
    found = tuned(simulated(400, planted, 1), START, 1.0)

    assert found.is_better
    assert found.before is not None
    assert found.after is not None
    assert found.after > found.before
    shares = np.array(list(found.weights.values())) / sum(found.weights.values())
    assert np.abs(shares - np.array(planted)).max() < 0.08


def test_noise_changes_nothing_however_often_it_is_tried() -> None:
    noise = [simulated(90, (0.0,) * 5, seed) for seed in range(30)]

    assert sum(tuned(one, START, 1.0).is_better for one in noise) <= 1


def test_weights_that_are_right_already_stay() -> None:
    assert not tuned(simulated(300, tuple(START.values()), 3), START, 1.0).is_better


def test_few_contexts_tell_nothing() -> None:
    found = tuned(simulated(30, (0, 0, 0, 0, 1), 1), START, 1.0)

    assert not found.is_better
    assert "too few" in found.why
    assert found.weights == {}
    empty = [Labelled("c", [START], []), Labelled("d", [], [START])]
    assert tuned(empty, START, 1.0).fitted == 0


def test_scores_stay_as_far_apart_as_they_were() -> None:
    contexts = simulated(300, (0, 0, 0, 0, 1), 2)
    found = tuned(contexts, START, 1.0)
    lines = [
        [one[name] for name in FIVE] for each in contexts for one in (*each.used, *each.unused)
    ]

    before = np.std(np.array(lines) @ np.array(list(START.values())))
    after = np.std(np.array(lines) @ np.array(list(found.weights.values())))
    assert after == pytest.approx(before, rel=0.05)


def record(scorer: str, **trace: object) -> ContextRecord:
    return ContextRecord(
        "c1",
        "test:1",
        "intelligent",
        "",
        items=(Item("message", "m1", 0.9, (), 5), Item("message", "m2", 0.5, (), 5)),
        trace={
            "scorer": scorer,
            "factors": {"m1": {"words": 1.5, "mass": 0.1}, "m2": {"near": 0.2}},
            **trace,
        },
        usage=(Usage("message", "m1", True), Usage("message", "m2", False)),
    )


def test_a_context_counts_only_under_the_weights_it_was_built_with() -> None:
    usual, _ = load({})
    own = usual.replaced(recall_weights={"words": 2.0})

    lines = labelled_lines(record("ranker"), weighed_by(usual))
    assert lines is not None
    assert (list(lines.used), list(lines.unused)) == (
        [{"words": 1.5, "mass": 0.1}],
        [{"near": 0.2}],
    )
    assert labelled_lines(record("ranker"), weighed_by(own)) is None
    assert labelled_lines(record("ranker", recall_weights={"words": 2.0}), weighed_by(own))
    assert labelled_lines(record("five_factor"), weighed_by(usual)) is None
    assert weighed_by(own).settings({"words": 1.5, "near": 0.5}) == {
        "recall_weights": {"words": 3.0, "near": 0.5}
    }
    five = weighed_by(usual.replaced(context_scorer="five_factor"))
    assert five.settings({"time_decay": 0.3}) == {"time_decay_weight": 0.3}


def test_the_setting_knows_every_sign_of_recall() -> None:
    assert set(RANKING_PARTS) == set(WEIGHTS)
