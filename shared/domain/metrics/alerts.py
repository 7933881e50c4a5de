"""When a number is wrong: one line each. Pure."""

from dataclasses import dataclass

ALERT_LINE = "alert"
"""What is logged of each that fires; the clouds' own alerts look for it."""
FEWEST = 10
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
        if value is None or (self.needs and counted < FEWEST):
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
        "jobs_tried_again",
        "job_attempts_mean",
        "Jobs take more than 2 attempts on average.",
        over=2,
        needs="jobs_done",
    ),
    Alert(
        "slow_jobs",
        "job_seconds_mean",
        "Jobs take longer than 15 minutes on average.",
        over=900,
        needs="jobs_done",
    ),
    Alert(
        "late_jobs",
        "oldest_waiting_job_seconds",
        "A job has been due for longer than 15 minutes.",
        over=900,
        needs="",
    ),
    Alert(
        "memories_not_said",
        "changes_supported_rate",
        "Fewer than 80 % of the changes of memories are in what was said.",
        under=0.8,
        needs="changes_judged",
    ),
    Alert(
        "late_messages",
        "oldest_pending_message_seconds",
        "A message has waited longer than 5 minutes for its topic.",
        over=300,
        needs="",
    ),
)
