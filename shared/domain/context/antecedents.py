"""Antecedents: which line each one most likely follows, where the platform does not say. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

SPEAKS_ON = timedelta(minutes=5)
"""Who goes on within this time without naming anybody still follows their own last line."""


@dataclass(frozen=True)
class SpokenLine:
    """Who speaks to whom, when, and what it says that it answers."""

    id: str
    names: frozenset[str]
    spoken_to: frozenset[str]
    at: datetime
    answers: str | None


def antecedent(
    line: SpokenLine, before: Sequence[SpokenLine], known: Mapping[str, str]
) -> str | None:
    """What a line most likely follows; None if it seems to open something new."""
    if line.answers in known:
        return line.answers
    if line.spoken_to:
        theirs = [one for one in before if one.names & line.spoken_to]
        to_us = [one for one in theirs if one.spoken_to & line.names]
        found = to_us or [one for one in theirs if not one.spoken_to] or theirs
        return found[-1].id if found else None
    for one in reversed(before):
        if one.spoken_to & line.names:
            return one.id
        if one.names & line.names:
            return one.id if one.spoken_to or line.at - one.at <= SPEAKS_ON else None
    return None
