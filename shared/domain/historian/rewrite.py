"""Which wording of a note is kept: the model's if the gate lets it pass, else the rules', else the
one with the least left in it that is not absolute."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.historian.gate import Violation, violations
from shared.domain.historian.untouchable import QUOTED

QUOTATION = "changed quotation"


@dataclass(frozen=True)
class Wording:
    """A note as somebody worded it, with what the gate holds against it."""

    canonical_text: str
    new_info: str
    author: str
    against: tuple[Violation, ...] = ()

    @property
    def is_absolute(self) -> bool:
        return not self.against


def judged(
    canonical_text: str, new_info: str, author: str, *, source: str, names: Iterable[str]
) -> Wording:
    """A wording with the gate's verdict; what was quoted in the source must stand there still."""
    known = tuple(names)
    found = dict.fromkeys([*violations(canonical_text, known), *violations(new_info, known)])
    lost = [
        Violation(QUOTATION, quoted)
        for quoted in QUOTED.findall(source)
        if quoted not in canonical_text
    ]
    return Wording(canonical_text, new_info, author, (*found, *lost))


def best_of(wordings: Iterable[Wording]) -> Wording:
    """The first with the fewest violations."""
    return min(wordings, key=lambda one: len(one.against))
