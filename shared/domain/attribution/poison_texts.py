"""Texts that make our own code fail: told from a fault of the code itself. Pure.

Nothing is known of such a text beforehand; what it raises is what text and numbers raise in
Python. A fault of a service is another matter and goes its own way.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from shared.domain.messages.stored_message import StoredMessage
from shared.errors import Poisoned

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
        message, user_name="", content="hello", mentions=(), attachments=(), terms=(), features={}
    )
