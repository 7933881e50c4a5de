"""The single facts of a profile, and whether a new wording of it still has them. Pure."""

import re
from collections.abc import Iterable

from shared.language import terms

SAME_FACT = 0.6
"""Of a fact's words so many must stand together in one place: a model rewords what it keeps."""
_HAN = re.compile("[\u3400-\u9fff]")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


def facts_of(body: str) -> list[str]:
    """One a line, without its bullet. Headings tell nothing of anybody."""
    lines = [_BULLET.sub("", line).strip() for line in body.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def lost_facts(old: str, new: str, also: Iterable[str] = (), name: str = "") -> list[str]:
    """The facts of the old body that the new one has no longer, in any words; `also` are places
    besides the body where a fact may have gone. `name` is in every fact and tells none apart."""
    everywhere = _signs(name)
    places = [_signs(place) for place in (*facts_of(new), *also)]
    lost: list[str] = []
    for fact in facts_of(old):
        signs = _signs(fact) - everywhere
        if signs and not any(len(signs & place) >= SAME_FACT * len(signs) for place in places):
            lost.append(fact)
    return lost


def _signs(text: str) -> set[str]:
    """Words by their stems, Chinese by its characters: 住在青岛 and 在青岛住 say the same."""
    han = set(_HAN.findall(text))
    return han | {term for term in terms(text) if not _HAN.search(term)}
