"""Counts of calls and tokens, by endpoint, by prompt, by format and by fault. In memory only."""

from collections import Counter, defaultdict
from typing import Any


class CallCounts:
    """Every call counts once, refused ones too (they count as `errors` as well)."""

    def __init__(self) -> None:
        self._endpoints: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._prompts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._formats: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()

    def called(self, endpoint: str) -> None:
        self._endpoints[endpoint]["calls"] += 1

    def refused(self, endpoint: str) -> None:
        self._endpoints[endpoint]["errors"] += 1

    def prompted(self, prompt: str, form: str) -> None:
        self._prompts[prompt]["calls"] += 1
        self._formats[form] += 1

    def prompt_refused(self, prompt: str) -> None:
        self._prompts[prompt]["errors"] += 1

    def replied(self, prompt: str, prompt_tokens: int, completion_tokens: int) -> None:
        for counts in (self._prompts[prompt], self._endpoints["chat"]):
            counts["prompt_tokens"] += prompt_tokens
            counts["completion_tokens"] += completion_tokens

    def embedded(self, texts: int, tokens: int) -> None:
        self._endpoints["embeddings"]["texts"] += texts
        self._endpoints["embeddings"]["prompt_tokens"] += tokens

    def struck(self, kind: str) -> None:
        self._faults[kind] += 1

    def told(self) -> dict[str, Any]:
        return {
            "endpoints": {name: dict(counts) for name, counts in self._endpoints.items()},
            "prompts": {name: dict(counts) for name, counts in self._prompts.items()},
            "formats": dict(self._formats),
            "faults": dict(self._faults),
        }
