"""Tables with a few weights set by hand, so that a test knows what a talk will say."""

from typing import Any

import numpy as np

from shared.threads.features import LINE_FEATURES, NEW_FEATURES
from shared.threads.table import Table, Tables


def table(opens: float = 0.0, lonely: float = 0.5, **lines: float) -> Table:
    """Every line weighs e^0 but for the features named, opening a topic e^`opens`."""
    weights: Any = np.zeros(len(LINE_FEATURES), np.float32)
    for name, value in lines.items():
        weights[LINE_FEATURES.index(name)] = value
    return Table(
        lines=weights,
        new=np.zeros(len(NEW_FEATURES), np.float32),
        opens=opens,
        lonely=lonely,
    )


def tables(opens: float = 0.0, lonely: float = 0.5, **lines: float) -> Tables:
    """The same for every kind of chat."""
    same = table(opens, lonely, **lines)
    return Tables(same, same, same)
