"""Metrics and alerts, as the API shows them."""

from pydantic import BaseModel

from shared.contracts.api import Answer


class MetricsAnswer(Answer):
    """Over the last `window_seconds`, all groups and all instances together; null where nothing
    was counted. `about` says in a line what each one is. `variants` has, while an experiment is on,
    what contexts tell of each of its sides."""

    window_seconds: int
    metrics: dict[str, float | None]
    about: dict[str, str]
    variants: dict[str, dict[str, float | None]]


class ShownAlert(BaseModel):
    """`limit` is what `value` went over, or below."""

    name: str
    metric: str
    about: str
    value: float | None
    limit: float
    is_firing: bool


class AlertsAnswer(Answer):
    """All of them, those that fire first."""

    window_seconds: int
    firing: int
    alerts: list[ShownAlert]
