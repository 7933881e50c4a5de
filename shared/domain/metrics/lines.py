"""The metrics as one log line, from which both clouds make numbers of their own. Pure.

On Google a log-based metric takes each field out of it (`infra/gcp/alerts.tf`); CloudWatch reads
the block `_aws`, its embedded metric format, and needs nothing else.
"""

from datetime import datetime
from typing import Any

from shared.domain.metrics.catalogue import METRICS, Values

METRICS_LINE = "metrics"
NAMESPACE = "Annals"


def metrics_line(values: Values, at: datetime, window_s: int, variant: str = "") -> dict[str, Any]:
    """What was counted, under its own names; a rate of nothing is left out. `variant` is the side
    of an experiment that it is of."""
    told = {name: value for name, value in values.items() if value is not None}
    units = {one.name: one.unit for one in METRICS}
    side = {"variant": variant} if variant else {}
    return {
        **told,
        **side,
        "window_seconds": window_s,
        "_aws": {
            "Timestamp": int(at.timestamp() * 1000),
            "CloudWatchMetrics": [
                {
                    "Namespace": NAMESPACE,
                    "Dimensions": [["function", *side]],
                    "Metrics": [{"Name": name, "Unit": units[name]} for name in told],
                }
            ],
        },
    }
