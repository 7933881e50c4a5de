"""What became of holding memories against their sources: a verdict each, and their counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SAID = "not_said"


@dataclass(frozen=True)
class Judged:
    """How many changes of one run had which verdict."""

    supported: int = 0
    contradicted: int = 0
    not_said: int = 0

    @classmethod
    def counting(cls, verdicts: Sequence[str]) -> "Judged":
        return cls(*(verdicts.count(one) for one in Verdict))


NONE_JUDGED = Judged()
