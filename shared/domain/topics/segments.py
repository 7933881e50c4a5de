"""Where a long talk can be cut so that a model takes in each part at once. Pure."""

from collections.abc import Sequence
from datetime import timedelta

from shared.domain.topics.bursts import Burst

MAX_TOKENS = 2_400
"""What a small model still summarises well, with room for its reply."""
MIN_BURSTS = 6
"""A shorter part costs a call and says little."""
PAUSE = timedelta(minutes=30)
"""People who come back after so long often come with something else."""
WINDOW = 6
"""Bursts on either side whose words are compared."""
PAUSE_WORTH = 0.5
"""What a pause counts for beside a full turn of subject, which is 1."""


def segments(talk: Sequence[Burst], max_tokens: int = MAX_TOKENS) -> list[list[Burst]]:
    """Parts of at most `max_tokens`, cut where the subject turns or the talk pauses.

    A talk that fits is one part: cutting it would only cost calls.
    """
    if not talk:
        return []
    if sum(one.tokens for one in talk) <= max_tokens or len(talk) == 1:
        return [list(talk)]
    cut = _best_cut(talk, max_tokens)
    return [*segments(talk[:cut], max_tokens), *segments(talk[cut:], max_tokens)]


def _best_cut(talk: Sequence[Burst], max_tokens: int) -> int:
    """The best place before the first part grows too long, and not at its very beginning."""
    tokens, latest = 0, 1
    for place, one in enumerate(talk):
        tokens += one.tokens
        if tokens > max_tokens:
            latest = max(1, place)
            break
    earliest = min(max(MIN_BURSTS, latest // 2), latest)
    places = range(earliest, latest + 1)
    return max(places, key=lambda place: (_turn(talk, place), place))


def _turn(talk: Sequence[Burst], place: int) -> float:
    """How much a new part begins at this place: the words change, or time has passed."""
    before = frozenset[str]().union(*(one.terms for one in talk[max(0, place - WINDOW) : place]))
    after = frozenset[str]().union(*(one.terms for one in talk[place : place + WINDOW]))
    smaller = min(len(before), len(after))
    shared = len(before & after) / smaller if smaller else 0.0
    pause = talk[place].at - talk[place - 1].until >= PAUSE if place < len(talk) else False
    return 1.0 - shared + PAUSE_WORTH * pause
