"""How alike a message is to topics: log-odds of the calibrated cosine with the mean of each."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from shared.domain.similarity.calibration import calibrated
from shared.domain.text.language import Language
from shared.domain.topics.topic import Topic

LEAST, MOST = -4.0, 8.0
"""In log-odds: an encoder is never surer than that."""


class Likeness:
    """The sums of the topics' vectors, growing as messages join them."""

    def __init__(self, model: str, topics: Sequence[Topic]) -> None:
        self._model = model
        self._sums: dict[str, Any] = {}
        for topic in topics:
            if summed := topic.sum_in(model):
                self.join(topic.topic_id, summed)

    def join(self, topic_id: str, vector: Sequence[float] | None) -> None:
        import numpy as np

        if vector is None:
            return
        row = np.asarray(vector, dtype=np.float32)
        known = self._sums.get(topic_id)
        self._sums[topic_id] = row if known is None else known + row

    def of(
        self, vector: Sequence[float] | None, language: Language, topic_ids: Sequence[str]
    ) -> Mapping[str, float]:
        """By topic; 0 (it tells nothing) where either has no vector."""
        import numpy as np

        known = [topic_id for topic_id in topic_ids if topic_id in self._sums]
        if vector is None or not known:
            return {}
        rows = np.stack([self._sums[topic_id] for topic_id in known])
        own = np.asarray(vector, dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(own)
        cosines = (rows @ own) / np.maximum(lengths, 1e-9)
        return {
            topic_id: _log_odds(calibrated(self._model, language, float(cosine)))
            for topic_id, cosine in zip(known, cosines, strict=True)
        }


def _log_odds(chance: float) -> float:
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return max(LEAST, min(MOST, math.log(kept / (1 - kept))))
