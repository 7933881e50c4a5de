"""How much a run of attribution takes at once. Pure.

Fewer messages after each failure, until the one to blame is alone and can be passed over; then
more again. So one message costs its group seven short tries, not its topics.
"""

from collections.abc import Sequence

from shared.domain.messages.stored_message import StoredMessage

BATCH = 100
"""Fits one commit with its topics, words and jobs, and is placed in a tenth of a second."""
MAX_CHARACTERS = 200_000
"""Of one batch: three messages of the longest, 2,000 ordinary ones. Text is read at about a
million characters a second, and a run's lease lasts a minute."""
HOPELESS = 10
"""Runs that died in a row, the last three with one message alone, before it is passed over unseen.
Whoever kills our processes at random would have to hit this one group ten times running."""


def first_size(died: int) -> int:
    """Half as many for each run that died before this one with the lease in its hand."""
    return max(1, BATCH >> died)


def is_hopeless(died: int) -> bool:
    return died >= HOPELESS


def smaller(size: int) -> int:
    return max(1, size // 2)


def larger(size: int) -> int:
    return min(BATCH, size * 2)


def fitting(waiting: Sequence[StoredMessage]) -> int:
    """How many of the first have no more text together than one run may read; at least one."""
    characters = 0
    for count, message in enumerate(waiting):
        characters += len(message.content)
        if count and characters > MAX_CHARACTERS:
            return count
    return len(waiting)
