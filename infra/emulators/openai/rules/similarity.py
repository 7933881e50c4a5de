"""How alike texts are, by the sentence encoder; each text is encoded once an answer."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..network import Matrix


class Likeness:
    """Cosines between texts. An empty text is like nothing."""

    def __init__(self, vectors_of: Callable[[Sequence[str]], "Matrix"]) -> None:
        self._vectors_of = vectors_of
        self._known: dict[str, Any] = {}

    def between(self, left: str, right: str) -> float:
        if not left or not right:
            return 0.0
        self.learn([left, right])
        return float(self._known[left] @ self._known[right])

    def best(self, text: str, others: Sequence[str]) -> float:
        return max((self.between(text, other) for other in others), default=0.0)

    def vector(self, text: str) -> Any:
        self.learn([text])
        return self._known[text]

    def learn(self, texts: Sequence[str]) -> None:
        """Encode what is new among these, in one go."""
        fresh = [text for text in dict.fromkeys(texts) if text and text not in self._known]
        if fresh:
            for text, vector in zip(fresh, self._vectors_of(fresh), strict=True):
                self._known[text] = vector
