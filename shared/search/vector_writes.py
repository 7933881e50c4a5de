"""Vectors of records: put, and looked at again, so that none outlives what was forgotten.

Whoever forgets removes a record's vector, the record, and the vector once more. A writer that has
read the record before, and puts its vector afterwards, would bring it back: so it reads the record
again when the vector is there. One of the two always comes last and sees what the other did.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from shared.errors import Transient

TRIES = 5
"""A record seldom changes even once while its vector is put."""

T = TypeVar("T")


async def put_as_stored(
    read: Callable[[], Awaitable[T]], put: Callable[[T], Awaitable[None]]
) -> None:
    """`put` what is read, with vectors deleted of what is not there, until it is what is stored."""
    found = await read()
    for _ in range(TRIES):
        await put(found)
        now = await read()
        if now == found:
            return
        found = now
    raise Transient("what is to be indexed keeps changing")
