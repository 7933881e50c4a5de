"""What a check found, one line each, and how it is told."""

from collections.abc import Iterable
from dataclasses import dataclass


class CannotGoOn(Exception):
    """Something is missing; the message says what to do."""


@dataclass(frozen=True)
class Step:
    """`to_do` says what to do if it is not well; of one that is, what there is to know.

    Not `is_known` where the service did not say: what it did not say is there may well be there.
    """

    name: str
    is_ok: bool
    to_do: str = ""
    is_known: bool = True

    def told(self) -> str:
        mark = "ok    " if self.is_ok else "WRONG "
        return f"{mark} {self.name}" + (f"\n         {self.to_do}" if self.to_do else "")


def tell(steps: Iterable[Step]) -> int:
    """Prints each as soon as it is known; how many are wrong."""
    wrong = 0
    for step in steps:
        print(step.told(), flush=True)
        wrong += not step.is_ok
    print(f"\n{wrong} wrong" if wrong else "\neverything is well")
    return wrong
