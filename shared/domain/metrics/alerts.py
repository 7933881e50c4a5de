"""When a number is wrong: one line each. Pure."""

from dataclasses import dataclass

ALERT_LINE = "alert"
"""What is logged of each that fires; the clouds' own alerts look for it."""
FEWEST_CONTEXTS = 10
"""A share of fewer says nothing."""


@dataclass(frozen=True)
class Alert:
    """Fires above `over`, or below `under`; `needs` is what must have been counted often enough."""

    name: str
    metric: str
    about: str
    over: float | None = None
    under: float | None = None
    needs: str = "contexts"

    def fires(self, value: float | None, counted: float) -> bool:
        if value is None or (self.needs and counted < FEWEST_CONTEXTS):
            return False
        is_over = self.over is not None and value > self.over
        return is_over or (self.under is not None and value < self.under)


ALERTS = (
    Alert("fallbacks", "fallback_rate", "More than 10 % of contexts fall back.", over=0.1),
    Alert("errors", "error_rate", "More than 5 % of contexts break on their way.", over=0.05),
    Alert("slow", "slow_contexts", "A context took longer than 5 s.", over=0, needs=""),
    Alert(
        "low_scores",
        "avg_relevance_score",
        "What is offered scores below 0.2 on average.",
        under=0.2,
    ),
    Alert(
        "failed_jobs", "job_success_rate", "Fewer than 99 % of jobs succeed.", under=0.99, needs=""
    ),
    Alert(
        "late_messages",
        "oldest_pending_message_seconds",
        "A message has waited longer than 5 minutes for its topic.",
        over=300,
        needs="",
    ),
)
