"""How much a run of attribution takes at once, and what is to blame if it fails. Pure.

Fewer messages after each failure, until the one to blame is alone and can be passed over; then
more again. So one message costs its group seven short tries, not its topics. What a text raises in
our own code is told from a fault of a service, which goes its own way.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from shared.domain.messages.stored_message import StoredMessage
from shared.errors import Poisoned

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


FAULTS_OF_DATA = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What code raises over a value it did not expect. Never what a service answers: those are
AnnalsErrors."""


@contextmanager
def blaming_texts() -> Iterator[None]:
    """What fails in here fails because of the texts it works on: Poisoned, without their words."""
    try:
        yield
    except FAULTS_OF_DATA as error:
        raise Poisoned(type(error).__name__) from error


def harmless(message: StoredMessage) -> StoredMessage:
    """The same sender, place and time, with nothing in it. If that fails too, the message is not to
    blame: passing it over would pass over the whole group, one after the other."""
    return replace(
        message, user_name="", content="hello", mentions=(), attachments=(), terms=(), features=None
    )
