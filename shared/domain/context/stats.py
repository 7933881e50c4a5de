"""The numbers of one context that metrics add up: flat, so that the database can sum them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

SLOW_MS = 5000.0
"""A build that takes longer has missed its deadline."""

SUMMED = (
    ("took_ms", "is_slow", "is_fallback", "is_error"),
    ("is_warm", "messages", "score", "has_scores"),
    ("tokens", "plain_tokens", "judged", "used"),
    ("satisfaction", "rated"),
)
"""As one query adds them up: each row has an index of its own."""


@dataclass(frozen=True)
class Counted:
    mode: str
    is_failed: bool
    took_ms: float
    scores: Sequence[float]
    tokens: int
    plain_tokens: int
    is_warm: bool
    items: int


def built_stats(one: Counted) -> dict[str, float]:
    """Of a context that was just built; feedback fills in the rest. All are there from the start:
    a sum passes over a record that lacks one of them."""
    return {
        "took_ms": one.took_ms,
        "is_slow": float(one.took_ms > SLOW_MS),
        "is_fallback": float(one.mode != "intelligent"),
        "is_error": float(one.is_failed),
        "is_warm": float(one.is_warm),
        "messages": float(len(one.scores)),
        "score": round(fmean(one.scores), 4) if one.scores else 0.0,
        "has_scores": float(bool(one.scores)),
        "tokens": float(one.tokens),
        "plain_tokens": float(one.plain_tokens),
        "offered": float(one.items),
        "judged": 0.0,
        "used": 0.0,
        "satisfaction": 0.0,
        "rated": 0.0,
    }


def labelled_stats(
    stats: dict[str, float], *, used: int, success_indicator: float | None
) -> dict[str, float]:
    return {
        **stats,
        "judged": stats.get("offered", 0.0),
        "used": float(used),
        "satisfaction": success_indicator or 0.0,
        "rated": float(success_indicator is not None),
    }
