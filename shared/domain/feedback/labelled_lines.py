"""What a context with feedback tells of its lines, in the signs that a group's weights weigh. Pure.

With the five factors these are the factors, and the weights are the five settings. With the ranker
they are the parts of its sum; those are kept as they were weighed, so the weights that are fitted
are how much more or less than before each shall count.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shared.config import Settings
from shared.domain.context.five_factors import weights_of
from shared.domain.context.record import ContextRecord
from shared.domain.feedback.tuning import Labelled
from shared.domain.ranking.ranker import WEIGHTS

MOST_OF_USUAL = 4.0
"""As the setting allows: beyond it one sign would decide alone."""


@dataclass(frozen=True)
class WeighedSettings:
    """`start` are the weights of now; `recall_weights` those that a record's parts must have been
    weighed with; `settings` makes a group's settings of fitted weights."""

    scorer: str
    start: Mapping[str, float]
    most: float
    recall_weights: Mapping[str, float]
    settings: Callable[[Mapping[str, float]], dict[str, float | dict[str, float]]]


def weighed_by(settings: Settings) -> WeighedSettings:
    if settings.context_scorer == "five_factor":
        start = weights_of(settings)
        return WeighedSettings(
            "five_factor",
            start,
            1.0,
            {},
            lambda found: {f"{name}_weight": value for name, value in found.items()},
        )
    now = dict(settings.recall_weights)

    def times(found: Mapping[str, float]) -> dict[str, float | dict[str, float]]:
        every = {name: round(now.get(name, 1.0) * value, 3) for name, value in found.items()}
        return {
            "recall_weights": {name: min(MOST_OF_USUAL, weight) for name, weight in every.items()}
        }

    return WeighedSettings("ranker", dict.fromkeys(WEIGHTS, 1.0), MOST_OF_USUAL, now, times)


def labelled_lines(record: ContextRecord, by: WeighedSettings) -> Labelled | None:
    """None if other signs or other weights were at work when it was built."""
    trace = record.trace
    if trace.get("scorer") != by.scorer:
        return None
    if by.scorer == "ranker" and dict(trace.get("recall_weights", {})) != by.recall_weights:
        return None
    factors: Mapping[str, Mapping[str, float]] = trace.get("factors", {})
    used_ids = {
        usage.id for usage in record.usage if usage.kind == "message" and usage.was_referenced
    }
    used: list[Mapping[str, float]] = []
    unused: list[Mapping[str, float]] = []
    for item in record.items:
        signs = factors.get(item.id, {}) if item.kind == "message" else {}
        if not by.start.keys().isdisjoint(signs):
            (used if item.id in used_ids else unused).append(signs)
    return Labelled(record.context_id, used, unused)
